import { DAY_MS, dateOf } from '../../base/dates.ts';
import { isCoded } from '../../base/errors.ts';
import { EDGE_TYPES } from '../../graph/neighborhood.ts';
import { shownSymbol } from '../../market/market-view.ts';
import { newestDay } from '../../tape/index.ts';
import { anonymousCaller } from '../access/viewer.ts';
import { getChatContext } from '../chat/get-chat-context.ts';
import type { AppContext } from '../context/app-context.ts';
import { getNeighborhood } from '../graph/get-neighborhood.ts';
import { screenStocks } from '../screener/screen-stocks.ts';
import { getStock } from '../stocks/get-stock.ts';

/** A machine that is still too slow after these rounds does not get faster. */
const ROUNDS_MAX = 5;
const TOKENS = 4_000;

/**
 * Requests the most frequent answers once, so that the first callers find threads started, code compiled and caches
 * filled. Repeats requests that time out or are refused under load.
 *
 * @param onError called for other errors
 */
export async function warmUp(
  context: AppContext & { readonly delayMs: number },
  onError: (error: unknown) => void,
): Promise<void> {
  const simulated = await context.tape.marketOf(null);
  const symbols = await context.tape.ofMarket(simulated).symbols();
  const symbol = shownSymbol(symbols);
  if (symbol === undefined) return;
  const caller = anonymousCaller(context.delayMs);
  const [tape] = await context.tape.symbolTapes([symbol]);
  const newest = tape === undefined ? null : newestDay(tape, Number.POSITIVE_INFINITY);
  const past = newest === null ? null : context.calendar.previousSession(dateOf(newest * DAY_MS));
  const requests: readonly (() => unknown)[] = [
    () => getChatContext(context, { pageType: 'stock_detail', symbol, maxTokens: TOKENS }, caller),
    () => getStock(context, { symbol, includes: [] }, caller),
    () => getStock(context, { symbol, date: past ?? undefined, includes: [] }, caller),
    () => getNeighborhood(context, { symbol, depth: 1, limit: 50, types: EDGE_TYPES }, caller),
    () => screenStocks(context, {}, caller),
    () => context.states(simulated).use(async () => {}),
  ];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const outcomes = await Promise.allSettled(requests.map(async (request) => request()));
    const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    for (const error of errors) if (!isCoded(error)) onError(error);
    if (!errors.some(isLate)) return;
  }
}

const isLate = (error: unknown): boolean =>
  isCoded(error) && (error.code === 'query_timeout' || error.code === 'overloaded');

import { DAY_MS, dateOf } from '../../base/dates.ts';
import { isCoded } from '../../base/errors.ts';
import { INDEX_SYMBOLS, newestDay } from '../../market/tape/index.ts';
import { anonymousCaller } from '../access/viewer.ts';
import type { AppContext } from '../app-context.ts';
import { getChatContext } from '../chat/get-chat-context.ts';
import { EDGE_TYPES, getNeighborhood } from '../graph/get-neighborhood.ts';
import { screenStocks } from '../screener/index.ts';
import { getStock } from '../stocks/get-stock.ts';

/** A machine that is too slow for the time limit of a query in this many rounds will not be warm after more. */
const ROUNDS_MAX = 5;
const TOKENS = 4_000;

/**
 * Asks once what callers ask most, so that the first of them finds threads started, code compiled and caches read. What
 * is late or refused under load is asked again.
 *
 * @param onError is given what went wrong otherwise; a cold answer is still an answer
 */
export async function warmUp(
  context: AppContext & { readonly delayMs: number },
  onError: (error: unknown) => void,
): Promise<void> {
  const symbols = await context.tape.symbols();
  const symbol = INDEX_SYMBOLS.find((index) => symbols.includes(index)) ?? symbols[0];
  if (symbol === undefined) return;
  const caller = anonymousCaller(context.delayMs);
  const [tape] = await context.tape.symbolTapes([symbol]);
  const newest = tape === undefined ? null : newestDay(tape, Number.POSITIVE_INFINITY);
  const past = newest === null ? undefined : context.calendar.previousSession(dateOf(newest * DAY_MS));
  const questions: readonly (() => Promise<unknown>)[] = [
    () => getChatContext(context, { pageType: 'stock_detail', symbol, maxTokens: TOKENS }, caller),
    () => getStock(context, { symbol, includes: [] }, caller),
    () => getStock(context, { symbol, date: past ?? undefined, includes: [] }, caller),
    () => getNeighborhood(context, { symbol, depth: 1, limit: 50, types: EDGE_TYPES }, caller),
    () => screenStocks(context, {}, caller),
    () => context.states.use(async () => {}),
  ];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const outcomes = await Promise.allSettled(questions.map((ask) => ask()));
    const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    for (const error of errors) if (!isCoded(error)) onError(error);
    if (!errors.some(isLate)) return;
  }
}

const isLate = (error: unknown): boolean =>
  isCoded(error) && (error.code === 'query_timeout' || error.code === 'overloaded');

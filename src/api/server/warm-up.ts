import { DAY_MS, dateOf, HOUR_MS } from '../../base/dates.ts';
import { type CodedError, isCoded } from '../../base/errors.ts';
import { rest } from '../../base/timers.ts';
import { behindReaders } from '../../database/database.ts';
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
/** Minutes after which code is compiled. */
const MINUTES_ASKED = 5;
/** Callers who have asked for no new answer for so long have what they came for. */
const QUIET_MS = 200;

/**
 * Requests the most frequent answers once, so that callers find threads started, code compiled and caches filled. Repeats
 * a request that times out or is refused under load.
 *
 * @param onError called for other errors
 * @returns once the first is there, what requests the others one by one, each once callers are quiet for a moment: what it
 *   reads of a market would keep the store from them
 */
export async function warmUp(
  context: AppContext & { readonly delayMs: number },
  onError: (error: unknown) => void,
): Promise<() => void> {
  const simulated = await context.tape.marketOf(null);
  const symbols = await context.tape.ofMarket(simulated).symbols();
  const symbol = shownSymbol(symbols);
  if (symbol === undefined) return () => {};
  const caller = anonymousCaller(context.delayMs);
  const [tape] = await context.tape.symbolTapes([symbol]);
  const newest = tape === undefined ? null : newestDay(tape, Number.POSITIVE_INFINITY);
  const past = newest === null ? null : context.calendar.previousSession(dateOf(newest * DAY_MS));
  const derived = () => getStock(context, { symbol, date: past ?? undefined, includes: [] }, caller);
  const open = past === null ? Number.NaN : context.calendar.session(past)!.open;
  const minutes = Array.from({ length: past === null ? 0 : MINUTES_ASKED }, (_, hour) => () => {
    const asOf = open + (hour + 1) * HOUR_MS;
    return getStock(context, { symbol, includes: [] }, { ...caller, asOf });
  });
  const others: readonly (() => unknown)[] = [
    derived,
    ...minutes,
    () => screenStocks(context, {}, caller),
    () => context.states(simulated).use(async () => {}),
    () => getNeighborhood(context, { symbol, depth: 1, limit: 50, types: EDGE_TYPES }, caller),
    () => getChatContext(context, { pageType: 'stock_detail', symbol, maxTokens: TOKENS }, caller),
  ];
  await ask(() => getStock(context, { symbol, includes: [] }, caller), onError);
  return () => {
    if (context.scope.signal.aborted) return;
    void context.scope.run('warming up', ({ signal }) =>
      behindReaders(async () => {
        for (const other of others) {
          while (await asksForMore(context, signal));
          if (!signal.aborted) await ask(other, onError);
        }
      }),
    );
  };
}

/** Whether callers wait for answers, or ask for new ones within a moment. */
async function asksForMore({ answers, scope }: AppContext, signal: AbortSignal): Promise<boolean> {
  const { begun } = answers;
  await rest(scope.timers, QUIET_MS, { signal });
  return (answers.begun !== begun || answers.underWay > 0) && !signal.aborted;
}

async function ask(request: () => unknown, onError: (error: unknown) => void): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    try {
      await request();
      return;
    } catch (error) {
      if (!isCoded(error)) return onError(error);
      if (!isLate(error)) return;
    }
  }
}

const isLate = ({ code }: CodedError): boolean => code === 'query_timeout' || code === 'overloaded';

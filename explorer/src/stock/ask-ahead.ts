import { type Interval, marketQuery, stockQuery } from '../shared/api/queries.ts';
import { queries } from '../shared/api/query-client.ts';
import { MINUTE_MS, minuteOf } from '../shared/instant.ts';
import type { StockSearch } from './stock-search.ts';
import { barQueries } from './use-bars.ts';

export const DEFAULT_INTERVAL = '5m';

/** Asks what the stock page is going to ask while its program is still on the way. */
export async function askAhead(
  symbol: string,
  { as_of, interval = DEFAULT_INTERVAL }: StockSearch,
): Promise<void> {
  void queries.prefetchQuery(stockQuery(symbol, as_of));
  const newest = queries.prefetchQuery(marketQuery(undefined));
  if (as_of === undefined) await newest;
  else void queries.prefetchQuery(marketQuery(as_of));
  const market = queries.getQueryData(marketQuery(undefined).queryKey);
  const end = as_of ?? market?.as_of;
  if (end === undefined) return;
  const { before, during } = barQueries(symbol, interval, as_of, Date.parse(end));
  void queries.prefetchQuery(before);
  if (during !== null) void queries.prefetchQuery(during);
}

/** The minutes beside the one that is shown, the next first. */
const BESIDE = [1, -1, 2, -2] as const;
/** A handle that is dragged moves on earlier. */
const STEPPED_MS = 40;

/**
 * Asks for the minutes beside the one that is shown, so that a step finds its answer: one after another, since each would
 * slow the others.
 *
 * @returns ends it
 */
export function askBeside(symbol: string, interval: Interval, shownMs: number, newestMs: number): () => void {
  let isOver = false;
  const ask = async (): Promise<void> => {
    for (const steps of BESIDE) {
      const besideMs = shownMs + steps * MINUTE_MS;
      if (isOver) return;
      if (besideMs >= newestMs) continue;
      const asOf = minuteOf(besideMs);
      const { during } = barQueries(symbol, interval, asOf, besideMs);
      await Promise.all([
        queries.prefetchQuery(stockQuery(symbol, asOf)),
        during === null ? undefined : queries.prefetchQuery(during),
      ]);
    }
  };
  const timer = setTimeout(() => void ask(), STEPPED_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

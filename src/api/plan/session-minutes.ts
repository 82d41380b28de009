import type { Session } from '../../base/calendar.ts';
import { MINUTE_MS, midnightUtc } from '../../base/dates.ts';
import { barsOfStocks, type ReadBars } from '../answers/bars-of-stocks.ts';
import type { AppContext } from '../context/app-context.ts';
import type { SeenSession } from './review-stock.ts';

/** More than a regular session has. */
const MINUTES_MAX = 500;

/**
 * What is seen of a session by symbol: its minutes, and its close once it is over.
 *
 * @param asOf no bar counts that became final later, epoch milliseconds
 */
export async function seenSessions(
  context: Pick<AppContext, 'tapes' | 'deriver'>,
  symbols: readonly string[],
  { open, close, tradeDate }: Session,
  asOf: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, SeenSession>> {
  const isOver = asOf >= close;
  const read = (interval: '1m' | '1d', from: number, to: number) =>
    barsOfStocks(context, symbols, { interval, from, to, asOf, limit: MINUTES_MAX }, signal);
  const day = midnightUtc(tradeDate);
  const [minutes, days] = await Promise.all([
    read('1m', open, Math.min(asOf, close) - MINUTE_MS),
    isOver ? read('1d', day, day) : null,
  ]);
  return new Map(
    Array.from(minutes, ([symbol, bars]) => [
      symbol,
      {
        open,
        bars: bars.time.length === 0 ? null : barsOf(bars, open),
        close: days?.get(symbol)?.close[0] ?? null,
        isOver,
      },
    ]),
  );
}

const barsOf = ({ time, ...prices }: ReadBars, opened: number): NonNullable<SeenSession['bars']> => ({
  minute: Int32Array.from(time, (at) => Math.round((Date.parse(at) - opened) / MINUTE_MS)),
  open: Float64Array.from(prices.open),
  high: Float64Array.from(prices.high),
  low: Float64Array.from(prices.low),
  close: Float64Array.from(prices.close),
});

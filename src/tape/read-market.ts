import { type Calendar, DAY_MS, type Session } from '../base/calendar.ts';
import { isIntraday } from '../market/series.ts';
import { DailyPrices } from './daily-prices.ts';
import type { BarSoFar, MarketTape } from './market-tapes.ts';
import { DAILY_REACH_DAYS, liesBeforeHole, readIntraday, regularBar } from './read-view.ts';
import type { SegmentReader } from './segment-reader.ts';

/** A trade date at an instant, with the calendar's answers for all symbols. */
export interface MarketDay {
  readonly tradeDate: string;
  /** Epoch milliseconds; nothing that became final after it is read. */
  readonly asOf: number;
  readonly session: Session;
  /** The trade date and the session before it, as days since 1970-01-01. */
  readonly day: number;
  readonly priorDay: number;
}

/**
 * Daily prices of a symbol as they were known at an instant, on the basis of the trade date: rows `first` to `row`,
 * without holes. The newest may be the bar so far of a session that runs.
 */
export interface DailyRun {
  /** Midnight UTC of each row's trade date. */
  readonly time: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly first: number;
  readonly row: number;
}

/**
 * The run of each date, null where no daily bar comes before its instant. The symbol's rows are read once for all
 * dates, and a run reaches no further back than a view does, so that it is the same whichever dates are read with it.
 *
 * @param days ascending
 */
export function readDailyRuns(
  reader: SegmentReader,
  tape: MarketTape,
  calendar: Calendar,
  days: readonly MarketDay[],
): (DailyRun | null)[] {
  const span = { first: days[0]!.day, last: days.at(-1)!.day };
  const prices = new DailyPrices(reader, tape, calendar, span);
  return days.map((market) => {
    const row = prices.endOf(isCompleted(market) ? market.day : market.priorDay) - 1;
    if (row < 0) return null;
    const first = Math.max(prices.beginOf(row), prices.rowFrom(market.day - DAILY_REACH_DAYS));
    const { time, high, low, close } = prices.inSharesOf(market.day);
    const run = { time, high, low, close, first, row };
    const bar = isCompleted(market) ? null : barSoFar(reader, tape, market);
    if (bar === null) return run;
    const isHole = liesBeforeHole(calendar, time[row]! / DAY_MS, market.day);
    return withBarSoFar(isHole ? { ...run, first: row + 1 } : run, market.day, bar);
  });
}

/** From the close on only daily bars count, so that what is known of the session no longer depends on the minute. */
export const isCompleted = ({ asOf, session }: Pick<MarketDay, 'asOf' | 'session'>): boolean =>
  asOf >= session.close;

/** A session that is in no segment was summed up by the database; the reader knows the rest. */
function barSoFar(
  reader: SegmentReader,
  tape: MarketTape,
  { tradeDate, day, session, asOf }: MarketDay,
): Omit<BarSoFar, 'tradeDate'> | null {
  if (!tape.slices.some((slice) => isIntraday(slice.kind))) {
    return tape.barsSoFar.find((bar) => bar.tradeDate === tradeDate) ?? null;
  }
  return regularBar(readIntraday(reader, tape, day, session, asOf).bars, session, day);
}

function withBarSoFar(
  { time, high, low, close, first, row }: DailyRun,
  day: number,
  bar: Omit<BarSoFar, 'tradeDate'>,
): DailyRun {
  const appended = (column: Float64Array, value: number): Float64Array => {
    const longer = new Float64Array(row - first + 2);
    longer.set(column.subarray(first, row + 1));
    longer[row - first + 1] = value;
    return longer;
  };
  return {
    time: appended(time, day * DAY_MS),
    high: appended(high, bar.high),
    low: appended(low, bar.low),
    close: appended(close, bar.close),
    first: 0,
    row: row - first + 1,
  };
}

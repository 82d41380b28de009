import { type Calendar, DAY_MS, type Session } from '../base/calendar.ts';
import { rowAtOrAfter } from '../base/columns.ts';
import { type BarColumns, INTERVAL_MS } from '../market/observations.ts';
import { asBars, barSeries, isIntraday } from '../market/series.ts';
import { DailyPrices } from './daily-prices.ts';
import type { BarSoFar, MarketTape } from './market-tapes.ts';
import { DAILY_REACH_DAYS, liesBeforeHole, splitsText, VIEW_INTERVALS } from './read-view.ts';
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
 * Of a single date before its close only the year is in it that a market looks back, in memory that the next minute of
 * the same date writes to.
 *
 * @param days ascending
 */
export function readDailyRuns(
  reader: SegmentReader,
  tape: MarketTape,
  calendar: Calendar,
  days: readonly MarketDay[],
): (DailyRun | null)[] {
  const [market] = days as readonly [MarketDay];
  if (days.length === 1 && !isCompleted(market)) return [readRunningRun(reader, tape, calendar, market)];
  const span = { first: market.day, last: days.at(-1)!.day };
  const prices = new DailyPrices(reader, tape, calendar, span);
  return days.map((market) => {
    const run = completedRun(prices, market);
    const bar = run === null || isCompleted(market) ? null : barSoFar(reader, tape, market);
    return bar === null ? run : withBarSoFar(ofSameRun(run!, calendar, market), market.day, bar);
  });
}

/** Of the sessions that are over. */
function completedRun(prices: DailyPrices, market: MarketDay): DailyRun | null {
  const row = prices.endOf(isCompleted(market) ? market.day : market.priorDay) - 1;
  if (row < 0) return null;
  const first = Math.max(prices.beginOf(row), prices.rowFrom(market.day - DAILY_REACH_DAYS));
  const { time, high, low, close } = prices.inSharesOf(market.day);
  return { time, high, low, close, first, row };
}

/** Nothing of a run that a hole parts from a date. */
function ofSameRun(run: DailyRun, calendar: Calendar, { day }: MarketDay): DailyRun {
  return liesBeforeHole(calendar, run.time[run.row]! / DAY_MS, day) ? { ...run, first: run.row + 1 } : run;
}

/** The run of a date before its close: what was completed before it is kept, with room for the bar so far. */
function readRunningRun(
  reader: SegmentReader,
  tape: MarketTape,
  calendar: Calendar,
  market: MarketDay,
): DailyRun | null {
  const { day, priorDay } = market;
  const range = [day - DAILY_REACH_DAYS, priorDay] as const;
  const basis = `${day} ${splitsText(tape.actions)}`;
  const kept = reader.keptPart(tape, 'run before', ['bars-1d'], range, basis, () => {
    const run = completedRun(new DailyPrices(reader, tape, calendar, { first: day, last: day }), market);
    if (run === null) return { before: null, running: null };
    const roomFor = (of: DailyRun): DailyRun =>
      withBarSoFar({ ...of, first: Math.max(of.first, of.row - LOOK_BACK_SESSIONS) }, day, NO_BAR);
    const same = ofSameRun(run, calendar, market);
    const before = roomFor(run);
    return { before, running: same === run ? before : roomFor(same) };
  });
  if (kept.before === null) return null;
  const bar = barSoFar(reader, tape, market);
  if (bar === null) return { ...kept.before, row: kept.before.row - 1 };
  const { high, low, close, row } = kept.running;
  [high[row], low[row], close[row]] = [bar.high, bar.low, bar.close];
  return kept.running;
}

/** Completed sessions before the newest of which a market reads: a year. */
const LOOK_BACK_SESSIONS = 252;
const NO_BAR = { high: Number.NaN, low: Number.NaN, close: Number.NaN };

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
  for (const interval of VIEW_INTERVALS) {
    const kind = barSeries(interval);
    const read = () => regularSoFar(asBars(reader.rows(tape, kind, day, day)), session);
    const bars = reader.keptPart(tape, `regular ${kind}`, [kind], [day, day], `${day}`, read);
    const last = asOf - INTERVAL_MS[interval];
    if (bars.begins > last) continue;
    const row = rowAtOrAfter(bars.time, last + 1) - 1;
    return row < 0 ? null : { high: bars.high[row]!, low: bars.low[row]!, close: bars.close[row]! };
  }
  return null;
}

/** When the bars of a session begin, and for each of its regular hours the highest and lowest price so far. */
function regularSoFar(bars: BarColumns, { preOpen, open, close }: Session) {
  const begins = bars.time[rowAtOrAfter(bars.time, preOpen)] ?? Number.POSITIVE_INFINITY;
  const from = rowAtOrAfter(bars.time, open);
  const to = rowAtOrAfter(bars.time, close);
  const high = bars.high.slice(from, to);
  const low = bars.low.slice(from, to);
  for (let row = 1; row < to - from; row++) {
    if (!(high[row]! > high[row - 1]!)) high[row] = high[row - 1]!;
    if (!(low[row]! < low[row - 1]!)) low[row] = low[row - 1]!;
  }
  return { begins, time: bars.time.slice(from, to), high, low, close: bars.close.slice(from, to) };
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

import { rowAtOrAfter } from '../base/columns.ts';
import { DAY_MS } from '../base/dates.ts';
import type { Bar, BarColumns, Interval, SessionBounds } from '../market/observations.ts';

export { rowAtOrAfter } from '../base/columns.ts';
export { DAY_MS, MINUTE_MS } from '../base/dates.ts';

// Analysis imports only types of the market, so the lengths of bars are repeated here.
const BAR_MS: Readonly<Record<Interval, number>> = {
  '1m': 60_000,
  '2m': 120_000,
  '3m': 180_000,
  '5m': 300_000,
  '10m': 600_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '1d': DAY_MS,
};

/** Length of a bar in milliseconds; NaN when there is no interval. */
export function barLengthMs(interval: Interval | null): number {
  return interval === null ? Number.NaN : BAR_MS[interval];
}

/** Rows `from` up to but not including `to` of some columns. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Intraday bars of one day with what is needed to cut windows from them. */
export interface IntradayBars {
  readonly columns: BarColumns;
  /** Length of every bar in milliseconds; NaN when the tape holds none. */
  readonly barMs: number;
  /** Epoch milliseconds; bars that end after it do not exist yet. */
  readonly asOf: number;
}

export function intradayBars(columns: BarColumns, interval: Interval | null, asOf: number): IntradayBars {
  return { columns, barMs: barLengthMs(interval), asOf };
}

/** Rows whose START lies in [start, end), epoch milliseconds. */
export function rowsBetween(columns: Pick<BarColumns, 'time'>, start: number, end: number): RowRange {
  const from = rowAtOrAfter(columns.time, start);
  return { from, to: Math.max(from, rowAtOrAfter(columns.time, end)) };
}

/** True when bars of this length fill a window without one of them reaching over its edge. */
export function barFitsWindow(barMs: number, windowMs: number): boolean {
  return barMs > 0 && windowMs > 0 && windowMs % barMs === 0;
}

/**
 * Rows of the finished bars that start in [start, end): five-minute bars can make a 15-minute opening range, hour bars
 * cannot. Null when the bar length does not divide the window, or when the bars are on another grid than its start
 * (hour bars on the clock hour, a session from half past).
 */
export function windowRows(bars: IntradayBars, start: number, end: number): RowRange | null {
  const { columns, barMs, asOf } = bars;
  if (!barFitsWindow(barMs, end - start)) return null;
  const rows = rowsBetween(columns, start, Math.min(end, asOf - barMs + 1));
  if (rows.from < rows.to && (columns.time[rows.from]! - start) % barMs !== 0) return null;
  return rows;
}

/** The rows as columns that share memory with the given ones; nothing is copied. */
export function sliceBars(columns: BarColumns, rows: RowRange): BarColumns {
  return {
    time: columns.time.subarray(rows.from, rows.to),
    open: columns.open.subarray(rows.from, rows.to),
    high: columns.high.subarray(rows.from, rows.to),
    low: columns.low.subarray(rows.from, rows.to),
    close: columns.close.subarray(rows.from, rows.to),
    volume: columns.volume.subarray(rows.from, rows.to),
  };
}

/** Many bars as one. `time` is the start of the first bar and `lastTime` of the last, epoch milliseconds. */
export interface MergedBar extends Bar {
  readonly lastTime: number;
  readonly bars: number;
}

/** Open of the first row, close of the last, extremes and volume (shares) of all; null for no rows. */
export function mergeBars(columns: BarColumns, rows: RowRange | null): MergedBar | null {
  if (rows === null || rows.from >= rows.to) return null;
  const { time, open, close, volume } = columns;
  let shares = 0;
  for (let row = rows.from; row < rows.to; row++) shares += volume[row]!;
  const { high, low } = priceRange(columns, rows);
  const last = rows.to - 1;
  return {
    time: time[rows.from]!,
    lastTime: time[last]!,
    open: open[rows.from]!,
    high,
    low,
    close: close[last]!,
    volume: shares,
    bars: rows.to - rows.from,
  };
}

/** A high and a low in dollars; both NaN when nothing traded. */
export interface PriceRange {
  readonly high: number;
  readonly low: number;
}

export const NO_RANGE: PriceRange = { high: Number.NaN, low: Number.NaN };

/** Highest high and lowest low of the rows. */
export function priceRange(columns: Pick<BarColumns, 'high' | 'low'>, rows: RowRange | null): PriceRange {
  if (rows === null || rows.from >= rows.to) return NO_RANGE;
  let high = Number.NEGATIVE_INFINITY;
  let low = Number.POSITIVE_INFINITY;
  for (let row = rows.from; row < rows.to; row++) {
    const top = columns.high[row]!;
    const bottom = columns.low[row]!;
    if (top > high) high = top;
    if (bottom < low) low = bottom;
  }
  return { high, low };
}

/** Highest high and lowest low up to the end of each bar. */
export function extremesSoFar(bars: Pick<BarColumns, 'high' | 'low'>): Pick<BarColumns, 'high' | 'low'> {
  const high = new Float64Array(bars.high.length);
  const low = new Float64Array(bars.low.length);
  let [top, bottom] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let bar = 0; bar < high.length; bar++) {
    if (bars.high[bar]! > top) top = bars.high[bar]!;
    if (bars.low[bar]! < bottom) bottom = bars.low[bar]!;
    high[bar] = top;
    low[bar] = bottom;
  }
  return { high, low };
}

/** Two stretches of trading as one, the earlier first; either may be missing. */
export function joinBars(earlier: MergedBar | null, later: MergedBar | null): MergedBar | null {
  if (earlier === null || later === null) return earlier ?? later;
  return {
    time: earlier.time,
    lastTime: later.lastTime,
    open: earlier.open,
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    close: later.close,
    volume: earlier.volume + later.volume,
    bars: earlier.bars + later.bars,
  };
}

/** Midnight UTC of the session's trade date, the time that daily columns carry. */
export function tradeDay(session: SessionBounds): number {
  // The New York open falls on the same calendar day in UTC all year round.
  return Math.floor(session.open / DAY_MS) * DAY_MS;
}

/** Rows of the regular session so far: 09:30-16:00 New York, 13:00 on half days. */
export function regularRows(bars: IntradayBars, session: SessionBounds): RowRange | null {
  return windowRows(bars, session.open, session.close);
}

/** 04:00-09:30 New York so far; null before the first trade of it. */
export function preMarketBar(bars: IntradayBars, session: SessionBounds): MergedBar | null {
  return mergeBars(bars.columns, windowRows(bars, session.preOpen, session.open));
}

/** 09:30-16:00 New York so far; null before the first trade of it. */
export function regularBar(bars: IntradayBars, session: SessionBounds): MergedBar | null {
  return mergeBars(bars.columns, regularRows(bars, session));
}

/** 16:00-20:00 New York so far; null before the first trade of it. */
export function afterHoursBar(bars: IntradayBars, session: SessionBounds): MergedBar | null {
  return mergeBars(bars.columns, windowRows(bars, session.close, session.postClose));
}

/**
 * From the prior close to the open: the prior day's after-hours and the day's pre-market trading, whichever of them
 * the tape holds. Null when neither traded, or when one of them has bars that cannot be cut at its edges.
 */
export function overnightBar(
  prior: IntradayBars,
  priorSession: SessionBounds,
  bars: IntradayBars,
  session: SessionBounds,
): MergedBar | null {
  const evening = heldRows(prior, priorSession.close, priorSession.postClose);
  const morning = heldRows(bars, session.preOpen, session.open);
  if (evening === null || morning === null) return null;
  return joinBars(mergeBars(prior.columns, evening), mergeBars(bars.columns, morning));
}

/** `windowRows`, but no rows rather than null where the tape holds no intraday bars of the day at all. */
function heldRows(bars: IntradayBars, start: number, end: number): RowRange | null {
  return bars.columns.time.length === 0 ? { from: 0, to: 0 } : windowRows(bars, start, end);
}

import { windowMean } from './statistics.ts';

/**
 * How far price has come and how much it trades, at one row of the daily columns. The caller names the row
 * (the prior session or today's); nothing beyond it is read, and NaN says that the history before it is too
 * short.
 */

/** What recent volume does; see `volumeTrend`. */
export type VolumeTrend = 'increasing' | 'decreasing' | 'stable';

/** Share of its own mean by which the fitted 20-session volume must change to count as a trend. */
export const VOLUME_TREND_BAND = 0.3;

/** Return of the close over the last `sessions` sessions, percent; NaN without a close that many rows before. */
export function returnPct(close: Float64Array, row: number, sessions: number): number {
  const now = close[row] ?? Number.NaN;
  const before = close[row - sessions] ?? Number.NaN;
  return (now / before - 1) * 100;
}

/**
 * Half the 60-session return, three tenths of the 90-session one and two tenths of the 20-session one, percent; NaN
 * before row 90. Source: the interface's definition of `momentum_blend`, with days read as sessions.
 */
export function momentumBlend(close: Float64Array, row: number): number {
  return 0.5 * returnPct(close, row, 60) + 0.3 * returnPct(close, row, 90) + 0.2 * returnPct(close, row, 20);
}

/**
 * Least-squares slope of ln(close) over the last `sessions` closes, times 252: percent a year, continuously compounded;
 * NaN before row `sessions - 1`. Source: the interface's definition of `momentum_slope_60d`.
 */
export function momentumSlope(close: Float64Array, row: number, sessions = 60): number {
  return slopeOf(close, row, sessions, Math.log) * 252 * 100;
}

/**
 * Volume of the session at `row` over the mean of the 20 that end with it; NaN before row 19 or without any.
 * For the interface's `rel_volume` the row is the session before the trade date.
 */
export function relativeVolume(volume: Float64Array, row: number): number {
  return (volume[row] ?? Number.NaN) / averageVolume(volume, row, 20);
}

/** Mean volume of the 5 sessions that end at `row` over that of 20; NaN before row 19 or without any. */
export function relativeVolume5d(volume: Float64Array, row: number): number {
  return averageVolume(volume, row, 5) / averageVolume(volume, row, 20);
}

/**
 * Whether volume grows: the least-squares line through the last 20 volumes rises or falls by more than 30 %
 * of their mean from its first to its last session, else it is stable.
 *
 * The band is one and a half standard errors of that line for ordinary session-to-session noise (a deviation
 * of 30 % of the mean): about half of all 20-session windows of US stocks pass as stable.
 *
 * @returns null before row 19, or when nothing has traded
 */
export function volumeTrend(volume: Float64Array, row: number): VolumeTrend | null {
  const change = (slopeOf(volume, row, 20) * 19) / averageVolume(volume, row, 20);
  if (Number.isNaN(change)) return null;
  if (change > VOLUME_TREND_BAND) return 'increasing';
  return change < -VOLUME_TREND_BAND ? 'decreasing' : 'stable';
}

/** Mean shares a session over the last `sessions` rows that end at `row`; NaN when there are fewer. */
export function averageVolume(volume: Float64Array, row: number, sessions: number): number {
  return windowMean(volume, row - sessions + 1, sessions);
}

/** Mean dollars a session over the last `sessions` rows up to `row`, shares at the close; NaN when there are fewer. */
export function averageDollarVolume(
  close: Float64Array,
  volume: Float64Array,
  row: number,
  sessions: number,
): number {
  let sum = 0;
  for (let at = row - sessions + 1; at <= row; at++) {
    sum += (close[at] ?? Number.NaN) * (volume[at] ?? Number.NaN);
  }
  return sum / sessions;
}

/** Least-squares slope per row of `of(values)` over the last `count` rows that end at `row`. */
function slopeOf(
  values: Float64Array,
  row: number,
  count: number,
  of: (value: number) => number = (value) => value,
): number {
  const middle = (count - 1) / 2;
  const first = row - count + 1;
  let weighted = 0;
  for (let step = 0; step < count; step++) {
    weighted += (step - middle) * of(values[first + step] ?? Number.NaN);
  }
  // The squares of the centred steps sum to n (n^2 - 1) / 12.
  return weighted / ((count * (count * count - 1)) / 12);
}

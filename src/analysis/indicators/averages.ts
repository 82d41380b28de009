import type { RowRange } from '../sessions.ts';
import { windowMean } from '../statistics.ts';
import { FIRST_ROW, undefinedBefore } from './warm-up.ts';

/**
 * Simple moving average, as TA-Lib SMA. The mean is carried forward, so a bar costs the same for any period.
 *
 * @returns a column as long as `values`, in their unit; NaN before row `period - 1`
 */
export function sma(
  values: Float64Array,
  period: number,
  out: Float64Array = new Float64Array(values.length),
): Float64Array {
  undefinedBefore(FIRST_ROW.sma(period), out);
  if (values.length < period) return out;
  let mean = windowMean(values, 0, period);
  out[period - 1] = mean;
  const share = 1 / period;
  for (let row = period; row < values.length; row++) {
    mean += (values[row]! - values[row - period]!) * share;
    out[row] = mean;
  }
  return out;
}

/**
 * Exponential moving average with weight `2 / (period + 1)` for the newest value, seeded by the simple average of the
 * first window, as TA-Lib EMA (classic seed).
 *
 * @returns a column as long as `values`, in their unit; NaN before row `period - 1`
 */
export function ema(
  values: Float64Array,
  period: number,
  out: Float64Array = new Float64Array(values.length),
): Float64Array {
  undefinedBefore(FIRST_ROW.ema(period), out);
  emaRows(values, period, 0, values.length, out);
  return out;
}

/** The rows up to `end` of an EMA whose seed window begins at row `from`. */
export function emaRows(
  values: Float64Array,
  period: number,
  from: number,
  end: number,
  out: Float64Array,
): void {
  if (end < from + period) return;
  let average = windowMean(values, from, period);
  out[from + period - 1] = average;
  const weight = 2 / (period + 1);
  for (let row = from + period; row < end; row++) {
    average += weight * (values[row]! - average);
    out[row] = average;
  }
}

/** The mean at the last of some rows that it begins with, to the last bit that of their column. */
export function lastSma(values: Float64Array, { from, to }: RowRange, period: number): number {
  if (to - from < period) return Number.NaN;
  let mean = windowMean(values, from, period);
  const share = 1 / period;
  for (let row = from + period; row < to; row++) mean += (values[row]! - values[row - period]!) * share;
  return mean;
}

/** The average at the last of some rows that it begins with, to the last bit that of their column. */
export function lastEma(values: Float64Array, { from, to }: RowRange, period: number): number {
  if (to - from < period) return Number.NaN;
  let average = windowMean(values, from, period);
  const weight = 2 / (period + 1);
  for (let row = from + period; row < to; row++) average += weight * (values[row]! - average);
  return average;
}

/** The mean after the last of some values, from that before it, to the last bit that of the column. */
export function nextSma(mean: number, values: Float64Array, period: number): number {
  const row = values.length - 1;
  return mean + (values[row]! - values[row - period]!) * (1 / period);
}

/** The average after one more value, to the last bit that of the column. */
export const nextEma = (average: number, value: number, period: number): number =>
  average + (2 / (period + 1)) * (value - average);

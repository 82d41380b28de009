import type { BarColumns } from '../../market/observations.ts';
import type { RowRange } from '../sessions.ts';
import { FIRST_ROW, undefinedBefore } from './warm-up.ts';

/**
 * Average True Range: Wilder's average of the true range.
 *
 * @returns a column as long as `close`, in the unit of the prices; NaN before row `period`
 * Source: Wilder (1978), TA-Lib ATR: seeded by the mean of the true ranges of rows 1 to `period`.
 */
export function atr(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  period = 14,
  out: Float64Array = new Float64Array(close.length),
): Float64Array {
  const rows = close.length;
  undefinedBefore(FIRST_ROW.atr(period), out);
  if (rows <= period) return out;
  const share = 0.5 / period;
  let average = 0;
  for (let row = 1; row <= period; row++) {
    average += share * twiceTrueRange(high[row]!, low[row]!, close[row - 1]!);
  }
  out[period] = average;
  for (let row = period + 1; row < rows; row++) {
    average = nextAtr(average, high[row]!, low[row]!, close[row - 1]!, period);
    out[row] = average;
  }
  return out;
}

/** The average at the last of some rows that it begins with, to the last bit that of their column. */
export function lastAtr({ high, low, close }: BarColumns, { from, to }: RowRange, period = 14): number {
  if (to - from <= period) return Number.NaN;
  const keep = (period - 1) / period;
  let average = 0;
  for (let row = from + 1; row < to; row++) {
    const range = (0.5 / period) * twiceTrueRange(high[row]!, low[row]!, close[row - 1]!);
    average = row - from <= period ? average + range : keep * average + range;
  }
  return average;
}

/** The average after one more row, to the last bit that of the column. */
export function nextAtr(average: number, high: number, low: number, priorClose: number, period = 14): number {
  return ((period - 1) / period) * average + (0.5 / period) * twiceTrueRange(high, low, priorClose);
}

/**
 * Twice the true range, so that an average may fold the half into its own weight.
 *
 * Source: Wilder (1978): max(H - L, |H - C'|, |L - C'|), which is (H - L + |H - C'| + |L - C'|) / 2, because the largest
 * of the three is the sum of the other two.
 */
export function twiceTrueRange(high: number, low: number, priorClose: number): number {
  return high - low + Math.abs(high - priorClose) + Math.abs(low - priorClose);
}

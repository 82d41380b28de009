import type { BarColumns } from '../../market/observations.ts';
import { windowMean } from '../statistics.ts';
import type { SwingPoint } from './finding.ts';

export const RANGE_ROWS = 14;

/** Reversals that make a swing, in mean true ranges: the small one for flags of weeks, the large one for months. */
export const MINOR_SWING = 1.5;
export const MAJOR_SWING = 3;

/**
 * Mean true range of the last `rows` rows, dollars; NaN for the first `rows` rows. The plain mean, not Wilder's, so
 * that a pattern does not depend on where the window of history begins.
 *
 * Source: true range after J. Welles Wilder, "New Concepts in Technical Trading Systems" (1978).
 */
export function meanTrueRange(bars: BarColumns, rows: number = RANGE_ROWS): Float64Array {
  const { high, low, close } = bars;
  const length = close.length;
  const ranges = new Float64Array(length);
  const mean = new Float64Array(length).fill(Number.NaN);
  for (let row = 1; row < length; row++) {
    const before = close[row - 1]!;
    ranges[row] = Math.max(high[row]!, before) - Math.min(low[row]!, before);
  }
  for (let row = rows; row < length; row++) {
    // Summed anew for each row: a running sum would carry rounding from the window's first row.
    mean[row] = windowMean(ranges, row - rows + 1, rows);
  }
  return mean;
}

/**
 * Zig-zag of highs and lows, causal: a high is a swing once a later row's low lies `multiple` mean true ranges (those
 * of that later row) below it, a low likewise, and `confirmedRow` is that later row. Highs and lows alternate, rows
 * ascend, and the swings of a prefix are those of the whole with `confirmedRow` inside it. A row that makes a new
 * extreme cannot also confirm it, because a daily bar does not tell which of its ends came first.
 *
 * Two zig-zags that began at different rows are one from their first common swing on.
 *
 * Source: the zig-zag of Merrill, "Filtered Waves" (1977), with the reversal in true ranges instead of percent.
 *
 * @param from the row to begin at or after
 * @param isLast whether a swing ends the walk
 */
export function swingPoints(
  bars: BarColumns,
  range: Float64Array,
  multiple: number,
  from = 0,
  isLast: (swing: SwingPoint) => boolean = () => false,
): SwingPoint[] {
  const { high, low, close } = bars;
  const swings: SwingPoint[] = [];
  const start = firstFinite(range, from);
  // 1: looking for a high, -1: looking for a low, 0: before the first swing, when both are open.
  let leg = 0;
  let top = high[start]!;
  let topRow = start;
  let bottom = low[start]!;
  let bottomRow = start;
  for (let row = start + 1; row < close.length; row++) {
    const reversal = multiple * range[row]!;
    const isHigher = high[row]! > top;
    const isLower = low[row]! < bottom;
    if (isHigher) {
      top = high[row]!;
      topRow = row;
    }
    if (isLower) {
      bottom = low[row]!;
      bottomRow = row;
    }
    // The way back is measured from the new extreme on.
    if (leg === 1 && isHigher) {
      bottom = Number.POSITIVE_INFINITY;
      continue;
    }
    if (leg === -1 && isLower) {
      top = Number.NEGATIVE_INFINITY;
      continue;
    }
    if (top - bottom < reversal || !(reversal > 0)) continue;
    if (leg === 1 || (leg === 0 && topRow < bottomRow)) {
      swings.push({ row: topRow, price: top, kind: 'high', confirmedRow: row });
      leg = -1;
      top = Number.NEGATIVE_INFINITY;
    } else if (leg === -1 || bottomRow < topRow) {
      swings.push({ row: bottomRow, price: bottom, kind: 'low', confirmedRow: row });
      leg = 1;
      bottom = Number.POSITIVE_INFINITY;
    } else continue;
    if (isLast(swings.at(-1)!)) break;
  }
  return swings;
}

function firstFinite(column: Float64Array, from: number): number {
  let row = from;
  while (row < column.length && Number.isNaN(column[row])) row++;
  return row;
}

import type { BarColumns } from '../../market/observations.ts';

/** Moves that differ by less than this share of the price are equal: far below a cent, far above rounding. */
const EQUAL = 1e-9;

/**
 * Average Directional Index as `indicators/directional.ts:adx` has it, but for one point: equal pushes count for neither
 * side also where rounding makes one of them the larger. In cents equal pushes are common, and whether 0.37 up is more than
 * 0.37 down must not follow from the basis that a split puts prices on.
 *
 * @returns a column as long as the bars, 0-100; NaN before row `2 * period - 1`; 0 while nothing has moved
 */
export function steadyAdx({ high, low }: Pick<BarColumns, 'high' | 'low'>, period: number): Float64Array {
  const index = new Float64Array(high.length).fill(Number.NaN);
  const keep = (period - 1) / period;
  const firstRow = 2 * period - 1;
  let [up, down, sum] = [0, 0, 0];
  for (let row = 1; row < high.length; row++) {
    const rise = high[row]! - high[row - 1]!;
    const fall = low[row - 1]! - low[row]!;
    const isEqual = Math.abs(rise - fall) < EQUAL * high[row]!;
    const fade = row < period ? 1 : keep;
    up = fade * up + (!isEqual && rise > fall && rise > 0 ? rise : 0);
    down = fade * down + (!isEqual && fall > rise && fall > 0 ? fall : 0);
    if (row < period) continue;
    const oneSided = up + down === 0 ? 0 : (100 * Math.abs(up - down)) / (up + down);
    sum = row <= firstRow ? sum + oneSided / period : keep * sum + oneSided / period;
    if (row >= firstRow) index[row] = sum;
  }
  return index;
}

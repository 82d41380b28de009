import { emaRows } from './averages.ts';
import { FIRST_ROW, undefinedBefore } from './warm-up.ts';

/** The three lines of MACD in the unit of the close, each as long as the close. */
export interface MacdColumns {
  /** Fast EMA less slow EMA. */
  readonly line: Float64Array;
  /** EMA of the line. */
  readonly signal: Float64Array;
  /** Line less signal. */
  readonly histogram: Float64Array;
}

/**
 * Moving Average Convergence Divergence, as TA-Lib MACD: both averages are seeded so that their first windows end on
 * the same bar, and the line is shown only once its signal exists.
 *
 * @returns line, signal and histogram; all NaN before row `slowPeriod + signalPeriod - 2`
 */
export function macd(close: Float64Array, fastPeriod = 12, slowPeriod = 26, signalPeriod = 9): MacdColumns {
  const rows = close.length;
  const columns: MacdColumns = {
    line: new Float64Array(rows),
    signal: new Float64Array(rows),
    histogram: new Float64Array(rows),
  };
  macdRows(close, fastPeriod, slowPeriod, signalPeriod, rows, columns);
  const firstRow = FIRST_ROW.macd(slowPeriod, signalPeriod);
  undefinedBefore(firstRow, columns.line);
  undefinedBefore(firstRow, columns.signal);
  undefinedBefore(firstRow, columns.histogram);
  return columns;
}

/**
 * Rows of `macd` before `end`; those before the first defined one are left in disorder, room for the two averages.
 *
 * @returns the two averages at row `end - 1`, for a caller who goes on from there
 */
export function macdRows(
  close: Float64Array,
  fastPeriod: number,
  slowPeriod: number,
  signalPeriod: number,
  end: number,
  { line, signal, histogram }: MacdColumns,
): { fast: number; slow: number } {
  emaRows(close, fastPeriod, slowPeriod - fastPeriod, end, histogram);
  emaRows(close, slowPeriod, 0, end, line);
  const last = { fast: histogram[end - 1]!, slow: line[end - 1]! };
  for (let row = slowPeriod - 1; row < end; row++) line[row] = histogram[row]! - line[row]!;
  emaRows(line, signalPeriod, slowPeriod - 1, end, signal);
  for (let row = slowPeriod - 1; row < end; row++) histogram[row] = line[row]! - signal[row]!;
  return last;
}

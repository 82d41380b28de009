import { windowMean } from '../statistics.ts';
import { FIRST_ROW, NOTHING, undefinedBefore } from './warm-up.ts';

/** Bollinger bands in the unit of the values, each as long as they are. */
export interface BollingerColumns {
  readonly upper: Float64Array;
  /** The simple moving average. */
  readonly middle: Float64Array;
  readonly lower: Float64Array;
}

/**
 * Bollinger bands, as TA-Lib BBANDS: the simple average and lines `deviations` population deviations around it.
 * The squared deviations are carried forward by Welford's update for a sliding window, which keeps the digits of a
 * price far above its own spread.
 *
 * @returns upper, middle and lower; NaN before row `period - 1`; all three equal while price stands still
 */
export function bollinger(
  close: Float64Array,
  period = 20,
  deviations = 2,
  out: BollingerColumns = bollingerRoom(close.length),
): BollingerColumns {
  bollingerRows(close, period, deviations, out);
  return out;
}

/** Fills the columns of `bollinger`; returns the sum of squared deviations at the last row. */
export function bollingerRows(
  close: Float64Array,
  period: number,
  deviations: number,
  out: BollingerColumns,
): number {
  const { upper, middle, lower } = out;
  const rows = close.length;
  const firstRow = FIRST_ROW.bollinger(period);
  undefinedBefore(firstRow, upper);
  undefinedBefore(firstRow, middle);
  undefinedBefore(firstRow, lower);
  if (rows < period) return Number.NaN;
  let mean = windowMean(close, 0, period);
  let squares = squaresAround(mean, close, firstRow, period);
  const share = 1 / period;
  let width = deviations * Math.sqrt(squares * share);
  upper[firstRow] = mean + width;
  middle[firstRow] = mean;
  lower[firstRow] = mean - width;
  let row = period;
  while (row < rows) {
    for (; row < rows; row++) {
      const entering = close[row]!;
      const leaving = close[row - period]!;
      const change = entering - leaving;
      const newMean = mean + change * share;
      squares += change * (entering - newMean + leaving - mean);
      mean = newMean;
      width = deviations * Math.sqrt(squares * share);
      upper[row] = mean + width;
      middle[row] = mean;
      lower[row] = mean - width;
      if (squares < DOUBT * mean * mean) break;
    }
    if (row === rows) break;
    // Outside the loop, because a call inside it would triple the time of every bar.
    squares = squaresAround(mean, close, row, period);
    width = deviations * Math.sqrt(squares * share);
    upper[row] = mean + width;
    lower[row++] = mean - width;
  }
  return squares;
}

/** Half the width of the bands at the last of some rows, to the last bit that of the columns. */
export function nextBandWidth(
  squaresBefore: number,
  meanBefore: number,
  mean: number,
  close: Float64Array,
  period = 20,
  deviations = 2,
): number {
  const row = close.length - 1;
  const [entering, leaving] = [close[row]!, close[row - period]!];
  const squares = squaresBefore + (entering - leaving) * (entering - mean + leaving - meanBefore);
  const isDoubtful = squares < DOUBT * mean * mean;
  const sure = isDoubtful ? squaresAround(mean, close, row, period) : squares;
  return deviations * Math.sqrt(sure * (1 / period));
}

function bollingerRoom(rows: number): BollingerColumns {
  return { upper: new Float64Array(rows), middle: new Float64Array(rows), lower: new Float64Array(rows) };
}

/**
 * Below this share of the squared price the carried sum may be mostly the rounding of livelier days, and is
 * taken anew. A window that quiet (a deviation of 0.02 % of the price) is rare in daily bars.
 */
const DOUBT = 1e-6;

/** Sum of squared deviations from `mean` of the window that ends at `row`; 0 below TA-Lib's least variance. */
function squaresAround(mean: number, close: Float64Array, row: number, period: number): number {
  let squares = 0;
  for (let at = row - period + 1; at <= row; at++) squares += (close[at]! - mean) * (close[at]! - mean);
  return squares < NOTHING * period ? 0 : squares;
}

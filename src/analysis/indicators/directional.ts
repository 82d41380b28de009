import { twiceTrueRange } from './true-range.ts';
import { FIRST_ROW, NOTHING, undefinedBefore } from './warm-up.ts';

/**
 * Average Directional Index: how one-sided movement has been, 0 to 100, whichever the side. Above 25 traders
 * speak of a trend.
 *
 * @returns a column as long as `close`, 0-100; NaN before row `2 * period - 1` and while high and low stand still, where TA-Lib
 *   writes 0 or its last figure: there is no movement that could have a side
 * Source: Wilder (1978), TA-Lib ADX. See `trendStrength` for the arithmetic.
 */
export function adx(high: Float64Array, low: Float64Array, close: Float64Array, period = 14): Float64Array {
  const out: Float64Array = new Float64Array(close.length);
  trendStrength(high, low, close, period, out, new Float64Array(close.length));
  return out;
}

/** Smoothed difference and total of up and down movement and their index, as `trendStrength` carries them. */
export interface TrendSums {
  readonly net: number;
  readonly total: number;
  readonly index: number;
}

/**
 * ADX and ATR of one period in one walk, since both read the same highs and lows.
 *
 * DX needs only the smoothed difference and total of up and down movement, because the true range cancels
 * from |+DI - -DI| / (+DI + -DI). Which side a bar belongs to is half a coin toss, and a mispredicted branch
 * costs as much as the whole bar, so the sign is computed: with rise and fall cut at zero, `edge / (|edge| +
 * tiny)` is exactly 1, -1 or 0, and the longer push is (rise + fall + |edge|) / 2. The sums carry Wilder's
 * four times over; that cancels too.
 *
 * @returns the sums at the last row
 */
export function trendStrength(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  period: number,
  adxOut: Float64Array,
  atrOut: Float64Array,
): TrendSums {
  const rows = close.length;
  undefinedBefore(FIRST_ROW.adx(period), adxOut);
  undefinedBefore(FIRST_ROW.atr(period), atrOut);
  const keep = (period - 1) / period;
  const rangeShare = 0.5 / period;
  const indexShare = 100 / period;
  let net = 0;
  let total = 0;
  let average = 0;
  let index = 0;
  const firstRow = FIRST_ROW.adx(period);
  // The warm-up keeps its cases to itself, so that the long loop below has none.
  for (let row = 1; row < rows && row <= firstRow; row++) {
    const rise = high[row]! - high[row - 1]!;
    const fall = low[row - 1]! - low[row]!;
    const push = rise > fall ? Math.max(rise, 0) : fall > rise ? -Math.max(fall, 0) : 0;
    const fade = row < period ? 1 : keep;
    net = fade * net + 4 * push;
    total = fade * total + 4 * Math.abs(push);
    const range = rangeShare * twiceTrueRange(high[row]!, low[row]!, close[row - 1]!);
    average = row <= period ? average + range : keep * average + range;
    if (row >= period) {
      atrOut[row] = average;
      if (total > NOTHING) index += indexShare * (Math.abs(net) / total);
    }
  }
  if (rows <= firstRow) return { net, total, index };
  adxOut[firstRow] = total > NOTHING ? index : Number.NaN;
  let priorHigh = high[firstRow]!;
  let priorLow = low[firstRow]!;
  let priorClose = close[firstRow]!;
  for (let row = firstRow + 1; row < rows; row++) {
    // Loads first and stores last: a read between the sums would make the engine keep them all for its sake.
    const top = high[row]!;
    const bottom = low[row]!;
    const last = close[row]!;
    const rise = top - priorHigh;
    const fall = priorLow - bottom;
    const twiceRise = Math.abs(rise) + rise;
    const twiceFall = Math.abs(fall) + fall;
    const edge = twiceRise - twiceFall;
    const margin = Math.abs(edge);
    const side = edge / (margin + 1e-300);
    const push = twiceRise + twiceFall + margin;
    net = keep * net + side * push;
    total = keep * total + Math.abs(side) * push;
    average = keep * average + rangeShare * twiceTrueRange(top, bottom, priorClose);
    if (total > NOTHING) index = keep * index + indexShare * (Math.abs(net) / total);
    priorHigh = top;
    priorLow = bottom;
    priorClose = last;
    atrOut[row] = average;
    adxOut[row] = total > NOTHING ? index : Number.NaN;
  }
  return { net, total, index };
}

/** ADX at the last of some rows, from the sums of the row before, to the last bit that of the column. */
export function nextAdx(sums: TrendSums, high: Float64Array, low: Float64Array, period = 14): number {
  const row = high.length - 1;
  const keep = (period - 1) / period;
  const rise = high[row]! - high[row - 1]!;
  const fall = low[row - 1]! - low[row]!;
  const twiceRise = Math.abs(rise) + rise;
  const twiceFall = Math.abs(fall) + fall;
  const edge = twiceRise - twiceFall;
  const push = twiceRise + twiceFall + Math.abs(edge);
  const net = keep * sums.net + Math.sign(edge) * push;
  const total = keep * sums.total + Math.abs(Math.sign(edge)) * push;
  return total > NOTHING ? keep * sums.index + (100 / period) * (Math.abs(net) / total) : Number.NaN;
}

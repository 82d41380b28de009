import { FIRST_ROW, NOTHING, undefinedBefore } from './warm-up.ts';

/**
 * Relative Strength Index: the share of upward movement in all movement of the close.
 *
 * @returns a column as long as `close`, 0-100; NaN before row `period` and while the close stands still, where TA-Lib writes 0:
 *   there is no movement to share out
 * Source: Wilder, New Concepts in Technical Trading Systems (1978), as TA-Lib RSI computes it. With net = gains less
 * losses and path = gains plus losses it is 50 x (1 + net / path), which needs no case for the sign of a move. Both
 * carry Wilder's average times `period`, which cancels.
 */
export function rsi(
  close: Float64Array,
  period = 14,
  out: Float64Array = new Float64Array(close.length),
): Float64Array {
  rsiRows(close, period, out);
  return out;
}

/** Net and path of all movement, as `rsi` carries them. */
export interface RsiSums {
  readonly net: number;
  readonly path: number;
}

/** Fills the column of `rsi`; returns the sums at its last row. */
export function rsiRows(close: Float64Array, period: number, out: Float64Array): RsiSums {
  const rows = close.length;
  undefinedBefore(FIRST_ROW.rsi(period), out);
  if (rows <= period) return { net: Number.NaN, path: Number.NaN };
  let net = 0;
  let path = 0;
  let prior = close[0]!;
  for (let row = 1; row <= period; row++) {
    const change = close[row]! - prior;
    prior = close[row]!;
    net += change;
    path += Math.abs(change);
  }
  const still = NOTHING * period;
  out[period] = path < still ? Number.NaN : 50 * (1 + net / path);
  const keep = (period - 1) / period;
  for (let row = period + 1; row < rows; row++) {
    const price = close[row]!;
    const change = price - prior;
    prior = price;
    net = keep * net + change;
    path = keep * path + Math.abs(change);
    out[row] = path < still ? Number.NaN : 50 * (1 + net / path);
  }
  return { net, path };
}

/** RSI after one more change of the close, to the last bit that of the column. */
export function nextRsi(sums: RsiSums, change: number, period = 14): number {
  const keep = (period - 1) / period;
  const net = keep * sums.net + change;
  const path = keep * sums.path + Math.abs(change);
  return path < NOTHING * period ? Number.NaN : 50 * (1 + net / path);
}

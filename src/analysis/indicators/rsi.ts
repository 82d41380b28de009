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
  const rows = close.length;
  undefinedBefore(FIRST_ROW.rsi(period), out);
  if (rows <= period) return out;
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
  return out;
}

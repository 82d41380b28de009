import { rollingSum } from './rolling.ts';

/** Below this mean square of log returns (a thousandth of a percent a session, squared) a price stands still. */
const STANDING = 1e-10;

/** Log return of each session on the one before; NaN at row 0. */
export function logReturns(close: Float64Array): Float64Array {
  const returns = new Float64Array(close.length).fill(Number.NaN);
  for (let row = 1; row < close.length; row++) returns[row] = Math.log(close[row]! / close[row - 1]!);
  return returns;
}

/**
 * Volatility a session: the root of the mean square of the last `count` log returns. Their mean is left in, since of so
 * few sessions it is noise.
 *
 * @returns NaN before row `count`; 0 while the price stands still
 */
export function volatility(returns: Float64Array, count: number): Float64Array {
  const squares = rollingSum(
    returns.map((value) => value * value),
    count,
    1,
  );
  return squares.map((sum) => (sum / count < STANDING ? 0 : Math.sqrt(sum / count)));
}

/** Log return over `sessions`, in volatilities of as many sessions; 0 while the price stands still. */
export function scaledReturns(close: Float64Array, deviation: Float64Array, sessions: number): Float64Array {
  const scaled = new Float64Array(close.length).fill(Number.NaN);
  const root = Math.sqrt(sessions);
  for (let row = sessions; row < close.length; row++) {
    scaled[row] = over(Math.log(close[row]! / close[row - sessions]!), deviation[row]! * root);
  }
  return scaled;
}

/** A quotient; 0 where there is nothing to divide by. */
export const over = (value: number, by: number): number => (by === 0 ? 0 : value / by);

/** Natural logarithm of a quotient; 0 where there is nothing to divide by. */
export const logOver = (value: number, by: number): number => (by === 0 ? 0 : Math.log(value / by));

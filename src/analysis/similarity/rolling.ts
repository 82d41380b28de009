/**
 * Sum of the last `count` values; NaN before row `first + count - 1`.
 *
 * @param first the first row with a value
 */
export function rollingSum(values: Float64Array, count: number, first = 0): Float64Array {
  const sums = new Float64Array(values.length).fill(Number.NaN);
  let sum = 0;
  for (let row = first; row < values.length; row++) {
    sum += values[row]!;
    if (row >= first + count) sum -= values[row - count]!;
    if (row >= first + count - 1) sums[row] = sum;
  }
  return sums;
}

/** The largest of the last `count` values; of as many as there are before row `count - 1`. */
export function rollingMax(values: Float64Array, count: number): Float64Array {
  const largest = new Float64Array(values.length);
  // Rows that can still be the largest of a window to come, by falling value.
  const queue = new Int32Array(values.length);
  let head = 0;
  let tail = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    while (tail > head && values[queue[tail - 1]!]! <= value) tail--;
    queue[tail++] = row;
    if (queue[head]! <= row - count) head++;
    largest[row] = values[queue[head]!]!;
  }
  return largest;
}

/** The smallest of the last `count` values; of as many as there are before row `count - 1`. */
export function rollingMin(values: Float64Array, count: number): Float64Array {
  return rollingMax(
    values.map((value) => -value),
    count,
  ).map((value) => -value);
}

/**
 * Where each value stands among the `count` values that end with it: the share of the others under it, equals by half,
 * less the share over it.
 *
 * @param first the first row with a value
 * @returns -1 (the lowest) to 1 (the highest); NaN before row `first + count - 1`
 */
export function rollingRank(values: Float64Array, count: number, first = 0): Float64Array {
  const ranks = new Float64Array(values.length).fill(Number.NaN);
  for (let row = first + count - 1; row < values.length; row++) {
    const value = values[row]!;
    let balance = 0;
    for (let other = row - count + 1; other < row; other++) {
      balance += Number(values[other]! < value) - Number(values[other]! > value);
    }
    ranks[row] = balance / (count - 1);
  }
  return ranks;
}

/** Below this mean square of log returns (a thousandth of a percent a session, squared) a price stands still. */
const STANDING = 1e-10;

/** Log return of each session on the one before; NaN at row 0. */
export function logReturns(close: Float64Array): Float64Array {
  const returns = new Float64Array(close.length).fill(Number.NaN);
  for (let row = 1; row < close.length; row++) returns[row] = Math.log(close[row]! / close[row - 1]!);
  return returns;
}

/** Root of the mean square of the last `count` log returns, whose mean is noise: NaN before row `count`, 0 at rest. */
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

/** Middle value, the mean of the two middle ones of an even number; NaN of none. Values are not NaN. */
export function median(values: ArrayLike<number>): number {
  const sorted = new Float64Array(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at]!;
  return sum / values.length;
}

/** Mean of the `count` values of a column from row `from` on; NaN where the column does not have them. */
export function windowMean(values: Float64Array, from: number, count: number): number {
  let sum = 0;
  for (let row = from; row < from + count; row++) sum += values[row]!;
  return sum / count;
}

/** Sum of the squared distances from a value, as a rule the mean. */
export function squaresAround(centre: number, values: ArrayLike<number>): number {
  let squares = 0;
  for (let at = 0; at < values.length; at++) squares += (values[at]! - centre) ** 2;
  return squares;
}

/** The value within two bounds; NaN stays NaN. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** First row whose time is at or after the instant, by bisection; the length of the column when there is none. */
export function rowAtOrAfter(time: Float64Array, instant: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (time[middle]! < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

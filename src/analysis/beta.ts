/** Sessions whose returns a beta is measured over: a year. */
export const BETA_SESSIONS = 252;

/** With fewer common returns than half a year the slope is mostly noise. */
export const BETA_RETURNS_MIN = 126;

/**
 * How far a stock has moved for each percent of the market: slope of its simple daily returns on those of the index
 * over the last 252 common returns, covariance over variance.
 *
 * Closes are matched by date; across a date that either lacks, both returns span the gap. Dates ascend.
 *
 * @returns NaN with fewer than 126 common returns, or when the index has not moved
 * Source: Sharpe 1964, the slope of the market model; ordinary least squares.
 */
export function beta(
  stock: { readonly time: ArrayLike<number>; readonly close: ArrayLike<number> },
  index: { readonly time: ArrayLike<number>; readonly close: ArrayLike<number> },
): number {
  // From the newest date back, because only the last year counts.
  let stockRow = stock.time.length - 1;
  let indexRow = index.time.length - 1;
  let stockAfter = Number.NaN;
  let indexAfter = Number.NaN;
  let count = 0;
  let stockMean = 0;
  let indexMean = 0;
  let covariance = 0;
  let variance = 0;
  while (stockRow >= 0 && indexRow >= 0 && count < BETA_SESSIONS) {
    const ahead = stock.time[stockRow]! - index.time[indexRow]!;
    if (ahead > 0) stockRow--;
    else if (ahead < 0) indexRow--;
    else {
      const stockClose = stock.close[stockRow--]!;
      const indexClose = index.close[indexRow--]!;
      if (!Number.isNaN(stockAfter)) {
        // Welford's update, as sums of products of small returns lose their digits.
        const stockReturn = stockAfter / stockClose - 1;
        const indexReturn = indexAfter / indexClose - 1;
        count++;
        const indexDeviation = indexReturn - indexMean;
        stockMean += (stockReturn - stockMean) / count;
        indexMean += indexDeviation / count;
        covariance += indexDeviation * (stockReturn - stockMean);
        variance += indexDeviation * (indexReturn - indexMean);
      }
      stockAfter = stockClose;
      indexAfter = indexClose;
    }
  }
  return count < BETA_RETURNS_MIN || variance === 0 ? Number.NaN : covariance / variance;
}

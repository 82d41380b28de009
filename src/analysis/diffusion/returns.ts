import { mean } from '../statistics.ts';

/** A year of returns, over which peers and divergences are measured. */
export const WINDOW_SESSIONS = 252;

/** A stock with fewer returns in the window has no peers. */
export const RETURNS_MIN = 126;

/** Returns of many stocks over the sessions of a window: one row of `sessions` figures a stock, NaN where it has none. */
export interface ReturnTable {
  readonly stocks: number;
  readonly sessions: number;
  /** Simple returns as fractions, `stocks` x `sessions`, row by row. */
  readonly values: Float64Array;
}

/**
 * Returns less beta times the market's return, the mean of the stocks that have one that day. Residuals show which
 * stocks belong together: among S&P 500 stocks of 2016-2019 the nearest by residuals share their sector more often and
 * explain more of the next month's returns (docs/peers.md).
 *
 * Source: Sharpe 1964, the market model; correlations of its residuals as in B. King, "Market and Industry Factors in
 * Stock Price Behavior", Journal of Business 39 (1966).
 */
export function beyondMarket({ stocks, sessions, values }: ReturnTable): ReturnTable {
  const market = centred(meanBySession({ stocks, sessions, values }));
  const left = values.slice();
  for (let stock = 0; stock < stocks; stock++) {
    const row = left.subarray(stock * sessions, (stock + 1) * sessions);
    let covariance = 0;
    let variance = 0;
    for (let at = 0; at < sessions; at++) {
      if (Number.isNaN(row[at]!)) continue;
      covariance += row[at]! * market[at]!;
      variance += market[at]! ** 2;
    }
    if (variance === 0) continue;
    for (let at = 0; at < sessions; at++) row[at]! -= (covariance / variance) * market[at]!;
  }
  return { stocks, sessions, values: left };
}

/** The mean return of each session over the stocks that have one; 0 where none has. */
function meanBySession({ stocks, sessions, values }: ReturnTable): Float64Array {
  const sums = new Float64Array(sessions);
  const counts = new Uint32Array(sessions);
  for (let stock = 0; stock < stocks; stock++) {
    for (let at = 0; at < sessions; at++) {
      const value = values[stock * sessions + at]!;
      if (Number.isNaN(value)) continue;
      sums[at]! += value;
      counts[at]!++;
    }
  }
  return sums.map((sum, at) => (counts[at] === 0 ? 0 : sum / counts[at]!));
}

function centred(values: Float64Array): Float64Array {
  const centre = mean(values);
  return values.map((value) => value - centre);
}

/**
 * Rows with mean 0 whose squares sum to the number of sessions, so that the product of two rows over that number is
 * their correlation. A missing return becomes 0, which draws the correlations of a short history towards 0. A row
 * without movement is 0 throughout.
 */
export function standardised({ stocks, sessions, values }: ReturnTable): Float64Array {
  const scores = new Float64Array(stocks * sessions);
  for (let stock = 0; stock < stocks; stock++) {
    const row = values.subarray(stock * sessions, (stock + 1) * sessions);
    standardise(row, scores.subarray(stock * sessions, (stock + 1) * sessions));
  }
  return scores;
}

/** Share of the squared mean below which squares are rounding of equal values. */
const MOVEMENT_MIN = 1e-24;

function standardise(values: Float64Array, into: Float64Array): void {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < values.length; at++) {
    if (Number.isNaN(values[at]!)) continue;
    sum += values[at]!;
    count++;
  }
  const mean = sum / count;
  let squares = 0;
  for (let at = 0; at < values.length; at++) {
    if (!Number.isNaN(values[at]!)) squares += (values[at]! - mean) ** 2;
  }
  if (!(squares > MOVEMENT_MIN * count * mean * mean)) return;
  const factor = Math.sqrt(values.length / squares);
  for (let at = 0; at < values.length; at++) {
    if (!Number.isNaN(values[at]!)) into[at] = (values[at]! - mean) * factor;
  }
}

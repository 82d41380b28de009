import { eachProduct } from './products.ts';
import type { Shrinkage } from './shrinkage.ts';
import { BONUS, CORRELATED, reportedBits, type TieColumns } from './ties.ts';

/** Peers that each stock chooses; those that choose it come on top. */
export const NEAREST = 20;

/** Correlation needed for an edge without a reported tie: two standard errors, 1/sqrt(sessions) each. */
export const correlationFloor = (sessions: number): number => 2 / Math.sqrt(sessions);

/** The nearest of each stock, `NEAREST` rows a stock, nearest first. */
export interface Nearest {
  /** Index of the stock; rows from `count` on are empty. */
  readonly stock: Int32Array;
  /** Shrunk correlation and bonus. */
  readonly affinity: Float64Array;
  readonly correlation: Float64Array;
  readonly reasons: Uint8Array;
  readonly count: Uint32Array;
}

/**
 * The nearest of each stock by shrunk correlation and ties; of equals the earlier stock.
 *
 * @param scores standardised returns, `stocks` rows of `sessions` values
 */
export function nearestStocks(
  scores: Float64Array,
  stocks: number,
  sessions: number,
  { intensity, meanCorrelation }: Shrinkage,
  ties: TieColumns,
): Nearest {
  const nearest: Nearest = {
    stock: new Int32Array(stocks * NEAREST).fill(-1),
    affinity: new Float64Array(stocks * NEAREST),
    correlation: new Float64Array(stocks * NEAREST),
    reasons: new Uint8Array(stocks * NEAREST),
    count: new Uint32Array(stocks),
  };
  const floor = correlationFloor(sessions);
  eachProduct(scores, sessions, stocks, true, (one, other, product) => {
    if (one === other) return;
    const sample = product / sessions;
    const tied = reportedBits(ties, one, other);
    if (sample < floor && tied === 0) return;
    const correlation = (1 - intensity) * sample + intensity * meanCorrelation;
    const affinity = correlation + BONUS[tied]!;
    if (!(affinity > 0)) return;
    const reasons = tied | (sample >= floor ? CORRELATED : 0);
    offer(nearest, one, other, affinity, correlation, reasons);
    offer(nearest, other, one, affinity, correlation, reasons);
  });
  return nearest;
}

/** Inserts a candidate among the nearest of a stock, if it is near enough. */
function offer(
  { stock, affinity, correlation, reasons, count }: Nearest,
  of: number,
  candidate: number,
  candidateAffinity: number,
  candidateCorrelation: number,
  candidateReasons: number,
): void {
  const from = of * NEAREST;
  const isFull = count[of] === NEAREST;
  let place = from + count[of]! - (isFull ? 1 : 0);
  const isNearer = (than: number): boolean =>
    candidateAffinity > affinity[than]! ||
    (candidateAffinity === affinity[than]! && candidate < stock[than]!);
  if (isFull && !isNearer(place)) return;
  for (; place > from && isNearer(place - 1); place--) {
    stock[place] = stock[place - 1]!;
    affinity[place] = affinity[place - 1]!;
    correlation[place] = correlation[place - 1]!;
    reasons[place] = reasons[place - 1]!;
  }
  stock[place] = candidate;
  affinity[place] = candidateAffinity;
  correlation[place] = candidateCorrelation;
  reasons[place] = candidateReasons;
  if (!isFull) count[of]!++;
}

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

/** Rows of one tile: two tiles of a year of returns, 256 kB, stay in the cache of a core. */
const TILE = 64;
/** Rows and columns multiplied together, so that each value read is used four times. */
const BLOCK = 4;

/**
 * The nearest of each stock by shrunk correlation and ties, by tiles without a matrix; of equals the earlier stock.
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
  const products = new Float64Array(TILE * TILE);
  for (let left = 0; left < stocks; left += TILE) {
    const leftEnd = Math.min(stocks, left + TILE);
    for (let right = 0; right <= left; right += TILE) {
      const rightEnd = Math.min(stocks, right + TILE);
      multiplyTiles(scores, sessions, left, leftEnd, right, rightEnd, products);
      for (let one = left; one < leftEnd; one++) {
        for (let other = right; other < Math.min(one, rightEnd); other++) {
          const sample = products[(one - left) * TILE + other - right]! / sessions;
          const tied = reportedBits(ties, one, other);
          if (sample < floor && tied === 0) continue;
          const correlation = (1 - intensity) * sample + intensity * meanCorrelation;
          const affinity = correlation + BONUS[tied]!;
          if (!(affinity > 0)) continue;
          const reasons = tied | (sample >= floor ? CORRELATED : 0);
          offer(nearest, one, other, affinity, correlation, reasons);
          offer(nearest, other, one, affinity, correlation, reasons);
        }
      }
    }
  }
  return nearest;
}

/** Products of the rows of two tiles, each sum in the order of the sessions. */
function multiplyTiles(
  scores: Float64Array,
  sessions: number,
  left: number,
  leftEnd: number,
  right: number,
  rightEnd: number,
  products: Float64Array,
): void {
  for (let one = left; one < leftEnd; one += BLOCK) {
    for (let other = right; other < rightEnd; other += BLOCK) {
      if (one + BLOCK <= leftEnd && other + BLOCK <= rightEnd) {
        multiplyBlock(scores, sessions, one, other, products, (one - left) * TILE + other - right);
        continue;
      }
      for (let row = one; row < Math.min(one + BLOCK, leftEnd); row++) {
        for (let column = other; column < Math.min(other + BLOCK, rightEnd); column++) {
          let sum = 0;
          for (let at = 0; at < sessions; at++) {
            sum += scores[row * sessions + at]! * scores[column * sessions + at]!;
          }
          products[(row - left) * TILE + column - right] = sum;
        }
      }
    }
  }
}

/** Sixteen products at once: eight figures are read for sixteen multiplications, and their sums stay in registers. */
function multiplyBlock(
  scores: Float64Array,
  sessions: number,
  one: number,
  other: number,
  products: Float64Array,
  place: number,
): void {
  let s00 = 0,
    s01 = 0,
    s02 = 0,
    s03 = 0;
  let s10 = 0,
    s11 = 0,
    s12 = 0,
    s13 = 0;
  let s20 = 0,
    s21 = 0,
    s22 = 0,
    s23 = 0;
  let s30 = 0,
    s31 = 0,
    s32 = 0,
    s33 = 0;
  let a = one * sessions;
  let b = other * sessions;
  const end = a + sessions;
  for (; a < end; a++, b++) {
    const a0 = scores[a]!,
      a1 = scores[a + sessions]!,
      a2 = scores[a + 2 * sessions]!,
      a3 = scores[a + 3 * sessions]!;
    const b0 = scores[b]!,
      b1 = scores[b + sessions]!,
      b2 = scores[b + 2 * sessions]!,
      b3 = scores[b + 3 * sessions]!;
    s00 += a0 * b0;
    s01 += a0 * b1;
    s02 += a0 * b2;
    s03 += a0 * b3;
    s10 += a1 * b0;
    s11 += a1 * b1;
    s12 += a1 * b2;
    s13 += a1 * b3;
    s20 += a2 * b0;
    s21 += a2 * b1;
    s22 += a2 * b2;
    s23 += a2 * b3;
    s30 += a3 * b0;
    s31 += a3 * b1;
    s32 += a3 * b2;
    s33 += a3 * b3;
  }
  products[place] = s00;
  products[place + 1] = s01;
  products[place + 2] = s02;
  products[place + 3] = s03;
  products[place + TILE] = s10;
  products[place + TILE + 1] = s11;
  products[place + TILE + 2] = s12;
  products[place + TILE + 3] = s13;
  products[place + 2 * TILE] = s20;
  products[place + 2 * TILE + 1] = s21;
  products[place + 2 * TILE + 2] = s22;
  products[place + 2 * TILE + 3] = s23;
  products[place + 3 * TILE] = s30;
  products[place + 3 * TILE + 1] = s31;
  products[place + 3 * TILE + 2] = s32;
  products[place + 3 * TILE + 3] = s33;
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

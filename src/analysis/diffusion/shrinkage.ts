import { clamp } from '../statistics.ts';
import { eachProduct } from './products.ts';

/** How far sample correlations are drawn towards their mean, and that mean. */
export interface Shrinkage {
  /** 0 keeps the sample, 1 leaves nothing but the mean. */
  readonly intensity: number;
  /** Mean of the sample correlations of different stocks. */
  readonly meanCorrelation: number;
}

/**
 * The shrinkage of Ledoit and Wolf towards constant correlation, of standardised rows: a sample correlation r becomes
 * (1 - intensity) r + intensity x mean. With as many stocks as sessions or more, sample correlations are mostly noise;
 * the intensity minimises the mean square error. Sums over pairs of stocks are folded into sums over sessions, at a
 * cost of stocks x sessions².
 *
 * @param scores `stocks` rows of `sessions` values, the squares of each row summing to `sessions` (or all 0)
 * Source: O. Ledoit, M. Wolf, "Honey, I Shrunk the Sample Covariance Matrix", Journal of Portfolio Management 30
 * (2004), appendix B.
 */
export function constantCorrelationShrinkage(
  scores: Float64Array,
  stocks: number,
  sessions: number,
): Shrinkage {
  const sums = new Float64Array(sessions);
  const squares = new Float64Array(sessions);
  let moving = 0;
  for (let stock = 0; stock < stocks; stock++) {
    const from = stock * sessions;
    let own = 0;
    for (let at = 0; at < sessions; at++) {
      const score = scores[from + at]!;
      sums[at]! += score;
      squares[at]! += score * score;
      own += score * score;
    }
    if (own > 0) moving++;
  }
  const pairs = moving * (moving - 1);
  if (pairs === 0) return { intensity: 1, meanCorrelation: 0 };
  const total = dot(sums, sums) / sessions;
  const mean = (total - moving) / pairs;
  const frobenius = frobeniusSquared(scores, stocks, sessions);
  // Off the diagonal alone, since sample and target both have ones on it.
  const distance = frobenius - moving - pairs * mean * mean;
  const noise = dot(squares, squares) / sessions - frobenius;
  const intensity = (noise - targetNoise(scores, sums, sessions, mean)) / distance / sessions;
  return { intensity: distance > 0 ? clamp(intensity, 0, 1) : 1, meanCorrelation: mean };
}

/** Covariance of the noise of the sample with that of its target, the article's rho. */
function targetNoise(scores: Float64Array, sums: Float64Array, sessions: number, mean: number): number {
  let diagonal = 0;
  let beside = 0;
  for (let from = 0; from < scores.length; from += sessions) {
    if (scores.subarray(from, from + sessions).every((score) => score === 0)) continue;
    for (let at = 0; at < sessions; at++) {
      const score = scores[from + at]!;
      const excess = score * score - 1;
      diagonal += excess * excess;
      beside += excess * score * (sums[at]! - score);
    }
  }
  return (diagonal + mean * beside) / sessions;
}

/** Sum of all squared correlations, from products of sessions, of which there are far fewer than of stocks. */
function frobeniusSquared(scores: Float64Array, stocks: number, sessions: number): number {
  const products = new Float64Array(sessions * sessions);
  eachProduct(scores, stocks, sessions, false, (one, other, product) => {
    products[one * sessions + other] = product;
  });
  let sum = 0;
  for (let one = 0; one < sessions; one++) {
    for (let other = 0; other < one; other++) sum += 2 * products[one * sessions + other]! ** 2;
    sum += products[one * sessions + one]! ** 2;
  }
  return sum / sessions ** 2;
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}

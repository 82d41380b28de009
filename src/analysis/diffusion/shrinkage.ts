import { clamp } from '../statistics.ts';

/** How far sample correlations are drawn towards their mean, and that mean. */
export interface Shrinkage {
  /** 0 keeps the sample, 1 leaves nothing but the mean. */
  readonly intensity: number;
  /** Mean of the sample correlations of different stocks. */
  readonly meanCorrelation: number;
}

/**
 * The shrinkage of Ledoit and Wolf towards constant correlation, of rows that are standardised: a sample correlation r
 * becomes (1 - intensity) r + intensity x mean. With as many stocks as sessions and more, sample correlations are mostly
 * noise, and this is the share of them that a mean square error cannot afford to believe.
 *
 * Every sum over pairs of stocks is folded into one over sessions, so that the cost is stocks x sessions², not
 * stocks² x sessions.
 *
 * @param scores `stocks` rows of `sessions` figures, the squares of each row summing to `sessions` (rows of 0 are none)
 * Source: O. Ledoit, M. Wolf, "Honey, I Shrunk the Sample Covariance Matrix", Journal of Portfolio Management 30 (2004),
 * appendix B.
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
  // Between the sample and its target: off the diagonal alone, since both have ones on it.
  const distance = frobenius - moving - pairs * mean * mean;
  const noise = dot(squares, squares) / sessions - frobenius;
  const intensity = (noise - targetNoise(scores, sums, sessions, mean)) / distance / sessions;
  return { intensity: distance > 0 ? clamp(intensity, 0, 1) : 1, meanCorrelation: mean };
}

/** What the noise of the sample shares with that of its target, the article's rho. */
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

/** The sum of all squared correlations, from products of sessions rather than of stocks: there are far fewer of them. */
function frobeniusSquared(scores: Float64Array, stocks: number, sessions: number): number {
  const products = new Float64Array(sessions * sessions);
  for (let stock = 0; stock < stocks; stock++) {
    const row = scores.subarray(stock * sessions, (stock + 1) * sessions);
    for (let one = 0; one < sessions; one++) {
      const factor = row[one]!;
      if (factor === 0) continue;
      const from = one * sessions;
      for (let other = 0; other <= one; other++) products[from + other]! += factor * row[other]!;
    }
  }
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

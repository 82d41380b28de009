import { inverseNormalCdf, normalCdf } from '../options/normal.ts';
import type { Moments } from './metrics.ts';
import { sessionSharpe } from './metrics.ts';

const EULER = 0.5772156649015329;

/**
 * The Sharpe ratio that the best of `trials` independent strategies without skill is expected to show, in the unit of
 * `deviation`: 0 for one trial.
 *
 * @param deviation of the Sharpe ratios over the trials
 * Source: D. H. Bailey, M. Lopez de Prado, "The Deflated Sharpe Ratio", Journal of Portfolio Management 40 (2014),
 * equation 1: deviation x ((1 - g) Z^-1(1 - 1/N) + g Z^-1(1 - 1/(N e))), g the Euler-Mascheroni constant.
 */
export function expectedMaxSharpe(deviation: number, trials: number): number {
  if (trials < 2) return 0;
  const typical = inverseNormalCdf(1 - 1 / trials);
  const beyond = inverseNormalCdf(1 - 1 / (trials * Math.E));
  return deviation * ((1 - EULER) * typical + EULER * beyond);
}

/**
 * Probability that the true Sharpe ratio of a series is above a threshold, given its length and the third and fourth
 * moments: Z((SR - threshold) sqrt(n - 1) / sqrt(1 - skewness SR + (kurtosis - 1)/4 SR^2)). With the expected best of
 * the trials as the threshold it is the deflated Sharpe ratio. NaN where the series has no Sharpe ratio.
 *
 * @param threshold a session's, not annualised
 * Source: as `expectedMaxSharpe`, equation 2.
 */
export function probabilisticSharpe(series: Moments, sessions: number, threshold: number): number {
  const sharpe = sessionSharpe(series);
  const spread = 1 - series.skewness * sharpe + ((series.kurtosis - 1) / 4) * sharpe * sharpe;
  return normalCdf(((sharpe - threshold) * Math.sqrt(sessions - 1)) / Math.sqrt(spread));
}

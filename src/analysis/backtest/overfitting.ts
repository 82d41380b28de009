import { inverseNormalCdf, normalCdf } from '../options/normal.ts';
import { median } from '../statistics.ts';
import { crossValidate } from './cross-validation.ts';
import { type Curves, seriesOf } from './curves.ts';
import { annualised, finite, type Moments, moments, sessionSharpe } from './metrics.ts';
import type { CellResult, Overfitting, OverfittingVerdict } from './result.ts';
import type { BacktestSpec } from './spec.ts';

/** The usual one-sided 5 %, for both probabilities. */
const ROBUST_DEFLATED_SHARPE = 0.95;
const ROBUST_OVERFITTING = 0.05;
/** From this probability on, choosing the best cell is no better than drawing one. */
const OVERFIT_OVERFITTING = 0.5;

/** What the Sharpe ratio of the best of many cells is compared with. */
export interface Deflation {
  readonly trials: number;
  /** By session, not annualised; NaN when no cell has a Sharpe ratio. */
  readonly expectedMax: number;
  /** Deflated Sharpe ratio of a cell. */
  of(cell: number): number | null;
}

/** Trials are the cells with a Sharpe ratio. They are correlated, so the threshold is rather too high. */
export function deflation(curves: Curves): Deflation {
  const cellMoments = Array.from({ length: curves.cells }, (_, cell) => moments(seriesOf(curves, cell)));
  const sharpes = Float64Array.from(cellMoments, sessionSharpe).filter((sharpe) => !Number.isNaN(sharpe));
  const { deviation } = moments(sharpes);
  const expectedMax = sharpes.length === 0 ? Number.NaN : expectedMaxSharpe(deviation, sharpes.length);
  return {
    trials: sharpes.length,
    expectedMax,
    of: (cell) => finite(probabilisticSharpe(cellMoments[cell]!, curves.sessions, expectedMax)),
  };
}

/**
 * @param blockOf block of each session; null when the sessions do not fill every block
 * @param best index of the best cell, -1 for none
 */
export function overfitting(
  curves: Curves,
  blockOf: Uint8Array | null,
  spec: BacktestSpec,
  grid: readonly CellResult[],
  best: number,
  deflate: Deflation,
): Overfitting {
  const tested = blockOf === null || best === -1 ? null : crossValidate(curves, blockOf);
  const deflatedSharpeRatio = best === -1 ? null : deflate.of(best);
  const probabilityOfOverfitting = finite(tested?.probabilityOfOverfitting ?? Number.NaN);
  return {
    verdict: verdictOf(grid[best]?.sharpeRatio ?? null, deflatedSharpeRatio, probabilityOfOverfitting),
    trials: deflate.trials,
    deflatedSharpeRatio,
    expectedMaxSharpe: finite(annualised(deflate.expectedMax)),
    probabilityOfOverfitting,
    probabilityOfLoss: finite(tested?.probabilityOfLoss ?? Number.NaN),
    halvings: tested?.halvings ?? 0,
    plateau: best === -1 ? null : plateau(spec, grid, best),
  };
}

/**
 * `unprofitable`: the best Sharpe ratio is 0 or below; `robust`: its deflated Sharpe ratio is above 0.95 and the
 * probability of overfitting at most 0.05, the level of its authors; `overfit`: a probability of 0.5 or more.
 */
export function verdictOf(
  sharpe: number | null,
  deflatedSharpe: number | null,
  probability: number | null,
): OverfittingVerdict {
  if (sharpe !== null && sharpe <= 0) return 'unprofitable';
  if (deflatedSharpe === null || probability === null) return 'inconclusive';
  if (probability >= OVERFIT_OVERFITTING) return 'overfit';
  return deflatedSharpe > ROBUST_DEFLATED_SHARPE && probability <= ROBUST_OVERFITTING ? 'robust' : 'doubtful';
}

/**
 * Median Sharpe ratio of the up to eight neighbours of a cell over its own: near 1 on a plateau, small or negative on a
 * spike. Null unless its own is positive, or without a neighbour that has one.
 */
export function plateau(
  { stops, targets }: BacktestSpec,
  grid: readonly Pick<CellResult, 'sharpeRatio'>[],
  cell: number,
): number | null {
  const own = grid[cell]!.sharpeRatio;
  const stop = Math.floor(cell / targets.length);
  const target = cell % targets.length;
  const around: number[] = [];
  for (let row = Math.max(0, stop - 1); row <= Math.min(stops.length - 1, stop + 1); row++) {
    for (let column = Math.max(0, target - 1); column <= Math.min(targets.length - 1, target + 1); column++) {
      const sharpe = grid[row * targets.length + column]!.sharpeRatio;
      if ((row !== stop || column !== target) && sharpe !== null) around.push(sharpe);
    }
  }
  if (own === null || own <= 0 || around.length === 0) return null;
  return median(around) / own;
}

const EULER = 0.5772156649015329;

/**
 * The Sharpe ratio that the best of `trials` independent strategies without skill is expected to show; 0 for one trial.
 *
 * @param deviation of the Sharpe ratios over the trials, whose unit the result has
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
 * Probability that the true Sharpe ratio of a series is above a threshold: Z((SR - threshold) sqrt(n - 1) / sqrt(1 -
 * skewness SR + (kurtosis - 1)/4 SR^2)). With the expected best of the trials as the threshold it is the deflated
 * Sharpe ratio. NaN where the series has no Sharpe ratio.
 *
 * @param threshold by session, not annualised
 * Source: as `expectedMaxSharpe`, equation 2.
 */
export function probabilisticSharpe(series: Moments, sessions: number, threshold: number): number {
  const sharpe = sessionSharpe(series);
  const spread = 1 - series.skewness * sharpe + ((series.kurtosis - 1) / 4) * sharpe * sharpe;
  return normalCdf(((sharpe - threshold) * Math.sqrt(sessions - 1)) / Math.sqrt(spread));
}

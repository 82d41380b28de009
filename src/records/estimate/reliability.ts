/** Whether a score that is read as a probability is one. */

/** What was forecast and what came, in one bin of the forecasts. */
interface ReliabilityBin {
  /** Mean probability. */
  readonly forecast: number;
  /** Share that came true. */
  readonly observed: number;
  readonly n: number;
}

/** Of forecasts of bins as their means: their Brier score is miscalibration less discrimination plus uncertainty. */
export interface Reliability {
  readonly n: number;
  /** How much better the score would be if each forecast said what came; 0 of a probability. */
  readonly miscalibration: number;
  /** How much better that would be than the overall share for all; 0 where the score tells nothing. */
  readonly discrimination: number;
  readonly uncertainty: number;
  /** Those with an event, ascending. */
  readonly bins: readonly ReliabilityBin[];
}

/** With fewer events the curve is noise. */
const EVENTS_MIN = 200;

/**
 * Reliability by isotonic regression, in which what came may only rise with what was forecast.
 *
 * Source: T. Gneiting, F. Balabdaoui, A. E. Raftery, "Probabilistic Forecasts, Calibration and Sharpness", Journal of the
 * Royal Statistical Society B 69 (2007); T. Dimitriadis, T. Gneiting, A. I. Jordan, "Stable Reliability Diagrams for
 * Probabilistic Classifiers", PNAS 118 (2021).
 *
 * @param counts by bin of the forecasts, ascending: events, true ones, and the sum of the forecasts
 * @returns null with too few events
 */
export function reliabilityOf(counts: {
  readonly events: Float64Array;
  readonly true: Float64Array;
  readonly forecast: Float64Array;
}): Reliability | null {
  const bins = Array.from(counts.events, (n, at) => ({
    n,
    forecast: counts.forecast[at]! / n,
    observed: counts.true[at]! / n,
  })).filter(({ n }) => n > 0);
  const n = bins.reduce((sum, bin) => sum + bin.n, 0);
  if (n < EVENTS_MIN) return null;
  const meanOf = (of: (bin: ReliabilityBin, at: number) => number): number =>
    bins.reduce((sum, bin, at) => sum + bin.n * of(bin, at), 0) / n;
  const brier = (forecast: (bin: ReliabilityBin, at: number) => number): number =>
    meanOf((bin, at) => (forecast(bin, at) - bin.observed) ** 2 + bin.observed * (1 - bin.observed));
  const calibrated = risingMeans(bins);
  const share = meanOf(({ observed }) => observed);
  const best = brier((_, at) => calibrated[at]!);
  const uncertainty = share * (1 - share);
  return {
    n,
    miscalibration: brier(({ forecast }) => forecast) - best,
    discrimination: uncertainty - best,
    uncertainty,
    bins,
  };
}

/** The nearest rising sequence, by pooling neighbours that fall (M. Ayer and others, 1955). */
function risingMeans(bins: readonly ReliabilityBin[]): number[] {
  const pools: { n: number; mean: number; size: number }[] = [];
  for (const { n, observed } of bins) {
    let pool = { n, mean: observed, size: 1 };
    for (let last = pools.at(-1); last !== undefined && last.mean >= pool.mean; last = pools.at(-1)) {
      const both = last.n + pool.n;
      pool = {
        n: both,
        mean: (last.n * last.mean + pool.n * pool.mean) / both,
        size: last.size + pool.size,
      };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ mean, size }) => new Array<number>(size).fill(mean));
}

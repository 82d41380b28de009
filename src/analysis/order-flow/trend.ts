export type CvdTrend = 'accumulating' | 'distributing' | 'neutral';

/** Minutes with prints before the drift of a session can be told from its scatter. */
const TREND_MINUTES_MIN = 30;
/** Deviations from no drift: one session in twenty shows as much when buyers and sellers take turns by chance. */
const TREND_DEVIATIONS = 2;

/**
 * The slope of CVD over the session against its deviation: its mean change a minute over the standard error of that mean
 * when nobody presses, sum(delta) / sqrt(sum(delta^2)). A self-normalised sum: about standard normal for minutes of
 * independent, symmetric sign, whatever their sizes (V. de la Peña, T. Lai, Q. Shao, "Self-Normalized Processes",
 * 2009), so that one big minute makes no trend.
 *
 * @param delta signed shares of each minute
 * @returns NaN for fewer than 30 minutes, or when no minute has a side
 */
export function cvdDrift(delta: Float64Array): number {
  if (delta.length < TREND_MINUTES_MIN) return Number.NaN;
  let sum = 0;
  let squares = 0;
  for (const shares of delta) {
    sum += shares;
    squares += shares * shares;
  }
  return sum / Math.sqrt(squares);
}

/** Accumulating from 2 deviations on, distributing from -2 on; null where `cvdDrift` is not defined. */
export function cvdTrend(delta: Float64Array): CvdTrend | null {
  const drift = cvdDrift(delta);
  if (Number.isNaN(drift)) return null;
  if (drift >= TREND_DEVIATIONS) return 'accumulating';
  return drift <= -TREND_DEVIATIONS ? 'distributing' : 'neutral';
}

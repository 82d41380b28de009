import { FIGURES } from './partial.ts';
import type { Metrics } from './result.ts';

const SESSIONS_OF_A_YEAR = 252;
/** A deviation below this share of the mean is rounding of equal values. */
const DUST = 1e-12;

/** Moments of a series: `deviation` is the sample's (n - 1), NaN below two values and 0 for a constant series. */
export interface Moments {
  readonly mean: number;
  readonly deviation: number;
  /** Third and fourth standardised moments about the mean, population form: 0 and 3 for a normal distribution. */
  readonly skewness: number;
  readonly kurtosis: number;
}

export function moments(series: Float64Array): Moments {
  const n = series.length;
  let sum = 0;
  for (let at = 0; at < n; at++) sum += series[at]!;
  const mean = sum / n;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let at = 0; at < n; at++) {
    const away = series[at]! - mean;
    const square = away * away;
    second += square;
    third += square * away;
    fourth += square * square;
  }
  const deviation = n < 2 ? Number.NaN : Math.sqrt(second / (n - 1));
  if (!(deviation > DUST * Math.abs(mean))) {
    return { mean, deviation: n < 2 ? Number.NaN : 0, skewness: Number.NaN, kurtosis: Number.NaN };
  }
  const variance = second / n;
  return {
    mean,
    deviation,
    skewness: third / n / (variance * Math.sqrt(variance)),
    kurtosis: fourth / n / (variance * variance),
  };
}

/** Mean over deviation by session, not annualised; NaN without deviation. */
export function sessionSharpe({ mean, deviation }: Moments): number {
  return deviation > 0 ? mean / deviation : Number.NaN;
}

/** W. F. Sharpe, "The Sharpe Ratio", Journal of Portfolio Management 21 (1994), with a benchmark of zero. */
export function annualised(sharpe: number): number {
  return sharpe * Math.sqrt(SESSIONS_OF_A_YEAR);
}

/** Maximum fall of the running sum from its peak so far, which starts at 0; not negative. */
export function maxDrawdown(series: Float64Array): number {
  let sum = 0;
  let peak = 0;
  let fall = 0;
  for (let at = 0; at < series.length; at++) {
    sum += series[at]!;
    if (sum > peak) peak = sum;
    else if (peak - sum > fall) fall = peak - sum;
  }
  return fall;
}

/** @param figures of the trades of `series` (sums of R by session), `FIGURE_COUNT` from index `at` on */
export function metricsOf(series: Float64Array, figures: Float64Array, at = 0): Metrics {
  const wins = figures[at + FIGURES.wins]!;
  const trades = wins + figures[at + FIGURES.losses]!;
  const gain = figures[at + FIGURES.gains]!;
  const loss = figures[at + FIGURES.lost]!;
  const share = (count: number): number | null => (trades === 0 ? null : count / trades);
  return {
    totalTrades: trades,
    winRate: share(wins),
    avgRrRatio: share(gain - loss),
    sharpeRatio: finite(annualised(sessionSharpe(moments(series)))),
    profitFactor: loss > 0 ? gain / loss : null,
    maxDrawdown: trades === 0 ? null : maxDrawdown(series),
    totalR: gain - loss,
    ambiguousShare: share(figures[at + FIGURES.ambiguous]!),
  };
}

export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

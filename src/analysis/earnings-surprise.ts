import { mean, squaresAround } from './statistics.ts';

/** Results against expectations. Quarters are oldest first; NaN is a figure that is not known. */

/** One announced figure beside its estimate, in the same unit. */
export interface Result {
  readonly actual: number;
  readonly estimate: number;
}

/** Quarters of a record of surprises: two years. */
export const TRAILING_QUARTERS = 8;

/** Fewer quarters make no distribution. */
export const QUARTERS_MIN = 4;

/** Surprises have two decimals of a percent; a smaller deviation counts as none. */
const DEVIATION_PCT_MIN = 0.01;

/**
 * (actual - estimate) over the estimate's size, percent, to nine decimals, lest binary fractions put it a band lower.
 *
 * @returns NaN without either figure and for an estimate of zero
 */
export function surprisePct({ actual, estimate }: Result): number {
  if (estimate === 0) return Number.NaN;
  return Math.round(((actual - estimate) / Math.abs(estimate)) * 100 * 1e9) / 1e9;
}

/**
 * The latest surprise in deviations of the company's own: its distance from the mean of the eight before it over their
 * sample deviation.
 *
 * @param surprises percent; unknown earlier ones are skipped
 * @returns NaN without the latest, with fewer than four before it, or when those deviate by less than 0.01 points
 * Source: standardised unexpected earnings (Foster, Olsen, Shevlin 1984) with analysts' estimates as expectation.
 */
export function surpriseZscore(surprises: readonly number[]): number {
  const latest = surprises.at(-1) ?? Number.NaN;
  const before = surprises.slice(-1 - TRAILING_QUARTERS, -1).filter((surprise) => !Number.isNaN(surprise));
  if (before.length < QUARTERS_MIN) return Number.NaN;
  const usual = mean(before);
  const deviation = Math.sqrt(squaresAround(usual, before) / (before.length - 1));
  return deviation < DEVIATION_PCT_MIN ? Number.NaN : (latest - usual) / deviation;
}

/** 1 for a beat, -1 for a miss, 0 for the estimate met to the cent, NaN when either figure is not known. */
export function outcome({ actual, estimate }: Result): number {
  return Math.sign(actual - estimate);
}

/** Beats on end up to the latest quarter, misses as a negative count; 0 when the latest met its estimate or is unknown. */
export function consecutiveBeats(results: readonly Result[]): number {
  const latest = results.at(-1);
  const side = latest === undefined ? 0 : outcome(latest);
  if (side !== 1 && side !== -1) return 0;
  let run = 0;
  for (let at = results.length - 1; at >= 0 && outcome(results[at]!) === side; at--) run++;
  return side * run;
}

/** Share that beat of those of the last eight quarters with both figures, 0-1; NaN with fewer than four such. */
export function beatRate(results: readonly Result[]): number {
  const outcomes = results
    .slice(-TRAILING_QUARTERS)
    .map(outcome)
    .filter((side) => !Number.isNaN(side));
  if (outcomes.length < QUARTERS_MIN) return Number.NaN;
  return outcomes.filter((side) => side > 0).length / outcomes.length;
}

export const SURPRISE_CATEGORIES = ['BLOWOUT_BEAT', 'SOLID_BEAT', 'INLINE', 'MISS', 'BLOWOUT_MISS'] as const;
export type SurpriseCategory = (typeof SURPRISE_CATEGORIES)[number];

/** From 2 % on a surprise is more than rounding and guidance, from 20 % on the estimates were of another company. */
export const SOLID_SURPRISE_PCT = 2;
export const BLOWOUT_SURPRISE_PCT = 20;

/** A surprise on a boundary belongs to the stronger band. */
export function surpriseCategory(surprise: number): SurpriseCategory | null {
  if (Number.isNaN(surprise)) return null;
  if (surprise >= BLOWOUT_SURPRISE_PCT) return 'BLOWOUT_BEAT';
  if (surprise >= SOLID_SURPRISE_PCT) return 'SOLID_BEAT';
  if (surprise <= -BLOWOUT_SURPRISE_PCT) return 'BLOWOUT_MISS';
  return surprise <= -SOLID_SURPRISE_PCT ? 'MISS' : 'INLINE';
}

export type NormalizedSurprise =
  | 'EXCEPTIONAL_BEAT'
  | 'STRONG_BEAT'
  | 'MODEST_BEAT'
  | 'INLINE'
  | 'MODEST_MISS'
  | 'STRONG_MISS'
  | 'EXCEPTIONAL_MISS';

/** Deviations from which a surprise is modest, strong and exceptional. */
export const NORMALIZED_FROM = { modest: 0.5, strong: 1, exceptional: 2 } as const;

/** Band of a z-score; a z-score on a boundary belongs to the stronger band. */
export function normalizedSurprise(zscore: number): NormalizedSurprise | null {
  if (Number.isNaN(zscore)) return null;
  const size = Math.abs(zscore);
  if (size < NORMALIZED_FROM.modest) return 'INLINE';
  const side = zscore > 0 ? 'BEAT' : 'MISS';
  if (size >= NORMALIZED_FROM.exceptional) return `EXCEPTIONAL_${side}`;
  return size >= NORMALIZED_FROM.strong ? `STRONG_${side}` : `MODEST_${side}`;
}

export const SENTIMENT_BIASES = ['POSITIVE', 'SLIGHT_POSITIVE', 'SLIGHT_NEGATIVE', 'NEGATIVE'] as const;
export type SentimentBias = (typeof SENTIMENT_BIASES)[number];

/** Beyond this surprise, percent, a bias is no longer slight. */
export const CLEAR_SURPRISE_PCT = 10;

/** Bias of the latest surprise, percent; 0 is slightly positive, +-10 are slight. */
export function earningsSentimentBias(surprise: number): SentimentBias | null {
  if (Number.isNaN(surprise)) return null;
  if (surprise > CLEAR_SURPRISE_PCT) return 'POSITIVE';
  if (surprise >= 0) return 'SLIGHT_POSITIVE';
  return surprise >= -CLEAR_SURPRISE_PCT ? 'SLIGHT_NEGATIVE' : 'NEGATIVE';
}

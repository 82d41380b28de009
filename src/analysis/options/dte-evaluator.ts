import { fall, meanOfPresent, ramp } from '../scoring/ramps.ts';
import {
  AXES,
  AXIS_WEIGHTS,
  type Axis,
  COMPOSITE_WEIGHT_MIN,
  CONFIDENCE_COVERAGE,
  DEALER_WEIGHTS,
  DTE_RAMPS,
  IV_WEIGHTS,
  LIQUIDITY_GATES,
  LIQUIDITY_WEIGHTS,
} from './dte-axes.ts';
import { dteDetails } from './dte-details.ts';
import { type DteInputs, type DteReading, readingOf } from './dte-reading.ts';
import { NEAR_OPEX_SESSIONS } from './expiration-life.ts';

/**
 * Which expiration suits a trade, for a buyer of options who holds for the time of a timeframe and expects the usual
 * travel of the price. Figures and reasons: docs/scoring-options.md.
 */

type Confidence = 'high' | 'medium' | 'low';

/** One expiration. Scores 0 to 100; NaN: an input is missing. */
export interface DteAssessment {
  readonly date: number;
  readonly days: number;
  readonly scores: Readonly<Record<Axis, number>>;
  readonly composite: number;
  readonly confidence: Confidence;
  /** Why it is not recommended whatever its scores; empty when nothing bars it. */
  readonly gatedFor: readonly string[];
  readonly nearOpex: boolean;
  readonly opexDays: number;
  readonly details: Readonly<Record<Axis, string>>;
}

export interface DteVerdict {
  /** Ascending in time. */
  readonly expirations: readonly DteAssessment[];
  /** Index of the one that is recommended; -1 when none is. */
  readonly recommended: number;
}

/**
 * Scores every expiration and recommends the best that passes the gates; of equals the nearer. One that ends before the
 * trade is recommended only where none lives long enough, and none without its edge ratio: the other axes favour the
 * longest expirations whatever the timeframe.
 */
export function rankExpirations(inputs: DteInputs) {
  const readings = inputs.chain.expirations.map((_, index) => readingOf(inputs, index));
  const scores = readings.map(scoresOf);
  const composites = scores.map(compositeOf);
  const gates = readings.map((reading, index) => gatesOf(reading, scores[index]!.liquidity));
  return { readings, scores, composites, gates, recommended: bestOf(readings, scores, composites, gates) };
}

/** The same with the reasons in sentences, which take most of the time. */
export function evaluateExpirations(inputs: DteInputs): DteVerdict {
  const { readings, scores, composites, gates, recommended } = rankExpirations(inputs);
  const details = dteDetails(readings, scores, composites, gates, recommended);
  return {
    recommended,
    expirations: readings.map(({ quotes, life }, index) => ({
      date: quotes.date,
      days: quotes.days,
      scores: scores[index]!,
      composite: composites[index]!,
      confidence: confidenceOf(readings[index]!, scores[index]!),
      gatedFor: gates[index]!,
      nearOpex: life.opexDays <= NEAR_OPEX_SESSIONS,
      opexDays: life.opexDays,
      details: details[index]!,
    })),
  };
}

function scoresOf({ inputs, edge, iv, dealer, near, exposure }: DteReading): Record<Axis, number> {
  const [level, term, skew] = IV_WEIGHTS[inputs.timeframe];
  const [own, flip, wall] = DEALER_WEIGHTS;
  const [spread, openInterest, volume, coverage] = LIQUIDITY_WEIGHTS;
  const hasGamma = exposure.callGamma + exposure.putGamma > 0;
  return {
    edge_ratio: 100 * ramp(edge.ratio, DTE_RAMPS.edge),
    iv_fitness:
      100 *
      meanOfPresent([
        [iv.level, level],
        [iv.term, term],
        [iv.skew, skew],
      ]),
    dealer_flow: hasGamma
      ? 100 *
        meanOfPresent([
          [dealer.ownGamma, own],
          [dealer.flipSide, flip],
          [dealer.wallRoom, wall],
        ])
      : Number.NaN,
    liquidity:
      100 *
      meanOfPresent([
        // Without a quote there is no spread, and nothing is worse.
        [near.used === 0 ? 0 : fall(near.spread, DTE_RAMPS.spread), spread],
        [ramp(Math.log10(1 + near.openInterest), DTE_RAMPS.open_interest), openInterest],
        [ramp(Math.log10(1 + near.volume), DTE_RAMPS.volume), volume],
        [near.coverage, coverage],
      ]),
  };
}

/** Weighted mean of the axes that are there; NaN below half of the weights. */
function compositeOf(scores: Readonly<Record<Axis, number>>): number {
  const present = AXES.filter((axis) => !Number.isNaN(scores[axis]));
  const weight = present.reduce((sum, axis) => sum + AXIS_WEIGHTS[axis], 0);
  if (weight < COMPOSITE_WEIGHT_MIN) return Number.NaN;
  return meanOfPresent(present.map((axis) => [scores[axis], AXIS_WEIGHTS[axis]]));
}

function gatesOf({ near }: DteReading, liquidity: number): string[] {
  const gates: string[] = [];
  const { contracts, spread, openInterest, score } = LIQUIDITY_GATES;
  if (near.used < contracts) gates.push(`${near.used} quotes near the money of at least ${contracts}`);
  if (near.spread > spread) gates.push(`median spread ${percent(near.spread)} of at most ${percent(spread)}`);
  if (near.openInterest < openInterest) {
    gates.push(`open interest ${near.openInterest} of at least ${openInterest}`);
  }
  if (liquidity < score) gates.push(`liquidity ${liquidity.toFixed(1)} of at least ${score}`);
  return gates;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function bestOf(
  readings: readonly DteReading[],
  scores: readonly Readonly<Record<Axis, number>>[],
  composites: readonly number[],
  gates: readonly (readonly string[])[],
): number {
  let best = -1;
  for (const [index, composite] of composites.entries()) {
    const isWeighed = !Number.isNaN(composite) && !Number.isNaN(scores[index]!.edge_ratio);
    if (!isWeighed || gates[index]!.length > 0) continue;
    const longer =
      best < 0 ? 1 : Number(readings[index]!.isLongEnough) - Number(readings[best]!.isLongEnough);
    if (longer > 0 || (longer === 0 && composite > composites[best]!)) best = index;
  }
  return best;
}

/**
 * How much of what an assessment wants was there: all four axes, the level of volatility by its own history, a forward
 * from parity, and nearly all quotes and open interest for `high`; three axes, the edge ratio among them, and half of both
 * for `medium`.
 */
function confidenceOf(
  { inputs, quotes, near, exposure }: DteReading,
  scores: Readonly<Record<Axis, number>>,
): Confidence {
  const axes = AXES.filter((axis) => !Number.isNaN(scores[axis])).length;
  const isParity = quotes.forwardSource.startsWith('parity');
  const covers = ({ quotes: ofQuotes, openInterest }: { quotes: number; openInterest: number }): boolean =>
    near.coverage >= ofQuotes && exposure.coverage >= openInterest;
  const isWhole = axes === AXES.length && isParity && !Number.isNaN(inputs.ivPercentile);
  if (isWhole && covers(CONFIDENCE_COVERAGE.high)) return 'high';
  const hasHorizon = axes >= 3 && !Number.isNaN(scores.edge_ratio);
  return hasHorizon && isParity && covers(CONFIDENCE_COVERAGE.medium) ? 'medium' : 'low';
}

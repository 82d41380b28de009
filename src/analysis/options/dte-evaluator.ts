import { fall, meanOfPresent, ramp } from '../scoring/pieces.ts';
import { price } from './black-scholes.ts';
import {
  AXES,
  AXIS_WEIGHTS,
  type Axis,
  COMPOSITE_WEIGHT_MIN,
  CONFIDENCE_COVERAGE,
  DEALER_WEIGHTS,
  DTE_RAMPS,
  HOLDING_SESSIONS,
  IV_WEIGHTS,
  LEAST_LIFE,
  LIQUIDITY_GATES,
  LIQUIDITY_WEIGHTS,
} from './dte-axes.ts';
import { dteDetails } from './dte-details.ts';
import type { DealerReading, DteInputs, DteReading, EdgeReading, IvReading } from './dte-reading.ts';
import type { ExpirationLife } from './expiration-life.ts';
import { NEAR_OPEX_SESSIONS } from './expiration-life.ts';
import type { ExpirationExposure } from './gamma-exposure.ts';
import { nearMoney } from './chain-figures.ts';
import type { ExpirationQuotes } from './quotes.ts';
import { expectedMove, type SmilePoint } from './surface.ts';

export type { DteInputs } from './dte-reading.ts';

/**
 * Which expiration suits a trade: each is weighed for a buyer of options who holds for the time of a timeframe and
 * expects the price to travel as far as it usually does. Figures and reasons stand in docs/scoring-options.md.
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
 * Weighs every expiration and names the best that nothing bars; of equals the nearer. One that ends before the trade
 * would is named only where none lives long enough, and none without its edge ratio: the other axes favour the longest
 * expirations whatever the timeframe.
 */
export function evaluateExpirations(inputs: DteInputs): DteVerdict {
  const readings = inputs.chain.expirations.map((_, index) => readingOf(inputs, index));
  const scores = readings.map(scoresOf);
  const composites = scores.map(compositeOf);
  const gates = readings.map((reading, index) => gatesOf(reading, scores[index]!.liquidity));
  const recommended = bestOf(readings, scores, composites, gates);
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

function readingOf(inputs: DteInputs, index: number): DteReading {
  const quotes = inputs.chain.expirations[index]!;
  const smile = inputs.smiles[index]!;
  const exposure = inputs.exposure.byExpiration[index]!;
  const life = inputs.lives[index]!;
  const sign = inputs.direction === 'bullish' ? 1 : -1;
  const edge = edgeReading(inputs, quotes, smile, life, sign);
  return {
    inputs,
    quotes,
    smile,
    exposure,
    life,
    isLongEnough: life.sessionsLeft >= LEAST_LIFE[inputs.timeframe],
    near: nearMoney(inputs.chain, quotes),
    sign,
    edge,
    iv: ivReading(inputs, smile, sign),
    dealer: dealerReading(inputs, exposure, edge, sign),
  };
}

/**
 * How far the price travels while the trade is held, over what it has to: the move to expiration that the premium
 * implies, and the move that makes good what time takes meanwhile. An expiration that ends before the trade would is
 * taken down by the share that it does not live.
 */
function edgeReading(
  { atr, chain, timeframe }: DteInputs,
  { forward, discount, years }: ExpirationQuotes,
  { atTheMoney }: SmilePoint,
  { sessionsLeft }: ExpirationLife,
  sign: 1 | -1,
): EdgeReading {
  const holding = HOLDING_SESSIONS[timeframe];
  const lived = Math.min(holding, sessionsLeft);
  const travel = atr * Math.sqrt(lived);
  const implied = expectedMove(chain.spot, atTheMoney, years * 365);
  const left = years * (1 - lived / Math.max(lived, sessionsLeft));
  const worth = (of: number): number =>
    of > 0 ? price(sign, forward, forward, of, atTheMoney, discount) : 0;
  // An option at the money gains half a dollar for each dollar of the price.
  const decay = 2 * (worth(years) - worth(left));
  return { holding, lived, travel, implied, decay, ratio: (travel / (implied + decay)) * (lived / holding) };
}

function ivReading(
  { ivPercentile, forecastVolatility, surface }: DteInputs,
  { atTheMoney, call25, put25 }: SmilePoint,
  sign: 1 | -1,
): IvReading {
  const byHistory = 1 - ivPercentile / 100;
  const byRealised = fall(atTheMoney / forecastVolatility, DTE_RAMPS.iv_over_realised);
  const wing = (sign > 0 ? call25 : put25) / atTheMoney - 1;
  return {
    level: Number.isNaN(byHistory) ? byRealised : byHistory,
    term: fall(atTheMoney / surface.atTheMoney30 - 1, DTE_RAMPS.iv_over_30_days),
    skew: fall(wing, DTE_RAMPS.wing_premium),
    wing,
  };
}

/**
 * What dealers' hedging does to the move: long gamma leans against it; above the flip they steady the price, which
 * carries longs, below it they chase it, which carries shorts; a wall between spot and target is where their gamma,
 * and with it the leaning, is largest.
 */
function dealerReading(
  { chain, surface, exposure, timeframe }: DteInputs,
  { callGamma, putGamma, netGamma, callWall, putWall }: ExpirationExposure,
  { travel, lived }: EdgeReading,
  sign: 1 | -1,
): DealerReading {
  const days = Math.min(lived, HOLDING_SESSIONS[timeframe]) * (365 / 252);
  const reach = Number.isNaN(travel) ? expectedMove(chain.spot, surface.atTheMoney30, days) : travel;
  const lean = netGamma / (callGamma + putGamma);
  const wall = sign > 0 ? callWall : putWall;
  const room = (sign * (wall - chain.spot)) / reach;
  return {
    reach,
    lean,
    ownGamma: (1 - lean) / 2,
    flipSide: ramp((sign * (chain.spot - exposure.flip)) / reach, DTE_RAMPS.flip_side),
    wall,
    // A wall behind the price is in nobody's way.
    wallRoom: room < 0 ? 1 : ramp(room, DTE_RAMPS.wall),
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
  if (near.used < contracts) gates.push(`${near.used} usable quotes near the money, fewer than ${contracts}`);
  if (near.spread > spread) gates.push(`median spread ${percent(near.spread)}, above ${percent(spread)}`);
  if (near.openInterest < openInterest) {
    gates.push(`${near.openInterest} contracts open near the money, fewer than ${openInterest}`);
  }
  if (liquidity < score) gates.push(`liquidity ${liquidity.toFixed(1)}, below ${score}`);
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

import { type Stream, streamFor } from './simulated-random.ts';
import { INDUSTRY_COUNT, SECTORS } from './simulated-sectors.ts';
import type { Timeline } from './simulated-timeline.ts';

/** A factor's log returns by session: from the close before to the open, and from the open to the close. */
export interface FactorPath {
  readonly overnight: Float64Array;
  readonly intraday: Float64Array;
  /** Standard deviation that the intraday return was drawn with. */
  readonly intradaySigma: Float64Array;
}

/** What all simulated companies share, one entry for each session of the timeline. */
export interface MarketPath {
  /** 0 calm, 1 normal, 2 stressed. */
  readonly regime: Uint8Array;
  readonly market: FactorPath;
  readonly sectors: readonly FactorPath[];
  readonly industries: readonly FactorPath[];
  /** Close of the volatility index, percent a year. */
  readonly volatilityIndex: Float64Array;
}

/** Share of a session's variance that falls between the close and the open. */
export const OVERNIGHT_VARIANCE = 0.25;
export const OVERNIGHT_SIGMA = Math.sqrt(OVERNIGHT_VARIANCE);
export const INTRADAY_SIGMA = Math.sqrt(1 - OVERNIGHT_VARIANCE);
/** Of the ordinary: how far prices move on a half day between open and close. */
export const HALF_DAY_SIGMA = 0.75;

/** Daily standard deviation and drift of the market in each regime. */
const REGIME_SIGMA: readonly number[] = [0.0055, 0.0095, 0.021];
const REGIME_DRIFT: readonly number[] = [0.0007, 0.0004, -0.0012];
/** Chance to be in each regime tomorrow, by the regime of today; stress lasts 33 sessions in the mean. */
const TRANSITIONS: readonly (readonly number[])[] = [
  [0.988, 0.012, 0],
  [0.008, 0.987, 0.005],
  [0, 0.03, 0.97],
];
const NORMAL_REGIME = 1;
/**
 * The standard deviation to which other factors' and companies' sensitivity to the market's turbulence
 * refers.
 */
export const ORDINARY_MARKET_SIGMA = 0.01;

/** Factor paths of a seed; the first sessions of a longer timeline are those of a shorter one. */
export function marketPath(seed: number, timeline: Timeline): MarketPath {
  const sessions = timeline.day.length;
  const regime = new Uint8Array(sessions);
  const sigma = new Float64Array(sessions);
  const turbulence = new Float64Array(sessions);
  const market = emptyPath(sessions);
  const daily = streamFor(seed, 'market', 'daily');
  let state = NORMAL_REGIME;
  let logSigma = 0;
  for (let s = 0; s < sessions; s++) {
    const stream = daily(timeline.day[s]!);
    state = nextRegime(state, stream.uniform());
    const overnightShock = stream.normal();
    const intradayShock = stream.normal();
    regime[s] = state;
    sigma[s] = REGIME_SIGMA[state]! * Math.exp(logSigma);
    turbulence[s] = Math.sqrt(sigma[s]! / ORDINARY_MARKET_SIGMA);
    const drift = REGIME_DRIFT[state]!;
    setSession(market, timeline, s, sigma[s]!, drift, overnightShock, intradayShock);
    // Falling prices raise tomorrow's volatility (the leverage effect), and volatility returns slowly.
    logSigma = 0.92 * logSigma + 0.12 * (0.866 * stream.normal() - 0.5 * intradayShock);
  }
  const factor = (owner: string, ordinarySigma: number): FactorPath =>
    groupPath(streamFor(seed, owner, 'daily'), timeline, turbulence, ordinarySigma);
  const indexStream = streamFor(seed, 'volatility index', 'daily');
  return {
    regime,
    market,
    sectors: SECTORS.map(({ sigma: ordinarySigma }, sector) => factor(`sector ${sector}`, ordinarySigma)),
    industries: Array.from({ length: INDUSTRY_COUNT }, (_, industry) =>
      factor(`industry ${industry}`, 0.0038),
    ),
    volatilityIndex: volatilityCloses(indexStream, timeline, regime, sigma, market),
  };
}

function emptyPath(sessions: number): FactorPath {
  return {
    overnight: new Float64Array(sessions),
    intraday: new Float64Array(sessions),
    intradaySigma: new Float64Array(sessions),
  };
}

function nextRegime(state: number, share: number): number {
  const row = TRANSITIONS[state]!;
  if (share < row[0]!) return 0;
  return share < row[0]! + row[1]! ? 1 : 2;
}

function setSession(
  path: FactorPath,
  timeline: Timeline,
  s: number,
  sigma: number,
  drift: number,
  overnightShock: number,
  intradayShock: number,
): void {
  const intradaySigma = sigma * INTRADAY_SIGMA * (timeline.earlyClose[s] === 1 ? HALF_DAY_SIGMA : 1);
  path.overnight[s] = OVERNIGHT_VARIANCE * drift + OVERNIGHT_SIGMA * sigma * overnightShock;
  path.intraday[s] = (1 - OVERNIGHT_VARIANCE) * drift + intradaySigma * intradayShock;
  path.intradaySigma[s] = intradaySigma;
}

/** A sector's or an industry's own factor: no drift, its own slow volatility, livelier when the market is. */
function groupPath(
  daily: (day: number) => Stream,
  timeline: Timeline,
  turbulence: Float64Array,
  ordinarySigma: number,
): FactorPath {
  const sessions = timeline.day.length;
  const path = emptyPath(sessions);
  let logSigma = 0;
  for (let s = 0; s < sessions; s++) {
    const stream = daily(timeline.day[s]!);
    const sigma = ordinarySigma * turbulence[s]! * Math.exp(logSigma);
    setSession(path, timeline, s, sigma, 0, stream.normal(), stream.normal());
    logSigma = 0.95 * logSigma + 0.09 * stream.normal();
  }
  return path;
}

/** Sessions over which the volatility index looks ahead: a month. */
const HORIZON_SESSIONS = 21;
/** What option buyers pay above the volatility that follows, as a factor. */
const VOLATILITY_PREMIUM = 1.15;

/** Mean variance of the next month's sessions, by the regime of today, from the transition matrix. */
export function expectedVariance(state: number): number {
  const variances = REGIME_SIGMA.map((sigma) => sigma * sigma);
  let chances: number[] = variances.map((_, other) => (other === state ? 1 : 0));
  let sum = 0;
  for (let session = 0; session < HORIZON_SESSIONS; session++) {
    chances = variances.map((_, to) =>
      chances.reduce((chance, of, from) => chance + of * TRANSITIONS[from]![to]!, 0),
    );
    sum += chances.reduce((variance, chance, of) => variance + chance * variances[of]!, 0);
  }
  return sum / HORIZON_SESSIONS;
}

/**
 * The volatility index follows the model's own expectation with a lag, jumps when the market falls, and
 * carries a little noise. It lies between 6 and 150.
 */
function volatilityCloses(
  daily: (day: number) => Stream,
  timeline: Timeline,
  regime: Uint8Array,
  sigma: Float64Array,
  market: FactorPath,
): Float64Array {
  const monthVariance = REGIME_SIGMA.map((_, state) => expectedVariance(state));
  const closes = new Float64Array(timeline.day.length);
  let level = Math.log(100 * VOLATILITY_PREMIUM * Math.sqrt(252 * monthVariance[NORMAL_REGIME]!));
  for (let s = 0; s < closes.length; s++) {
    const stream = daily(timeline.day[s]!);
    const state = regime[s]!;
    const today = Math.log(sigma[s]! / REGIME_SIGMA[state]!);
    const expected =
      100 * VOLATILITY_PREMIUM * Math.sqrt(252 * monthVariance[state]!) * Math.exp(0.6 * today);
    const fall = market.overnight[s]! + market.intraday[s]!;
    level += 0.15 * (Math.log(expected) - level) - 3.5 * fall + 0.03 * stream.normal();
    level = Math.min(Math.log(150), Math.max(Math.log(6), level));
    closes[s] = Math.exp(level);
  }
  return closes;
}

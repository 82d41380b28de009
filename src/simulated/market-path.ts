import { INDUSTRY_COUNT, SECTORS } from './companies.ts';
import { clamp, type Stream, streamFor } from './random.ts';
import type { Timeline } from './timeline.ts';

/** A factor's log returns by session: from the close before to the open, and from the open to the close. */
type FactorPath = ReturnType<typeof factorPath>;
/** What all simulated companies share, one entry for each session of the timeline. */
export type MarketPath = ReturnType<typeof marketPath>;

/** Share of a session's variance that falls between the close and the open. */
export const OVERNIGHT_VARIANCE = 0.25;
export const OVERNIGHT_SIGMA = Math.sqrt(OVERNIGHT_VARIANCE);
export const INTRADAY_SIGMA = Math.sqrt(1 - OVERNIGHT_VARIANCE);
/** Prices move less between open and close on a half day. */
const HALF_DAY_SIGMA = 0.75;

/** Daily standard deviation and drift of the market in each regime. */
const REGIME_SIGMA: readonly number[] = [0.0055, 0.0095, 0.021];
const REGIME_DRIFT: readonly number[] = [0.0007, 0.0004, -0.0012];
/** Chance of each regime tomorrow, by the regime of today; stress lasts 33 sessions in the mean. */
const TRANSITIONS: readonly (readonly number[])[] = [
  [0.988, 0.012, 0],
  [0.008, 0.987, 0.005],
  [0, 0.03, 0.97],
];
const NORMAL_REGIME = 1;
/** The market's daily standard deviation to which other sensitivities refer. */
export const ORDINARY_MARKET_SIGMA = 0.01;
const INDUSTRY_SIGMA = 0.0038;
/** Sessions over which the volatility index looks ahead: a month. */
const HORIZON_SESSIONS = 21;
/** What option buyers pay above the volatility that follows, as a factor. */
const VOLATILITY_PREMIUM = 1.15;

/** The intraday part of a session's standard deviation. */
export const intradaySigmaOf = (sigma: number, { sessions }: Timeline, s: number): number =>
  sigma * INTRADAY_SIGMA * (sessions[s]!.earlyClose ? HALF_DAY_SIGMA : 1);

/** Factor paths of a seed; the first sessions of a longer timeline are those of a shorter one. */
export function marketPath(seed: number, timeline: Timeline) {
  /** 0 calm, 1 normal, 2 stressed. */
  const regime = new Uint8Array(timeline.day.length);
  const sigma = new Float64Array(timeline.day.length);
  let state = NORMAL_REGIME;
  let logSigma = 0;
  const market = factorPath(seed, 'market', timeline, (stream, s) => {
    const [calm, normal] = TRANSITIONS[state] as [number, number];
    const chance = stream.uniform();
    state = chance < calm ? 0 : chance < calm + normal ? 1 : 2;
    regime[s] = state;
    sigma[s] = REGIME_SIGMA[state]! * Math.exp(logSigma);
    const shocks = { overnight: stream.normal(), intraday: stream.normal() };
    // Falling prices raise tomorrow's volatility (the leverage effect), and volatility returns slowly.
    logSigma = 0.92 * logSigma + 0.12 * (0.866 * stream.normal() - 0.5 * shocks.intraday);
    return { sigma: sigma[s]!, drift: REGIME_DRIFT[state]!, ...shocks };
  });
  return {
    regime,
    market,
    sectors: SECTORS.map((sector, at) => groupPath(seed, `sector ${at}`, timeline, sigma, sector.sigma)),
    industries: Array.from({ length: INDUSTRY_COUNT }, (_, at) =>
      groupPath(seed, `industry ${at}`, timeline, sigma, INDUSTRY_SIGMA),
    ),
    /** Close of the volatility index, percent a year. */
    volatilityIndex: volatilityCloses(seed, timeline, regime, sigma, market),
  };
}

/** A factor whose sessions are drawn in the order of time: standard deviation, drift and the two standard shocks. */
function factorPath(
  seed: number,
  owner: string,
  timeline: Timeline,
  draw: (stream: Stream, s: number) => Record<'sigma' | 'drift' | 'overnight' | 'intraday', number>,
) {
  const daily = streamFor(seed, owner, 'daily');
  const column = (): Float64Array => new Float64Array(timeline.day.length);
  // `intradaySigma` is the standard deviation of the distribution of the intraday return.
  const path = { overnight: column(), intraday: column(), intradaySigma: column() };
  for (const [s, day] of timeline.day.entries()) {
    const { sigma, drift, overnight, intraday } = draw(daily(day), s);
    path.intradaySigma[s] = intradaySigmaOf(sigma, timeline, s);
    path.overnight[s] = OVERNIGHT_VARIANCE * drift + OVERNIGHT_SIGMA * sigma * overnight;
    path.intraday[s] = (1 - OVERNIGHT_VARIANCE) * drift + path.intradaySigma[s]! * intraday;
  }
  return path;
}

/** The factor of a sector or an industry: no drift, slow volatility, which rises with the market's. */
function groupPath(
  seed: number,
  owner: string,
  timeline: Timeline,
  marketSigma: Float64Array,
  ordinarySigma: number,
): FactorPath {
  let logSigma = 0;
  return factorPath(seed, owner, timeline, (stream, s) => {
    const turbulence = Math.sqrt(marketSigma[s]! / ORDINARY_MARKET_SIGMA);
    const sigma = ordinarySigma * turbulence * Math.exp(logSigma);
    const shocks = { overnight: stream.normal(), intraday: stream.normal() };
    logSigma = 0.95 * logSigma + 0.09 * stream.normal();
    return { sigma, drift: 0, ...shocks };
  });
}

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

/** The volatility index lags the model's expectation and jumps when the market falls; between 6 and 150. */
function volatilityCloses(
  seed: number,
  timeline: Timeline,
  regime: Uint8Array,
  sigma: Float64Array,
  market: FactorPath,
): Float64Array {
  const daily = streamFor(seed, 'volatility index', 'daily');
  const implied = REGIME_SIGMA.map(
    (_, state) => 100 * VOLATILITY_PREMIUM * Math.sqrt(252 * expectedVariance(state)),
  );
  let level = Math.log(implied[NORMAL_REGIME]!);
  return Float64Array.from(timeline.day, (day, s) => {
    const state = regime[s]!;
    const expected = implied[state]! * Math.exp(0.6 * Math.log(sigma[s]! / REGIME_SIGMA[state]!));
    const move = market.overnight[s]! + market.intraday[s]!;
    level += 0.15 * (Math.log(expected) - level) - 3.5 * move + 0.03 * daily(day).normal();
    level = clamp(level, Math.log(6), Math.log(150));
    return Math.exp(level);
  });
}

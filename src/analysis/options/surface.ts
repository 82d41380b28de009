import { clamp } from '../statistics.ts';
import { d1 } from './black-scholes.ts';
import type { ExpirationQuotes, PricedChain } from './quotes.ts';

/** Implied volatility read off a priced chain: at the money, at 25 delta, over time. Volatilities are decimals. */

/** Days of the constant maturity that volatility indices quote. */
export const CONSTANT_MATURITY_DAYS = 30;
const HALF_MATURITY_DAYS = CONSTANT_MATURITY_DAYS / 2;
/** N(d1) = 0.25 at this distance: the strike at which a call's forward delta is 25 %. */
const D1_OF_25_DELTA = 0.6744897501960817;
/** A strike this near the forward, in ln(K / F), replaces it where the other side has no quote. */
const NEARLY_AT_THE_MONEY = 0.02;
/** Legs of a constant maturity: nothing of the last days, whose volatility is that of a day; nothing of another season. */
const NEAR_LEG_DAYS_MIN = 5;
const FAR_LEG_DAYS_MAX = 100;
/** Maximum distance of a single leg from 30 days. */
const SINGLE_LEG_DAYS = 10;

/** The smile of an expiration. NaN: not quoted. */
export interface SmilePoint {
  /** At the forward. */
  readonly atTheMoney: number;
  /** At the out-of-the-money call and put of 25 % forward delta. */
  readonly call25: number;
  readonly put25: number;
}

/** The smile of every expiration, in their order. */
export function smiles(chain: PricedChain): SmilePoint[] {
  return chain.expirations.map((expiration) => {
    const level = atTheMoney(chain, expiration);
    const at = (right: 1 | -1): number => atDelta(chain, expiration, right, level);
    return { atTheMoney: level, call25: at(1), put25: at(-1) };
  });
}

/** Volatility at the forward, straight in ln(K) between the two strikes around it. */
function atTheMoney({ strikes }: PricedChain, { from, to, forward }: ExpirationQuotes): number {
  let below = -1;
  let above = -1;
  for (let row = from; row < to && above < 0; row++) {
    if (Number.isNaN(strikes.volatility[row]!)) continue;
    if (strikes.strike[row]! <= forward) below = row;
    else above = row;
  }
  const [volatility, strike] = [strikes.volatility, strikes.strike];
  if (below >= 0 && above >= 0) {
    const low = Math.log(strike[below]! / forward);
    const share = -low / (Math.log(strike[above]! / forward) - low);
    return volatility[below]! + share * (volatility[above]! - volatility[below]!);
  }
  const only = Math.max(below, above);
  const isNear = only >= 0 && Math.abs(Math.log(strike[only]! / forward)) <= NEARLY_AT_THE_MONEY;
  return isNear ? volatility[only]! : Number.NaN;
}

/**
 * Volatility at 25 delta, linear in d1 between two strikes, from the forward out of the money.
 *
 * @param right 1 for calls, -1 for puts
 * @param level volatility at the forward
 */
function atDelta(
  { strikes }: PricedChain,
  { from, to, forward, years }: ExpirationQuotes,
  right: 1 | -1,
  level: number,
) {
  let lastVolatility = level;
  let lastDistance = (-right * level * Math.sqrt(years)) / 2;
  const rows = to - from;
  for (let step = 0; step < rows; step++) {
    const row = right > 0 ? from + step : to - 1 - step;
    const volatility = strikes.volatility[row]!;
    if (Number.isNaN(volatility) || right * (strikes.strike[row]! - forward) < 0) continue;
    const deviation = volatility * Math.sqrt(years);
    // How far beyond the forward, positive out of the money for either side.
    const distance = -right * d1(-Math.log(strikes.strike[row]! / forward), deviation);
    if (distance >= D1_OF_25_DELTA) {
      const share = (D1_OF_25_DELTA - lastDistance) / (distance - lastDistance);
      return lastVolatility + share * (volatility - lastVolatility);
    }
    lastDistance = distance;
    lastVolatility = volatility;
  }
  return Number.NaN;
}

/** Volatility by time: days to expiration, ascending, and a volatility of each. */
export interface TermPoint {
  readonly days: number;
  readonly years: number;
  readonly volatility: number;
}

/** The points of a curve that are known, one for each expiration that has one. */
export function termStructure(
  chain: PricedChain,
  points: readonly SmilePoint[],
  of: (point: SmilePoint) => number = ({ atTheMoney: level }) => level,
): TermPoint[] {
  return chain.expirations.flatMap(({ days, years }, index) => {
    const volatility = of(points[index]!);
    return Number.isNaN(volatility) ? [] : [{ days, years, volatility }];
  });
}

/**
 * Volatility at a constant maturity: total variance is linear in time between the last expiration before it and the
 * first after it. A single leg counts when it is near; else NaN.
 *
 * Source: Cboe, "Volatility Index Methodology" (2023), the interpolation of two expirations.
 */
export function constantMaturity(curve: readonly TermPoint[], days: number = CONSTANT_MATURITY_DAYS): number {
  const { near, far, only } = legs(curve, days);
  if (near === undefined || far === undefined) return only;
  if (far.years <= near.years) return near.volatility;
  const years = days / 365;
  const variance = (point: TermPoint): number => point.volatility * point.volatility * point.years;
  const share = clamp((years - near.years) / (far.years - near.years), 0, 1);
  const at = near.years + share * (far.years - near.years);
  return Math.sqrt((variance(near) + share * (variance(far) - variance(near))) / at);
}

/** The points on both sides of a maturity, and what one of them says where the other is missing. */
function legs(curve: readonly TermPoint[], days: number) {
  const near = curve.findLast((point) => point.days <= days && point.days >= NEAR_LEG_DAYS_MIN);
  const far = curve.find((point) => point.days >= days && point.days <= FAR_LEG_DAYS_MAX);
  const single = near ?? far;
  const isNear = single !== undefined && Math.abs(single.days - days) <= SINGLE_LEG_DAYS;
  return { near, far, only: isNear ? single.volatility : Number.NaN };
}

/** Figures of the whole surface, each NaN where it is not quoted. */
export type SurfaceFigures = Readonly<ReturnType<typeof surfaceFigures>>;

/** Days of the far end of the term slope. */
const FAR_MATURITY_DAYS = 90;
/** The far end lies between expirations of a quarter and a half year at most. */
const FAR_MATURITY_LEG_MAX = 200;

export function surfaceFigures(chain: PricedChain, points: readonly SmilePoint[]) {
  const curve = termStructure(chain, points);
  const atTheMoney30 = constantMaturity(curve);
  const legsThere = curve.filter(({ days }) => days >= NEAR_LEG_DAYS_MIN && days <= FAR_LEG_DAYS_MAX).length;
  const atTheMoney15 = legsThere > 1 ? constantMaturity(curve, HALF_MATURITY_DAYS) : Number.NaN;
  // Both wings of one expiration: a skew across two expirations would be partly term structure.
  const skews = termStructure(chain, points, ({ put25, call25 }) => put25 - call25);
  return {
    /** 30-day constant-maturity volatility at the money. */
    atTheMoney30,
    /** The same of 15 days; NaN with a single expiration. */
    atTheMoney15,
    /** 25-delta put volatility less 25-delta call volatility, 30 days. */
    skew30: straightAt(skews),
    /** 90-day less 30-day volatility at the money: positive is the usual upward slope. */
    termSlope: farVolatility(curve) - atTheMoney30,
  };
}

/** A difference of volatilities at 30 days, straight in days between the same legs as the volatility's. */
function straightAt(curve: readonly TermPoint[]): number {
  const days = CONSTANT_MATURITY_DAYS;
  const { near, far, only } = legs(curve, days);
  if (near === undefined || far === undefined) return only;
  if (far.days === near.days) return near.volatility;
  const share = (days - near.days) / (far.days - near.days);
  return near.volatility + share * (far.volatility - near.volatility);
}

function farVolatility(curve: readonly TermPoint[]): number {
  return constantMaturity(
    curve.filter(({ days }) => days >= CONSTANT_MATURITY_DAYS && days <= FAR_MATURITY_LEG_MAX),
    FAR_MATURITY_DAYS,
  );
}

/** Minimum days of history of a rank. */
export const HISTORY_DAYS_MIN = 60;
/** Sessions of a year. */
export const HISTORY_DAYS = 252;

/**
 * Rank of a volatility in its year, percent: (v - low) / (high - low) x 100, the volatility itself in the range.
 *
 * @param history daily volatilities before it, oldest first; NaN days are skipped, the last 252 count
 * @returns NaN with fewer than 60 days, or when none of them differs
 */
export function volatilityRank(history: Float64Array, volatility: number): number {
  const year = knownYear(history);
  if (year.length < HISTORY_DAYS_MIN) return Number.NaN;
  let [low, high] = [volatility, volatility];
  for (const day of year) {
    low = Math.min(low, day);
    high = Math.max(high, day);
  }
  return high > low ? ((volatility - low) / (high - low)) * 100 : Number.NaN;
}

/** Share of the last 252 days with a volatility below this one, percent; NaN with fewer than 60 days. */
export function volatilityPercentile(history: Float64Array, volatility: number): number {
  const year = knownYear(history);
  if (year.length < HISTORY_DAYS_MIN || Number.isNaN(volatility)) return Number.NaN;
  return (year.filter((day) => day < volatility).length / year.length) * 100;
}

const knownYear = (history: Float64Array): Float64Array =>
  history.filter((day) => day > 0).slice(-HISTORY_DAYS);

/** Dollars that the price is implied to move by one deviation in so many calendar days: S x IV x sqrt(days / 365). */
export function expectedMove(spot: number, volatility: number, days: number): number {
  return spot * volatility * Math.sqrt(days / 365);
}

import { cdfOverDensity, INVERSE_SQRT_TWO_PI, normalCdf, normalDensity } from './normal.ts';

/** A contract's right as a number: what a price is multiplied by to be worth more with it. */
export const CALL = 1;
export const PUT = -1;

/** Places of the greeks in what `greeks` fills. */
export const DELTA = 0;
export const GAMMA = 1;
export const THETA = 2;
export const VEGA = 3;
export const RHO = 4;
export const CHARM = 5;
export const VANNA = 6;
/** Length of the array that `greeks` fills. */
export const GREEKS = 7;

const DAYS_A_YEAR = 365;
/** Volatility and rate move in points: 0.01. */
const POINT = 0.01;

/**
 * Price of a European option, dollars a share: Black 1976 on the forward, which is Black, Scholes and Merton with any
 * carry and with dividends of known amount. What is out of the money keeps its relative precision; in the money it is
 * intrinsic value plus the price of the opposite right.
 *
 * @param right 1 call, -1 put
 * @param forward of the underlying for the expiration, above 0
 * @param strike above 0
 * @param years above 0, see `yearsToExpiry`
 * @param volatility decimal a year, 0 or more; at 0 the price is the discounted intrinsic value
 * @param discount value today of a dollar at the expiration, above 0
 * @returns NaN when an input is not finite or outside these bounds
 * Source: F. Black, "The pricing of commodity contracts" (1976).
 */
export function price(
  right: number,
  forward: number,
  strike: number,
  years: number,
  volatility: number,
  discount: number,
): number {
  if (!(volatility >= 0 && volatility < Number.POSITIVE_INFINITY)) return Number.NaN;
  if (!isContract(forward, strike, years, discount)) return Number.NaN;
  const intrinsic = Math.max(right * (forward - strike), 0);
  const timeValue =
    Math.sqrt(forward * strike) *
    normalisedBlack(-Math.abs(Math.log(forward / strike)), volatility * Math.sqrt(years));
  return discount * (intrinsic + timeValue);
}

/** True when a contract can be priced at all: four positive finite numbers. */
export function isContract(forward: number, strike: number, years: number, discount: number): boolean {
  return (
    forward > 0 &&
    strike > 0 &&
    years > 0 &&
    discount > 0 &&
    forward + strike + years + discount < Number.POSITIVE_INFINITY
  );
}

/** The d1 of Black and Scholes from ln(forward / strike) and volatility x sqrt(years). */
export function d1(logMoneyness: number, deviation: number): number {
  return logMoneyness / deviation + 0.5 * deviation;
}

/** The d2 of Black and Scholes from the same. */
export function d2(logMoneyness: number, deviation: number): number {
  return logMoneyness / deviation - 0.5 * deviation;
}

/**
 * Price of a European option that is out of the money, in units of sqrt(forward x strike).
 *
 * @param x -|ln(forward / strike)|
 * @param s volatility x sqrt(years), 0 or more
 */
export function normalisedBlack(x: number, s: number): number {
  if (s === 0) return 0;
  const h = x / s;
  const t = 0.5 * s;
  if (h + t > PLAIN) return Math.exp(0.5 * x) * normalCdf(h + t) - Math.exp(-0.5 * x) * normalCdf(h - t);
  const vega = normalisedVega(h, t);
  return vega === 0 ? 0 : vega * blackOverVega(h, t);
}

/** Derivative of `normalisedBlack` by the deviation, with h and t as of `blackOverVega`. */
export function normalisedVega(h: number, t: number): number {
  return INVERSE_SQRT_TWO_PI * Math.exp(-0.5 * (h * h + t * t));
}

/** Below this half of a deviation the two tails are so near each other that their difference is taken by series. */
const NARROW = 0.2;
/** Above this point the scaled tail grows out of bounds, while the plain probability is nearly 1. */
const PLAIN = 5;

/**
 * Normalised price over normalised vega, Y(h + t) - Y(h - t) with Y the cumulative probability over the density: of
 * order s however far out of the money.
 *
 * @param h x / s, 0 or less
 * @param t s / 2, above 0
 */
export function blackOverVega(h: number, t: number): number {
  if (t < NARROW) return narrowDifference(h, t);
  return cdfOverDensity(h + t) - cdfOverDensity(h - t);
}

/**
 * Y(h + t) - Y(h - t) by its Taylor series in t, whose even terms cancel. Y' = 1 + hY, and each further derivative is
 * h times the one before plus its order times the one before that.
 */
function narrowDifference(h: number, t: number): number {
  let before = cdfOverDensity(h);
  let odd = 1 + h * before;
  let power = t;
  let sum = t * odd;
  for (let order = 1; order < 13; order += 2) {
    const even = h * odd + order * before;
    const next = h * even + (order + 1) * odd;
    before = even;
    odd = next;
    power *= (t * t) / ((order + 1) * (order + 2));
    const term = power * odd;
    sum += term;
    if (term < 1e-17 * sum) break;
  }
  return 2 * sum;
}

/**
 * Sensitivities of a European option into `out` at DELTA, GAMMA, THETA, VEGA, RHO, CHARM and VANNA; the price is
 * returned. Moved are spot, time, volatility and rate with the carry rate less dividend yield that forward and
 * discount imply; a move of the rate leaves the yield where it is.
 *
 * | greek | unit |
 * |---|---|
 * | delta | dollars a dollar of spot |
 * | gamma | delta a dollar of spot |
 * | theta | dollars a calendar day that passes |
 * | vega | dollars a volatility point (0.01) |
 * | rho | dollars a percentage point of rate |
 * | charm | delta a calendar day that passes |
 * | vanna | delta a volatility point |
 *
 * @param spot price of the underlying now, above 0
 * @returns the price, as a difference of its two legs (`price` keeps more digits far out of the money); NaN, and NaN in
 *   every place, for inputs that `price` refuses, a spot or a volatility of 0
 * Source: E. G. Haug, "The Complete Guide to Option Pricing Formulas" (2007), generalised Black-Scholes-Merton.
 */
export function greeks(
  out: Float64Array,
  right: number,
  spot: number,
  forward: number,
  strike: number,
  years: number,
  volatility: number,
  discount: number,
): number {
  const isKnown = volatility > 0 && volatility < Number.POSITIVE_INFINITY && spot > 0;
  if (!(isKnown && isContract(forward, strike, years, discount))) {
    out.fill(Number.NaN);
    return Number.NaN;
  }
  const root = Math.sqrt(years);
  const deviation = volatility * root;
  const d = d1(Math.log(forward / strike), deviation);
  const lower = d - deviation;
  const density = normalDensity(d);
  const inside1 = normalCdf(right * d);
  const inside2 = normalCdf(right * lower);
  const rate = -Math.log(discount) / years;
  const carry = Math.log(forward / spot) / years;
  const perSpot = (discount * forward) / spot;
  const perForward = discount * forward;
  const perStrike = discount * strike;
  const value = right * (perForward * inside1 - perStrike * inside2);
  const decay = (perForward * density * volatility) / (2 * root);
  // What a day takes from the value of the time that is left, and what it adds by discount and carry.
  const held = right * (perForward * inside1 * (carry - rate) + rate * perStrike * inside2);
  out[DELTA] = right * perSpot * inside1;
  out[GAMMA] = (perSpot * density) / (spot * deviation);
  out[THETA] = -(decay + held) / DAYS_A_YEAR;
  out[VEGA] = perForward * density * root * POINT;
  out[RHO] = right * perStrike * inside2 * years * POINT;
  out[CHARM] =
    (-perSpot * (density * (carry / deviation - lower / (2 * years)) + right * (carry - rate) * inside1)) /
    DAYS_A_YEAR;
  out[VANNA] = (-perSpot * density * lower * POINT) / volatility;
  return value;
}

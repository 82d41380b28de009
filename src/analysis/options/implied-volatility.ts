import { blackOverVega, isTerm } from './black-scholes.ts';
import { cdfOverDensity, INVERSE_SQRT_TWO_PI, inverseNormalCdf, normalCdf } from './normal.ts';
import { fitLeft, fitRight, rationalCubic } from './rational-cubic.ts';

const SQRT_THREE = Math.sqrt(3);
const SQRT_TWO_PI = 1 / INVERSE_SQRT_TWO_PI;
/** Steps of fourth order: two carry the guess to the precision of the price, the third is for the seams. */
const MOST_STEPS = 3;
/** After a step this small, relative to the deviation, a method of fourth order is as near as doubles come. */
const LAST_STEP = 1e-5;

/**
 * The volatility at which a European option is worth its price, to the precision of the price: steps of fourth order
 * from a rational guess, for any moneyness and any time.
 *
 * @param right 1 call, -1 put
 * @param price dollars a share
 * @param forward, strike, years, discount as for `price` of black-scholes.ts
 * @returns decimal a year; NaN at or below the discounted intrinsic value, at or above the discounted forward (call) or
 *   strike (put), and for inputs that are not finite or not positive
 * Source: P. Jäckel, "Let's be rational", Wilmott 2015.
 */
export function impliedVolatility(
  right: number,
  price: number,
  forward: number,
  strike: number,
  years: number,
  discount: number,
): number {
  if (!isTerm(forward, strike, years, discount)) return Number.NaN;
  const undiscounted = price / discount;
  const unit = Math.sqrt(forward * strike);
  const timeValue = (undiscounted - Math.max(right * (forward - strike), 0)) / unit;
  // How far the price lies below its bound: near the bound this has the digits that the time value has lost.
  const room = ((right > 0 ? forward : strike) - undiscounted) / unit;
  if (!(timeValue > 0 && room > 0)) return Number.NaN;
  return deviationOf(-Math.abs(Math.log(forward / strike)), timeValue, room) / Math.sqrt(years);
}

/** What the rows of one expiration share. */
export interface ExpirationTerms {
  readonly forward: number;
  readonly years: number;
  readonly discount: number;
}

/**
 * `impliedVolatility` for the rows `from` to `to` (exclusive) of a chain's columns, which are of one expiration, into
 * the same rows of `out`.
 */
export function impliedVolatilities(
  out: Float64Array,
  right: Float64Array,
  price: Float64Array,
  strike: Float64Array,
  from: number,
  to: number,
  { forward, years, discount }: ExpirationTerms,
): void {
  for (let row = from; row < to; row++) {
    out[row] = impliedVolatility(right[row]!, price[row]!, forward, strike[row]!, years, discount);
  }
}

/**
 * Volatility x sqrt(years) at which `normalisedBlack(x, s)` is `b`. The price as a function of s has one inflection, at
 * sqrt(2|x|). The tangent there meets the axis and the bound at two more points; the four stretches between them each
 * have a guess of their own, and the outer two an objective that is nearly straight where the price itself is flat.
 *
 * @param b above 0
 * @param room bound less `b`, above 0
 */
function deviationOf(x: number, b: number, room: number): number {
  const inflection = Math.sqrt(-2 * x);
  const vegaAtInflection = INVERSE_SQRT_TWO_PI * Math.exp(0.5 * x);
  // Y(0) = sqrt(pi / 2); at the inflection h + t is 0 and h - t is -s.
  const bAtInflection = vegaAtInflection * (0.5 * SQRT_TWO_PI - cdfOverDensity(-inflection));
  if (b < bAtInflection) {
    const low = inflection - bAtInflection / vegaAtInflection;
    const vegaLow = vegaAt(x, low);
    const bLow = vegaLow * blackOverVega(x / low, 0.5 * low);
    if (b < bLow) return polishLow(x, b, guessLow(x, b, low, bLow));
    const guess = guessBelow(b, low, bLow, vegaLow, inflection, bAtInflection, vegaAtInflection);
    return polishMiddle(x, b, guess);
  }
  const bound = Math.exp(0.5 * x);
  const high = inflection + (bound - bAtInflection) / vegaAtInflection;
  const roomHigh = roomAt(x, high);
  if (room > roomHigh) {
    const guess = guessAbove(
      b,
      inflection,
      bAtInflection,
      vegaAtInflection,
      high,
      bound - roomHigh,
      vegaAt(x, high),
    );
    return room < 0.5 * bound ? polishHigh(x, room, guess) : polishMiddle(x, b, guess);
  }
  return polishHigh(x, room, guessHigh(x, room, high, roomHigh));
}

function vegaAt(x: number, s: number): number {
  const h = x / s;
  return INVERSE_SQRT_TWO_PI * Math.exp(-0.5 * (h * h + 0.25 * s * s));
}

/** Bound less price, as a sum of two tails: nothing cancels. */
function roomAt(x: number, s: number): number {
  const h = x / s;
  const t = 0.5 * s;
  return vegaAt(x, s) * (cdfOverDensity(-h - t) + cdfOverDensity(h - t));
}

/** Far below the inflection a third power of a tail probability is nearly straight in the price; it is then turned back. */
function guessLow(x: number, b: number, low: number, bLow: number): number {
  const unit = (2 * Math.PI * -x) / (3 * SQRT_THREE);
  const z = x / (SQRT_THREE * low);
  const square = low * low;
  const overDensity = cdfOverDensity(z);
  const growth = Math.exp(0.5 * z * z);
  const tail = (INVERSE_SQRT_TWO_PI * overDensity) / growth;
  const value = unit * tail * tail * tail;
  const perDensity = growth * growth * Math.exp(square / 8);
  const slope = 2 * Math.PI * z * z * tail * tail * perDensity;
  const bend =
    (Math.PI / 6) *
    ((z * z) / (square * low)) *
    tail *
    (8 * SQRT_THREE * low * -x + (3 * square * (square - 8) - 8 * x * x) * overDensity) *
    perDensity *
    perDensity;
  const control = fitRight(bLow, 0, value, 1, slope, bend, true);
  let mapped = rationalCubic(b / bLow, bLow, 0, value, 1, slope, control);
  if (!(mapped > 0)) {
    const t = b / bLow;
    mapped = (value * t + bLow * (1 - t)) * t;
  }
  return Math.abs(x / (SQRT_THREE * inverseNormalCdf(Math.cbrt(mapped / unit))));
}

/** From the low point to the inflection the deviation itself is a rational cubic of the price. */
function guessBelow(
  b: number,
  low: number,
  bLow: number,
  vegaLow: number,
  inflection: number,
  bAtInflection: number,
  vegaAtInflection: number,
): number {
  const width = bAtInflection - bLow;
  const slopeLow = 1 / vegaLow;
  const slope = 1 / vegaAtInflection;
  // At the inflection the price has no bend, and so its inverse has none.
  const control = fitRight(width, low, inflection, slopeLow, slope, 0, false);
  return rationalCubic((b - bLow) / width, width, low, inflection, slopeLow, slope, control);
}

/** From the inflection to the high point, as below. */
function guessAbove(
  b: number,
  inflection: number,
  bAtInflection: number,
  vegaAtInflection: number,
  high: number,
  bHigh: number,
  vegaHigh: number,
): number {
  const width = bHigh - bAtInflection;
  const slope = 1 / vegaAtInflection;
  const slopeHigh = 1 / vegaHigh;
  const control = fitLeft(width, inflection, high, slope, slopeHigh, 0, false);
  return rationalCubic((b - bAtInflection) / width, width, inflection, high, slope, slopeHigh, control);
}

/** Far above, the tail probability of half the deviation is nearly straight in the price. */
function guessHigh(x: number, room: number, high: number, roomHigh: number): number {
  const h = x / high;
  const value = normalCdf(-0.5 * high);
  const slope = -0.5 * Math.exp(0.5 * h * h);
  const bend = (Math.sqrt(Math.PI / 2) * Math.exp(h * h + (high * high) / 8) * h * h) / high;
  const control = fitLeft(roomHigh, value, 0, slope, -0.5, bend, true);
  const t = 1 - room / roomHigh;
  let mapped = rationalCubic(t, roomHigh, value, 0, slope, -0.5, control);
  if (!(mapped > 0)) mapped = (value * (1 - t) + 0.5 * roomHigh * t) * (1 - t);
  return -2 * inverseNormalCdf(mapped);
}

/** A step of Householder's method of fourth order from Newton's, with f'' / f' and f''' / f' of the objective. */
function householder(newton: number, second: number, third: number): number {
  return (newton * (1 + 0.5 * newton * second)) / (1 + newton * (second + (newton * third) / 6));
}

/** Solves 1 / ln b(s) = 1 / ln b, which is straight where the price vanishes faster than any power. */
function polishLow(x: number, b: number, guess: number): number {
  const target = Math.log(b);
  let s = guess;
  for (let step = 0; step < MOST_STEPS; step++) {
    const h = x / s;
    const t = 0.5 * s;
    const relative = 1 / blackOverVega(h, t);
    const reached = -Math.log(SQRT_TWO_PI * relative) - 0.5 * (h * h + t * t);
    const second = (h * h) / s - 0.25 * s;
    const third = second * second - (3 * h * h) / (s * s) - 0.25;
    const inverse = 1 / reached;
    const change = householder(
      (((target - reached) * reached) / target) * (1 / relative),
      second - relative * (1 + 2 * inverse),
      third +
        2 * relative * relative * (1 + 3 * inverse * (1 + inverse)) -
        3 * second * relative * (1 + 2 * inverse),
    );
    s += change;
    if (Math.abs(change) < LAST_STEP * s) break;
  }
  return s;
}

/** Solves b(s) = b as it stands. */
function polishMiddle(x: number, b: number, guess: number): number {
  let s = guess;
  for (let step = 0; step < MOST_STEPS; step++) {
    const h = x / s;
    const second = (h * h) / s - 0.25 * s;
    const third = second * second - (3 * h * h) / (s * s) - 0.25;
    const change = householder(b / vegaAt(x, s) - blackOverVega(h, 0.5 * s), second, third);
    s += change;
    if (Math.abs(change) < LAST_STEP * s) break;
  }
  return s;
}

/** Solves ln(bound - b(s)) = ln(bound - b), which is straight where the price nears its bound. */
function polishHigh(x: number, room: number, guess: number): number {
  let s = guess;
  for (let step = 0; step < MOST_STEPS; step++) {
    const h = x / s;
    const left = roomAt(x, s);
    const relative = vegaAt(x, s) / left;
    const second = (h * h) / s - 0.25 * s;
    const third = second * second - (3 * h * h) / (s * s) - 0.25;
    const change = householder(
      Math.log(left / room) / relative,
      second + relative,
      third + relative * (3 * second + 2 * relative),
    );
    s += change;
    if (Math.abs(change) < LAST_STEP * s) break;
  }
  return s;
}

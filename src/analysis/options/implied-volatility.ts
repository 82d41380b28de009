import { blackOverVega, isContract, normalisedVega } from './black-scholes.ts';
import { cdfOverDensity, INVERSE_SQRT_TWO_PI, inverseNormalCdf, normalCdf, SQRT_TWO_PI } from './normal.ts';

const SQRT_THREE = Math.sqrt(3);
/** Steps of fourth order: two bring the guess to the precision of the price, the third is for the seams. */
const STEPS_MAX = 3;
/** After a step this small, relative to the deviation, a method of fourth order has reached the precision of doubles. */
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
  if (!isContract(forward, strike, years, discount)) return Number.NaN;
  const undiscounted = price / discount;
  const unit = Math.sqrt(forward * strike);
  const timeValue = (undiscounted - Math.max(right * (forward - strike), 0)) / unit;
  // How far the price lies below its bound: near the bound this has the digits that the time value has lost.
  const room = ((right > 0 ? forward : strike) - undiscounted) / unit;
  if (!(timeValue > 0 && room > 0)) return Number.NaN;
  return deviationOf(-Math.abs(Math.log(forward / strike)), timeValue, room) / Math.sqrt(years);
}

/**
 * Volatility x sqrt(years) at which `normalisedBlack(x, s)` is `b`. The price as a function of s has one inflection, at
 * sqrt(2|x|). The tangent there meets the axis and the bound at two more points. Each of the four stretches between
 * them has its own guess, and the outer two an objective that is nearly straight where the price itself is flat.
 *
 * @param b above 0
 * @param room bound less `b`, above 0
 */
function deviationOf(x: number, b: number, room: number): number {
  const inflection = Math.sqrt(-2 * x);
  const vegaAtInflection = INVERSE_SQRT_TWO_PI * Math.exp(0.5 * x);
  // Y(0) = sqrt(pi / 2); at the inflection h + t is 0 and h - t is -s.
  const bAtInflection = vegaAtInflection * (0.5 * SQRT_TWO_PI - cdfOverDensity(-inflection));
  const slope = 1 / vegaAtInflection;
  if (b < bAtInflection) {
    const low = inflection - bAtInflection / vegaAtInflection;
    const vegaLow = normalisedVega(x / low, 0.5 * low);
    const bLow = vegaLow * blackOverVega(x / low, 0.5 * low);
    if (b < bLow) return polish(Objective.Low, x, b, guessLow(x, b, low, bLow));
    const width = bAtInflection - bLow;
    // At the inflection the price has no second derivative, and so its inverse has none.
    const share = (b - bLow) / width;
    const guess = rationalCubic(share, width, low, inflection, 1 / vegaLow, slope, 0, false, false);
    return polish(Objective.Middle, x, b, guess);
  }
  const bound = Math.exp(0.5 * x);
  const high = inflection + (bound - bAtInflection) / vegaAtInflection;
  const roomHigh = roomAt(x / high, 0.5 * high);
  if (room <= roomHigh) return polish(Objective.High, x, room, guessHigh(x, room, high, roomHigh));
  const slopeHigh = 1 / normalisedVega(x / high, 0.5 * high);
  const width = bound - roomHigh - bAtInflection;
  const share = (b - bAtInflection) / width;
  const guess = rationalCubic(share, width, inflection, high, slope, slopeHigh, 0, true, false);
  return room < 0.5 * bound ? polish(Objective.High, x, room, guess) : polish(Objective.Middle, x, b, guess);
}

/** Bound less price, as a sum of two tails: nothing cancels. */
function roomAt(h: number, t: number): number {
  return normalisedVega(h, t) * (cdfOverDensity(-h - t) + cdfOverDensity(h - t));
}

/** Far below the inflection the third power of a tail probability is nearly straight in the price. */
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
  const t = b / bLow;
  let mapped = rationalCubic(t, bLow, 0, value, 1, slope, bend, false, true);
  if (!(mapped > 0)) mapped = (value * t + bLow * (1 - t)) * t;
  return Math.abs(x / (SQRT_THREE * inverseNormalCdf(Math.cbrt(mapped / unit))));
}

/** Far above, the tail probability of half the deviation is nearly straight in the price. */
function guessHigh(x: number, room: number, high: number, roomHigh: number): number {
  const h = x / high;
  const value = normalCdf(-0.5 * high);
  const slope = -0.5 * Math.exp(0.5 * h * h);
  const bend = (Math.sqrt(Math.PI / 2) * Math.exp(h * h + (high * high) / 8) * h * h) / high;
  const t = 1 - room / roomHigh;
  let mapped = rationalCubic(t, roomHigh, value, 0, slope, -0.5, bend, true, true);
  if (!(mapped > 0)) mapped = (value * (1 - t) + 0.5 * roomHigh * t) * (1 - t);
  return -2 * inverseNormalCdf(mapped);
}

/**
 * What the steps solve for the price b, each nearly straight where it is used: 1 / ln b(s) = 1 / ln b where the price
 * vanishes faster than any power, b(s) = b, and ln(bound - b(s)) = ln(bound - b) where the price nears its bound.
 */
const Objective = { Low: 0, Middle: 1, High: 2 } as const;

/**
 * Steps of Householder's method of fourth order.
 *
 * @param target b for the objectives Low and Middle, bound less b for High
 */
function polish(objective: number, x: number, target: number, guess: number): number {
  let s = guess;
  for (let step = 0; step < STEPS_MAX; step++) {
    const h = x / s;
    const t = 0.5 * s;
    // Newton's step, and the second and third derivative of the objective over the first.
    let newton: number;
    let second = (h * h) / s - 0.25 * s;
    let third = second * second - (3 * h * h) / (s * s) - 0.25;
    if (objective === Objective.Middle) {
      newton = target / normalisedVega(h, t) - blackOverVega(h, t);
    } else if (objective === Objective.Low) {
      const logTarget = Math.log(target);
      const relative = 1 / blackOverVega(h, t);
      const reached = -Math.log(SQRT_TWO_PI * relative) - 0.5 * (h * h + t * t);
      const inverse = 1 / reached;
      newton = (((logTarget - reached) * reached) / logTarget) * (1 / relative);
      third =
        third +
        2 * relative * relative * (1 + 3 * inverse * (1 + inverse)) -
        3 * second * relative * (1 + 2 * inverse);
      second -= relative * (1 + 2 * inverse);
    } else {
      const left = roomAt(h, t);
      const relative = normalisedVega(h, t) / left;
      newton = Math.log(left / target) / relative;
      third += relative * (3 * second + 2 * relative);
      second += relative;
    }
    const change = (newton * (1 + 0.5 * newton * second)) / (1 + newton * (second + (newton * third) / 6));
    s += change;
    if (Math.abs(change) < LAST_STEP * s) break;
  }
  return s;
}

/** At the smallest parameter the curve has a pole beside the interval, at the largest it is a straight line. */
const CONTROL_MIN = -(1 - Math.sqrt(Number.EPSILON));
const CONTROL_MAX = 2 / (Number.EPSILON * Number.EPSILON);

/**
 * Rational cubic interpolation between two points with given slopes: the value at the share `t` of an interval of
 * `width` from `left` to `right`. Its one free parameter (3 is the cubic of Hermite, larger is straighter) gives the
 * curve the second derivative `bend` at one end, as far as it stays monotone and does not ring.
 *
 * Source: R. Delbourgo, J. A. Gregory, "Shape preserving piecewise rational interpolation", SIAM J. Sci. Stat. Comput.
 * 6 (1985).
 */
function rationalCubic(
  t: number,
  width: number,
  left: number,
  right: number,
  slopeLeft: number,
  slopeRight: number,
  bend: number,
  isBendAtLeft: boolean,
  straightWhenInDoubt: boolean,
): number {
  const secant = (right - left) / width;
  const over = 0.5 * width * bend + (slopeRight - slopeLeft);
  const under = isBendAtLeft ? secant - slopeLeft : slopeRight - secant;
  let control = shapeControl(slopeLeft, slopeRight, secant, straightWhenInDoubt);
  if (over === 0) control = Math.max(0, control);
  else if (under !== 0) control = Math.max(over / under, control);
  else if (over > 0) control = 2 * CONTROL_MAX;
  const rest = 1 - t;
  if (control > CONTROL_MAX) return right * t + left * rest;
  const weighted =
    right * t * t * t +
    (control * right - width * slopeRight) * t * t * rest +
    (control * left + width * slopeLeft) * t * rest * rest +
    left * rest * rest * rest;
  return weighted / (1 + (control - 3) * t * rest);
}

/** The smallest parameter that keeps the curve monotone, convex or concave where its ends are. */
function shapeControl(
  slopeLeft: number,
  slopeRight: number,
  secant: number,
  straightWhenInDoubt: boolean,
): number {
  const isMonotone = slopeLeft * secant >= 0 && slopeRight * secant >= 0;
  const isConvex = slopeLeft <= secant && secant <= slopeRight;
  const isConcave = slopeLeft >= secant && secant >= slopeRight;
  const straight = straightWhenInDoubt ? 2 * CONTROL_MAX : CONTROL_MIN;
  let min = CONTROL_MIN;
  if (isMonotone) min = Math.max(min, secant === 0 ? straight : (slopeLeft + slopeRight) / secant);
  if (isConvex || isConcave) {
    const before = secant - slopeLeft;
    const after = slopeRight - secant;
    const turn = slopeRight - slopeLeft;
    const bent =
      before === 0 || after === 0 ? straight : Math.max(Math.abs(turn / after), Math.abs(turn / before));
    min = Math.max(min, bent);
  } else if (isMonotone) {
    min = Math.max(min, straight);
  }
  return min;
}

import { binomialPrice } from './binomial-tree.ts';
import { price as europeanPrice } from './black-scholes.ts';
import { impliedVolatility } from './implied-volatility.ts';
import { normalCdf, normalDensity } from './normal.ts';

/** Below this deviation over the life of the option the price does not move: exercise is now or at the end. */
const DEVIATION_MIN = 1e-6;
/** A rate that is 0 but for the rounding of forward and discount. */
const RATE_MIN = 1e-10;
/** An American price is solved to this share of the strike. */
const PRICE_TOLERANCE = 1e-8;
const SEARCH_STEPS_MAX = 60;
/** Where the search ends when the price is more than any European option can be worth. */
const VOLATILITY_MAX = 20;

/**
 * Price of an option that can be exercised at any time, dollars a share, on a stock that pays a continuous yield: the
 * European price plus what the right to exercise early is worth. Spot, forward and discount imply rate and yield. A
 * call is the put with spot and strike, rate and yield exchanged.
 *
 * @param right 1 call, -1 put
 * @param spot price of the underlying now
 * @param forward, strike, years, volatility, discount as for `price` of black-scholes.ts
 * @param boundary where the search for the exercise boundary starts, and what it finds: see `ExerciseBoundary`
 * @returns never below the European price or the value of exercising now; NaN for inputs that `price` refuses
 * Source: the premium by L. Andersen, M. Lake, D. Offengenden (2016), see `earlyExercisePremium`; the symmetry by
 * R. McDonald, M. Schroder, "A parity result for American options" (1998).
 */
export function americanPrice(
  right: number,
  spot: number,
  forward: number,
  strike: number,
  years: number,
  volatility: number,
  discount: number,
  boundary: ExerciseBoundary = newBoundary(),
): number {
  const european = europeanPrice(right, forward, strike, years, volatility, discount);
  if (!(european >= 0 && spot > 0 && spot < Number.POSITIVE_INFINITY)) return Number.NaN;
  const now = Math.max(right * (spot - strike), 0);
  const interest = -Math.log(discount) / years;
  const stockYield = interest - Math.log(forward / spot) / years;
  // Exercise gains what a put's strike earns, or a call's stock, and gives up what the other earns.
  const [rate, dividendYield] = right > 0 ? [stockYield, interest] : [interest, stockYield];
  const isNeverExercised = rate <= RATE_MIN && dividendYield >= rate - RATE_MIN;
  if (isNeverExercised) return Math.max(european, now);
  if (volatility * Math.sqrt(years) < DEVIATION_MIN) return Math.max(european, now);
  // Both rates below 0: exercise pays between two boundaries, which only the tree prices.
  if (rate < 0) {
    return Math.max(binomialPrice(right, spot, forward, strike, years, volatility, discount), european, now);
  }
  const [held, exercised] = right > 0 ? [strike, spot] : [spot, strike];
  const premium = earlyExercisePremium(held, exercised, years, volatility, rate, dividendYield, boundary);
  // NaN at or below the boundary, where the option is worth its exercise.
  return Math.max(european + (premium > 0 ? premium : 0), now);
}

/**
 * The volatility at which an American option is worth its price: the European one of the price less the premium that
 * early exercise has at the European one of the whole price, and secants from there within a bracket.
 *
 * @returns decimal a year; NaN at or below the value of exercising now or the discounted intrinsic value, at or above
 *   the spot (call) or strike (put), and for inputs that are not finite or not positive
 */
export function americanImpliedVolatility(
  right: number,
  price: number,
  spot: number,
  forward: number,
  strike: number,
  years: number,
  discount: number,
): number {
  const excessAt = (volatility: number): number =>
    americanPrice(right, spot, forward, strike, years, volatility, discount) - price;
  // An American call is worth less than the stock, a put less than its strike.
  const bound = right > 0 ? Math.max(spot, discount * forward) : Math.max(strike, discount * strike);
  if (!(excessAt(0) < 0 && price < bound)) return Number.NaN;
  const european = impliedVolatility(right, price, forward, strike, years, discount);
  const tolerance = PRICE_TOLERANCE * strike;
  let low = 0;
  let high = Number.isNaN(european) ? VOLATILITY_MAX : european;
  let last = high;
  let lastExcess = excessAt(high);
  if (Math.abs(lastExcess) <= tolerance) return high;
  if (!(lastExcess > 0)) return Number.NaN;
  let next = impliedVolatility(right, price - lastExcess, forward, strike, years, discount);
  for (let step = 0; step < SEARCH_STEPS_MAX; step++) {
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const excess = excessAt(next);
    if (Math.abs(excess) <= tolerance) return next;
    if (excess > 0) high = next;
    else low = next;
    const secant = next - (excess * (next - last)) / (excess - lastExcess);
    [last, lastExcess, next] = [next, excess, secant];
  }
  return last;
}

/** Nodes in time at which the exercise boundary is solved; one more lies at the expiration, where it is known. */
const NODES = 5;
/** Rounds of the iteration; each removes about four fifths of the error. */
const ROUNDS_MAX = 4;
/** A boundary that has moved less than this, relative to itself, moves the premium by its square. */
const MOVE_MIN = 1e-3;
/** The same from the boundary of a like price, which is so near that a first small move says less. */
const NEAR_MOVE_MIN = 4e-4;
/** A boundary that moves less than this for the inputs of the next price stays as it is; by more, a guess is nearer. */
const KEPT_MOVE_MAX = 5e-5;
const NEAR_MOVE_MAX = 0.01;
const GUESS_STEPS = 4;

/**
 * The exercise boundary of an option: at each node in time the logarithm of its distance below its limit. A caller that
 * prices one option at inputs that differ little hands the same one over each time: it saves the guess and most rounds.
 */
export interface ExerciseBoundary {
  readonly distance: Float64Array;
  /** What it was found for; null before the first price. */
  solved: Put | null;
  readonly rates: RecentRates;
}

/** @param rates shared by options whose rates and yields are the same */
export const newBoundary = (rates: RecentRates = { points: null }): ExerciseBoundary => ({
  distance: new Float64Array(NODES),
  solved: null,
  rates,
});

/** Gauss and Legendre's nodes moved into 0 to 1, and their weights: of the equations, and of the premium's integral. */
const boundaryRule = {
  half: [
    0.033765242898423975, 0.1693953067668677, 0.3806904069584015, 0.6193095930415985, 0.8306046932331324,
    0.966234757101576,
  ],
  weight: [
    0.1713244923791705, 0.3607615730481386, 0.46791393457269126, 0.46791393457269126, 0.3607615730481386,
    0.1713244923791705,
  ],
};
const premiumRule = {
  half: [
    0.009219682876640378, 0.0479413718147626, 0.11504866290284765, 0.20634102285669126, 0.31608425050090994,
    0.43738329574426554, 0.5626167042557344, 0.6839157494990901, 0.7936589771433087, 0.8849513370971523,
    0.9520586281852375, 0.9907803171233596,
  ],
  weight: [
    0.047175336386511835, 0.10693932599531818, 0.16007832854334633, 0.20316742672306584, 0.23349253653835478,
    0.24914704581340288, 0.24914704581340288, 0.23349253653835478, 0.20316742672306584, 0.16007832854334633,
    0.10693932599531818, 0.047175336386511835,
  ],
};
const BOUNDARY_POINTS = boundaryRule.half.length;
const PREMIUM_POINTS = premiumRule.half.length;
/** Square root of a node's time over that of the expiration, from 1 down. */
const nodeRoot = Float64Array.from(
  { length: NODES },
  (_, node) => 0.5 * (1 + Math.cos((node * Math.PI) / NODES)),
);
/** What each node adds to the interpolated value at each point: points lie at fixed shares of the nodes' times. */
const boundaryWeights = interpolationWeights(
  Array.from(nodeRoot).flatMap((root) => boundaryRule.half.map((half) => root * rootLeft(half))),
);
const premiumWeights = interpolationWeights(premiumRule.half.map(rootLeft));

/** A put and the level below which it is worth exercising just before its expiration. */
interface Put {
  readonly strike: number;
  readonly years: number;
  readonly volatility: number;
  readonly rate: number;
  readonly dividendYield: number;
  readonly limit: number;
}

/**
 * What the right to exercise a put early is worth, dollars a share, by the boundary below which it is exercised: an
 * integral equation solved by fixed-point iteration on a few Chebyshev nodes, then one integral for the premium. The
 * caller ensures that there is one boundary: `rate` above 0, or 0 with a yield below it.
 *
 * @returns NaN when the spot lies at or below the boundary, where the put is worth strike less spot
 * Source: L. Andersen, M. Lake, D. Offengenden, "High-performance American option pricing", Journal of Computational
 * Finance 20 (2016): system FP-B, ln^2(boundary) interpolated in sqrt(time), Legendre quadrature in sqrt(time left).
 */
function earlyExercisePremium(
  spot: number,
  strike: number,
  years: number,
  volatility: number,
  rate: number,
  dividendYield: number,
  boundary: ExerciseBoundary,
): number {
  const limit = dividendYield > rate ? (strike * rate) / dividendYield : strike;
  const put = { strike, years, volatility, rate, dividendYield, limit };
  const { distance, solved } = boundary;
  const square = new Float64Array(NODES);
  const move = solved === null ? Number.POSITIVE_INFINITY : boundaryMove(solved, put);
  if (!(move <= NEAR_MOVE_MAX)) guessBoundary(put, distance);
  if (!(move <= KEPT_MOVE_MAX)) {
    improveBoundary(put, boundary, square, move <= NEAR_MOVE_MAX ? NEAR_MOVE_MIN : MOVE_MIN);
    boundary.solved = put;
  }
  for (let node = 0; node < NODES; node++) square[node] = distance[node]! * distance[node]!;
  const above = Math.log(spot / limit);
  return above <= distance[0]! ? Number.NaN : premiumAbove(put, boundary.rates, square, spot, above);
}

/**
 * Distance of the boundary below its limit at each node as a logarithm, 0 or less: the quadratic approximation by
 * Newton from its authors' seed, the longest time first.
 *
 * Source: G. Barone-Adesi, R. Whaley, "Efficient analytic approximation of American option values" (1987).
 */
function guessBoundary(put: Put, distance: Float64Array): void {
  const { strike, years, volatility, rate, dividendYield, limit } = put;
  const perpetual = rate > 0 ? Math.min(limit, strike / (1 - 1 / negativeRoot(put, rate))) : 0;
  let boundary = 0;
  for (let node = 0; node < NODES; node++) {
    const time = years * nodeRoot[node]! * nodeRoot[node]!;
    const reach =
      (((rate - dividendYield) * time - 2 * volatility * Math.sqrt(time)) * strike) / (strike - perpetual);
    const seed = perpetual + (strike - perpetual) * Math.exp(reach);
    // It only rises as time runs out, so that the boundary of the longer time before is a floor.
    boundary = Math.max(boundary, perpetual + 0.02 * (limit - perpetual), Math.min(0.999 * limit, seed));
    boundary = approximateBoundary(put, boundary, perpetual, time);
    distance[node] = Math.min(Math.log(boundary / limit), 0);
  }
}

/** The exponent below 0 with which the premium falls in the spot. */
function negativeRoot({ volatility, rate, dividendYield }: Put, interest: number): number {
  const variance = volatility * volatility;
  const drift = (2 * (rate - dividendYield)) / variance - 1;
  return -0.5 * (drift + Math.sqrt(drift * drift + (8 * interest) / variance));
}

function approximateBoundary(put: Put, seed: number, floor: number, time: number): number {
  const { strike, volatility, rate, dividendYield, limit } = put;
  const deviation = volatility * Math.sqrt(time);
  const root = negativeRoot(put, rate === 0 ? 1 / time : -rate / Math.expm1(-rate * time));
  const perStrike = strike * Math.exp(-rate * time);
  const perSpot = Math.exp(-dividendYield * time);
  const drift = (rate - dividendYield + 0.5 * volatility * volatility) * time;
  let boundary = seed;
  for (let step = 0; step < GUESS_STEPS; step++) {
    const d = (Math.log(boundary / strike) + drift) / deviation;
    const below = perSpot * normalCdf(-d);
    const european = perStrike * normalCdf(deviation - d) - boundary * below;
    const missing = (1 - below) * boundary + root * (strike - boundary - european);
    const slope = (1 - below) * (1 - root) + (perSpot * normalDensity(d)) / deviation;
    let moved = boundary - missing / slope;
    if (moved > limit) moved = 0.5 * (boundary + limit);
    else if (!(moved > floor)) moved = 0.5 * (boundary + floor);
    const change = Math.abs(moved - boundary);
    boundary = moved;
    if (change < 1e-3 * boundary) break;
  }
  return boundary;
}

/** About how far the boundaries of one option at two inputs lie apart at most, relative to themselves. */
function boundaryMove(one: Put, other: Put): number {
  const { years } = other;
  if (one.years !== years || one.strike !== other.strike) return Number.POSITIVE_INFINITY;
  const byRates = Math.abs(one.rate - other.rate) + Math.abs(one.dividendYield - other.dividendYield);
  const byVolatility = 2 * Math.abs(one.volatility - other.volatility) * Math.sqrt(years);
  return byRates * years + byVolatility + Math.abs(Math.log(one.limit / other.limit));
}

/**
 * Rounds of the fixed-point iteration over all nodes, until the largest move of a node's logarithm is small.
 *
 * @param boundary its distances are changed in place
 * @param square room for the squares of the distances
 * @param moveMin a round that moves no node by so much is the last
 */
function improveBoundary(
  put: Put,
  { distance, rates }: ExerciseBoundary,
  square: Float64Array,
  moveMin: number,
): void {
  const { strike, years, volatility, rate, dividendYield, limit } = put;
  const limitOverStrike = Math.log(limit / strike);
  const carry = rate - dividendYield;
  const drift = carry + 0.5 * volatility * volatility;
  const atRate = ratePoints(rates, years, rate).growth;
  const atYield = ratePoints(rates, years, dividendYield).growth;
  const rootYears = Math.sqrt(years);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    for (let node = 0; node < NODES; node++) square[node] = distance[node]! * distance[node]!;
    let largest = 0;
    for (let node = 0, at = 0; node < NODES; node++) {
      const root = nodeRoot[node]! * rootYears;
      const time = root * root;
      const own = distance[node]!;
      const deviation = volatility * root;
      const drifted = drift * time;
      const atEnd = (own + limitOverStrike + drifted) / deviation;
      let over = normalCdf(atEnd - deviation);
      let under = normalCdf(atEnd);
      for (let point = 0; point < BOUNDARY_POINTS; point++, at++) {
        const half = boundaryRule.half[point]!;
        const left = deviation * half;
        const d = (own + interpolated(boundaryWeights, at, square) + drifted * half * half) / left;
        over += atRate[at]! * normalCdf(d - left);
        if (dividendYield !== 0) under += atYield[at]! * normalCdf(d);
      }
      const moved = Math.log(over / under) - limitOverStrike - carry * time;
      // A yield below 0 can make a poor boundary's equation senseless; the node then keeps its place for a round.
      if (Number.isNaN(moved)) continue;
      distance[node] = Math.min(moved, 0);
      largest = Math.max(largest, Math.abs(distance[node]! - own));
    }
    if (largest < moveMin) return;
  }
}

/** What a rate does over the life of an option at the points of the integrals. */
interface RatePoints {
  readonly years: number;
  readonly rate: number;
  /** Of the boundary's equations, at each point of each node: weight x rate x growth. */
  readonly growth: Float64Array;
  /** Of the premium's integral: what a dollar at each point is worth now. */
  readonly discount: Float64Array;
}

/** The two that were used last: both rights of all strikes of an expiration have the same rate and yield. */
export interface RecentRates {
  points: readonly [RatePoints, RatePoints] | null;
}

function ratePoints(rates: RecentRates, years: number, rate: number): RatePoints {
  const isOf = (points: RatePoints): boolean => points.years === years && points.rate === rate;
  const recent = rates.points;
  if (recent !== null && isOf(recent[0])) return recent[0];
  const found = recent !== null && isOf(recent[1]) ? recent[1] : newRatePoints(years, rate);
  rates.points = [found, recent?.[0] ?? found];
  return found;
}

function newRatePoints(years: number, rate: number): RatePoints {
  const growth = new Float64Array(NODES * BOUNDARY_POINTS);
  for (let node = 0, at = 0; node < NODES; node++) {
    const time = years * nodeRoot[node]! * nodeRoot[node]!;
    for (let point = 0; point < BOUNDARY_POINTS; point++, at++) {
      const half = boundaryRule.half[point]!;
      const since = time * (1 - half * half);
      growth[at] = boundaryRule.weight[point]! * time * half * rate * Math.exp(rate * since);
    }
  }
  const discount = Float64Array.from(premiumRule.half, (half) => Math.exp(-rate * (years * half * half)));
  return { years, rate, growth, discount };
}

/** @param above ln(spot / limit) */
function premiumAbove(
  put: Put,
  rates: RecentRates,
  square: Float64Array,
  spot: number,
  above: number,
): number {
  const { strike, years, volatility, rate, dividendYield } = put;
  const drift = rate - dividendYield + 0.5 * volatility * volatility;
  const strikeNow = ratePoints(rates, years, rate).discount;
  const spotNow = ratePoints(rates, years, dividendYield).discount;
  let premium = 0;
  for (let point = 0; point < PREMIUM_POINTS; point++) {
    const half = premiumRule.half[point]!;
    const time = years * half * half;
    const deviation = volatility * Math.sqrt(years) * half;
    const d = (above + interpolated(premiumWeights, point, square) + drift * time) / deviation;
    let flow = rate * strike * strikeNow[point]! * normalCdf(deviation - d);
    if (dividendYield !== 0) flow -= dividendYield * spot * spotNow[point]! * normalCdf(-d);
    premium += premiumRule.weight[point]! * years * half * flow;
  }
  return premium;
}

/** How far the boundary lies below its limit at a point, as a logarithm of 0 or more. */
function interpolated(weights: Float64Array, point: number, square: Float64Array): number {
  let sum = 0;
  for (let node = 0, at = point * NODES; node < NODES; node++, at++) sum += weights[at]! * square[node]!;
  return sum > 0 ? Math.sqrt(sum) : 0;
}

/** Square root of the share of time that is left at a point, given the root of the share that has passed. */
function rootLeft(half: number): number {
  return Math.sqrt(1 - half * half);
}

/** Weights of Chebyshev's barycentric interpolation at roots of time between 0 and 1; the node at 0 holds a 0. */
function interpolationWeights(roots: readonly number[]): Float64Array {
  const weights = new Float64Array(roots.length * NODES);
  for (const [point, root] of roots.entries()) {
    const shares = Array.from({ length: NODES + 1 }, (_, node) => {
      const end = node === 0 || node === NODES ? 0.5 : 1;
      return (node % 2 === 0 ? end : -end) / (2 * root - 1 - Math.cos((node * Math.PI) / NODES));
    });
    const sum = shares.reduce((total, share) => total + share, 0);
    for (let node = 0; node < NODES; node++) weights[point * NODES + node] = shares[node]! / sum;
  }
  return weights;
}

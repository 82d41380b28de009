import { median } from '../statistics.ts';
import { americanPrice, type ExerciseBoundary, newBoundary, type RecentRates } from './american.ts';
import { CALL, PUT, price } from './black-scholes.ts';
import { impliedVolatility } from './implied-volatility.ts';

/** The columns of a chain that parity is read from; see market/chains.ts. */
export interface QuoteColumns {
  readonly strike: Float64Array;
  /** 1 for a call, -1 for a put. */
  readonly right: Float64Array;
  readonly bid: Float64Array;
  readonly ask: Float64Array;
}

/** What is known of an expiration before its quotes are read. */
export interface ForwardInputs {
  /** NaN when it is not known. */
  readonly spot: number;
  readonly years: number;
  /** Continuously compounded rate a year, decimal; used unless European quotes imply their own. NaN: not known. */
  readonly rate: number;
  readonly style: 'american' | 'european';
}

/** Forward and discount of one expiration, and where they come from. */
export interface ImpliedForward {
  readonly forward: number;
  readonly discount: number;
  /** Strikes at which both rights were quoted on both sides and that were used. */
  readonly pairs: number;
  /** `parity`: both from the quotes; `parity_at_rate`: at the given rate; `spot`: spot at that rate; `none`: NaN. */
  readonly source: 'parity' | 'parity_at_rate' | 'spot' | 'none';
}

/** Strikes nearest the money from which the forward is taken: there the spreads are narrowest. */
const NEAREST = 9;
/** A median of fewer cannot outvote one bad quote. */
const PAIRS_MIN = 3;
/** The rate is a slope, which needs more, and a standard error of at most a tenth of a point. */
const RATE_PAIRS_MIN = 8;
const RATE_ERROR_MAX = 0.001;
const RATE_MIN = -0.02;
const RATE_MAX = 0.25;
/** Standard deviation of a normal variable over its median absolute deviation. */
const DEVIATION_OVER_MEDIAN = 1.4826;
/** A yield or a cost of borrowing beyond this means that spot and quotes are of different instants. */
const YIELD_MAX = 0.25;
/** How far the value of the stock that a pair implies may lie from the spot, beside the yield, as a logarithm. */
const DISTANCE_MAX = 0.1;
/** Rounds in which the premium of early exercise and the forward are found from each other. */
const PREMIUM_ROUNDS = 6;
/** A forward that moves less than this share of itself has been found. */
const MOVE_MIN = 1e-5;
/** Slopes of the move by the forward that a secant is taken of; without one the next forward is what the last gave. */
const SECANT_SLOPE = { min: -2.5, max: -0.1 } as const;

/** Strikes whose two rights are quoted on both sides, as columns of one length. */
interface Pairs {
  readonly strike: number[];
  readonly call: number[];
  readonly put: number[];
  /** Call less put. */
  readonly difference: number[];
  /** Sum of the two spreads. */
  readonly spread: number[];
}

/** What early exercise adds to call less put at the first, the middle and the last of some pairs. */
type Premiums = readonly [number, number, number];

/**
 * Forward and discount that the quotes of one expiration imply by put-call parity: call less put is the discounted
 * forward less the discounted strike, at every strike.
 *
 * The forward is the median, weighted by how narrow the spreads are, of what each of the nine strikes nearest the money
 * (American: the spot) implies. A strike counts when its two rights are quoted on both sides and its call less put, with
 * the strike, is worth the spot to 10 % and 25 % a year; three are needed. European quotes imply the rate too: minus the
 * median slope between strikes half the list apart, used when eight strikes give it to a tenth of a point. Under
 * American exercise parity holds after the premium of early exercise is taken off both rights, computed at the first,
 * the middle and the last of the nine strikes; without a spot, or with one that would mean a yield beyond 25 % a year,
 * nothing is taken off.
 *
 * Where parity says nothing, the forward is the spot at the given rate.
 *
 * @param quotes rows of one expiration in order of strike, the two rights of a strike next to each other
 * @param to exclusive
 * @returns NaN for forward and discount with source `none` when neither way is open
 * Source: H. Stoll, "The relationship between put and call option prices" (1969); the slope as in H. Theil (1950),
 * P. Sen (1968), between pairs half the list apart.
 */
export function impliedForward(
  quotes: QuoteColumns,
  from: number,
  to: number,
  inputs: ForwardInputs,
): ImpliedForward {
  const { spot, years, style } = inputs;
  const none = { forward: Number.NaN, discount: Number.NaN, pairs: 0, source: 'none' } as const;
  if (!(years > 0)) return none;
  const pairs = pairsOf(quotes, from, to, inputs);
  const own = style === 'european' ? rateOf(pairs, years) : Number.NaN;
  const rate = Number.isNaN(own) ? inputs.rate : own;
  const discount = Math.exp(-rate * years);
  const count = pairs.strike.length;
  if (count >= PAIRS_MIN && discount > 0) {
    const plain = weightedForward(nearestPairs(pairs, Number.NaN), discount, [0, 0, 0]);
    const forward =
      style === 'european' ? plain : withoutPremium(plain, nearestPairs(pairs, spot), discount, inputs);
    const source = Number.isNaN(own) ? 'parity_at_rate' : 'parity';
    if (forward > 0) return { forward, discount, pairs: Math.min(count, NEAREST), source };
  }
  const forward = spot * Math.exp(inputs.rate * years);
  return forward > 0 ? { forward, discount: Math.exp(-inputs.rate * years), pairs: 0, source: 'spot' } : none;
}

function pairsOf(
  { strike, right, bid, ask }: QuoteColumns,
  from: number,
  to: number,
  { spot, years, rate }: ForwardInputs,
): Pairs {
  const discount = Number.isNaN(rate) ? 1 : Math.exp(-rate * years);
  const farthest = DISTANCE_MAX + YIELD_MAX * years;
  const isTwoSided = (row: number): boolean =>
    bid[row]! > 0 && ask[row]! >= bid[row]! && ask[row]! < Number.POSITIVE_INFINITY;
  const pairs: Pairs = { strike: [], call: [], put: [], difference: [], spread: [] };
  for (let row = from; row + 1 < to; row++) {
    if (strike[row] !== strike[row + 1] || right[row] === right[row + 1]) continue;
    if (!isTwoSided(row) || !isTwoSided(row + 1)) continue;
    const [one, other] = right[row]! > 0 ? [row, row + 1] : [row + 1, row];
    const call = 0.5 * (bid[one]! + ask[one]!);
    const put = 0.5 * (bid[other]! + ask[other]!);
    const worth = call - put + discount * strike[row]!;
    // Vendors' lists keep quotes of strikes from before a split: they are of another stock.
    if (spot > 0 && !(Math.abs(Math.log(worth / spot)) <= farthest)) continue;
    pairs.strike.push(strike[row]!);
    pairs.call.push(call);
    pairs.put.push(put);
    pairs.difference.push(call - put);
    pairs.spread.push(ask[one]! - bid[one]! + ask[other]! - bid[other]!);
  }
  return pairs;
}

/** Rate of the slope that the pairs have in common; NaN when they do not give it precisely enough. */
function rateOf({ strike, difference }: Pairs, years: number): number {
  if (strike.length < RATE_PAIRS_MIN) return Number.NaN;
  const apart = strike.length >> 1;
  const slopes = strike
    .slice(apart)
    .map((far, row) => (difference[row]! - difference[row + apart]!) / (far - strike[row]!));
  const discount = median(slopes);
  const scatter = median(slopes.map((slope) => Math.abs(slope - discount)));
  const error = (DEVIATION_OVER_MEDIAN * scatter) / Math.sqrt(slopes.length);
  const rate = -Math.log(discount) / years;
  const isPrecise = error <= RATE_ERROR_MAX * years * discount && rate >= RATE_MIN && rate <= RATE_MAX;
  return isPrecise ? rate : Number.NaN;
}

/** At most nine neighbours nearest `centre`; where that is NaN, nearest the strike where call and put cost the same. */
function nearestPairs({ strike, call, put, difference, spread }: Pairs, centre: number): Pairs {
  // The difference falls with the strike, so that a count of its signs finds the money past a bad quote or two.
  const below = Number.isNaN(centre)
    ? difference.filter((value) => value > 0).length
    : strike.filter((value) => value < centre).length;
  const first = Math.max(0, Math.min(below - (NEAREST >> 1), strike.length - NEAREST));
  const cut = (column: number[]): number[] => column.slice(first, first + NEAREST);
  return {
    strike: cut(strike),
    call: cut(call),
    put: cut(put),
    difference: cut(difference),
    spread: cut(spread),
  };
}

/** Weighted median of the forwards that pairs imply, between the middles of the two weights around half of all. */
function weightedForward(pairs: Pairs, discount: number, premiums: Premiums): number {
  const { strike, difference } = pairs;
  const estimates = strike.map(
    (at, row) => at + (difference[row]! - premiumAt(strike, row, premiums)) / discount,
  );
  // A cent beside the spread: a locked market is no better than the narrowest.
  const weights = pairs.spread.map((spread) => 1 / (spread + 0.01));
  const half = 0.5 * weights.reduce((sum, weight) => sum + weight, 0);
  const order = [...estimates.keys()].sort((one, other) => estimates[one]! - estimates[other]!);
  let last = order[0]!;
  let before = 0.5 * weights[last]!;
  if (before >= half) return estimates[last]!;
  for (const row of order.slice(1)) {
    const here = before + 0.5 * (weights[last]! + weights[row]!);
    if (here >= half) {
      const share = (half - before) / (here - before);
      return estimates[last]! + share * (estimates[row]! - estimates[last]!);
    }
    [before, last] = [here, row];
  }
  return estimates[last]!;
}

/** Linear in the strike on either side of the middle pair. */
function premiumAt(strike: readonly number[], row: number, premiums: Premiums): number {
  const middle = strike.length >> 1;
  const [from, to] = row < middle ? [0, middle] : [middle, strike.length - 1];
  const [start, end] = row < middle ? [premiums[0], premiums[1]] : [premiums[1], premiums[2]];
  return start + ((strike[row]! - strike[from]!) / (strike[to]! - strike[from]!)) * (end - start);
}

/**
 * The forward, and the premium of early exercise that is in call less put, from each other. The strikes are those
 * nearest the spot: at a forward far from it a right may be worth no more than exercising it, and then says nothing.
 *
 * @param plain what parity implies as if there were no premium
 */
function withoutPremium(
  plain: number,
  pairs: Pairs,
  discount: number,
  { spot, years }: ForwardInputs,
): number {
  const rates: RecentRates = { points: null };
  const pricedPair = (row: number): PricedPair => ({
    row,
    call: newBoundary(rates),
    put: newBoundary(rates),
  });
  const [first, middle, last] = [
    pricedPair(0),
    pricedPair(pairs.strike.length >> 1),
    pricedPair(pairs.strike.length - 1),
  ];
  let forward = plain;
  let [lastForward, lastMove] = [Number.NaN, Number.NaN];
  for (let round = 0; round < PREMIUM_ROUNDS; round++) {
    const dividendYield = Math.log(spot / (discount * forward)) / years;
    if (!(Math.abs(dividendYield) <= YIELD_MAX)) return plain;
    const premiumOf = (at: PricedPair): number => parityPremium(pairs, at, spot, forward, years, discount);
    const premiums: Premiums = [premiumOf(first), premiumOf(middle), premiumOf(last)];
    // A quote outside its bounds has no volatility and so no premium.
    if (premiums.some(Number.isNaN)) return forward;
    const better = weightedForward(pairs, discount, premiums);
    const move = better - forward;
    const slope = (move - lastMove) / (forward - lastForward);
    const isSecant = slope < SECANT_SLOPE.max && slope > SECANT_SLOPE.min;
    [lastForward, lastMove, forward] = [forward, move, isSecant ? forward - move / slope : better];
    if (Math.abs(move) < MOVE_MIN * forward) break;
  }
  return forward;
}

/** A pair whose two rights are priced again and again, with the exercise boundaries of the price before. */
interface PricedPair {
  readonly row: number;
  readonly call: ExerciseBoundary;
  readonly put: ExerciseBoundary;
}

/** What early exercise adds to call less put at a pair, at the volatility of its right that is out of the money. */
function parityPremium(
  pairs: Pairs,
  pair: PricedPair,
  spot: number,
  forward: number,
  years: number,
  discount: number,
): number {
  const strike = pairs.strike[pair.row]!;
  const isCallOutside = strike >= forward;
  const quoted = (isCallOutside ? pairs.call : pairs.put)[pair.row]!;
  const volatility = impliedVolatility(isCallOutside ? CALL : PUT, quoted, forward, strike, years, discount);
  const added = (right: number, boundary: ExerciseBoundary): number =>
    americanPrice(right, spot, forward, strike, years, volatility, discount, boundary) -
    price(right, forward, strike, years, volatility, discount);
  return added(CALL, pair.call) - added(PUT, pair.put);
}

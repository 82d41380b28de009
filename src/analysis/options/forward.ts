import { americanPrice } from './american.ts';
import { type Dividends, presentValue } from './binomial-tree.ts';
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
  /** Continuously compounded rate a year, decimal; used unless European quotes tell their own. NaN: not known. */
  readonly rate: number;
  readonly style: 'american' | 'european';
  /** Dividends with an ex-date in the life of the contracts; null when nothing is known of them. */
  readonly dividends: Dividends | null;
}

/** Forward and discount of one expiration, and where they come from. */
export interface ImpliedForward {
  readonly forward: number;
  readonly discount: number;
  /** Strikes at which both rights were quoted on both sides and that were used. */
  readonly pairs: number;
  /**
   * `parity`: forward and rate from the quotes; `parity_at_rate`: the forward from the quotes at the given rate;
   * `dividends`: spot less dividends at the given rate; `spot`: spot at the given rate; `none`: NaN.
   */
  readonly source: 'parity' | 'parity_at_rate' | 'dividends' | 'spot' | 'none';
}

/** Strikes nearest the money from which the forward is taken: there the spreads are narrowest. */
const NEAREST = 9;
/** A median of fewer cannot outvote one bad quote. */
const LEAST_PAIRS = 3;
/** The rate is a slope, which asks for more, and for a standard error of at most a tenth of a point. */
const LEAST_PAIRS_OF_RATE = 8;
const MOST_RATE_ERROR = 0.001;
const LEAST_RATE = -0.02;
const MOST_RATE = 0.25;
/** Standard deviation of a normal variable over its median absolute deviation. */
const DEVIATION_OVER_MEDIAN = 1.4826;
/** A yield or a cost of borrowing beyond this is a spot that is not of the quotes' instant. */
const MOST_YIELD = 0.25;
/** How far what a pair says the stock is worth may lie from the spot, beside the yield, as a logarithm. */
const MOST_DISTANCE = 0.1;
/** Rounds in which the premium of early exercise and the forward are found from each other. */
const PREMIUM_ROUNDS = 6;

/** Pairs of one expiration while they are looked at, by strike; grown when a chain has more. */
let strikes = new Float64Array(512);
let differences = new Float64Array(512);
let spreads = new Float64Array(512);
let calls = new Float64Array(512);
let puts = new Float64Array(512);
let sorted = new Float64Array(512);
const estimates = new Float64Array(NEAREST);
const weights = new Float64Array(NEAREST);
const premium = new Float64Array(3);
const NO_PREMIUM = new Float64Array(3);

/**
 * Forward and discount that the quotes of one expiration imply by put-call parity: call less put is the discounted
 * forward less the discounted strike, at every strike.
 *
 * The forward is the median over the nine strikes nearest the money (American: the spot), weighted by how narrow their spreads are, of what
 * each implies; only strikes count whose two rights are quoted on both sides and whose
 * call less put, with the strike, is worth the spot to 10 % and 25 % a year; three are needed. European quotes
 * tell the rate too: minus the median slope between strikes half the list apart, used when eight strikes tell it to a
 * tenth of a point. Under American exercise parity holds for what is left after the premium of early exercise, which
 * is taken off both rights, computed at the first, the middle and the last of the nine strikes; without a spot, or with one that would mean a
 * yield beyond 25 % a year, nothing is taken off.
 *
 * Where parity says nothing: spot less the value of the dividends, at the given rate; without dividends the spot alone.
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
  if (!(inputs.years > 0)) return { forward: Number.NaN, discount: Number.NaN, pairs: 0, source: 'none' };
  const pairs = gatherPairs(quotes, from, to, inputs);
  const own = inputs.style === 'european' ? rateOf(pairs, inputs.years) : Number.NaN;
  const rate = Number.isNaN(own) ? inputs.rate : own;
  const discount = Math.exp(-rate * inputs.years);
  if (pairs >= LEAST_PAIRS && discount > 0) {
    const used = Math.min(pairs, NEAREST);
    const plain = weightedForward(nearestRows(pairs, Number.NaN), used, discount, NO_PREMIUM);
    const forward =
      inputs.style === 'european' ? plain : forwardUnderAmericanExercise(plain, pairs, discount, inputs);
    if (forward > 0) {
      return { forward, discount, pairs: used, source: Number.isNaN(own) ? 'parity_at_rate' : 'parity' };
    }
  }
  return withoutParity(inputs);
}

/** Forward of a stock: what is left of the spot when the dividends before the expiration are paid, at the rate. */
export function forwardOf(spot: number, rate: number, years: number, dividends: Dividends | null): number {
  const paid = dividends === null ? 0 : presentValue(dividends, rate, 0, years);
  return spot > paid ? (spot - paid) * Math.exp(rate * years) : Number.NaN;
}

function withoutParity({ spot, rate, years, dividends }: ForwardInputs): ImpliedForward {
  const forward = forwardOf(spot, rate, years, dividends);
  if (!(forward > 0)) return { forward: Number.NaN, discount: Number.NaN, pairs: 0, source: 'none' };
  return {
    forward,
    discount: Math.exp(-rate * years),
    pairs: 0,
    source: dividends === null ? 'spot' : 'dividends',
  };
}

/** Fills the columns of pairs and returns how many there are. */
function gatherPairs(
  { strike, right, bid, ask }: QuoteColumns,
  from: number,
  to: number,
  { spot, years, rate }: ForwardInputs,
): number {
  if (to - from > 2 * strikes.length) growPairs(to - from);
  const discount = Number.isNaN(rate) ? 1 : Math.exp(-rate * years);
  const farthest = MOST_DISTANCE + MOST_YIELD * years;
  let pairs = 0;
  for (let row = from; row + 1 < to; row++) {
    if (strike[row] !== strike[row + 1] || right[row] === right[row + 1]) continue;
    const call = right[row]! > 0 ? row : row + 1;
    const put = right[row]! > 0 ? row + 1 : row;
    if (!isTwoSided(bid[call]!, ask[call]!) || !isTwoSided(bid[put]!, ask[put]!)) continue;
    strikes[pairs] = strike[row]!;
    calls[pairs] = 0.5 * (bid[call]! + ask[call]!);
    puts[pairs] = 0.5 * (bid[put]! + ask[put]!);
    const worth = calls[pairs]! - puts[pairs]! + discount * strike[row]!;
    // Quotes of a strike from before a split stay in the lists of vendors: they speak of another stock.
    if (spot > 0 && !(Math.abs(Math.log(worth / spot)) <= farthest)) continue;
    differences[pairs] = calls[pairs]! - puts[pairs]!;
    spreads[pairs] = ask[call]! - bid[call]! + ask[put]! - bid[put]!;
    pairs++;
  }
  return pairs;
}

function isTwoSided(bid: number, ask: number): boolean {
  return bid > 0 && ask >= bid && ask < Number.POSITIVE_INFINITY;
}

function growPairs(rows: number): void {
  strikes = new Float64Array(rows);
  differences = new Float64Array(rows);
  spreads = new Float64Array(rows);
  calls = new Float64Array(rows);
  puts = new Float64Array(rows);
  sorted = new Float64Array(rows);
}

/** Rate of the slope that the pairs have in common; NaN when they do not tell it well enough. */
function rateOf(pairs: number, years: number): number {
  if (pairs < LEAST_PAIRS_OF_RATE) return Number.NaN;
  const apart = pairs >> 1;
  const slopes = sorted.subarray(0, pairs - apart);
  const slopeAt = (row: number): number =>
    (differences[row]! - differences[row + apart]!) / (strikes[row + apart]! - strikes[row]!);
  for (let row = 0; row < slopes.length; row++) slopes[row] = slopeAt(row);
  const discount = middle(slopes);
  for (let row = 0; row < slopes.length; row++) slopes[row] = Math.abs(slopeAt(row) - discount);
  const error = (DEVIATION_OVER_MEDIAN * middle(slopes)) / Math.sqrt(slopes.length);
  const rate = -Math.log(discount) / years;
  const isTold = error <= MOST_RATE_ERROR * years * discount && rate >= LEAST_RATE && rate <= MOST_RATE;
  return isTold ? rate : Number.NaN;
}

/** Median; the column is left sorted. */
function middle(values: Float64Array): number {
  values.sort();
  const half = values.length >> 1;
  return values.length % 2 === 1 ? values[half]! : 0.5 * (values[half - 1]! + values[half]!);
}

/**
 * First of the at most nine neighbouring pairs that lie nearest `centre`; without one, nearest the strike where call and
 * put cost the same.
 */
function nearestRows(pairs: number, centre: number): number {
  // The difference falls with the strike, so that a count of its signs finds the money past a bad quote or two.
  let below = 0;
  for (let row = 0; row < pairs; row++) {
    if (Number.isNaN(centre) ? differences[row]! > 0 : strikes[row]! < centre) below++;
  }
  return Math.max(0, Math.min(below - (NEAREST >> 1), pairs - NEAREST));
}

/**
 * Weighted median of the forwards that the rows imply.
 *
 * @param premium what early exercise adds to call less put at the first row, the middle one and the last
 */
function weightedForward(first: number, used: number, discount: number, premium: Float64Array): number {
  let total = 0;
  for (let count = 0; count < used; count++) {
    const row = first + count;
    const estimate = strikes[row]! + (differences[row]! - premiumAt(row, first, used, premium)) / discount;
    // A cent beside the spread: a locked market is no better than the narrowest.
    const weight = 1 / (spreads[row]! + 0.01);
    total += weight;
    let place = count;
    for (; place > 0 && estimates[place - 1]! > estimate; place--) {
      estimates[place] = estimates[place - 1]!;
      weights[place] = weights[place - 1]!;
    }
    estimates[place] = estimate;
    weights[place] = weight;
  }
  return middleByWeight(used, total);
}

/** Linear in the strike on either side of the middle row. */
function premiumAt(row: number, first: number, used: number, premium: Float64Array): number {
  const middle = first + (used >> 1);
  const from = row < middle ? first : middle;
  const to = row < middle ? middle : first + used - 1;
  const share = (strikes[row]! - strikes[from]!) / (strikes[to]! - strikes[from]!);
  const start = premium[row < middle ? 0 : 1]!;
  return start + share * (premium[row < middle ? 1 : 2]! - start);
}

/** The value at half of the weight, between the middles of the two weights around it. */
function middleByWeight(used: number, total: number): number {
  let before = 0.5 * weights[0]!;
  if (before >= 0.5 * total) return estimates[0]!;
  for (let place = 1; place < used; place++) {
    const here = before + 0.5 * (weights[place - 1]! + weights[place]!);
    if (here >= 0.5 * total) {
      const share = (0.5 * total - before) / (here - before);
      return estimates[place - 1]! + share * (estimates[place]! - estimates[place - 1]!);
    }
    before = here;
  }
  return estimates[used - 1]!;
}

/**
 * The forward, and the premium of early exercise that is in call less put, from each other. The strikes are those
 * nearest the spot: at a forward far from it a right may be worth no more than exercising it, and then says nothing.
 *
 * @param plain what parity implies as if there were no premium
 */
function forwardUnderAmericanExercise(
  plain: number,
  pairs: number,
  discount: number,
  { spot, years }: ForwardInputs,
): number {
  const used = Math.min(pairs, NEAREST);
  const first = nearestRows(pairs, spot);
  let forward = plain;
  for (let round = 0; round < PREMIUM_ROUNDS; round++) {
    const dividendYield = Math.log(spot / (discount * forward)) / years;
    if (!(Math.abs(dividendYield) <= MOST_YIELD)) return plain;
    premium[0] = premiumOfParity(first, spot, forward, years, discount);
    premium[1] = premiumOfParity(first + (used >> 1), spot, forward, years, discount);
    premium[2] = premiumOfParity(first + used - 1, spot, forward, years, discount);
    // A quote outside its bounds has no volatility and so no premium.
    if (premium.some(Number.isNaN)) return forward;
    const better = weightedForward(first, used, discount, premium);
    const moved = Math.abs(better - forward);
    forward = better;
    if (moved < 1e-5 * forward) break;
  }
  return forward;
}

/** What early exercise adds to call less put at a pair, at the volatility of its right that is out of the money. */
function premiumOfParity(
  row: number,
  spot: number,
  forward: number,
  years: number,
  discount: number,
): number {
  const strike = strikes[row]!;
  const isCallOutside = strike >= forward;
  const volatility = impliedVolatility(
    isCallOutside ? CALL : PUT,
    isCallOutside ? calls[row]! : puts[row]!,
    forward,
    strike,
    years,
    discount,
  );
  const added = (right: number): number =>
    americanPrice(right, spot, forward, strike, years, volatility, discount) -
    price(right, forward, strike, years, volatility, discount);
  return added(CALL) - added(PUT);
}

import type { ExpirationQuotes, PricedChain } from './quotes.ts';

/**
 * What dealers hold against the open interest, and what they must do as the price moves. Nobody outside sees their
 * books; the sign of every figure follows from one assumption, which every answer names.
 */
export const DEALER_ASSUMPTION =
  'Dealers are long every call and short every put of the open interest; real books differ.';

/** One per cent of the price, the move that gamma exposure is quoted for. */
const ONE_PERCENT = 0.01;
/** A net below this share of the gross is no side. */
const NEUTRAL_BAND = 0.1;
/** Below this share of the open interest the sums would speak for what nobody quotes. */
export const COVERAGE_MIN = 0.5;

/** Sums over contracts, US dollars; those of dealers carry their sign: calls plus, puts minus. */
export interface ExposureSums {
  /** Gamma x open interest x multiplier x S^2 x 0.01: dollars of delta that a move of 1 % adds. Neither is signed. */
  readonly callGamma: number;
  readonly putGamma: number;
  /** Calls less puts. */
  readonly netGamma: number;
  /** Dollars of delta that the dealers hold. */
  readonly delta: number;
  /** Dollars of delta that a volatility point adds. */
  readonly vanna: number;
  /** Dollars of delta that a calendar day adds. */
  readonly charm: number;
  /** Contracts whose greeks are in the sums. */
  readonly callOpenInterest: number;
  readonly putOpenInterest: number;
}

export interface StrikeExposure extends ExposureSums {
  readonly strike: number;
}

export interface ExpirationExposure extends ExposureSums {
  /** Midnight UTC of the expiration's date. */
  readonly date: number;
  readonly days: number;
  /** Strikes with the most call gamma and the most put gamma; NaN without any. */
  readonly callWall: number;
  readonly putWall: number;
  /** Share of the expiration's open interest with usable greeks, 0 to 1; NaN without open interest. */
  readonly coverage: number;
}

export type GammaRegime = 'long_gamma' | 'short_gamma' | 'neutral';

export interface GammaExposure {
  readonly total: ExposureSums;
  readonly byStrike: readonly StrikeExposure[];
  readonly byExpiration: readonly ExpirationExposure[];
  readonly callWall: number;
  readonly putWall: number;
  /** Price at which the repriced net gamma changes sign, the nearest to spot; NaN where it does not. */
  readonly flip: number;
  /** Strike at which net gamma summed from the lowest strike up changes sign, the nearest to spot; NaN likewise. */
  readonly cumulativeFlip: number;
  /** Null with too little coverage, and without any gamma. */
  readonly regime: GammaRegime | null;
  /** Share of the open interest with usable greeks, 0 to 1; NaN without open interest. */
  readonly coverage: number;
}

/** The exposure of a whole chain. */
export function gammaExposure(chain: PricedChain): GammaExposure {
  const byStrike = exposureByStrike(chain);
  const total = sumOf(byStrike);
  const coverage = coverageOf(chain, 0, chain.strikes.strike.length);
  return {
    total,
    byStrike,
    byExpiration: chain.expirations.map((expiration) => ofExpiration(chain, expiration)),
    ...walls(byStrike),
    flip: gammaFlip(chain),
    cumulativeFlip: cumulativeFlip(byStrike, chain.spot),
    regime: coverage >= COVERAGE_MIN ? gammaRegime(total) : null,
    coverage,
  };
}

/** The sign of net gamma, neutral when it is less than a tenth of the gross; null without any. */
export function gammaRegime({ callGamma, putGamma, netGamma }: ExposureSums): GammaRegime | null {
  const gross = callGamma + putGamma;
  if (!(gross > 0)) return null;
  if (Math.abs(netGamma) < NEUTRAL_BAND * gross) return 'neutral';
  return netGamma > 0 ? 'long_gamma' : 'short_gamma';
}

/** Sums as they grow. */
class Sums implements ExposureSums {
  callGamma = 0;
  putGamma = 0;
  delta = 0;
  vanna = 0;
  charm = 0;
  callOpenInterest = 0;
  putOpenInterest = 0;

  get netGamma(): number {
    return this.callGamma - this.putGamma;
  }

  /** Takes in one strike of one expiration; strikes without usable greeks say nothing. */
  add({ strikes, spot, multiplier }: PricedChain, row: number): void {
    const gamma = strikes.gamma[row]!;
    if (Number.isNaN(gamma)) return;
    const [calls, puts] = [known(strikes.callOpenInterest[row]!), known(strikes.putOpenInterest[row]!)];
    const dollars = spot * multiplier;
    const ofMove = gamma * dollars * spot * ONE_PERCENT;
    this.callGamma += calls * ofMove;
    this.putGamma += puts * ofMove;
    this.delta += (calls * strikes.callDelta[row]! - puts * strikes.putDelta[row]!) * dollars;
    this.vanna += (calls - puts) * strikes.vanna[row]! * dollars;
    this.charm += (calls * strikes.callCharm[row]! - puts * strikes.putCharm[row]!) * dollars;
    this.callOpenInterest += calls;
    this.putOpenInterest += puts;
  }

  told(): ExposureSums {
    const { callGamma, putGamma, netGamma, delta, vanna, charm, callOpenInterest, putOpenInterest } = this;
    return { callGamma, putGamma, netGamma, delta, vanna, charm, callOpenInterest, putOpenInterest };
  }
}

/** Contracts that nobody counted are none in a sum; coverage says how many there are. */
const known = (contracts: number): number => (Number.isNaN(contracts) ? 0 : contracts);

/** One line for each strike with usable greeks, ascending. */
function exposureByStrike(chain: PricedChain): StrikeExposure[] {
  const sums = new Map<number, Sums>();
  const { strike, gamma } = chain.strikes;
  for (let row = 0; row < strike.length; row++) {
    if (Number.isNaN(gamma[row]!)) continue;
    sums.getOrInsertComputed(strike[row]!, () => new Sums()).add(chain, row);
  }
  return [...sums]
    .sort(([one], [other]) => one - other)
    .map(([price, sum]) => ({ strike: price, ...sum.told() }));
}

function ofExpiration(chain: PricedChain, { date, days, from, to }: ExpirationQuotes): ExpirationExposure {
  const sums = new Sums();
  let [callWall, putWall, mostCall, mostPut] = [Number.NaN, Number.NaN, 0, 0];
  for (let row = from; row < to; row++) {
    const [callBefore, putBefore] = [sums.callGamma, sums.putGamma];
    sums.add(chain, row);
    if (sums.callGamma - callBefore > mostCall) {
      [mostCall, callWall] = [sums.callGamma - callBefore, chain.strikes.strike[row]!];
    }
    if (sums.putGamma - putBefore > mostPut) {
      [mostPut, putWall] = [sums.putGamma - putBefore, chain.strikes.strike[row]!];
    }
  }
  return { date, days, ...sums.told(), callWall, putWall, coverage: coverageOf(chain, from, to) };
}

function sumOf(lines: readonly ExposureSums[]): ExposureSums {
  const total = new Sums();
  for (const line of lines) {
    total.callGamma += line.callGamma;
    total.putGamma += line.putGamma;
    total.delta += line.delta;
    total.vanna += line.vanna;
    total.charm += line.charm;
    total.callOpenInterest += line.callOpenInterest;
    total.putOpenInterest += line.putOpenInterest;
  }
  return total.told();
}

/** Of equal strikes the lower one. */
function walls(lines: readonly StrikeExposure[]): { callWall: number; putWall: number } {
  let [callWall, putWall, mostCall, mostPut] = [Number.NaN, Number.NaN, 0, 0];
  for (const { strike, callGamma, putGamma } of lines) {
    if (callGamma > mostCall) [mostCall, callWall] = [callGamma, strike];
    if (putGamma > mostPut) [mostPut, putWall] = [putGamma, strike];
  }
  return { callWall, putWall };
}

function coverageOf({ strikes }: PricedChain, from: number, to: number): number {
  let [usable, all] = [0, 0];
  for (let row = from; row < to; row++) {
    const contracts = known(strikes.callOpenInterest[row]!) + known(strikes.putOpenInterest[row]!);
    all += contracts;
    if (!Number.isNaN(strikes.gamma[row]!)) usable += contracts;
  }
  return all > 0 ? usable / all : Number.NaN;
}

/** Spots at which the book is priced anew: 35 % either way in ln(S), in half per cents. */
const GRID_REACH = 0.35;
const GRID_STEP = 0.005;
/** Halvings of a step: to a millionth of a cent at any price. */
const HALVINGS = 40;

/**
 * The price nearest to spot at which the dealers' net gamma changes sign when every contract is priced anew, each with
 * the volatility of its own strike and the carry of its own expiration; NaN when there is none within 35 %.
 */
function gammaFlip(chain: PricedChain): number {
  const net = repricedGamma(chain);
  const at = Math.log(chain.spot);
  let [nearest, below, above] = [Number.NaN, net(at), net(at)];
  for (let step = 1; step * GRID_STEP <= GRID_REACH && Number.isNaN(nearest); step++) {
    const [low, high] = [at - step * GRID_STEP, at + step * GRID_STEP];
    const [lower, higher] = [net(low), net(high)];
    const down = lower * below < 0 ? crossing(net, low, low + GRID_STEP) : Number.NaN;
    const up = higher * above < 0 ? crossing(net, high - GRID_STEP, high) : Number.NaN;
    // Within the same step both sides may cross; the nearer one counts.
    nearest = Number.isNaN(up) || at - down <= up - at ? down : up;
    if (lower !== 0) below = lower;
    if (higher !== 0) above = higher;
  }
  return Math.exp(nearest);
}

/** Where a function that has different signs at both ends is zero. */
function crossing(of: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  const sign = Math.sign(of(low));
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (Math.sign(of(middle)) === sign) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const SQRT_TWO_PI = Math.sqrt(2 * Math.PI);

/**
 * The dealers' net gamma exposure in dollars per 1 % as a function of ln(spot): each strike keeps its volatility, each
 * expiration its carry F / S. Calls and puts of a strike have one gamma, so they are one term.
 */
export function repricedGamma({
  strikes,
  expirations,
  spot,
  multiplier,
}: PricedChain): (lnSpot: number) => number {
  const slope: number[] = [];
  const shift: number[] = [];
  const weight: number[] = [];
  for (const { from, to, years, forward, discount } of expirations) {
    const carry = forward / spot;
    for (let row = from; row < to; row++) {
      const contracts = known(strikes.callOpenInterest[row]!) - known(strikes.putOpenInterest[row]!);
      if (contracts === 0 || Number.isNaN(strikes.gamma[row]!)) continue;
      const deviation = strikes.volatility[row]! * Math.sqrt(years);
      slope.push(1 / deviation);
      shift.push(Math.log(carry / strikes.strike[row]!) / deviation + deviation / 2);
      weight.push((contracts * multiplier * ONE_PERCENT * discount * carry) / (deviation * SQRT_TWO_PI));
    }
  }
  return sumOverSpot(Float64Array.from(slope), Float64Array.from(shift), Float64Array.from(weight));
}

/** A density this many deviations out adds nothing to a sum of doubles. */
const FAR_DEVIATIONS = 9;

function sumOverSpot(slope: Float64Array, shift: Float64Array, weight: Float64Array) {
  return (lnSpot: number): number => {
    let sum = 0;
    for (let term = 0; term < weight.length; term++) {
      const d1 = lnSpot * slope[term]! + shift[term]!;
      if (d1 < FAR_DEVIATIONS && d1 > -FAR_DEVIATIONS) sum += weight[term]! * Math.exp(-0.5 * d1 * d1);
    }
    return sum * Math.exp(lnSpot);
  };
}

/**
 * The strike nearest to spot at which net gamma at today's price, summed from the lowest strike up, changes sign,
 * straight between strikes; NaN when it never does.
 */
export function cumulativeFlip(lines: readonly StrikeExposure[], spot: number): number {
  let nearest = Number.NaN;
  let [sum, last, side] = [0, Number.NaN, 0];
  // Where the sum became nothing, if it has been since it last had a side.
  let nothingFrom = Number.NaN;
  for (const { strike, netGamma } of lines) {
    const next = sum + netGamma;
    if (side * next < 0) {
      const at = Number.isNaN(nothingFrom) ? last + (sum / (sum - next)) * (strike - last) : nothingFrom;
      if (!(Math.abs(at - spot) >= Math.abs(nearest - spot))) nearest = at;
    }
    if (next !== 0) [side, nothingFrom] = [Math.sign(next), Number.NaN];
    else if (sum !== 0) nothingFrom = strike;
    [sum, last] = [next, strike];
  }
  return nearest;
}

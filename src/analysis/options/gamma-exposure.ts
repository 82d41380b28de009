import { d1 } from './black-scholes.ts';
import { SQRT_TWO_PI } from './normal.ts';
import type { ExpirationQuotes, PricedChain } from './quotes.ts';

/** One per cent of the price, the move that gamma exposure is quoted for. */
const ONE_PERCENT = 0.01;
/** Below this share of the gross the net is neutral. */
export const NEUTRAL_BAND = 0.1;
/** Below this share of the open interest there is no regime. */
export const COVERAGE_MIN = 0.5;
/**
 * Below this known share of the gamma that one contract of each would have, a side's open interest is unknown, and so is
 * every figure of it. A few far strikes without open interest weigh next to nothing.
 */
const OPEN_INTEREST_KNOWN_MIN = 0.9;

/**
 * Sums over contracts, US dollars; those of dealers carry their sign: calls plus, puts minus. NaN: open interest of a side
 * that the figure needs is not known; where nearly all of it is, the sum is of the contracts that state it.
 */
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
  readonly settlement: number;
  readonly days: number;
  /** Strikes with the most call gamma and the most put gamma; NaN without any. */
  readonly callWall: number;
  readonly putWall: number;
  /** As of the whole chain. */
  readonly coverage: number;
}

export type GammaRegime = 'long_gamma' | 'short_gamma' | 'neutral';

export type GammaExposure = Readonly<ReturnType<typeof gammaExposure>>;

export function gammaExposure(chain: PricedChain) {
  const rows = Array.from(chain.strikes.strike, (_, row) => row);
  const byStrike = exposureByStrike(chain);
  const total = sumsOf(chain, rows, LISTED);
  const isKnown = !Number.isNaN(total.netGamma);
  const coverage = coverageOf(chain, 0, rows.length);
  return {
    total,
    byStrike,
    byExpiration: chain.expirations.map((expiration) => ofExpiration(chain, expiration)),
    callWall: Number.isNaN(total.callGamma) ? Number.NaN : wallOf(byStrike, 'callGamma'),
    putWall: Number.isNaN(total.putGamma) ? Number.NaN : wallOf(byStrike, 'putGamma'),
    /** Price at which the repriced net gamma changes sign, the nearest to spot; NaN where it does not. */
    flip: isKnown ? gammaFlip(chain) : Number.NaN,
    /** Strike at which net gamma summed from the lowest strike up changes sign, the nearest to spot; NaN likewise. */
    cumulativeFlip: isKnown ? cumulativeFlip(byStrike, chain.spot) : Number.NaN,
    /** Null with too little coverage, without any gamma, and where a side is not known. */
    regime: coverage >= COVERAGE_MIN ? gammaRegime(total) : null,
    /**
     * Share of the known open interest with usable greeks, times the share of contracts whose open interest is known, 0
     * to 1; NaN without any.
     */
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

/** In a sum that is known, what a few contracts do not state is left out; coverage counts them. */
const known = (contracts: number): number => (Number.isNaN(contracts) ? 0 : contracts);

/** Whether the open interest of calls and of puts is known. */
export interface KnownSides {
  readonly calls: boolean;
  readonly puts: boolean;
}

/** What a side without any contract is: of a chain or an expiration unknown, since both are listed; at a strike nothing. */
const LISTED = false;
const AT_A_STRIKE = true;

/** Whether nearly all open interest of each side is known, by the gamma that a contract of each strike would have. */
export function knownSides({ strikes }: PricedChain, rows: Iterable<number>, ofNone = LISTED): KnownSides {
  const [stated, all] = [
    { calls: 0, puts: 0 },
    { calls: 0, puts: 0 },
  ];
  for (const row of rows) {
    const gamma = strikes.gamma[row]!;
    if (Number.isNaN(gamma)) continue;
    if (strikes.call[row]! >= 0) {
      all.calls += gamma;
      if (!Number.isNaN(strikes.callOpenInterest[row]!)) stated.calls += gamma;
    }
    if (strikes.put[row]! >= 0) {
      all.puts += gamma;
      if (!Number.isNaN(strikes.putOpenInterest[row]!)) stated.puts += gamma;
    }
  }
  const isKnown = (side: keyof KnownSides): boolean =>
    all[side] > 0 ? stated[side] >= OPEN_INTEREST_KNOWN_MIN * all[side] : ofNone;
  return { calls: isKnown('calls'), puts: isKnown('puts') };
}

/** Dollars of delta that a move of 1 % adds to one contract of a strike. */
const gammaOfContract = ({ strikes, spot, multiplier }: PricedChain, row: number): number =>
  strikes.gamma[row]! * (spot * multiplier) * spot * ONE_PERCENT;

/** Sums over rows of strikes; strikes without usable greeks add nothing. */
function sumsOf(chain: PricedChain, rows: readonly number[], ofNone: boolean): ExposureSums {
  const { strikes } = chain;
  const { calls: hasCalls, puts: hasPuts } = knownSides(chain, rows, ofNone);
  const sums = { callGamma: 0, putGamma: 0, delta: 0, vanna: 0, charm: 0, calls: 0, puts: 0 };
  const dollars = chain.spot * chain.multiplier;
  for (const row of rows) {
    const gamma = gammaOfContract(chain, row);
    if (Number.isNaN(gamma)) continue;
    const [calls, puts] = [known(strikes.callOpenInterest[row]!), known(strikes.putOpenInterest[row]!)];
    sums.callGamma += calls * gamma;
    sums.putGamma += puts * gamma;
    sums.delta += (calls * strikes.callDelta[row]! - puts * strikes.putDelta[row]!) * dollars;
    sums.vanna += (calls - puts) * strikes.vanna[row]! * dollars;
    sums.charm += (calls * strikes.callCharm[row]! - puts * strikes.putCharm[row]!) * dollars;
    sums.calls += calls;
    sums.puts += puts;
  }
  const ifKnown = (isKnown: boolean, sum: number): number => (isKnown ? sum : Number.NaN);
  const hasBoth = hasCalls && hasPuts;
  return {
    callGamma: ifKnown(hasCalls, sums.callGamma),
    putGamma: ifKnown(hasPuts, sums.putGamma),
    netGamma: ifKnown(hasBoth, sums.callGamma - sums.putGamma),
    delta: ifKnown(hasBoth, sums.delta),
    vanna: ifKnown(hasBoth, sums.vanna),
    charm: ifKnown(hasBoth, sums.charm),
    callOpenInterest: ifKnown(hasCalls, sums.calls),
    putOpenInterest: ifKnown(hasPuts, sums.puts),
  };
}

/** One line for each strike with usable greeks, ascending. */
function exposureByStrike(chain: PricedChain): StrikeExposure[] {
  const rowsOf = new Map<number, number[]>();
  const { strike, gamma } = chain.strikes;
  for (let row = 0; row < strike.length; row++) {
    if (!Number.isNaN(gamma[row]!)) rowsOf.getOrInsertComputed(strike[row]!, () => []).push(row);
  }
  return [...rowsOf]
    .sort(([one], [other]) => one - other)
    .map(([price, rows]) => ({ strike: price, ...sumsOf(chain, rows, AT_A_STRIKE) }));
}

function ofExpiration(
  chain: PricedChain,
  { date, settlement, days, from, to }: ExpirationQuotes,
): ExpirationExposure {
  const { strike, callOpenInterest, putOpenInterest } = chain.strikes;
  const rows = Array.from({ length: to - from }, (_, at) => from + at);
  const sums = sumsOf(chain, rows, LISTED);
  const lines = rows.map((row) => {
    const gamma = gammaOfContract(chain, row);
    return {
      strike: strike[row]!,
      callGamma: callOpenInterest[row]! * gamma,
      putGamma: putOpenInterest[row]! * gamma,
    };
  });
  return {
    date,
    settlement,
    days,
    ...sums,
    callWall: Number.isNaN(sums.callGamma) ? Number.NaN : wallOf(lines, 'callGamma'),
    putWall: Number.isNaN(sums.putGamma) ? Number.NaN : wallOf(lines, 'putGamma'),
    coverage: coverageOf(chain, from, to),
  };
}

/** The strike with the most gamma of a side, of equal ones the lower; NaN without any. */
function wallOf<Side extends 'callGamma' | 'putGamma'>(
  lines: readonly Pick<StrikeExposure, 'strike' | Side>[],
  side: Side,
): number {
  let [wall, most] = [Number.NaN, 0];
  for (const line of lines) if (line[side] > most) [most, wall] = [line[side], line.strike];
  return wall;
}

function coverageOf({ strikes }: PricedChain, from: number, to: number): number {
  let [usable, all, stated, contracts] = [0, 0, 0, 0];
  const count = (contract: number, open: number, isUsable: boolean): void => {
    if (contract < 0) return;
    contracts++;
    if (Number.isNaN(open)) return;
    stated++;
    all += open;
    if (isUsable) usable += open;
  };
  for (let row = from; row < to; row++) {
    const isUsable = !Number.isNaN(strikes.gamma[row]!);
    count(strikes.call[row]!, strikes.callOpenInterest[row]!, isUsable);
    count(strikes.put[row]!, strikes.putOpenInterest[row]!, isUsable);
  }
  return (usable / all) * (stated / contracts);
}

/** Spots at which every contract is priced anew: 35 % either way in ln(S), in half per cents. */
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
  const here = net(at);
  let [nearest, below, above] = [Number.NaN, here, here];
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

/** A density this many deviations out adds nothing to a sum of doubles. */
const FAR_DEVIATIONS = 9;

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
  // Of each term d1 is straight in ln(spot).
  const terms = new Float64Array(3 * strikes.strike.length);
  let end = 0;
  for (const { from, to, years, forward, discount } of expirations) {
    const carry = forward / spot;
    for (let row = from; row < to; row++) {
      const contracts = known(strikes.callOpenInterest[row]!) - known(strikes.putOpenInterest[row]!);
      if (contracts === 0 || Number.isNaN(strikes.gamma[row]!)) continue;
      const deviation = strikes.smile[row]! * Math.sqrt(years);
      terms[end++] = 1 / deviation;
      terms[end++] = d1(Math.log(carry / strikes.strike[row]!), deviation);
      terms[end++] = (contracts * multiplier * ONE_PERCENT * discount * carry) / (deviation * SQRT_TWO_PI);
    }
  }
  const used = terms.subarray(0, end);
  return (lnSpot) => {
    let sum = 0;
    for (let at = 0; at < used.length; at += 3) {
      const d = lnSpot * used[at]! + used[at + 1]!;
      if (d < FAR_DEVIATIONS && d > -FAR_DEVIATIONS) sum += used[at + 2]! * Math.exp(-0.5 * d * d);
    }
    return sum * Math.exp(lnSpot);
  };
}

/** The strike nearest to spot where today's net gamma, summed from the lowest strike, changes sign; NaN for none. */
export function cumulativeFlip(lines: readonly StrikeExposure[], spot: number): number {
  let nearest = Number.NaN;
  let [sum, last, side] = [0, Number.NaN, 0];
  // Where the sum became nothing, if it has been since it last had a side.
  let nothingFrom = Number.NaN;
  for (const { strike, netGamma } of lines) {
    if (Number.isNaN(netGamma)) continue;
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

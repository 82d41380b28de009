import type { Stream } from './simulated-random.ts';
import type { Rhythm } from './simulated-chain-listing.ts';

/** A quote in whole cents of a dollar, on the exchange's grid. */
export interface Quote {
  readonly bid: number;
  readonly ask: number;
}

/** Half of the spread for a dollar of value, and the least of it in cents, by how busy the options are. */
const HALF_SPREAD: Readonly<Record<Rhythm, number>> = { daily: 0.006, weekly: 0.015, monthly: 0.04 };
const HALF_CENTS_MIN: Readonly<Record<Rhythm, number>> = { daily: 0.6, weekly: 1.5, monthly: 4 };

/**
 * The market maker's quote around a value: a spread that is a part of the value with a floor, wider where the shares
 * themselves are. The bid is rounded down and the ask up, so that the value always lies between; a contract worth less
 * than half a spread has a bid of zero.
 *
 * @param shareSpread bid-ask spread of the shares as a fraction of their price
 */
export function quoteAround(value: number, shareSpread: number, rhythm: Rhythm): Quote {
  const cents = value * 100;
  const half = Math.max(HALF_CENTS_MIN[rhythm], cents * (HALF_SPREAD[rhythm] + shareSpread));
  const grid = gridCents(cents, rhythm);
  const bid = Math.max(0, Math.floor((cents - half) / grid) * grid);
  const ask = Math.max(grid, Math.ceil((cents + half) / grid) * grid);
  return { bid: bid / 100, ask: ask / 100 };
}

/** Busy classes are quoted in cents below 3 dollars and in nickels above, others in nickels and dimes. */
function gridCents(cents: number, rhythm: Rhythm): number {
  const isDear = cents >= 300;
  if (rhythm === 'daily') return isDear ? 5 : 1;
  return isDear ? 10 : 5;
}

/** Of a contract: log strike over price in standard deviations, and when it expires. */
interface ContractPlace {
  readonly moneyness: number;
  readonly right: 1 | -1;
  readonly strike: number;
  /** Place among the expirations. */
  readonly place: number;
  readonly years: number;
}

/** Contracts open for each share that trades in a session, over a whole chain. */
const OPEN_FOR_A_SHARE = 0.035;

/**
 * Contracts that are open. They gather out of the money, calls above and puts below the price, on round strikes and in the
 * expirations of months.
 *
 * @param noise standard normal; stays with the contract
 */
export function interestOf(shares: number, of: ContractPlace, noise: number): number {
  const { moneyness, right, strike, place, years } = of;
  const centre = right === 1 ? 0.5 : -0.8;
  const distance = (moneyness - centre) / 1.1;
  const round = strike % 10 === 0 ? 2 : strike % 5 === 0 ? 1.4 : 1;
  const term = 1 / (1 + place * 0.35) + (years > 0.9 ? 0.2 : 0);
  const level = ((shares * OPEN_FOR_A_SHARE) / 60) * term * round * Math.exp(-distance * distance);
  return Math.floor(level * Math.exp(0.7 * noise));
}

/**
 * Contracts that have traded so far: a part of what is open, more of it close to the money and to expiration. Once in
 * some hundred contracts somebody buys far more than is open.
 */
export function tradedVolume(
  openInterest: number,
  { moneyness, years }: Pick<ContractPlace, 'moneyness' | 'years'>,
  stream: Stream,
): number {
  const near = Math.exp(-0.5 * moneyness * moneyness) + 0.05;
  const soon = 0.08 + 0.6 / (1 + years * 60);
  const burst = stream.uniform() < 0.006 ? 8 : 1;
  return Math.floor(openInterest * near * soon * burst * Math.exp(0.8 * stream.normal()));
}

import { fall, type Ramp } from '../scoring/ramps.ts';
import { DAY_MS } from '../sessions.ts';
import { mean, median } from '../statistics.ts';
import type { ContractQuotes, ExpirationQuotes, PricedChain } from './quotes.ts';

/** Figures of a chain that need no model: volume, open interest and how well it can be traded. NaN is not stated. */

type ContractCounts = Pick<ContractQuotes, 'expiration' | 'right' | 'volume' | 'openInterest'>;

/** NaN: what a figure needs is not stated. */
export type ChainCounts = Readonly<ReturnType<typeof chainCounts>>;

/** Below this share of contracts that state it a count of contracts is not known. */
const STATED_MIN = 0.9;

/** Adds what contracts state. A right that few of them state is unknown, however much the others hold. */
class StatedSum {
  #sum = 0;
  #stated = 0;
  #all = 0;

  add(count: number): void {
    this.#all++;
    if (Number.isNaN(count)) return;
    this.#stated++;
    this.#sum += count;
  }

  get sum(): number {
    return this.#stated > 0 && this.#stated >= STATED_MIN * this.#all ? this.#sum : Number.NaN;
  }
}

/**
 * The contracts with the volume that their source means: one that writes no 0 leaves blank what did not trade. Where it
 * writes one, and of a right whose volume it never states, blank is unknown.
 */
export function withTradedVolume<Contracts extends ContractCounts>(contracts: Contracts): Contracts {
  const { right, volume } = contracts;
  if (volume.includes(0) || !volume.some(Number.isNaN)) return contracts;
  const isStated = (of: number): boolean => volume.some((traded, row) => right[row] === of && traded > 0);
  const [calls, puts] = [isStated(1), isStated(-1)];
  const meant = volume.map((traded, row) =>
    Number.isNaN(traded) && (right[row]! > 0 ? calls : puts) ? 0 : traded,
  );
  return { ...contracts, volume: meant };
}

/**
 * Open interest is of the contracts that still live, volume of those that traded on the chain's date: what settled at its
 * close did, what settled at its open did not. Each is known when nine tenths of the calls and of the puts state it.
 */
export function chainCounts(
  { right, volume, openInterest }: ContractCounts,
  stateOf: (row: number) => 'living' | 'traded' | 'settled' = () => 'living',
) {
  const [openCalls, openPuts, calls, puts] = Array.from({ length: 4 }, () => new StatedSum());
  for (let row = 0; row < volume.length; row++) {
    const state = stateOf(row);
    if (state === 'settled') continue;
    const isCall = right[row]! > 0;
    if (state === 'living') (isCall ? openCalls : openPuts)!.add(openInterest[row]!);
    (isCall ? calls : puts)!.add(volume[row]!);
  }
  const [callVolume, putVolume] = [calls!.sum, puts!.sum];
  return {
    openInterest: openCalls!.sum + openPuts!.sum,
    volume: callVolume + putVolume,
    callVolume,
    putVolume,
    /** Put volume over call volume; NaN without call volume. */
    putCallRatio: callVolume > 0 ? putVolume / callVolume : Number.NaN,
  };
}

/** Options of the last days change hands many times over; what is built in them is gone within the week. */
export const UNUSUAL_DAYS_MIN = 8;
/** A single small account can trade less. */
export const UNUSUAL_VOLUME_MIN = 500;
/** Volume over open interest from which positions are being opened. */
export const UNUSUAL_TURNOVER = 2;
/** Share of the volume beyond the last days that such contracts make up. */
export const UNUSUAL_SHARE = 0.2;

/**
 * Whether the day's volume is out of line with what was open before it: contracts that live at least eight days more,
 * traded at least 500 times and at least twice their open interest, make up a fifth of the volume of all contracts of
 * that life. Contracts without a stated open interest are left out of both.
 *
 * @param today midnight UTC of the date on which the chain was taken
 */
export function unusualActivity(
  { expiration, volume, openInterest }: ContractCounts,
  today: number,
): boolean {
  let [unusual, all] = [0, 0];
  for (let row = 0; row < volume.length; row++) {
    const traded = volume[row]!;
    const isLong = expiration[row]! - today >= UNUSUAL_DAYS_MIN * DAY_MS;
    if (!(traded > 0) || !isLong || Number.isNaN(openInterest[row]!)) continue;
    all += traded;
    if (traded >= UNUSUAL_VOLUME_MIN && traded >= UNUSUAL_TURNOVER * openInterest[row]!) unusual += traded;
  }
  return all > 0 && unusual >= UNUSUAL_SHARE * all;
}

/** Strikes on each side of the forward that are near the money. */
const NEAR_STRIKES = 5;

/** What can be traded at the five strikes on each side of the forward, both rights. NaN: too few contracts state it. */
export function nearMoney(chain: PricedChain, { from, to, forward }: ExpirationQuotes) {
  const { strikes, contracts, mid } = chain;
  const money = Number.isNaN(forward) ? chain.spot : forward;
  let above = from;
  while (above < to && strikes.strike[above]! < money) above++;
  const rows: number[] = [];
  for (let row = Math.max(from, above - NEAR_STRIKES); row < Math.min(to, above + NEAR_STRIKES); row++) {
    for (const contract of [strikes.call[row]!, strikes.put[row]!]) if (contract >= 0) rows.push(contract);
  }
  const sumOver = (counts: Float64Array): number => {
    const stated = new StatedSum();
    for (const contract of rows) stated.add(counts[contract]!);
    return stated.sum;
  };
  const used = rows.filter((contract) => !Number.isNaN(mid[contract]!));
  return {
    contracts: rows.length,
    /** Contracts with a usable quote, and their share. */
    used: used.length,
    coverage: rows.length === 0 ? 0 : used.length / rows.length,
    /** Median spread over the middle; NaN without a usable quote. */
    spread: median(used.map((row) => (contracts.ask[row]! - contracts.bid[row]!) / mid[row]!)),
    openInterest: sumOver(contracts.openInterest),
    volume: sumOver(contracts.volume),
  };
}

/** Spread at which a chain is traded as well as it can be, and at which it hardly is. */
const TRADABLE: Ramp = { from: 0.02, to: 0.2 };
/** Expirations of the weeks that positions are opened in. */
const TRADED_DAYS = { from: 7, to: 60 } as const;

/**
 * How well a chain can be traded near the money of its next two months, 0 to 1: mean over the expirations of what the
 * spread allows times the share of contracts that are quoted; NaN without such an expiration.
 */
export function tradability(chain: PricedChain): number {
  const near = chain.expirations
    .filter(({ days }) => days >= TRADED_DAYS.from && days <= TRADED_DAYS.to)
    .map((expiration) => nearMoney(chain, expiration));
  const each = near.map(({ used, spread, coverage }) => (used === 0 ? 0 : fall(spread, TRADABLE) * coverage));
  return mean(each);
}

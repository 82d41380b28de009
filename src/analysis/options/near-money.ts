import { fall, type Ramp } from '../scoring/pieces.ts';
import type { ExpirationQuotes, PricedChain } from './quotes.ts';

/** Strikes on each side of the forward that are near the money. */
const NEAR_STRIKES = 5;

/** What can be traded near the money of an expiration. NaN: no contract states it. */
export interface NearMoney {
  readonly contracts: number;
  /** Contracts with a usable quote, and their share. */
  readonly used: number;
  readonly coverage: number;
  /** Median spread over the middle; NaN without a usable quote. */
  readonly spread: number;
  readonly openInterest: number;
  readonly volume: number;
}

/** The contracts of both rights at the five strikes on each side of the forward. */
export function nearMoney(chain: PricedChain, { from, to, forward }: ExpirationQuotes): NearMoney {
  const { strikes, contracts, mid } = chain;
  const money = Number.isNaN(forward) ? chain.spot : forward;
  let above = from;
  while (above < to && strikes.strike[above]! < money) above++;
  const spreads: number[] = [];
  const counts = { contracts: 0, openInterest: Number.NaN, volume: Number.NaN };
  for (let row = Math.max(from, above - NEAR_STRIKES); row < Math.min(to, above + NEAR_STRIKES); row++) {
    for (const contract of [strikes.call[row]!, strikes.put[row]!]) {
      if (contract < 0) continue;
      counts.contracts++;
      counts.openInterest = plus(counts.openInterest, contracts.openInterest[contract]!);
      counts.volume = plus(counts.volume, contracts.volume[contract]!);
      if (Number.isNaN(mid[contract]!)) continue;
      spreads.push((contracts.ask[contract]! - contracts.bid[contract]!) / mid[contract]!);
    }
  }
  return {
    ...counts,
    used: spreads.length,
    coverage: counts.contracts === 0 ? 0 : spreads.length / counts.contracts,
    spread: medianOf(spreads),
  };
}

/** A sum that is unknown until one of its terms is known. */
function plus(sum: number, term: number): number {
  if (Number.isNaN(term)) return sum;
  return Number.isNaN(sum) ? term : sum + term;
}

function medianOf(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
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
  return each.reduce((sum, one) => sum + one, 0) / each.length;
}

import { knownSides } from '../analysis/options/gamma-exposure.ts';
import type { ExpirationQuotes, PricedChain } from '../analysis/options/quotes.ts';
import { say } from '../analysis/sentences.ts';
import { dateOf } from '../base/dates.ts';

/** Contracts of one right, and those of them without a stated open interest. */
interface SideCount {
  readonly all: number;
  readonly unknown: number;
}

/** Which contracts state no open interest, and what of the answer is null for it; empty when all state it. */
export function openInterestRemarks(chain: PricedChain): string[] {
  const { strikes, expirations } = chain;
  const whole = countsOf(chain, { from: 0, to: strikes.strike.length });
  const lacking = SIDES.flatMap((side) => {
    const { all, unknown } = whole[side];
    if (unknown === 0) return [];
    if (unknown === all) return [`all ${all} ${side}`];
    return expirations.flatMap((expiration) => {
      const own = countsOf(chain, expiration)[side];
      return own.unknown === 0 ? [] : [`${own.unknown} of ${own.all} ${side} of ${dateOf(expiration.date)}`];
    });
  });
  if (lacking.length === 0) return [];
  const { calls, puts } = knownSides(chain, strikes.strike.keys());
  const sides = [...(calls ? [] : ['calls']), ...(puts ? [] : ['puts'])].join(' and ');
  return [
    say('chain.open_interest', { contracts: lacking.join(', ') }),
    sides === '' ? say('chain.open_interest_left_out') : say('chain.needs_open_interest', { sides }),
  ];
}

const SIDES = ['calls', 'puts'] as const;

function countsOf(
  { strikes }: PricedChain,
  { from, to }: Pick<ExpirationQuotes, 'from' | 'to'>,
): Readonly<Record<(typeof SIDES)[number], SideCount>> {
  const count = (contracts: Int32Array, open: Float64Array): SideCount => {
    let [all, unknown] = [0, 0];
    for (let row = from; row < to; row++) {
      if (contracts[row]! < 0) continue;
      all++;
      if (Number.isNaN(open[row]!)) unknown++;
    }
    return { all, unknown };
  };
  return {
    calls: count(strikes.call, strikes.callOpenInterest),
    puts: count(strikes.put, strikes.putOpenInterest),
  };
}

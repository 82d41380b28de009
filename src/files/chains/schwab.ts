import { isMembers, type Members, textOf } from '../json.ts';
import { contractSymbol } from './contracts.ts';
import type { ChainJson } from './layout.ts';

/**
 * The option chain of Schwab's market data, and of TD Ameritrade's before it: contracts by expiration
 * (`2024-06-21:8`, with the days that are left) and strike. Volatility is in percent; -999 and `NaN` are unknown.
 */
export const schwabJson: ChainJson = {
  source: 'Schwab or TD Ameritrade',
  contracts: [
    {
      root: 'root',
      expiration: 'expiration',
      strike: 'strikePrice',
      right: 'right',
      size: 'size',
      bid: 'bid',
      ask: 'ask',
      last: 'last',
      volume: 'totalVolume',
      openInterest: 'openInterest',
      iv: 'volatility',
      isIvPercent: true,
      delta: 'delta',
      gamma: 'gamma',
    },
  ],
  underlying: '/symbol',
  price: '/underlyingPrice',
  times: ['quoteTimeInLong', 'tradeTimeInLong', '/underlying.quoteTime'],
  contractsIn({ callExpDateMap, putExpDateMap }) {
    if (!isMembers(callExpDateMap) && !isMembers(putExpDateMap)) return null;
    return [...contractsOf(callExpDateMap, 'call'), ...contractsOf(putExpDateMap, 'put')];
  },
};

function* contractsOf(byExpiration: unknown, right: 'call' | 'put'): Generator<unknown> {
  for (const [expiration, byStrike] of entriesOf(byExpiration)) {
    for (const [, contracts] of entriesOf(byStrike)) {
      for (const contract of Array.isArray(contracts) ? contracts : [contracts]) {
        yield isMembers(contract)
          ? {
              ...contract,
              right,
              expiration: expiration.slice(0, 10),
              root: rootOf(contract),
              size: sizeOf(contract),
            }
          : contract;
      }
    }
  }
}

const entriesOf = (value: unknown): [string, unknown][] => (isMembers(value) ? Object.entries(value) : []);

/** Schwab has the symbols of the clearing house, TD Ameritrade had `SPXW_062124C5400`. */
function rootOf({ symbol }: Members): string | null {
  const text = textOf(symbol);
  return contractSymbol(text)?.root ?? /^([A-Z.]+\d?)_\d{6}[CP]/.exec(text)?.[1] ?? null;
}

const sizeOf = ({ multiplier, nonStandard, mini }: Members): unknown =>
  nonStandard === true || mini === true ? 'adjusted' : multiplier;

import type { Calendar } from '../../../src/base/calendar.ts';
import { SETTLEMENTS } from '../../../src/base/option-roots.ts';
import { chainRows } from '../../../src/files/chains/feed.ts';
import { fileFeed } from '../../../src/files/source-file.ts';
import { CONTRACT_COLUMNS, contractColumns, type OptionChain } from '../../../src/market/chains.ts';
import type { Feed } from '../../../src/market/feed.ts';

/** What the layouts of files give; the feed itself also joins the parts of a chain, and refuses one that is left. */
export const layoutsFeed = (folder: string, calendar: Calendar, asOf?: number): Feed =>
  fileFeed('chains', [folder], {}, (file, tally) => chainRows(file, calendar, asOf, tally));

/** Date of the expiration, strike, right and what else is known of a contract. */
export type ContractRow = readonly [
  expiration: string,
  strike: number,
  right: 1 | -1,
  figures?: Partial<Record<(typeof CONTRACT_COLUMNS)[number], number>>,
];

/** An afternoon in winter: 14:30 in New York. */
const TAKEN_AT = Date.parse('2024-03-05T19:30:00Z');

/** A chain of hand-made contracts; a contract without figures is quoted 1.00 to 1.10. */
export function chainOf(contracts: readonly ContractRow[], head: Partial<OptionChain> = {}): OptionChain {
  return {
    symbol: 'TEST',
    takenAt: TAKEN_AT,
    underlyingPrice: 100,
    style: 'american',
    multiplier: 100,
    simulated: false,
    contracts: contractColumns((name) =>
      Float64Array.from(contracts, ([expiration, strike, right, figures = { bid: 1, ask: 1.1 }]) => {
        if (name === 'expiration') return figures.expiration ?? Date.parse(`${expiration}T00:00:00Z`);
        if (name === 'strike') return strike;
        if (name === 'settlement') return figures.settlement ?? SETTLEMENTS.indexOf('close');
        return name === 'right' ? (figures.right ?? right) : (figures[name] ?? Number.NaN);
      }),
    ),
    ...head,
  };
}

/** Each contract as date, strike, right. */
export const contractsIn = ({ contracts }: OptionChain): [string, number, number][] =>
  Array.from(contracts.strike, (strike, row) => [
    new Date(contracts.expiration[row]!).toISOString().slice(0, 10),
    strike,
    contracts.right[row]!,
  ]);

/** When each contract settles. */
export const settlementsIn = ({ contracts }: OptionChain): (string | undefined)[] =>
  Array.from(contracts.settlement, (place) => SETTLEMENTS[place]);

/** The figures of one contract, NaN left out. */
export function figuresOf({ contracts }: OptionChain, row: number): Record<string, number> {
  const named = CONTRACT_COLUMNS.map((name) => [name, contracts[name][row]!] as const);
  return Object.fromEntries(named.filter(([name, value]) => name !== 'settlement' && !Number.isNaN(value)));
}

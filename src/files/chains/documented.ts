import { isMembers } from '../json.ts';
import type { ChainJson, ChainTable, ContractNames } from './layout.ts';

/** The layouts of `docs/data-formats.md`, for sources that have none here. */

const CONTRACT = {
  expiration: 'expiration',
  strike: 'strike',
  right: 'right',
  size: 'multiplier',
  bid: 'bid',
  ask: 'ask',
  last: 'last',
  volume: 'volume',
  openInterest: 'open_interest',
  iv: 'iv',
  delta: 'delta',
  gamma: 'gamma',
} as const satisfies ContractNames;

/** One chain as an object, with an array of contracts. An absent or null member is unknown. */
export const documentedJson: ChainJson = {
  source: 'docs/data-formats.md',
  contracts: [{ ...CONTRACT, symbol: 'symbol' }],
  underlying: '/symbol',
  price: 'price',
  style: '/style',
  times: ['/updated', '/taken_at'],
  contractsIn(file) {
    const contracts = file.quotes ?? file.contracts;
    if (!Array.isArray(contracts)) return null;
    return contracts.map((contract) =>
      isMembers(contract)
        ? {
            ...contract,
            price: file.underlyingPrice ?? file.underlying_price,
            right: contract.side ?? contract.right,
            open_interest: contract.openInterest ?? contract.open_interest,
          }
        : contract,
    );
  },
};

const REQUIRED = ['symbol', 'taken_at', 'expiration', 'strike', 'right'] as const;
const ALLOWED: ReadonlySet<string> = new Set([
  ...REQUIRED,
  ...Object.values(CONTRACT),
  'underlying_price',
  'style',
  'root',
]);

/** A header, then one row a contract; any number of chains (of one symbol and instant), one after the other. */
export const documentedTable: ChainTable = {
  source: 'docs/data-formats.md',
  contracts: [{ ...CONTRACT, root: 'root' }],
  underlying: 'symbol',
  price: 'underlying_price',
  style: 'style',
  times: ['taken_at'],
  key: [],
  columns: ['taken_at', 'strike'],
  faultOf(names) {
    const unknown = names.find((name) => !ALLOWED.has(name));
    if (unknown !== undefined) return `no field is called "${unknown}"`;
    if (new Set(names).size < names.length) return 'a column is named twice';
    const missing = REQUIRED.find((name) => !names.includes(name));
    return missing === undefined ? null : `no column for ${missing}`;
  },
};

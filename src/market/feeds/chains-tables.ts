import type { Calendar } from '../../base/calendar.ts';
import { dateOf, midnightUtc } from '../../base/dates.ts';
import { classOf, indexOfRoot } from '../../base/option-roots.ts';
import type { ContractRow } from '../chains.ts';
import type { Delivery } from '../feed.ts';
import type { RefusalReason, RefusalTally } from '../refusals.ts';
import { STANDARD_MULTIPLIER } from '../validate-chain.ts';
import type { TextFile } from './archive.ts';
import {
  type Cells,
  type ChainHead,
  type ClassedContract,
  chainDelivery,
  contractSymbol,
  instantOf,
  isAdjustedRoot,
  readTable,
  rightOf,
  styleOf,
} from './chains-contracts.ts';
import { pricedTickerOf } from './fields.ts';

/** The numeric columns of a contract by its fields; null for a field without a column. */
type NumberNames = Readonly<
  Record<Exclude<keyof ContractRow, 'expiration' | 'right' | 'settlement'>, string | null>
>;

const NUMBER_NAMES = {
  strike: 'strike',
  bid: 'bid',
  ask: 'ask',
  last: 'last',
  volume: 'volume',
  openInterest: 'open_interest',
  vendorIv: 'iv',
  vendorDelta: 'delta',
  vendorGamma: 'gamma',
} as const satisfies NumberNames;
const REQUIRED = ['symbol', 'taken_at', 'expiration', 'strike', 'right'] as const;
const ALLOWED: ReadonlySet<string> = new Set([
  ...REQUIRED,
  ...Object.values(NUMBER_NAMES),
  'underlying_price',
  'style',
  'multiplier',
  'root',
]);
/** Chains of one file that are remembered, so that a chain in two places is refused. */
const CHAINS_MAX = 100_000;

function contractRow(
  cells: Cells,
  expiration: string,
  right: string,
  names: NumberNames,
): ClassedContract['row'] {
  const numbers = Object.entries(names).map(([field, name]) => [
    field,
    name === null ? Number.NaN : cells.number(name),
  ]);
  return {
    ...(Object.fromEntries(numbers) as Record<keyof NumberNames, number>),
    expiration: midnightUtc(cells.text(expiration)),
    right: rightOf(cells.text(right)),
  };
}

export const isContractHeader = (names: readonly string[]): boolean =>
  names.includes('taken_at') && names.includes('strike');

/**
 * The documented chain layout: a header, then one row a contract; see `docs/data-formats.md`. The rows of a chain (of
 * one symbol and instant) follow each other, so memory holds one chain.
 */
export async function* contractTable(
  file: TextFile,
  calendar: Calendar,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const seen = new Set<string>();
  let chain: { key: string; head: ChainHead; contracts: ClassedContract[] } | null = null;
  let finished: Delivery[] = [];
  const finish = (): void => {
    if (chain !== null && chain.contracts.length > 0)
      finished.push(chainDelivery(chain.head, chain.contracts, calendar));
    chain = null;
  };
  const take = (cells: Cells): RefusalReason | null => {
    const head = headIn(cells);
    if (typeof head === 'string') return head;
    const key = `${head.symbol} ${head.takenAt}`;
    if (chain?.key !== key) {
      if (seen.has(key)) return 'out_of_order';
      if (seen.size === CHAINS_MAX) return 'too_large';
      finish();
      seen.add(key);
      chain = { key, head, contracts: [] };
    }
    const row = contractRow(cells, 'expiration', 'right', NUMBER_NAMES);
    const multiplier = cells.number('multiplier');
    if (cells.isBroken) return 'not_a_number';
    if (!Number.isNaN(multiplier) && multiplier !== STANDARD_MULTIPLIER) return 'adjusted_contract';
    const root = cells.text('root').toUpperCase() || classOf(cells.text('symbol').toUpperCase());
    chain.contracts.push({ root, row });
    return null;
  };
  yield* readTable(file, tally, headerFault, take, (isEnd) => {
    if (isEnd) finish();
    const due = finished;
    finished = [];
    return due;
  });
}

function headerFault(names: readonly string[]): string | null {
  const unknown = names.find((name) => !ALLOWED.has(name));
  if (unknown !== undefined) return `no field is called "${unknown}"`;
  if (new Set(names).size < names.length) return 'a column is named twice';
  const missing = REQUIRED.find((name) => !names.includes(name));
  return missing === undefined ? null : `no column for ${missing}`;
}

function headIn(cells: Cells): ChainHead | RefusalReason {
  const symbol = pricedTickerOf(cells.text('symbol'));
  if (symbol === null) return 'bad_symbol';
  const takenAt = instantOf(cells.text('taken_at'));
  if (Number.isNaN(takenAt)) return 'bad_time';
  const style = cells.text('style') || styleOf(symbol);
  if (style !== 'american' && style !== 'european') return 'bad_word';
  return { symbol, takenAt, underlyingPrice: cells.number('underlying_price'), style };
}

const YFINANCE_NAMES: NumberNames = {
  strike: 'strike',
  bid: 'bid',
  ask: 'ask',
  last: 'lastprice',
  volume: 'volume',
  openInterest: 'openinterest',
  vendorIv: 'impliedvolatility',
  vendorDelta: null,
  vendorGamma: null,
};
const YFINANCE_HEADER = [
  'contractsymbol',
  'lasttradedate',
  'strike',
  'bid',
  'ask',
  'expirationdate',
  'optiontype',
];

export const isYfinanceHeader = (names: readonly string[]): boolean =>
  YFINANCE_HEADER.every((name) => names.includes(name));

/** Delay of Yahoo's option quotes: the table was written at least that much after its newest trade. */
const DELAY_MS = 900_000;

/**
 * Chains as yfinance writes them, one row a contract with the price of the underlying. The table does not state when it
 * was taken; the chain counts from the delay after its newest trade on.
 */
export async function* yfinanceTable(
  file: TextFile,
  calendar: Calendar,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  interface YfinanceChain {
    readonly contracts: ClassedContract[];
    newestTrade: number;
    underlyingPrice: number;
  }
  const chains = new Map<string, YfinanceChain>();
  const take = (cells: Cells): RefusalReason | null => {
    const contract = contractSymbol(cells.text('contractsymbol'));
    if (contract === null) return 'bad_symbol';
    const size = cells.text('contractsize');
    if (isAdjustedRoot(contract.root) || (size !== '' && size !== 'REGULAR')) return 'adjusted_contract';
    const newestTrade = instantOf(cells.text('lasttradedate'));
    if (Number.isNaN(newestTrade)) return 'bad_time';
    const row = contractRow(cells, 'expirationdate', 'optiontype', YFINANCE_NAMES);
    const underlyingPrice = cells.number('underlyingprice');
    if (cells.isBroken) return 'not_a_number';
    const underlying = indexOfRoot(contract.root);
    const chain = chains.getOrInsertComputed(underlying, () => {
      return { contracts: [], newestTrade, underlyingPrice };
    });
    chain.newestTrade = Math.max(chain.newestTrade, newestTrade);
    chain.contracts.push({ root: contract.root, row });
    return null;
  };
  yield* readTable(file, tally, noFault, take, function* (isEnd): Generator<Delivery> {
    if (!isEnd) return;
    for (const [symbol, { contracts, newestTrade, underlyingPrice }] of chains) {
      const takenAt = newestTrade + DELAY_MS;
      yield chainDelivery({ symbol, takenAt, underlyingPrice, style: styleOf(symbol) }, contracts, calendar);
    }
  });
}

const noFault = (): null => null;

/** A daily volatility above 1,000 % a year is an error of the source. */
const VOLATILITY_MAX = 10;
/** Days of all symbols together; a hundred years of three thousand symbols would be less. */
const DAYS_MAX = 5_000_000;

/** Sources that yield to any other for the same day: they measure from a delayed chain. */
const WEAKER_SOURCES: ReadonlySet<string> = new Set(['yf']);

export const isVolatilityHeader = (names: readonly string[]): boolean =>
  names.includes('date') && names.includes('iv') && (names.includes('ticker') || names.includes('symbol'));

/**
 * Daily volatility, one row for each symbol and date: `date`, `ticker` or `symbol`, `iv`, `hv`, `source`. Days without a
 * session are refused, because they repeat the day before. Of two sources for a day the weaker one is refused; a source
 * may state a day once.
 */
export async function* volatilityTable(
  file: TextFile,
  calendar: Calendar,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  interface Day {
    readonly implied: number;
    readonly realised: number;
    readonly isWeaker: boolean;
  }
  const bySymbol = new Map<string, Map<number, Day>>();
  let days = 0;
  const take = (cells: Cells): RefusalReason | null => {
    const symbol = pricedTickerOf(cells.text('ticker') || cells.text('symbol'));
    if (symbol === null) return 'bad_symbol';
    const time = midnightUtc(cells.text('date'));
    if (Number.isNaN(time)) return 'bad_time';
    if (!calendar.isSession(dateOf(time))) return 'outside_session';
    const [implied, realised] = [cells.number('iv'), cells.number('hv')];
    if (cells.isBroken) return 'not_a_number';
    if (Number.isNaN(implied)) return 'missing_value';
    if (implied < 0 || realised < 0) return 'negative_amount';
    if (implied === 0 || implied > VOLATILITY_MAX || realised > VOLATILITY_MAX) return 'out_of_range';
    const own = bySymbol.getOrInsertComputed(symbol, () => new Map<number, Day>());
    const isWeaker = WEAKER_SOURCES.has(cells.text('source').toLowerCase());
    const known = own.get(time);
    if (known !== undefined && known.isWeaker === isWeaker) return 'duplicate';
    if (known === undefined && days++ >= DAYS_MAX) return 'too_large';
    if (known === undefined || known.isWeaker) own.set(time, { implied, realised, isWeaker });
    // One of the two is refused, whichever came first.
    return known === undefined ? null : 'duplicate';
  };
  yield* readTable(file, tally, noFault, take, function* (isEnd): Generator<Delivery> {
    if (!isEnd) return;
    for (const [symbol, own] of bySymbol) {
      const sorted = [...own].sort(([a], [b]) => a - b);
      const columns = {
        time: Float64Array.from(sorted, ([time]) => time),
        implied: Float64Array.from(sorted, ([, day]) => day.implied),
        realised: Float64Array.from(sorted, ([, day]) => day.realised),
      };
      yield { kind: 'volatility', symbol, columns };
    }
  });
}

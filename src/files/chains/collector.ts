import type { Calendar } from '../../base/calendar.ts';
import { midnightUtc } from '../../base/dates.ts';
import { classOf, indexOfRoot, isOptionIndex } from '../../base/option-roots.ts';
import { newYorkDay, tradeDateOf } from '../../base/time-zone.ts';
import type { Delivery } from '../../market/feed.ts';
import type { RefusalReason } from '../../market/refusals.ts';
import { type RefusalTally, refusedFile } from '../../market/refusals.ts';
import { STANDARD_MULTIPLIER } from '../../market/validate-chain.ts';
import type { TextFile } from '../archive.ts';
import { choice } from '../choices.ts';
import { pricedTickerOf } from '../fields.ts';
import { isMembers, type Members } from '../json.ts';
import { instantOf, timeReader } from '../times.ts';
import {
  type Cells,
  type ChainHead,
  type ClassedContract,
  cellsOfMembers,
  chainDelivery,
  contractSymbol,
  isAdjustedRoot,
  readTable,
  rightOf,
  styleOf,
} from './contracts.ts';
import type { ChainJson, ChainLayout, ChainTable, ContractNames } from './layout.ts';

/** Chains of one file that are remembered, so that a chain in two places is refused. */
const CHAINS_MAX = 100_000;
/** Sources write the index SPX as `_SPX`, `$SPX` and `$SPX.X`. */
const INDEX = /^_(\w+)$|^\$(\w+)(?:\.X)?$/;
const readNewYork = timeReader('America/New_York');

interface ReadContract extends ClassedContract {
  /** Midnight UTC of the day that has the volume; infinite where that is always the chain's. */
  readonly volumeDay: number;
}

interface OpenChain {
  readonly head: Omit<ChainHead, 'takenAt' | 'underlyingPrice'>;
  readonly contracts: ReadContract[];
  /** Contracts on another underlying, by root. */
  readonly strangers: Map<string, number>;
  readonly day: string;
  underlyingPrice: number;
  takenAt: number;
  traded: number;
}

const newer = (time: number, other: number): number => (Number.isNaN(time) || other > time ? other : time);

/** Collects the contracts of a file into chains: `take` each row, deliver what is `due` after each part and at the end. */
function chainCollector(layout: ChainLayout, where: string, calendar: Calendar, asOf: number | undefined) {
  const { key, delayMs = 0, isUtc = false } = layout;
  const open = new Map<string, OpenChain>();
  const seen = new Set<string>();
  let finished: Delivery[] = [];
  /** A time of the whole file that cannot be read. */
  let unreadable = '';

  /** The newest time of a row; NaN for none, null for one that cannot be read. */
  const newestOf = (cells: Cells): number | null => {
    let newest = Number.NaN;
    for (const name of layout.times) {
      const text = cells.text(name);
      // Vendors write 0 where there was no quote or trade.
      if (text === '' || text === '0') continue;
      const instant = instantOf(text, isUtc);
      if (!Number.isNaN(instant)) newest = newer(newest, instant);
      else if (name.startsWith('/')) unreadable = text;
      else return null;
    }
    return newest;
  };

  /** Names the chain of a row among those of its symbol. */
  const nameOf = (cells: Cells, takenAt: number): string => {
    if (key === undefined) return '';
    return key.length === 0 ? String(takenAt) : key.map(cells.text).join(' ');
  };

  const take = (cells: Cells): RefusalReason | null => {
    const read = layout.contracts.map((names) => contractIn(cells, names));
    const contracts = read.filter((it) => typeof it !== 'string');
    const fault = read.find((it) => typeof it === 'string') ?? null;
    if (contracts.length === 0) return fault;
    const head = headIn(cells, layout, contracts[0]!.root);
    if (typeof head === 'string') return head;
    const { symbol, written, style, underlyingPrice } = head;
    const takenAt = newestOf(cells);
    if (takenAt === null) return 'bad_time';
    const name = nameOf(cells, takenAt);
    let chain = open.get(`${symbol} ${name}`);
    if (chain === undefined) {
      const refused = begin(`${symbol} ${name}`);
      if (refused !== null) return refused;
      const day = layout.day === undefined ? '' : cells.text(layout.day);
      const strangers = new Map<string, number>();
      const traded = Number.NaN;
      chain = { head: { symbol, style }, contracts: [], strangers, day, underlyingPrice, takenAt, traded };
      open.set(`${symbol} ${name}`, chain);
    }
    chain.takenAt = newer(chain.takenAt, takenAt);
    if (Number.isNaN(chain.underlyingPrice)) chain.underlyingPrice = underlyingPrice;
    if (layout.traded !== undefined)
      chain.traded = newer(chain.traded, readNewYork(cells.text(layout.traded)).instant);
    for (const contract of contracts) {
      const root = contract.root ?? classOf(written.toUpperCase());
      if (root === null || isRootOf(root, symbol)) chain.contracts.push({ ...contract, root });
      else chain.strangers.set(root, (chain.strangers.get(root) ?? 0) + 1);
    }
    return fault;
  };

  /** Ends the chain before one that its key names. */
  const begin = (chain: string): RefusalReason | null => {
    if (key === undefined) return null;
    if (seen.has(chain)) return 'out_of_order';
    if (seen.size === CHAINS_MAX) return 'too_large';
    seen.add(chain);
    finish();
    return null;
  };

  const finish = (): void => {
    for (const chain of open.values()) finished.push(...delivered(chain));
    open.clear();
  };

  function* delivered(chain: OpenChain): Generator<Delivery> {
    const { head, contracts, strangers, day, underlyingPrice, takenAt, traded } = chain;
    for (const [root, count] of strangers) {
      const fault = `contracts of ${root} in a chain of ${head.symbol}: make a file of each`;
      yield refusedFile('bad_symbol', where, fault, count);
    }
    if (contracts.length === 0) return;
    const isSound = !Number.isNaN(takenAt) && !(traded > takenAt);
    const instant = isSound ? takenAt + delayMs : asOf;
    const isOfDay = isSound || day === '' || (instant !== undefined && day === tradeDateOf(instant));
    if (instant !== undefined && isOfDay && !(traded > instant)) {
      const today = newYorkDay(instant);
      const ofToday = contracts.map(({ root, row, volumeDay }) => ({
        root,
        row: volumeDay >= today ? row : { ...row, volume: Number.NaN },
      }));
      yield chainDelivery({ ...head, underlyingPrice, takenAt: instant }, ofToday, calendar);
      return;
    }
    const fault = timeFault(chain, isOfDay ? null : day, instant);
    yield refusedFile('bad_time', where, fault, contracts.length);
  }

  /** @param day that of the chain where the instant is of another; null otherwise */
  function timeFault(
    { takenAt, traded }: OpenChain,
    day: string | null,
    instant: number | undefined,
  ): string {
    const state = `state the instant with ${choice('as_of')}`;
    if (day !== null && instant !== undefined)
      return `the chain is of ${day}, ${choice('as_of')} is of ${tradeDateOf(instant)}`;
    if (traded > (instant ?? takenAt)) {
      const than = instant === undefined ? `the time of the file, read as UTC: ${state}` : choice('as_of');
      return `a trade of ${new Date(traded).toISOString()} is newer than ${than}`;
    }
    return unreadable === ''
      ? `the file does not say when the chain was taken: ${state}`
      : `the time "${unreadable}" names no zone or cannot be read: ${state}`;
  }

  return {
    take,
    due(isEnd: boolean): Delivery[] {
      if (isEnd) finish();
      const due = finished;
      finished = [];
      return due;
    },
  };
}

/** What a row says of its chain; `written` is the symbol as the source has it, which may name a class. */
function headIn(
  cells: Cells,
  layout: ChainLayout,
  root: string | null,
): (Omit<ChainHead, 'takenAt'> & { readonly written: string }) | RefusalReason {
  const stated = layout.underlying === undefined ? layout.symbol : cells.text(layout.underlying);
  const written = (stated ?? '').replace(INDEX, '$1$2');
  const symbol = pricedTickerOf(written || (root ?? ''));
  if (symbol === null) return 'bad_symbol';
  const style = (layout.style === undefined ? '' : cells.text(layout.style)) || styleOf(symbol);
  if (style !== 'american' && style !== 'european') return 'bad_word';
  const price = layout.price === undefined ? Number.NaN : cells.number(layout.price);
  if (price === Number.POSITIVE_INFINITY) return 'not_a_number';
  // A price of 0 says that the source has none.
  return { symbol, written, style, underlyingPrice: price === 0 ? Number.NaN : price };
}

function contractIn(cells: Cells, names: ContractNames): ReadContract | RefusalReason {
  const number = (name: string | undefined): number => (name === undefined ? Number.NaN : cells.number(name));
  const text = (name: string | undefined): string => (name === undefined ? '' : cells.text(name));
  const written = text(names.symbol).replace(/^O:/, '');
  const named = written === '' ? null : contractSymbol(written);
  if (named === null && (written !== '' || names.strike === undefined)) return 'bad_symbol';
  const root = named?.root ?? (text(names.root).toUpperCase() || null);
  if (isAdjusted(root, text(names.size))) return 'adjusted_contract';
  const isOfToday = names.volumeTime === undefined;
  const volumeDay = isOfToday ? Number.POSITIVE_INFINITY : readNewYork(text(names.volumeTime)).day;
  const row = {
    expiration: named?.expiration ?? midnightUtc(text(names.expiration)),
    strike: named?.strike ?? number(names.strike),
    right: named?.right ?? rightIn(names.right, text),
    bid: number(names.bid),
    ask: number(names.ask),
    last: number(names.last),
    volume: number(names.volume),
    openInterest: number(names.openInterest),
    vendorIv: number(names.iv) / (names.isIvPercent ? 100 : 1),
    vendorDelta: number(names.delta),
    vendorGamma: number(names.gamma),
  };
  return Object.values(row).includes(Number.POSITIVE_INFINITY) ? 'not_a_number' : { root, row, volumeDay };
}

const isAdjusted = (root: string | null, size: string): boolean =>
  (root !== null && isAdjustedRoot(root)) ||
  (size !== '' && size !== 'REGULAR' && Number(size) !== STANDARD_MULTIPLIER);

const rightIn = (right: ContractNames['right'], text: (name: string | undefined) => string) =>
  typeof right === 'number' ? right : rightOf(text(right));

/** Whether contracts of a root are on a symbol; classes of an index that nobody has told of begin with its name. */
function isRootOf(root: string, symbol: string): boolean {
  if (!isOptionIndex(symbol)) return root === symbol || root === symbol.replace('.', '');
  return indexOfRoot(root) === symbol || (indexOfRoot(root) === root && root.startsWith(symbol.slice(1)));
}

export async function* chainTable(
  layout: ChainTable,
  file: TextFile,
  calendar: Calendar,
  asOf: number | undefined,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const symbol = layout.symbolIn?.(file.name);
  if (symbol === null) {
    const fault =
      'neither the rows nor the name of the file have the symbol: name it such as spy_eod_202301.txt';
    return yield refusedFile('bad_symbol', file.where, fault);
  }
  const { take, due } = chainCollector({ ...layout, ...(symbol && { symbol }) }, file.where, calendar, asOf);
  yield* readTable(file, tally, layout.faultOf ?? (() => null), take, due);
}

/** The chains of an object, or null for an object of another layout. */
export function chainsInJson(
  layout: ChainJson,
  file: Members,
  where: string,
  calendar: Calendar,
  asOf: number | undefined,
  tally: RefusalTally,
): Delivery[] | null {
  const contracts = layout.contractsIn(file);
  if (contracts === null) return null;
  if (contracts.length === 0)
    return [refusedFile('missing_value', where, 'the chain has no contract: ask its source again')];
  const { take, due } = chainCollector(layout, where, calendar, asOf);
  for (const [index, contract] of contracts.entries()) {
    const reason = isMembers(contract) ? take(cellsOfMembers(contract, file)) : 'wrong_columns';
    if (reason !== null) tally.note(reason, `${where}:${index + 1}`, JSON.stringify(contract) ?? '');
  }
  return due(true);
}

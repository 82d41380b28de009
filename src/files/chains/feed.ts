import { stat } from 'node:fs/promises';
import type { Calendar } from '../../base/calendar.ts';
import { indexOfRoot } from '../../base/option-roots.ts';
import type { Delivery } from '../../market/feed.ts';
import { type RefusalTally, type Refused, refusalTally, refusedFile } from '../../market/refusals.ts';
import { isTextFile, type TextFile, textFiles } from '../archive.ts';
import { type CsvFeed, readingsOf } from '../bars/csv.ts';
import { type ContentReading, contentReading, type Origin, orNothing } from '../content-reading.ts';
import { pricedTickerOf } from '../fields.ts';
import { type KeyedFile, keyedFiles } from '../found-files.ts';
import { isJson, isMembers, jsonIn, type Members, membersOf, strangeBeginning } from '../json.ts';
import { listingOf } from '../json-batches.ts';
import { beginningOf, fileFeed, type Joining } from '../source-file.ts';
import { alpacaJson } from './alpaca.ts';
import { cboeJson } from './cboe.ts';
import { cboeTable, isCboeHeader } from './cboe-table.ts';
import { chainsInJson, chainTable } from './collector.ts';
import { headerNames } from './contracts.ts';
import { documentedJson, documentedTable } from './documented.ts';
import type { ChainJson, ChainLayout, ChainTable } from './layout.ts';
import { massiveJson } from './massive.ts';
import { optionsDxTable } from './optionsdx.ts';
import { oratsJson, oratsTable } from './orats.ts';
import { groupsOfFiles, joinedChains } from './parts.ts';
import { schwabJson } from './schwab.ts';
import { tradierJson } from './tradier.ts';
import { isVolatilityHeader, volatilityTable } from './volatility.ts';
import { yfinanceTable } from './yfinance.ts';

/** Raise it when a reader reads the same bytes otherwise: files are then imported again. */
const READER_VERSION = 5;
/** Lines in which the header must come; a Cboe table has three above it. */
const HEADER_WITHIN_LINES = 8;

const TABLES: readonly ChainTable[] = [yfinanceTable, documentedTable, optionsDxTable, oratsTable];
const OBJECTS: readonly ChainJson[] = [
  documentedJson,
  cboeJson,
  schwabJson,
  tradierJson,
  massiveJson,
  alpacaJson,
  oratsJson,
];

export interface ChainsOptions {
  /** Files, or folders of files: JSON or delimited tables; plain, `.gz` or `.zip`. */
  readonly paths: readonly string[];
  readonly calendar: Calendar;
  /** Epoch milliseconds of files without a complete instant. */
  readonly asOf?: number | undefined;
}

/** Option chains and daily volatility from files, recognised by their content; see `docs/data-formats.md`. */
export function chainsFeed({ paths, calendar, asOf }: ChainsOptions): CsvFeed {
  const joining = chainJoining(calendar, asOf);
  return {
    ...fileFeed('chains', paths, { version: READER_VERSION, asOf }, joining.rows, joining),
    async *readings() {
      const parts = await joining.parts((await keyedFiles(paths)).files);
      yield* readingsOf(paths, async (file) => ({
        read: await chainReading(file, calendar, asOf, parts.has(file.where)),
      }));
    },
  };
}

/** Of so many bytes of files the chains stay in memory from when their parts are found until they are taken. */
const KEPT_BYTES_MAX = 32 * 2 ** 20;

interface Kept {
  readonly bytes: number;
  readonly version: string | undefined;
  readonly deliveries: readonly Delivery[];
}

/** Finds the files of an import that have parts of one chain, and joins them; a file is parsed once. */
export function chainJoining(calendar: Calendar, asOf?: number) {
  const kept = new Map<string, Kept>();
  let keptBytes = 0;
  const isOfTrades = async (file: TextFile): Promise<boolean> =>
    tableOf(headerNames((await beginningOf(file)).split(/\r?\n/, 1)[0]!)) === yfinanceTable;
  async function* read(file: TextFile): AsyncGenerator<Delivery> {
    const tally = refusalTally();
    yield* chainRows(file, calendar, asOf, tally);
    yield* tally.refusals();
  }
  async function* readAndKept(file: TextFile, bytes: number): AsyncGenerator<Delivery> {
    const known = taken(file);
    if (known !== undefined) {
      keep(file, known);
      return yield* known.deliveries;
    }
    const deliveries: Delivery[] = [];
    const isFew = keptBytes + bytes <= KEPT_BYTES_MAX;
    for await (const delivery of read(file)) {
      if (isFew) deliveries.push(delivery);
      yield delivery;
    }
    if (!isFew) return;
    keep(file, { bytes, version: file.version, deliveries });
  }
  async function* rows(file: TextFile): AsyncGenerator<Delivery> {
    const known = taken(file);
    yield* known === undefined ? read(file) : known.deliveries;
  }
  const keep = (file: TextFile, one: Kept): void => {
    kept.set(file.where, one);
    keptBytes += one.bytes;
  };
  /** What was kept of this version of a file, no longer kept. */
  const taken = (file: TextFile): Kept | undefined => {
    const known = kept.get(file.where);
    if (known === undefined) return undefined;
    kept.delete(file.where);
    keptBytes -= known.bytes;
    return known.version === file.version ? known : undefined;
  };
  async function* chainsIn({ path, key }: KeyedFile) {
    const packed = (await stat(path)).size;
    for await (const file of textFiles(path, key)) {
      if (!isTextFile(file) || !(await isChains(file))) continue;
      const isOfTrade = await isOfTrades(file);
      for await (const delivery of readAndKept(file, file.size?.bytes ?? packed))
        if (delivery.kind === 'chain') yield { chain: delivery.chain, isOfTrades: isOfTrade };
    }
  }
  const groups = async (files: readonly KeyedFile[]): Promise<KeyedFile[][]> =>
    files.length === 1 ? [[...files]] : groupsOfFiles(files, chainsIn);
  return {
    rows,
    groups,
    /** The keys of files that have parts of a chain of others. */
    parts: async (files: readonly KeyedFile[]): Promise<ReadonlySet<string>> =>
      new Set(
        (await groups(files)).flatMap((group) => (group.length > 1 ? group.map(({ key }) => key) : [])),
      ),
    joined: (deliveries: AsyncIterable<Delivery>, current: () => TextFile) =>
      joinedChains(deliveries, async () => {
        const file = current();
        return { where: file.where, isOfTrades: await isOfTrades(file) };
      }),
  } satisfies Joining & { parts: unknown; rows: unknown };
}

/** What a file holds of chains or volatility, and what of it an import would leave out. */
export const chainReading = (
  file: TextFile,
  calendar: Calendar,
  asOf?: number,
  isPart = false,
): Promise<ContentReading | Refused> =>
  contentReading(
    isPart ? 'part of a chain' : 'option chain',
    file,
    (sample, tally, isWhole) => {
      const rows = chainRows(sample, calendar, asOf, tally);
      // Of a text in an archive the rest of the chain may lie beside it.
      return isPart || !isWhole || file.where.split('/').at(-1) !== file.where
        ? rows
        : joinedChains(rows, async () => ({ where: file.where, isOfTrades: false }));
    },
    calendar,
    async (whole) => ({ ...(await originOf(whole)), asOf }),
  );

/** What of a layout has its instants and symbols. */
async function originOf(file: TextFile): Promise<Origin> {
  const beginning = await beginningOf(file);
  const lines = beginning.split(/\r?\n/, HEADER_WITHIN_LINES);
  if (lines.some(isCboeHeader)) {
    const times = 'the date above the header, and the end of its minute';
    return { source: 'Cboe, quote table', times, symbols: 'symbols of its contracts' };
  }
  const json = isJson(beginning) ? await jsonIn(file) : null;
  const layout: (ChainLayout & Partial<Pick<ChainTable, 'symbolIn'>>) | undefined =
    json === null
      ? tableOf(headerNames(lines[0]!))
      : 'value' in json && isMembers(json.value)
        ? layoutOf(json.value)
        : undefined;
  if (layout === undefined) return { times: 'date', symbols: 'its column' };
  const { source, times, delayMs, underlying, symbolIn } = layout;
  const delayed = delayMs === undefined ? '' : `, and ${delayMs / 60_000} minutes that its quotes are late`;
  const newest = times.map((name) => name.replace(/^\//, '')).join(', ');
  return {
    source,
    times: `${times.length === 1 ? newest : `the newest of ${newest}`}${delayed}`,
    symbols:
      underlying !== undefined
        ? underlying.replace(/^\//, '')
        : symbolIn === undefined
          ? 'symbols of its contracts'
          : `the name ${file.name}`,
  };
}

/** Whether a text is of a layout of chains or volatility. */
export async function isChains(file: TextFile): Promise<boolean> {
  const beginning = await beginningOf(file);
  if (isJson(beginning)) {
    if (listingOf(beginning) !== null) return false;
    const json = await jsonIn(file);
    return 'value' in json && isMembers(json.value) && layoutOf(json.value) !== undefined;
  }
  const lines = beginning.split(/\r?\n/, HEADER_WITHIN_LINES);
  const names = headerNames(lines[0]!);
  return lines.some(isCboeHeader) || tableOf(names) !== undefined || isVolatilityHeader(names);
}

const layoutOf = (value: Members): ChainJson | undefined =>
  OBJECTS.find(({ contractsIn }) => contractsIn(value) !== null);
const tableOf = (names: readonly string[]): ChainTable | undefined =>
  TABLES.find(({ columns }) => columns.every((name) => names.includes(name)));

/** The chains of a file; those that its name contradicts are refused. */
export async function* chainRows(
  file: TextFile,
  calendar: Calendar,
  asOf: number | undefined,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const named = symbolNamed(file.name);
  for await (const delivery of orNothing(file, tally, deliveriesOf(file, calendar, asOf, tally))) {
    const symbol = delivery.kind === 'chain' ? delivery.chain.symbol : null;
    if (named === null || symbol === null || symbol === named) yield delivery;
    else {
      const fault = `the name of the file says ${named}, its contracts are of ${symbol}: rename the file where they are right`;
      yield refusedFile('bad_symbol', file.where, fault);
    }
  }
}

/** The symbol in `SPY_options.csv` or `spx_quotedata.csv`; null for names of any other form. */
function symbolNamed(name: string): string | null {
  const [, ticker] =
    /^([a-z.]{1,5})_quotedata\b/i.exec(name) ??
    /^([A-Z.]{1,5})[_ -](?:options?|chains?|option[_ -]chains?|calls|puts)\b/.exec(name) ??
    [];
  const symbol = ticker === undefined ? null : pricedTickerOf(ticker);
  return symbol === null ? null : indexOfRoot(symbol);
}

async function* deliveriesOf(
  file: TextFile,
  calendar: Calendar,
  asOf: number | undefined,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const unknown = (fault: string) => refusedFile('unknown_format', file.where, fault);
  const beginning = await beginningOf(file);
  const strange = strangeBeginning(beginning);
  if (strange !== null) return yield unknown(strange);
  if (isJson(beginning)) {
    const json = await jsonIn(file);
    if ('fault' in json) return yield unknown(json.fault);
    const { value } = json;
    for (const layout of isMembers(value) ? OBJECTS : []) {
      const chain = chainsInJson(layout, value as Members, file.where, calendar, asOf, tally);
      if (chain !== null) return yield* chain;
    }
    return yield unknown(
      `no known source writes a chain so (${membersOf(value)}): docs/data-formats.md has the layouts`,
    );
  }
  const lines = beginning.split(/\r?\n/, HEADER_WITHIN_LINES);
  if (lines.some(isCboeHeader)) return yield* cboeTable(file, asOf, calendar, tally);
  const names = headerNames(lines[0]!);
  const table = tableOf(names);
  if (table !== undefined) yield* chainTable(table, file, calendar, asOf, tally);
  else if (isVolatilityHeader(names)) yield* volatilityTable(file, calendar, tally);
  else yield unknown(lines[0]!);
}

import { DAY_MS, dateOf, midnightUtc, parseDate } from '../../base/dates.ts';
import { newYorkMidnightOf, tradeDateOf, zonedToUtc } from '../../base/time-zone.ts';
import {
  type AnyFact,
  FACT_KINDS,
  type FactKind,
  type FactValues,
  type FieldSchema,
  type ReportTime,
  schemaOf,
} from '../facts.ts';
import type { Delivery, Feed } from '../feed.ts';
import type { RefusalReason, Refused } from '../refusals.ts';
import { type RefusalTally, refusedFile } from '../refusals.ts';
import { snakeCase } from '../tape/series.ts';
import { factOf, validateFactAround, validateFactValue } from '../validate-fact.ts';
import type { TextFile } from './archive.ts';
import {
  alphaVantageOverview,
  finnhubMetrics,
  fmpProfile,
  fmpRatios,
  massiveFinancials,
  yfinanceInfo,
} from './facts-fundamentals.ts';
import { type FactLayout, rowsOf } from './facts-layout.ts';
import { alpacaNews, alphaVantageNews, finnhubNews, massiveNews, yfinanceNews } from './facts-news.ts';
import { delimiterOf, type FieldScanner, fieldScanner, fieldText, tickerOf } from './fields.ts';
import { isJson, isMembers, jsonIn, membersOf, parsedJson, strangeBeginning } from './json.ts';
import { isAbsent, writtenNumber } from './numbers.ts';
import { beginningOf, deliverRows, fileFeed, type TakeRow } from './source-file.ts';
import { instantOf, timeReader } from './times.ts';

/** Raise it when the reader reads the same bytes otherwise: files are then imported again. */
const READER_VERSION = 2;
const DELIVERY_FACTS = 5_000;

interface FactsOptions {
  /** Files, or folders of files: delimited tables or JSON Lines; plain, `.gz` or `.zip`. */
  readonly paths: readonly string[];
  /** The kind of rows without a column for it. */
  readonly kind?: FactKind | undefined;
  /** From when rows without `known_at` may be quoted: an instant with its zone, or a date, at whose end. */
  readonly knownAt?: string | undefined;
}

/** What a file leaves to the caller. */
type Stated = Omit<FactsOptions, 'paths'>;

/** Reported facts from files; see `docs/data-formats.md`. Throws a RangeError for a bad `knownAt`. */
export function factsFeed({ paths, kind, knownAt }: FactsOptions): Feed {
  if (knownAt !== undefined && Number.isNaN(knownAtOf(knownAt))) {
    throw new RangeError(`"${knownAt}" is neither a date written YYYY-MM-DD nor an instant with its zone`);
  }
  return fileFeed('facts', paths, { version: READER_VERSION, kind, knownAt }, (file, tally) =>
    deliveriesOf(file, { kind, knownAt }, tally),
  );
}

async function* deliveriesOf(file: TextFile, stated: Stated, tally: RefusalTally): AsyncGenerator<Delivery> {
  let pending: SymbolFacts[] = [];
  const beginning = await beginningOf(file);
  const answered = await answeredFacts(file, beginning, stated, tally);
  const rows = answered ?? factRows(file, beginning, stated, tally);
  for await (const read of rows) {
    if ('reason' in read) yield read;
    else pending.push(read);
    if (pending.length < DELIVERY_FACTS) continue;
    yield* bySymbol(pending);
    pending = [];
  }
  yield* bySymbol(pending);
}

function* bySymbol(rows: readonly SymbolFacts[]): Generator<Delivery> {
  for (const [symbol, own] of Map.groupBy(rows, (row) => row.symbol)) {
    yield { kind: 'facts', symbol, facts: own.flatMap((row) => row.facts) };
  }
}

/**
 * The facts of each line. In a table, a stray quote costs its row and not the rest of the file, so text with line ends
 * needs JSON Lines. An unknown column refuses the whole table.
 */
async function* factRows(
  file: TextFile,
  beginning: string,
  stated: Stated,
  tally: RefusalTally,
): AsyncGenerator<SymbolFacts | Refused> {
  const { kind } = stated;
  let read: SymbolFacts[] = [];
  let names: readonly string[] | null = null;
  let fault: string | null = null;
  const add = (row: Row | RefusalReason, line: number): RefusalReason | null => {
    const facts =
      typeof row === 'string' ? row : readRow(row, stated, repairsIn(tally, `${file.where}:${line}`));
    if (typeof facts === 'string') return facts;
    read.push(facts);
    return null;
  };
  const takeJson: TakeRow = (bytes, start, end, line) => add(jsonRow(fieldText(bytes, start, end)), line);
  const scanner = fieldScanner(delimiterOf(beginning.split('\n', 1)[0]!));
  const takeCells: TakeRow = (bytes, start, end, line) => {
    if (fault !== null) return null;
    const cells = cellsIn(bytes, start, end, scanner);
    if (names !== null) return add(cellsRow(names, cells), line);
    names = (cells ?? []).map((cell) => cell.toLowerCase());
    fault = headerFault(names, kind);
    return null;
  };
  // No header begins with a brace, and every line of JSON does.
  const isJson = beginning.startsWith('{');
  yield* deliverRows(file, tally, isJson ? takeJson : takeCells, () => {
    const due = read;
    read = [];
    return due;
  });
  if (!isJson && names === null) fault = 'the file is empty';
  if (fault !== null) yield refusedFile('wrong_columns', file.where, fault);
}

const ANSWERS: readonly FactLayout[] = [
  alphaVantageOverview,
  finnhubMetrics,
  fmpProfile,
  fmpRatios,
  yfinanceInfo,
  massiveFinancials,
  alpacaNews,
  massiveNews,
  finnhubNews,
  alphaVantageNews,
  yfinanceNews,
];

/** The facts of a file that is one answer of a source's API; null for tables and JSON Lines. */
async function answeredFacts(
  file: TextFile,
  beginning: string,
  stated: Stated,
  tally: RefusalTally,
): Promise<(SymbolFacts | Refused)[] | null> {
  const refused = (fault: string) => [refusedFile('unknown_format', file.where, fault)];
  const strange = beginning === '' ? null : strangeBeginning(beginning);
  if (strange !== null) return refused(strange);
  if (!isJson(beginning)) return null;
  const [first = '', second = ''] = beginning.split('\n', 2);
  const row = parsedJson(first);
  const known = columnNames(stated.kind);
  // A line of ours has our names; its file may be far too large to be read as a whole.
  if (isMembers(row) && Object.keys(row).every((name) => known.has(name))) return null;
  const json = await jsonIn(file);
  if ('fault' in json) return isMembers(row) || second.startsWith('{') ? null : refused(json.fault);
  for (const { itemsIn, facts } of ANSWERS) {
    const items = itemsIn(json.value);
    if (items !== null) return factsOfItems(items, facts, file.where, stated, tally);
  }
  if (isMembers(row)) return null;
  return refused(
    `no known source answers so (${membersOf(json.value)}): docs/data-formats.md has the layouts`,
  );
}

function factsOfItems(
  items: readonly unknown[],
  facts: FactLayout['facts'],
  file: string,
  stated: Stated,
  tally: RefusalTally,
): SymbolFacts[] {
  const read: SymbolFacts[] = [];
  for (const [index, item] of items.entries()) {
    const where = `${file}:${index + 1}`;
    if (!isMembers(item)) {
      tally.note('unknown_format', where, JSON.stringify(item) ?? '');
      continue;
    }
    for (const said of rowsOf(item, facts)) {
      if ('fault' in said)
        tally.note(said.fault.startsWith('no ticker') ? 'bad_symbol' : 'bad_word', where, said.fault);
      else {
        const one = readRow(said.row, stated, repairsIn(tally, where));
        if (typeof one !== 'string') read.push(one);
        else tally.note(one, where, refusalText(said.row, one));
      }
    }
  }
  return read;
}

function refusalText(row: Row, reason: RefusalReason): string {
  const isUntimed = reason === 'missing_value' && !row.has('known_at');
  const of = `${row.get('kind')} of ${row.get('symbol')}`;
  return isUntimed
    ? `${of}: the file does not say since when it is known: state it with --known-at`
    : `${of}: ${JSON.stringify(Object.fromEntries(row))}`;
}

/** The trimmed texts of a row, or null when its quoting is broken. */
function cellsIn(bytes: Uint8Array, start: number, end: number, scanner: FieldScanner): string[] | null {
  const count = scanner.scan(bytes, start, end);
  if (count < 0) return null;
  return Array.from({ length: count }, (_, column) =>
    fieldText(bytes, scanner.starts[column]!, scanner.ends[column]!).replaceAll('""', '"'),
  );
}

function headerFault(names: readonly string[], kind: FactKind | undefined): string | null {
  const known = columnNames(kind);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) return `no field is called "${unknown}"`;
  if (new Set(names).size < names.length) return 'a column is named twice';
  if (!names.includes('symbol')) return 'no column for symbol';
  return kind === undefined && !names.includes('kind') ? 'no column for kind, and no --kind' : null;
}

function cellsRow(names: readonly string[], cells: readonly string[] | null): Row | RefusalReason {
  if (cells === null || cells.length !== names.length) return 'wrong_columns';
  const named = names.map((name, column) => [name, cells[column]!] as const);
  return new Map(named.filter(([, text]) => text !== ''));
}

/** The members of the object in a line; null and empty text count as absent. */
function jsonRow(line: string): Row | RefusalReason {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return 'unknown_format';
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return 'unknown_format';
  const members = Object.entries(parsed).map(
    ([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const,
  );
  return new Map(members.filter(([, value]) => value !== null && value !== ''));
}

/** A row by column name, without empty cells. Values are text or JSON values. */
type Row = ReadonlyMap<string, unknown>;

interface SymbolFacts {
  readonly symbol: string;
  readonly facts: readonly AnyFact[];
}

/** A column of a file: a field of the kind's schema, or one of its stated ratios. */
interface Column {
  readonly field: string;
  readonly schema: FieldSchema;
  readonly isRatio: boolean;
}

/** Columns of every kind. */
const ROW_COLUMNS: readonly string[] = ['kind', 'symbol', 'key', 'known_at'];

const COLUMNS: ReadonlyMap<string, ReadonlyMap<string, Column>> = new Map(
  FACT_KINDS.map((kind) => [kind, new Map(columnsOf(kind))]),
);

/** The fields of the kind in snake_case, and the ratios by their own names. */
function columnsOf(kind: FactKind): [string, Column][] {
  return Object.entries(schemaOf(kind).properties).flatMap(([field, schema]): [string, Column][] =>
    schema.properties === undefined
      ? [[snakeCase(field), { field, schema, isRatio: false }]]
      : Object.entries(schema.properties).map(([name, ratio]) => [
          name,
          { field: name, schema: ratio, isRatio: true },
        ]),
  );
}

/** Names that the columns of a table may have: those of a kind, or of all kinds. */
function columnNames(kind: FactKind | undefined): ReadonlySet<string> {
  const kinds = kind === undefined ? [...COLUMNS.values()] : [COLUMNS.get(kind)!];
  return new Set([...ROW_COLUMNS, ...kinds.flatMap((columns) => [...columns.keys()])]);
}

const SYMBOL_SEPARATOR = /[;,|\s]+/;

/**
 * The facts of one row, or the reason of its refusal. A halt with its end is two facts.
 *
 * @param stated kind and instant of rows without columns for them
 * @param repaired told of every figure that only stands for none
 */
function readRow(row: Row, stated: Stated, repaired: (example: string) => void): SymbolFacts | RefusalReason {
  const symbol = tickerOf(textOf(row.get('symbol')) ?? '');
  if (symbol === null) return 'bad_symbol';
  const kind = (textOf(row.get('kind')) ?? stated.kind ?? '') as FactKind;
  const columns = COLUMNS.get(kind);
  if (columns === undefined) return 'unknown_kind';
  for (const name of row.keys()) {
    if (!columns.has(name) && !ROW_COLUMNS.includes(name)) return 'unknown_field';
  }
  const value = readValue(row, columns, symbol, (name, written) => {
    if (!saysNone(kind, name, written)) return false;
    repaired(`${name} ${String(written)} of ${symbol} stands for no value`);
    return true;
  });
  // A figure of now belongs to the day on which it was known.
  if (kind === 'fundamentals' && value.periodEnd === null && stated.knownAt !== undefined)
    value.periodEnd = dayOfKnown(stated.knownAt);
  const reason = validateFactValue(kind, value);
  if (reason !== null) return reason;
  const facts = factsOf(kind, row, value as unknown as FactValues[FactKind], stated.knownAt);
  if (typeof facts === 'string') return facts;
  for (const fact of facts) {
    const refused = validateFactAround(fact);
    if (refused !== null) return refused;
  }
  return { symbol, facts };
}

function readValue(
  row: Row,
  columns: ReadonlyMap<string, Column>,
  symbol: string,
  isNone: (name: string, written: unknown) => boolean,
): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  let stated: Record<string, unknown> | null = null;
  for (const [name, column] of columns) {
    const written = row.get(name);
    const isOptional = column.isRatio || Array.isArray(column.schema.type);
    const isGiven = written !== undefined && !(isOptional && isNone(name, written));
    const read = readField(column, isGiven ? written : undefined, symbol);
    if (!column.isRatio) value[column.field] = read;
    else {
      stated ??= {};
      if (read !== null) stated[column.field] = read;
    }
  }
  if (stated !== null) value.stated = stated;
  return value;
}

/** The value of a field, null if the row has none. An unreadable value stays as it is for the validation. */
function readField({ field, schema }: Column, written: unknown, symbol: string): unknown {
  if (written === undefined) {
    if (field === 'symbols') return [symbol];
    // An absent time of day is a value: unknown.
    return field === 'time' ? 'unknown' : null;
  }
  if (schema.format === 'instant') return instantOf(textOf(written) ?? '');
  if (schema.format === 'date') {
    const { day } = readNewYork(textOf(written) ?? '');
    return Number.isNaN(day) ? written : dateOf(day);
  }
  switch (typeof schema.type === 'string' ? schema.type : schema.type[0]) {
    case 'string':
      return written;
    case 'array':
      return typeof written === 'string' ? written.split(SYMBOL_SEPARATOR).filter(Boolean) : written;
    default:
      return typeof written === 'string' ? numberIn(written) : written;
  }
}

/** A percent sign is refused: the field may be a ratio, a percentage or dollars. What is no number stays as it is. */
function numberIn(text: string): unknown {
  const value = text.includes('%') ? Number.NaN : writtenNumber(text);
  return Number.isNaN(value) ? text : value;
}

/** Kinds whose figures a vendor computes, and fills where it cannot. */
const COMPUTED: ReadonlySet<FactKind> = new Set(['fundamentals', 'price_target', 'analyst_estimates']);
/** Figures that are never 0, and figures that are never 0 or less. */
const NEVER_ZERO: ReadonlySet<string> = new Set(['pe_ratio', 'forward_pe']);
const ALWAYS_POSITIVE: ReadonlySet<string> = new Set(['market_cap', 'mean', 'high', 'low']);
/** 999999, -999999.99, -999, -9999. */
const FILLED = /^(-?9{6,}(\.9+)?|-9{3,4})$/;

/** Whether a value only stands for none: `None`, a price-earnings ratio of 0, 999999. */
function saysNone(kind: FactKind, name: string, written: unknown): boolean {
  if (typeof written === 'string' && isAbsent(written)) return true;
  const value = typeof written === 'string' ? numberIn(written) : written;
  if (typeof value !== 'number' || !COMPUTED.has(kind)) return false;
  return (
    FILLED.test(String(value)) ||
    (value === 0 && NEVER_ZERO.has(name)) ||
    (value <= 0 && ALWAYS_POSITIVE.has(name))
  );
}

const repairsIn =
  (tally: RefusalTally, where: string) =>
  (example: string): void =>
    tally.note('repaired', where, example);

/** One fact, or two of a halt; each with its key and the instant from which it may be quoted. */
function factsOf(
  kind: FactKind,
  row: Row,
  value: FactValues[FactKind],
  stated: string | undefined,
): AnyFact[] | RefusalReason {
  const key = row.get('key');
  const make = (knownAt: number, said: FactValues[FactKind]): AnyFact => {
    const fact = factOf(kind, knownAt, said);
    return key === undefined ? fact : ({ ...fact, key } as AnyFact);
  };
  const written = row.get('known_at');
  if (written !== undefined) return [make(knownAtOf(written), value)];
  if (kind === 'halt') {
    const halt = value as FactValues['halt'];
    const stopped = make(halt.from, { ...halt, to: null });
    return halt.to === null ? [stopped] : [stopped, make(halt.to, halt)];
  }
  const knownAt = impliedKnownAt(kind, value) ?? (stated === undefined ? null : knownAtOf(stated));
  return knownAt === null ? 'missing_value' : [make(knownAt, value)];
}

/** The instant from which a fact without `known_at` may be quoted; null if nothing implies it. */
function impliedKnownAt(kind: FactKind, value: FactValues[FactKind]): number | null {
  switch (kind) {
    case 'earnings_report': {
      const { date, time } = value as FactValues['earnings_report'];
      return announcementKnownAt(date, time);
    }
    case 'analyst_grade':
      return endOfDayNewYork((value as FactValues['analyst_grade']).date);
    case 'news':
      return (value as FactValues['news']).publishedAt;
    default:
      return null;
  }
}

/** An instant as it is; a date alone means its end in New York. NaN when it is neither. */
function knownAtOf(written: unknown): number {
  const text = textOf(written);
  if (text === null) return Number.NaN;
  return parseDate(text) === null ? instantOf(text) : endOfDayNewYork(text);
}

/** The New York date of a stated instant, or the stated date. */
const dayOfKnown = (stated: string): string => parseDate(stated) ?? tradeDateOf(instantOf(stated));

const readNewYork = timeReader('America/New_York');

const textOf = (written: unknown): string | null => (typeof written === 'string' ? written.trim() : null);

/**
 * Instants of facts whose source names a date only: always the latest that the source allows. A late fact costs an
 * answer a detail; an early one lets a backtest see the future.
 */

/** New York wall clock by which results announced at that time of day are out; null: only the day's end is sure. */
const OUT_BY: Readonly<Record<ReportTime, readonly [hour: number, minute: number] | null>> = {
  pre_market: [9, 30],
  during_market: [16, 0],
  post_market: [20, 0],
  unknown: null,
};

/** The midnight that ends a date, YYYY-MM-DD, in New York; epoch milliseconds, NaN for what is no date. */
export function endOfDayNewYork(date: string): number {
  return newYorkMidnightOf(midnightUtc(date) + DAY_MS);
}

/**
 * When results of a trade date and time of day may be quoted, in New York: from 09:30 when announced before the
 * open, from 16:00 during the session, from 20:00 after the close, else from the end of the day. Epoch
 * milliseconds, NaN for what is no date.
 */
export function announcementKnownAt(date: string, time: ReportTime): number {
  const clock = OUT_BY[time];
  const midnight = midnightUtc(date);
  if (clock === null || Number.isNaN(midnight)) return endOfDayNewYork(date);
  const [year, month, day] = dateOf(midnight).split('-').map(Number);
  return newYorkWallClock(year!, month!, day!, clock[0], clock[1], 0, 0);
}

const newYorkWallClock = zonedToUtc('America/New_York');

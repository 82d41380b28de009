import { newYorkDay } from '../../base/time-zone.ts';
import type { TextFile } from '../archive.ts';
import { contentOf, lineOf } from '../content-of.ts';
import { pricedTickerOf } from '../fields.ts';
import type { NoReading } from '../findings.ts';
import { forgetJson, isMembers, JSON_BYTES_MAX, jsonIn, type Members } from '../json.ts';
import { type Listing, linesIn, listingOf, valuesOf } from '../json-batches.ts';
import { beginningOf, wholeText } from '../source-file.ts';
import { isStrategyReport, reportAsTable } from '../strategy-report.ts';
import { fieldOf } from '../table-head.ts';
import { timeReader } from '../times.ts';

/** What the objects around some bars say of all of them. */
interface Around {
  readonly symbol: string;
  /** IANA name of the clock. */
  readonly zone: string;
  readonly currency: string;
  /** What is said of splits: `true`, `false`, or nothing. */
  readonly adjusted: string;
}

const NOTHING: Around = { symbol: '', zone: '', currency: '', adjusted: '' };

type Cells = Readonly<Record<string, unknown>>;

/** A row of bars as text, about. */
const ROW_BYTES = 60;

/** The tables that were asked for: a file is looked at, then its first bars are. */
const tables = new WeakMap<TextFile, Promise<TextFile | NoReading>>();

/**
 * A file of bars in JSON, or in a report of orders, as a delimited table, a line each bar, so that one reader serves all;
 * other files unchanged. It knows lists of records, lists of columns, records by time or by symbol, and finds them however
 * deep they lie: under `bars`, `results`, `values`, `candles`, `Time Series (Daily)` and whatever else a vendor calls them.
 * A list and values a line are read some at a time, anew each time that the table is read; an object as a whole.
 */
export const asTable = (file: TextFile): Promise<TextFile | NoReading> =>
  tables.getOrInsertComputed(file, async () => {
    const beginning = await beginningOf(file);
    if (isStrategyReport(beginning)) return reportAsTable(file);
    if (!/^\uFEFF?[[{]/.test(beginning)) return file;
    const listing = listingOf(beginning);
    return (listing && (await listedTable(file, listing))) ?? wholeTable(file);
  });

/** The table of a file that is read as a whole. */
async function wholeTable(file: TextFile): Promise<TextFile | NoReading> {
  const json = await jsonIn(file);
  const text = 'value' in json ? '' : await wholeText(file, JSON_BYTES_MAX);
  forgetJson(file);
  if (text === null)
    return { reason: 'too_large', example: `JSON of more than ${JSON_BYTES_MAX} bytes: save it as a table` };
  const value = 'value' in json ? json.value : linesIn(text);
  if (value === undefined)
    return { reason: 'unknown_format', example: 'JSON that breaks off or is damaged: download it again' };
  const rows = [...barsIn(value, NOTHING)];
  if (rows.length === 0) return withoutBars(messageIn(value));
  const names = new Set<string>();
  addNames(names, rows);
  const table = tableOf(names);
  return { ...file, ...contentOf(Buffer.from(table.head + table.linesOf(rows))) };
}

const withoutBars = (said: string | null): NoReading => ({
  reason: 'unknown_format',
  example: said === null ? 'JSON without bars' : `JSON without bars; it says: ${said}`,
});

/** The table of a file that is read value by value, once to look at all of it; null where it cannot be read so. */
async function listedTable(file: TextFile, listing: Listing): Promise<TextFile | NoReading | null> {
  const survey = await surveyOf(file, listing).catch((error: unknown) => {
    if (error instanceof SyntaxError) return null;
    throw error;
  });
  if (survey === null) return null;
  const { names, batches, rowsOf, count } = survey;
  if (count === 0) return withoutBars(null);
  const { head, linesOf } = tableOf(names);
  async function* textsBetween(from: number, end: number): AsyncGenerator<string> {
    yield head;
    for await (const { values, at } of valuesOf(file, listing, from)) {
      if (at >= end) return;
      yield linesOf(rowsOf(values));
    }
  }
  return {
    ...file,
    async *chunks() {
      for await (const text of textsBetween(0, Number.POSITIVE_INFINITY)) yield Buffer.from(text);
    },
    // Whole batches behind a line that stands for the one that a piece of text cuts.
    async piece(place, bytes) {
      const wanted = bytes / ROW_BYTES;
      const row = Math.max(count - wanted, 0) * place;
      const from = batches.findLast((batch) => batch.row <= row)!.at;
      const end = batches.find((batch) => batch.row >= row + wanted)?.at ?? Number.POSITIVE_INFINITY;
      return Buffer.from((await Array.fromAsync(textsBetween(from, end))).join(''));
    },
  };
}

/** What has to be known of all values before the first line of their table: the names of its columns. */
async function surveyOf(file: TextFile, listing: Listing, areRecords = true) {
  const names = new Set<string>();
  const batches: { readonly at: number; readonly row: number }[] = [];
  let count = 0;
  const rowsOf = (values: readonly unknown[]): readonly Cells[] =>
    areRecords ? (values as Members[]) : values.flatMap((value) => [...barsIn(value, NOTHING)]);
  for await (const { values, at } of valuesOf(file, listing)) {
    if (areRecords && !(count > 0 ? values.every(isMembers) : areBars(values)))
      return surveyOf(file, listing, false);
    const rows = rowsOf(values);
    batches.push({ at, row: count });
    addNames(names, rows);
    count += rows.length;
  }
  return { names, batches, rowsOf, count };
}

/** The bars of a value, each as cells by the name of its column. */
function* barsIn(value: unknown, around: Around): Generator<Cells> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (areBars(value))
      for (const record of value as readonly Members[]) yield { ...saidBy(around), ...record };
    else for (const item of value) yield* barsIn(item, around);
    return;
  }
  const members = value as Members;
  const own = aroundOf(members, around);
  if (isBar(members)) return yield* columnsIn(members, own);
  const chart = timesAndColumns(members);
  if (chart !== null) return yield* withEvents([...columnsIn(chart, own)], members.events, own);
  const split = members as { columns?: unknown; index?: unknown; data?: unknown };
  if (Array.isArray(split.columns) && Array.isArray(split.data)) return yield* splitIn(split, own);
  for (const [name, member] of Object.entries(members)) yield* barsUnder(name, member, own);
}

function* barsUnder(name: string, member: unknown, around: Around): Generator<Cells> {
  if (isMembers(member) && isBar(member) && !Object.values(member).some(isList)) {
    // A record under its time, or under its symbol.
    yield isTime(name)
      ? { ...saidBy(around), ...member, date: name }
      : { ...saidBy(around), symbol: name, ...member };
  } else {
    const isNamed = Array.isArray(member) && around.symbol === '' && isSymbolKey(name);
    yield* barsIn(member, isNamed ? { ...around, symbol: name } : around);
  }
}

/** Yahoo's chart: a list of times, and the columns deeper, as `indicators.quote[0]`; null of any other object. */
function timesAndColumns(members: Members): Members | null {
  const { timestamp, indicators } = members as { timestamp?: unknown; indicators?: { quote?: unknown[] } };
  const quote = indicators?.quote?.[0];
  return Array.isArray(timestamp) && isMembers(quote) ? { timestamp, ...quote } : null;
}

/** Dividends and splits beside Yahoo's chart, by their instants. */
interface ChartEvents {
  readonly dividends?: Readonly<Record<string, { readonly date?: number; readonly amount?: number }>>;
  readonly splits?: Readonly<
    Record<
      string,
      {
        readonly date?: number;
        readonly numerator?: number;
        readonly denominator?: number;
        readonly splitRatio?: string;
      }
    >
  >;
}

/** The bars with the actions of their days, on the first of each; an action of a day without a bar has a row of its own. */
function* withEvents(bars: readonly Cells[], events: unknown, around: Around): Generator<Cells> {
  const { dividends = {}, splits = {} } = (isMembers(events) ? events : {}) as ChartEvents;
  const actions = [
    ...Object.entries(dividends).map(([key, { date, amount }]) => ({
      seconds: date ?? Number(key),
      cells: { Dividends: amount },
    })),
    ...Object.entries(splits).map(([key, { date, numerator, denominator, splitRatio }]) => ({
      seconds: date ?? Number(key),
      cells: { 'Stock Splits': numerator === undefined ? splitRatio : `${numerator}:${denominator}` },
    })),
  ];
  const awaited = Map.groupBy(actions, ({ seconds }) => newYorkDay(seconds * 1000));
  const taken = (day: number): Cells => {
    const cells = Object.assign({}, ...(awaited.get(day) ?? []).map((action) => action.cells));
    awaited.delete(day);
    return cells;
  };
  const rows = bars.map((bar) => ({ ...bar, ...taken(newYorkDay(Number(bar.timestamp) * 1000)) }) as Cells);
  for (const day of [...awaited.keys()])
    rows.push({ ...saidBy(around), timestamp: awaited.get(day)![0]!.seconds, ...taken(day) });
  yield* rows.toSorted((a, b) => Number(a.timestamp) - Number(b.timestamp));
}

/** An object of columns: lists, or as pandas writes them objects by row; a lone bar else. */
function* columnsIn(members: Members, around: Around): Generator<Cells> {
  const columns = Object.entries(members).filter(([name]) => fieldOf(name) !== null);
  const lists = columns.filter(([, column]) => isList(column)) as [string, Members | unknown[]][];
  if (lists.length < columns.length - 1) return yield { ...saidBy(around), ...members };
  const [, longest] = lists[0]!;
  const hasDate = lists.some(([name]) => fieldOf(name) === 'date');
  for (const key of Object.keys(longest)) {
    const cells = Object.fromEntries(lists.map(([name, column]) => [name, (column as Members)[key]]));
    yield { ...saidBy(around), ...(hasDate ? {} : { date: key }), ...cells };
  }
}

/** `{columns, index, data}`, as pandas writes a frame. */
function* splitIn(
  split: { columns?: unknown; index?: unknown; data?: unknown },
  around: Around,
): Generator<Cells> {
  const { columns, index, data } = split as { columns: unknown[]; index?: unknown[]; data: unknown[] };
  for (const [at, row] of data.entries()) {
    if (!Array.isArray(row)) continue;
    const cells = Object.fromEntries(columns.map((name, column) => [String(name), row[column]]));
    yield { ...saidBy(around), ...(Array.isArray(index) ? { date: index[at] } : {}), ...cells };
  }
}

const isList = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Whether an object has the four prices of a bar, or columns of them. */
function isBar(members: Members): boolean {
  const fields = new Set(Object.keys(members).map(fieldOf));
  return (['open', 'high', 'low', 'close'] as const).every((field) => fields.has(field));
}

/** Whether values are records, the first of them a bar. */
const areBars = (values: readonly unknown[]): boolean =>
  values.every(isMembers) && values.length > 0 && isBar(values[0] as Members);

const readTime = timeReader('UTC', 'month-first');
const isTime = (text: string): boolean => !Number.isNaN(readTime(text).day);
const isSymbolKey = (name: string): boolean =>
  /^[A-Z^][A-Z0-9./-]*$/.test(name) && pricedTickerOf(name) !== null;

/** Names by which vendors state the symbol, the clock and the currency of what lies beside. */
const SYMBOL_NAMES = /^(?:\d+\. )?(symbol|ticker|symbol_id|underlying)$/i;
const ZONE_NAMES = /^(?:\d+\. )?(time ?zone|exchange_timezone|exchangetimezonename)$/i;
const CURRENCY_NAMES = /^currency$/i;

function aroundOf(members: Members, around: Around): Around {
  const own = [
    members,
    ...Object.entries(members).flatMap(([name, member]) =>
      /meta/i.test(name) && isMembers(member) ? [member] : [],
    ),
  ];
  const stated = (names: RegExp): string | undefined => {
    for (const object of own) {
      const found = Object.entries(object).find(
        ([name, value]) => names.test(name) && typeof value === 'string',
      );
      if (found !== undefined) return found[1] as string;
    }
    return undefined;
  };
  return {
    symbol: stated(SYMBOL_NAMES) ?? around.symbol,
    zone: stated(ZONE_NAMES) ?? around.zone,
    currency: stated(CURRENCY_NAMES) ?? around.currency,
    adjusted: typeof members.adjusted === 'boolean' ? String(members.adjusted) : around.adjusted,
  };
}

/** What is said around bars as cells of each. */
const saidBy = ({ symbol, zone, currency, adjusted }: Around): Cells => ({
  ...(symbol === '' ? {} : { symbol }),
  ...(zone === '' ? {} : { zone }),
  ...(currency === '' ? {} : { currency }),
  ...(adjusted === '' ? {} : { [`adjusted: ${adjusted}`]: '' }),
});

function addNames(names: Set<string>, rows: readonly Cells[]): void {
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
}

/** A line of names, and a line for each bar; a clock's zone goes behind the time that names none. */
function tableOf(all: Iterable<string>) {
  const names = [...all].filter((name) => name !== 'zone');
  const dateName = names.find((name) => fieldOf(name) === 'date');
  const cellsOf = (row: Cells): string[] => {
    const zone = typeof row.zone === 'string' ? ` ${row.zone}` : '';
    return names.map((name) => {
      const text = cellText(row[name]);
      return name === dateName && /\d:\d\d(:\d\d)?$/.test(text) ? text + zone : text;
    });
  };
  return {
    head: lineOf(names),
    linesOf: (rows: readonly Cells[]): string => rows.map((row) => lineOf(cellsOf(row))).join(''),
  };
}

const cellText = (value: unknown): string =>
  value === null || value === undefined || typeof value === 'object' ? '' : String(value);

/** What an answer without bars says of why. */
function messageIn(value: unknown): string | null {
  if (!isMembers(value)) return null;
  for (const name of ['error', 'message', 'Error Message', 'Note', 'Information', 'status']) {
    if (typeof value[name] === 'string') return value[name];
  }
  return null;
}

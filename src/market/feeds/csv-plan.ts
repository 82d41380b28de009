import type { Interval } from '../observations.ts';
import type { RefusalReason } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import { CSV_FIELDS, type CsvField, type CsvOptions } from './csv-options.ts';
import { timeReader } from './csv-times.ts';
import { fieldScanner, fieldText } from './fields.ts';
import { lineReader } from './lines.ts';

const SAMPLE_LINES = 400;
const DELIMITERS = [',', ';', '\t', '|'];
/** What a web page or a spreadsheet's XML begins with; `<DATE>,<TIME>,<OPEN>` is a header that some writers use. */
const MARKUP = /^<(!|\?|html|head|body|table|svg|script)/i;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LENGTHS: ReadonlyMap<number, Interval> = new Map([
  [60_000, '1m'],
  [300_000, '5m'],
  [HOUR_MS, '1h'],
]);
/** The usual names of each field, best first, as they look once lower-cased and with `_` for spaces. */
const USUAL_NAMES: Readonly<Record<CsvField, readonly string[]>> = {
  date: ['datetime', 'date_time', 'timestamp', 'date', 'trade_date', 'time'],
  time: [],
  open: ['open', 'open_price', 'o'],
  high: ['high', 'high_price', 'h'],
  low: ['low', 'low_price', 'l'],
  close: ['close', 'close_price', 'c', 'last', 'close/last'],
  volume: ['volume', 'vol', 'vol.', 'v'],
  symbol: ['symbol', 'ticker', 'sym'],
  dividend: ['dividend_amount', 'dividends', 'dividend', 'divcash', 'div_cash'],
  split: ['split_coefficient', 'split_factor', 'splitfactor', 'stock_splits', 'split'],
};
const REQUIRED: readonly CsvField[] = ['date', 'open', 'high', 'low', 'close'];

/** How a file is to be read, as its first lines show. */
export interface ReadingPlan {
  readonly delimiter: string;
  /** Place of each field among the columns, counted from 0; -1 where the file has none. */
  readonly places: Readonly<Record<CsvField, number>>;
  /** How many columns a row must have. */
  readonly columns: number;
  /** Line of the header, 0 when the file has none. */
  readonly headerLine: number;
  readonly interval: Interval;
  readonly newestFirst: boolean;
}

/** Why a file as a whole cannot be read. */
interface NoPlan {
  readonly reason: RefusalReason;
  readonly example: string;
}

/** Looks at the first lines of a file, as many as show its delimiter, header, bar length and direction. */
export async function planReading(file: TextFile, options: CsvOptions): Promise<ReadingPlan | NoPlan> {
  const lines = await firstLines(file);
  if (!Array.isArray(lines)) return lines;
  const [first] = lines;
  if (first === undefined) return { reason: 'wrong_columns', example: 'the file is empty' };
  const delimiter = options.delimiter ?? likelyDelimiter(fieldText(first.bytes, 0, first.bytes.length));
  const cells = cellReader(delimiter);
  const names = options.columns ?? cells(first.bytes);
  const places = placesOf(names, options.mapping);
  if (typeof places === 'string') return { reason: 'wrong_columns', example: places };
  const headerLine = options.columns === undefined ? first.line : 0;

  const rows = headerLine === 0 ? lines : lines.slice(1);
  const readTime = timeReader(options.dateFormat ?? 'auto', zoneOf(options));
  const last = new Map<string, number>();
  const gaps: number[] = [];
  let read = 0;
  let hasClock = false;
  for (const { bytes } of rows) {
    const row = cells(bytes);
    const time = readTime(row[places.date] ?? '', row[places.time] ?? '');
    if (Number.isNaN(time.instant) || row.length <= places.symbol) continue;
    read++;
    hasClock ||= time.hasClock;
    // Gaps are those between neighbours of one symbol; negative where the next row is older.
    const symbol = row[places.symbol] ?? '';
    const before = last.get(symbol);
    if (before !== undefined && before !== time.instant) gaps.push(time.instant - before);
    last.set(symbol, time.instant);
  }
  if (options.interval === undefined && read === 0 && rows.length > 0) {
    const row = rows[0]!.bytes;
    return { reason: 'bad_time', example: `${fieldText(row, 0, row.length)} (name the date format)` };
  }
  const interval = options.interval ?? likelyInterval(gaps, hasClock);
  if (interval === null) {
    const example = 'the times do not tell the length of a bar: name the interval';
    return { reason: 'unknown_format', example };
  }
  const newestFirst = gaps.filter((gap) => gap < 0).length > gaps.length / 2;
  return { delimiter, places, columns: names.length, headerLine, interval, newestFirst };
}

export const zoneOf = ({ timeZone }: CsvOptions): string => timeZone ?? 'America/New_York';

interface SampleLine {
  readonly line: number;
  readonly bytes: Uint8Array;
}

/** The first lines, or what kind of file this is instead of a table. */
async function firstLines(file: TextFile): Promise<SampleLine[] | NoPlan> {
  const lines: SampleLine[] = [];
  const reader = lineReader(
    (bytes, start, end, line) => {
      if (lines.length < SAMPLE_LINES) lines.push({ line, bytes: bytes.slice(start, end) });
    },
    () => {},
  );
  let isFirst = true;
  for await (const chunk of file.chunks()) {
    const wrong = isFirst ? wrongKind(chunk) : null;
    if (wrong !== null) return { reason: 'unknown_format', example: wrong };
    isFirst = false;
    reader.push(chunk);
    if (lines.length === SAMPLE_LINES) return lines;
  }
  reader.end();
  return lines;
}

function wrongKind(chunk: Uint8Array): string | null {
  if (chunk.includes(0)) return 'a binary file';
  const beginning = fieldText(chunk, 0, Math.min(chunk.length, 100)).replace(/^\uFEFF/, '');
  if (MARKUP.test(beginning)) return `markup: ${beginning}`;
  return /^[{[]/.test(beginning) ? `JSON: ${beginning}` : null;
}

function likelyDelimiter(line: string): string {
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

function cellReader(delimiter: string): (line: Uint8Array) => string[] {
  const { scan, starts, ends } = fieldScanner(delimiter);
  return (line) =>
    Array.from({ length: Math.max(scan(line, 0, line.length), 0) }, (_, place) =>
      fieldText(line, starts[place]!, ends[place]!),
    );
}

/** Where each field is, or a sentence that says which column is missing. */
function placesOf(
  names: readonly string[],
  mapping: CsvOptions['mapping'] = {},
): Record<CsvField, number> | string {
  const plain = names.map(plainName);
  const places = {} as Record<CsvField, number>;
  for (const field of CSV_FIELDS) {
    const named = mapping[field];
    const usual = named === undefined ? USUAL_NAMES[field] : [plainName(named)];
    places[field] = plain.indexOf(usual.find((name) => plain.includes(name)) ?? '');
    if (named !== undefined && places[field] < 0) return `no column ${named} among ${names.join(', ')}`;
  }
  // A clock column counts only beside a pure date; `timestamp` and the like hold both.
  if (places.time < 0 && /^(trade_)?date$/.test(plain[places.date] ?? ''))
    places.time = plain.indexOf('time');
  if (places.time === places.date) places.time = -1;
  const missing = REQUIRED.filter((field) => places[field] < 0);
  return missing.length === 0 ? places : `no column for ${missing.join(', ')} among ${names.join(', ')}`;
}

const plainName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[<>"']/g, '')
    .replace(/\s+/g, '_');

/**
 * The bar length that the shortest gap shows: exactly a minute, five minutes or an hour; or about a day (the clocks may
 * change in between, and a lone weekend has no shorter gap). Dates without any clock time are daily even without a gap.
 */
function likelyInterval(gaps: readonly number[], hasClock: boolean): Interval | null {
  if (gaps.length === 0) return hasClock ? null : '1d';
  const shortest = Math.min(...gaps.map(Math.abs));
  const isDaily = shortest >= DAY_MS - HOUR_MS && shortest <= 4 * DAY_MS + HOUR_MS;
  return LENGTHS.get(shortest) ?? (isDaily ? '1d' : null);
}

import type { Calendar } from '../../base/calendar.ts';
import { DAY_MS, HOUR_MS, midnightUtcOf } from '../../base/dates.ts';
import { zonedToUtc } from '../../base/time-zone.ts';
import type { Interval } from '../observations.ts';
import type { RefusalReason } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import { delimiterOf, fieldScanner, fieldText } from './fields.ts';
import { lineReader } from './source-file.ts';

const SAMPLE_LINES = 400;
/** What a web page or a spreadsheet's XML begins with; `<DATE>,<TIME>,<OPEN>` is a header that some writers use. */
const MARKUP = /^<(!|\?|html|head|body|table|svg|script)/i;
const LENGTHS: ReadonlyMap<number, Interval> = new Map([
  [60_000, '1m'],
  [300_000, '5m'],
  [HOUR_MS, '1h'],
]);
/**
 * What a column may hold, with the usual names of each field, best first, in lower case with `_` for spaces. `date` is a
 * date, or date and time in one; `time` is a clock time beside a `date`.
 */
const USUAL_NAMES = {
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
export type CsvField = keyof typeof USUAL_NAMES;
export const CSV_FIELDS = Object.keys(USUAL_NAMES) as readonly CsvField[];
const REQUIRED: readonly CsvField[] = ['date', 'open', 'high', 'low', 'close'];

export interface ReadingPlan {
  readonly delimiter: string;
  /** Index of each field's column, from 0; -1 where the file has none. */
  readonly columnIndex: Readonly<Record<CsvField, number>>;
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

/** Reads as many first lines as show delimiter, header, bar length and direction. */
export async function planReading(file: TextFile, options: CsvOptions): Promise<ReadingPlan | NoPlan> {
  const lines = await firstLines(file);
  if (!Array.isArray(lines)) return lines;
  const [first] = lines;
  if (first === undefined) return { reason: 'wrong_columns', example: 'the file is empty' };
  const delimiter = options.delimiter ?? delimiterOf(fieldText(first.bytes, 0, first.bytes.length));
  const cells = cellReader(delimiter);
  const names = options.columns ?? cells(first.bytes);
  const columnIndex = columnIndices(names, options.mapping);
  if (typeof columnIndex === 'string') return { reason: 'wrong_columns', example: columnIndex };
  const headerLine = options.columns === undefined ? first.line : 0;

  const rows = headerLine === 0 ? lines : lines.slice(1);
  const readTime = timeReader(options.dateFormat ?? 'auto', zoneOf(options));
  const last = new Map<string, number>();
  const gaps: number[] = [];
  let read = 0;
  let hasClock = false;
  for (const { bytes } of rows) {
    const row = cells(bytes);
    const time = readTime(row[columnIndex.date] ?? '', row[columnIndex.time] ?? '');
    if (Number.isNaN(time.instant) || row.length <= columnIndex.symbol) continue;
    read++;
    hasClock ||= time.hasClock;
    // Gaps are those between neighbours of one symbol; negative where the next row is older.
    const symbol = row[columnIndex.symbol] ?? '';
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
  return { delimiter, columnIndex, columns: names.length, headerLine, interval, newestFirst };
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

function cellReader(delimiter: string): (line: Uint8Array) => string[] {
  const { scan, starts, ends } = fieldScanner(delimiter);
  return (line) =>
    Array.from({ length: Math.max(scan(line, 0, line.length), 0) }, (_, column) =>
      fieldText(line, starts[column]!, ends[column]!),
    );
}

/** The column of each field, or a sentence that names the missing column. */
function columnIndices(
  names: readonly string[],
  mapping: CsvOptions['mapping'] = {},
): Record<CsvField, number> | string {
  const plain = names.map(plainName);
  const columnIndex = {} as Record<CsvField, number>;
  for (const field of CSV_FIELDS) {
    const named = mapping[field];
    const usual: readonly string[] = named === undefined ? USUAL_NAMES[field] : [plainName(named)];
    // A heading may be empty, as of an index column: it names no field.
    columnIndex[field] = usual.reduce(
      (found, name) => (found < 0 && name !== '' ? plain.indexOf(name) : found),
      -1,
    );
    if (named !== undefined && columnIndex[field] < 0) return `no column ${named} among ${names.join(', ')}`;
  }
  // A clock column counts only beside a pure date; `timestamp` and the like hold both.
  if (columnIndex.time < 0 && /^(trade_)?date$/.test(plain[columnIndex.date] ?? ''))
    columnIndex.time = plain.indexOf('time');
  if (columnIndex.time === columnIndex.date) columnIndex.time = -1;
  const missing = REQUIRED.filter((field) => columnIndex[field] < 0);
  return missing.length === 0 ? columnIndex : `no column for ${missing.join(', ')} among ${names.join(', ')}`;
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

/**
 * How dates are written. `auto` reads `2024-01-31`, `2024/01/31`, `20240131`, each with an optional time of day and
 * an optional zone (`Z`, `-05:00`), and epoch seconds (10 digits) or milliseconds (13 digits). Month-first and day-
 * first dates need the option, because 03/04/2024 is ambiguous.
 */
export const DATE_FORMATS = ['auto', 'month-first', 'day-first'] as const;

export type DateFormat = (typeof DATE_FORMATS)[number];

/** Options of delimited files of bars; only paths and calendar are required. */
export interface CsvOptions {
  /** Files (plain, `.gz`, or `.zip` with any number of entries) or folders, whose files are taken without descending. */
  readonly paths: readonly string[];
  readonly calendar: Calendar;
  /** Column names by field, e.g. `{ close: 'adj_close' }`, in any case. Fields not named are match by their usual names. */
  readonly mapping?: Partial<Record<CsvField, string>> | undefined;
  /** The symbol of every row; symbol column and file name are then ignored. */
  readonly symbol?: string | undefined;
  /** Default: `column` where the header has a symbol column, else `file-name`. */
  readonly symbolFrom?: 'column' | 'file-name' | undefined;
  /**
   * How the name of a file, or of a zip's entry, spells its symbol: `DA-{symbol}.csv`, with `*` for anything, without
   * `.gz` and `.zip`. Default: the part before the first `_`, space or `.csv`.
   */
  readonly fileNamePattern?: string | undefined;
  /** Length of a bar. Default: read from the times of the first rows, if they leave no doubt. */
  readonly interval?: Interval | undefined;
  /** IANA name of the clock by which times without a zone are written. Default `America/New_York`. */
  readonly timeZone?: string | undefined;
  /** Default `auto`. */
  readonly dateFormat?: DateFormat | undefined;
  /** One character. Default: the one of `,` `;` tab `|` that the first line has most of. */
  readonly delimiter?: string | undefined;
  /** The names of the columns, for files that do not begin with a header line. */
  readonly columns?: readonly string[] | undefined;
  /**
   * Takes daily files that have no volume column and records 0 for "no volume reported". Without it only symbols that
   * begin with `^` (indices, which have none) may lack it.
   */
  readonly noVolume?: boolean | undefined;
}

/** The time of a row. One object that every reading overwrites. */
export interface WrittenTime {
  /** Midnight UTC of the date as written (of epoch numbers: of their UTC date); NaN when it cannot be read. */
  day: number;
  /** The instant, epoch milliseconds; NaN when it cannot be read or no clock ever showed it. */
  instant: number;
  /** Whether a time of day other than 00:00 was written. */
  hasClock: boolean;
}

/** @param clock the text of a clock column, empty where there is none */
type ReadTime = (date: string, clock: string) => WrittenTime;

const EPOCH = /^(?:\d{10}|\d{13})$/;
/** Year, month and day; in the short formats the order of the first two decides the format. */
const YEAR_FIRST = /^(?<year>\d{4})(?<mark>[-/]?)(?<month>\d{2})\k<mark>(?<day>\d{2})/;
const MONTH_FIRST = /^(?<month>\d{1,2})(?<mark>[-/.])(?<day>\d{1,2})\k<mark>(?<year>\d{4})/;
const DAY_FIRST = /^(?<day>\d{1,2})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<year>\d{4})/;
/** `9:30`, `09:30:00`, `09:30:00.123456`, `0930`, `093000`, each with an optional `Z`, `-05`, `-05:00`, `+0530`. */
const CLOCK =
  /^(?:(\d{1,2}):(\d\d)(?::(\d\d))?|(\d\d)(\d\d)(\d\d)?)(\.\d+)?(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)?$/;

/**
 * A reader of times as vendors write them; see `DATE_FORMATS`.
 *
 * @param timeZone IANA name of the clock for times without a zone of their own
 */
export function timeReader(format: DateFormat, timeZone: string): ReadTime {
  const toUtc = zonedToUtc(timeZone);
  const pattern = format === 'auto' ? YEAR_FIRST : format === 'month-first' ? MONTH_FIRST : DAY_FIRST;
  const out: WrittenTime = { day: Number.NaN, instant: Number.NaN, hasClock: false };
  return (date, clock) => {
    out.day = Number.NaN;
    out.instant = Number.NaN;
    const written = date.trim();
    if (format === 'auto' && EPOCH.test(written)) {
      out.instant = Number(written) * (written.length === 10 ? 1000 : 1);
      out.day = Math.floor(out.instant / DAY_MS) * DAY_MS;
      out.hasClock = out.instant !== out.day;
      return out;
    }
    const match = pattern.exec(written);
    if (match === null) return out;
    const rest = written.slice(match[0].length);
    // A date column may carry an empty clock (`2024-01-31 00:00:00`) beside the real one.
    const time = clock !== '' ? clock : rest === '' ? '00:00' : /^[ T]/.test(rest) ? rest.slice(1) : '-';
    const parts = CLOCK.exec(time);
    if (parts === null) return out;
    const hour = Number(parts[1] ?? parts[4]);
    const minute = Number(parts[2] ?? parts[5]);
    const second = Number(parts[3] ?? parts[6] ?? 0);
    if (hour > 23 || minute > 59 || second > 59) return out;
    const ms = Math.floor(Number(parts[7] ?? 0) * 1000);
    const { year, month, day } = match.groups as Record<'year' | 'month' | 'day', string>;
    out.day = midnightUtcOf(Number(year), Number(month), Number(day));
    out.hasClock = hour + minute + second + ms > 0;
    const offset = offsetOf(parts[8], parts[9], parts[10], parts[11]);
    out.instant =
      offset === null
        ? toUtc(Number(year), Number(month), Number(day), hour, minute, second, ms)
        : out.day + ((hour * 60 + minute) * 60 + second) * 1000 + ms - offset;
    return out;
  };
}

/** Milliseconds ahead of UTC that a zone names, null where none is written. */
function offsetOf(utc?: string, sign?: string, hours?: string, minutes = '0'): number | null {
  if (utc !== undefined) return 0;
  if (sign === undefined) return null;
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? -ms : ms;
}

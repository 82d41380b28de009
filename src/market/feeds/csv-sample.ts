import type { Interval } from '../observations.ts';
import type { RefusalReason } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import { fieldScanner, fieldText } from './fields.ts';
import { lineReader } from './lines.ts';
import { type Header, headerNames, readHeader } from './csv-header.ts';
import type { CsvOptions } from './csv-options.ts';
import { type ReadTime, timeReader, type WrittenTime } from './csv-times.ts';

const SAMPLE_LINES = 400;
const DELIMITERS = [',', ';', '\t', '|'];
/** What a web page or a spreadsheet's XML begins with; `<DATE>,<TIME>,<OPEN>` is a header that some writers use. */
const MARKUP = /^<(!|\?|html|head|body|table|svg|script)/i;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LENGTHS: readonly (readonly [number, Interval])[] = [
  [60_000, '1m'],
  [300_000, '5m'],
  [HOUR_MS, '1h'],
];

/** How a file is to be read, as its first lines show. */
export interface ReadingPlan {
  readonly delimiter: string;
  readonly header: Header;
  /** Line of the header, 0 when the file has none. */
  readonly headerLine: number;
  readonly interval: Interval;
  readonly newestFirst: boolean;
}

/** Why a file as a whole cannot be read. */
export interface NoPlan {
  readonly reason: RefusalReason;
  readonly example: string;
}

interface SampleLine {
  readonly line: number;
  readonly bytes: Uint8Array;
}

interface SampleTime {
  readonly symbol: string;
  readonly instant: number;
  readonly hasClock: boolean;
}

/** Looks at the first lines of a file, as many as tell its delimiter, header, bar length and direction. */
export async function planReading(file: TextFile, options: CsvOptions): Promise<ReadingPlan | NoPlan> {
  const lines = await firstLines(file);
  if (!Array.isArray(lines)) return lines;
  const first = lines[0];
  if (first === undefined) return { reason: 'wrong_columns', example: 'the file is empty' };
  const delimiter = options.delimiter ?? likelyDelimiter(first.bytes);
  const scanner = fieldScanner(delimiter);
  const names = options.columns ?? headerNames(first.bytes, 0, first.bytes.length, scanner);
  const header = readHeader(names, options.mapping);
  if (typeof header === 'string') return { reason: 'wrong_columns', example: header };
  const headerLine = options.columns === undefined ? first.line : 0;

  const rows = headerLine === 0 ? lines : lines.slice(1);
  const times = sampleTimes(
    rows,
    delimiter,
    header,
    timeReader(options.dateFormat ?? 'auto', zoneOf(options)),
  );
  const gaps = gapsBetween(times);
  const interval = options.interval ?? likelyInterval(times, gaps, rows.length);
  if (interval === 'unreadable') {
    return { reason: 'bad_time', example: `${textOf(rows[0]!)} (name the date format)` };
  }
  if (interval === null) {
    return {
      reason: 'unknown_format',
      example: 'the times do not tell the length of a bar: name the interval',
    };
  }
  const older = gaps.filter((gap) => gap < 0).length;
  return { delimiter, header, headerLine, interval, newestFirst: older > gaps.length / 2 };
}

export function zoneOf({ timeZone }: CsvOptions): string {
  return timeZone ?? 'America/New_York';
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

function likelyDelimiter(bytes: Uint8Array): string {
  const text = textOf({ line: 1, bytes });
  const counted = DELIMITERS.map((delimiter) => text.split(delimiter).length);
  return DELIMITERS[counted.indexOf(Math.max(...counted))]!;
}

function sampleTimes(
  rows: readonly SampleLine[],
  delimiter: string,
  { places }: Header,
  readTime: ReadTime,
): SampleTime[] {
  const scanner = fieldScanner(delimiter);
  const { starts, ends } = scanner;
  const times: SampleTime[] = [];
  for (const { bytes } of rows) {
    const count = scanner.scan(bytes, 0, bytes.length);
    if (count <= places.date || count <= places.time || count <= places.symbol) continue;
    const clockStart = places.time < 0 ? 0 : starts[places.time]!;
    const clockEnd = places.time < 0 ? 0 : ends[places.time]!;
    const time: WrittenTime = readTime(bytes, starts[places.date]!, ends[places.date]!, clockStart, clockEnd);
    if (Number.isNaN(time.instant)) continue;
    const symbol = places.symbol < 0 ? '' : fieldText(bytes, starts[places.symbol]!, ends[places.symbol]!);
    times.push({ symbol, instant: time.instant, hasClock: time.hasClock });
  }
  return times;
}

/** Milliseconds from each row to the next row of the same symbol; negative where the next one is older. */
function gapsBetween(times: readonly SampleTime[]): number[] {
  const last = new Map<string, number>();
  const gaps: number[] = [];
  for (const { symbol, instant } of times) {
    const before = last.get(symbol);
    if (before !== undefined && before !== instant) gaps.push(instant - before);
    last.set(symbol, instant);
  }
  return gaps;
}

/**
 * The bar length that the shortest gap shows: exactly a minute, five minutes or an hour; or about a day (the clocks may
 * change in between, and a lone weekend has no shorter gap). Dates without any clock time are daily even without a gap.
 */
function likelyInterval(
  times: readonly SampleTime[],
  gaps: readonly number[],
  rows: number,
): Interval | null | 'unreadable' {
  if (times.length === 0) return rows === 0 ? '1d' : 'unreadable';
  if (gaps.length === 0) return times.some(({ hasClock }) => hasClock) ? null : '1d';
  const shortest = gaps.reduce((least, gap) => Math.min(least, Math.abs(gap)), Number.POSITIVE_INFINITY);
  const exact = LENGTHS.find(([length]) => length === shortest);
  if (exact !== undefined) return exact[1];
  return shortest >= DAY_MS - HOUR_MS && shortest <= 4 * DAY_MS + HOUR_MS ? '1d' : null;
}

function textOf({ bytes }: SampleLine): string {
  return fieldText(bytes, 0, bytes.length);
}

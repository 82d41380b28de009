import { DAY_MS, dateOf, HOUR_MS } from '../../base/dates.ts';
import { zonedToUtc } from '../../base/time-zone.ts';
import type { Known } from '../../market/known-bars.ts';
import { INTERVAL_MS, type Interval } from '../../market/observations.ts';
import type { TextFile } from '../archive.ts';
import { binaryKind } from '../binary-kinds.ts';
import { choice } from '../choices.ts';
import { fieldText, pricedTickerOf } from '../fields.ts';
import { symbolOfFile } from '../file-symbol.ts';
import { type Finding, isRefused, type NoReading, open, type SampleRow } from '../findings.ts';
import {
  type DecimalMark,
  decimalMarkIn,
  isAbsent,
  type SeenMark,
  writtenNumber,
  writtenSplit,
} from '../numbers.ts';
import { lineReader } from '../source-file.ts';
import {
  type CsvField,
  cellReader,
  hasVolumes,
  isRemark,
  type SampleLine,
  type TableHead,
  tableHead,
} from '../table-head.ts';
import { type DateOrder, numberedDate, timeReader, wallClock } from '../times.ts';
import { clockFinding, DEFAULT_ZONE, endedHours, WRITTEN } from './bar-clock.ts';
import { type DatesBy, datesFinding, dayBy } from './bar-dates.ts';
import { intervalFinding } from './bar-length.ts';
import { volumesFinding } from './bar-volumes.ts';
import type { CsvOptions, DividendBasis, PriceBasis, Stamps, Volumes } from './csv-options.ts';
import { sharesSince } from './known-bars.ts';
import { dividendsFinding, pricesFinding, splitsOf } from './price-basis.ts';
import type { EndedHours } from './session-edges.ts';

/**
 * What is read of a file to find out what it is, a mebibyte in all: so much of its beginning, twice as much of daily bars
 * beside which splits have to be seen ...
 */
const SAMPLE_BYTES = 3 * 2 ** 16;
const SAMPLE_BYTES_MAX = 11 * 2 ** 15;
/** ... and so much of its end. */
const END_BYTES = 2 ** 15;
/**
 * Where times name no clock, the days between tell summer from winter: clocks of two zones agree in one alone. The places
 * are no multiples of each other, lest all lie in one season.
 */
const BETWEEN = [0.13, 0.29, 0.43, 0.61, 0.79];
const BETWEEN_BYTES = 3 * 2 ** 15;
/** What a web page or a spreadsheet's XML begins with; `<DATE>,<TIME>,<OPEN>` is a header that some writers use. */
const MARKUP = /^<(!|\?|html|head|body|table|svg|script)/i;
/** Shorter than any month. */
const MONTH_MS = 27 * DAY_MS;
/** What was worked out of a file of bars, as it is printed. */
export type Findings = {
  readonly symbol: Finding;
  readonly interval: Finding<Interval>;
  readonly stamps: Finding<Stamps>;
  readonly clock: Finding;
  readonly prices: Finding<PriceBasis>;
  readonly volumes: Finding<Volumes>;
  readonly range: Finding;
  readonly currency: Finding;
  readonly lastRow: Finding<'final' | 'running'>;
};

/** How a file of bars is read: what was found, with its evidence, and what else the reader of its rows needs. */
export interface Reading
  extends TableHead,
    Pick<Draft, 'dateOrder' | 'mark' | 'newestFirst' | 'dividends' | 'startAfter'> {
  readonly what: 'bars';
  readonly parts: Findings;
  readonly timeZone: string;
  /** Whether that clock counts in place of what the times name. */
  readonly overrules: boolean;
  /** What the times of daily bars are. */
  readonly dates: DatesBy;
  /** The file's units of price in a dollar. */
  readonly unitsPerDollar: number;
  /** The symbol of every row; null where a column, or the columns, hold it. */
  readonly symbol: string | null;
  /** Whether all rows were read to find out. */
  readonly isOfAllRows: boolean;
}

/** What is worked out of a file, each of what was before it. */
interface Draft {
  readonly file: TextFile;
  readonly options: CsvOptions;
  sample: CellSample;
  /** Of the rows: no remarks, and nothing cut off. */
  cells: readonly (readonly string[])[];
  head: TableHead;
  dateOrder: DateOrder | null;
  mark: DecimalMark;
  /** As written, in the order of the file. */
  written: readonly SampleRow[];
  newestFirst: boolean;
  named: { readonly symbol: string | null; readonly finding: Finding };
  /** Rows of each symbol, oldest first. */
  unplaced: readonly (readonly SampleRow[])[];
  interval: Finding<Interval>;
  /** Null of bars that have a clock. */
  dates: { readonly by: DatesBy; readonly finding: Finding } | null;
  /** Rows on the dates that their times stand for. */
  rows: readonly SampleRow[];
  series: readonly (readonly SampleRow[])[];
  known: readonly Known[];
  knownDays: readonly Known[];
  clock: { readonly zone: Finding; readonly stamps: Finding<Stamps> };
  prices: Finding<PriceBasis>;
  volumes: Finding<Volumes>;
  /** What dividends before a split are. */
  dividends: DividendBasis;
  currency: Finding;
  /** Milliseconds from the written time of a bar to its start; of hours that carry their end, how their starts are found. */
  startAfter: number | EndedHours;
}

type Found<Name extends keyof Draft> = Draft[Name] | NoReading;
type Step = {
  [Name in keyof Draft]: readonly [Name, (draft: Draft) => Found<Name> | Promise<Found<Name>>];
}[keyof Draft];

const isDaily = ({ interval }: Draft): boolean => interval.value === '1d';
const toUtcOf = ({ zone }: Draft['clock']) =>
  zone.value === WRITTEN ? (time: number) => time : wallClock(zone.value);

/** In their order; the first that refuses the file is what is said of it. */
const STEPS: readonly Step[] = [
  ['sample', ({ file, options }) => cellSample(file, options)],
  [
    'cells',
    ({ sample: { pieces, head } }) =>
      pieces.flat().filter((row) => row.length >= head.columns && !isRemark(row)),
  ],
  ['head', ({ sample: { head }, cells }) => withoutNames(head, cells)],
  ['dateOrder', ({ cells, head, options }) => orderOf(cells, head, options)],
  ['mark', ({ cells, head, options }) => markOf(cells, head, options)],
  ['written', writtenRows],
  ['newestFirst', ({ written }) => isNewestFirst(written)],
  ['named', ({ file, head, written, options }) => symbolFinding(file, head, written, options)],
  [
    'unplaced',
    ({ written, newestFirst, cells, head }) =>
      oneInstrument(bySymbol(written, newestFirst), written, cells, head),
  ],
  ['interval', ({ unplaced, options }) => intervalFinding(unplaced, options)],
  ['dates', (draft) => (isDaily(draft) ? datesFinding(draft.written, draft.options) : null)],
  ['rows', (draft) => placed(draft.written, draft)],
  ['series', (draft) => draft.unplaced.map((rows) => placed(rows, draft))],
  ['known', async (draft) => ofRealMarket(await knownOf(draft, draft.interval.value), draft)],
  [
    'clock',
    ({ dates, series, interval, head, sample, known, options }) =>
      dates === null
        ? clockFinding(series, interval.value, head, sample.reachesEnd, known, options)
        : { zone: dates.finding, stamps: DAYS_START },
  ],
  ['knownDays', (draft) => (isDaily(draft) ? draft.known : knownOf(draft, '1d'))],
  [
    'prices',
    ({ file, series, interval, head, knownDays, options }) =>
      pricesFinding(file, series, interval.value, head, knownDays, options),
  ],
  ['volumes', volumesOf],
  [
    'dividends',
    ({ series, prices, head, knownDays, options }) =>
      dividendsFinding(series, prices.value, head, knownDays, options),
  ],
  ['currency', ({ cells, head }) => currencyFinding(cells, head)],
  [
    'startAfter',
    ({ clock, interval, rows, options }) =>
      clock.stamps.value === 'start'
        ? 0
        : interval.value === '1h'
          ? endedHours(rows, toUtcOf(clock), options)
          : -INTERVAL_MS[interval.value],
  ],
];

/** Works out how to read a file from its beginning and, where it can be reached, its end. */
export async function readingOf(file: TextFile, options: CsvOptions): Promise<Reading | NoReading> {
  const draft = { file, options } as Draft;
  for (const [name, find] of STEPS) {
    const found = await find(draft);
    if (typeof found === 'object' && found !== null && isRefused(found)) return found;
    Object.assign(draft, { [name]: found });
  }
  const { head, named, interval, clock, prices, volumes, currency, dates, rows, sample } = draft;
  const { dateOrder, mark, newestFirst, dividends, startAfter } = draft;
  const dateName = head.names[head.series[0]!.columnIndex.date] ?? '';
  return {
    ...head,
    what: 'bars',
    parts: {
      symbol: named.finding,
      interval,
      stamps: clock.stamps,
      clock: clock.zone,
      prices,
      volumes,
      range: rangeFinding(draft),
      currency,
      lastRow: lastRowFinding(rows, file, options),
    },
    ...{ dateOrder, mark, newestFirst, dividends, startAfter },
    timeZone: dates !== null || clock.zone.value === WRITTEN ? DEFAULT_ZONE : clock.zone.value,
    overrules: overrules(draft),
    dates: dates?.by ?? 'written',
    unitsPerDollar: /^ts_event$/i.test(dateName) && hasWholePrices(rows) ? 1e9 : 1,
    symbol: named.symbol,
    isOfAllRows: sample.isWhole,
  };
}

interface CellSample {
  readonly head: TableHead;
  /** Cells of the lines of the beginning, then of pieces behind it. */
  readonly pieces: readonly string[][][];
  readonly cellsOf: (lines: readonly SampleLine[]) => string[][];
  /** Whether the beginning is all. */
  readonly isWhole: boolean;
  readonly reachesEnd: boolean;
}

async function cellSample(file: TextFile, options: CsvOptions): Promise<CellSample | NoReading> {
  const sample = await sampleOf(file, SAMPLE_BYTES);
  if (isRefused(sample)) return sample;
  const head = tableHead(sample.beginning, options);
  if (typeof head === 'string') return { reason: 'wrong_columns', example: head };
  const cells = cellReader(head.delimiter);
  const cellsOf = (lines: readonly SampleLine[]) =>
    lines.filter(({ line }) => line > head.lastHeadLine).map(({ bytes }) => cells(bytes));
  const of = ({ beginning, later, isWhole }: Sample): CellSample => ({
    head,
    pieces: [beginning, ...later].map(cellsOf),
    cellsOf,
    isWhole,
    reachesEnd: isWhole || file.piece !== undefined,
  });
  const first = of(sample);
  const hasSplits = head.series.some(({ columnIndex }) => columnIndex.split >= 0);
  const { date } = head.series[0]!.columnIndex;
  const readTime = timeReader('UTC', 'month-first');
  if (sample.isWhole || !hasSplits || first.pieces[0]!.some((row) => readTime(row[date] ?? '').hasClock))
    return first;
  const more = await sampleOf(file, SAMPLE_BYTES_MAX);
  return isRefused(more) ? more : of(more);
}

async function writtenRows({ file, options, sample, cells, head, dateOrder, mark }: Draft) {
  const { pieces, isWhole, cellsOf } = sample;
  const toRows = rowReader(head, dateOrder, mark);
  let rows = sampleRows(pieces, isWhole, toRows);
  if (!isWhole && namesNoClock(rows, options)) {
    const between = (await piecesOf(file, BETWEEN, BETWEEN_BYTES)).map(cellsOf);
    rows = sampleRows([pieces[0]!, ...between, ...pieces.slice(1)], false, toRows);
  }
  if (rows.length > 0) return rows;
  if (cells.length === 0)
    return {
      reason: 'unknown_format',
      example: 'a line of names without a row below it: download it again',
    } as const;
  const example = `${cells[0]!.join(head.delimiter)} (no time that is known: see ${choice('mapping')} and ${choice('date_format')})`;
  return { reason: 'bad_time', example } as const;
}

const overrules = ({ dates, options }: Draft): boolean => dates === null && options.timeZone !== undefined;

/** Rows on the dates that their times stand for, or by the clock that counts in place of what they name. */
function placed(rows: readonly SampleRow[], draft: Draft): readonly SampleRow[] {
  if (overrules(draft)) return rows.map((row) => ({ ...row, time: row.wall }));
  const dayOf = dayBy(draft.dates?.by ?? 'written');
  return rows.map((row) => ({ ...row, day: dayOf({ ...row, instant: row.time }) }));
}

function volumesOf({ rows, series, prices, head, knownDays, options, named, cells, interval }: Draft) {
  const splits = splitsOf(series, head.series, knownDays, options.calendar);
  const ofRows = {
    rows,
    series,
    ownShares: inOwnShares(series, prices.value, splits),
    isIndex: series.every(([row]) => isIndex(named.symbol ?? row!.symbol)),
    daily: interval.value === '1d',
    areAbsent: areVolumesAbsent(cells, head),
  };
  return volumesFinding(ofRows, head, knownDays, options);
}

interface Sample {
  readonly beginning: readonly SampleLine[];
  /** Lines of pieces behind it. */
  readonly later: readonly (readonly SampleLine[])[];
  /** Whether the beginning is all. */
  readonly isWhole: boolean;
}

/** The first and the last lines, or what kind of file this is instead of a table. */
async function sampleOf(file: TextFile, wanted: number): Promise<Sample | NoReading> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isWhole = true;
  for await (const chunk of file.chunks()) {
    if (chunks.length === 0) {
      const wrong = wrongKind(chunk);
      if (wrong !== null) return { reason: 'unknown_format', example: wrong };
    }
    chunks.push(bytes + chunk.length > wanted ? chunk.subarray(0, wanted - bytes) : chunk);
    bytes += chunk.length;
    if (bytes <= wanted) continue;
    isWhole = false;
    break;
  }
  const beginning = linesIn(chunks, isWhole);
  return { beginning, later: isWhole ? [] : await piecesOf(file, [1], END_BYTES), isWhole };
}

/** The whole lines at some places of a file; none where it is packed. */
async function piecesOf(file: TextFile, places: readonly number[], bytes: number): Promise<SampleLine[][]> {
  const pieces: SampleLine[][] = [];
  for (const place of file.piece === undefined ? [] : places) {
    const lines = linesIn([await file.piece!(place, bytes)], place === 1).slice(1);
    pieces.push(lines.map((line) => ({ ...line, line: Number.POSITIVE_INFINITY })));
  }
  return pieces;
}

type ToRows = ReturnType<typeof rowReader>;

/** The rows of pieces of a file; the days at their cuts are there in part. */
const sampleRows = (pieces: readonly string[][][], isWhole: boolean, toRows: ToRows): SampleRow[] =>
  pieces.flatMap((piece, index) => {
    const rows = toRows(piece);
    if (isWhole) return rows;
    const cut = [
      index === 0 ? null : rows[0]?.day,
      index === pieces.length - 1 && index > 0 ? null : rows.at(-1)?.day,
    ];
    return rows.map((row) => (cut.includes(row.day) ? { ...row, isWhole: false } : row));
  });

/** A day begins with itself. */
const DAYS_START: Finding<Stamps> = { value: 'start', evidence: 'dates need no clock', sure: 'assumed' };

const namesNoClock = (rows: readonly SampleRow[], { timeZone }: CsvOptions): boolean =>
  timeZone === undefined && rows.some(({ hasClock, hasZone }) => hasClock && !hasZone);

/** Lines of a piece of a file; without its last one where the piece may have cut it. */
function linesIn(chunks: readonly Uint8Array[], endsWithLine: boolean): SampleLine[] {
  const lines: SampleLine[] = [];
  const reader = lineReader(
    (bytes, start, end, line) => lines.push({ line, bytes: bytes.slice(start, end) }),
    () => {},
  );
  for (const chunk of chunks) reader.push(chunk);
  if (endsWithLine) reader.end();
  return lines;
}

function wrongKind(chunk: Uint8Array): string | null {
  const [first, second] = chunk;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return 'text in UTF-16: save it as UTF-8 (in Excel: CSV UTF-8)';
  if ((first === 0x50 && second === 0x4b) || (first === 0x1f && second === 0x8b))
    return 'an archive or a workbook within an archive: unpack the outer one first';
  if (chunk.includes(0x0d) && !chunk.includes(0x0a))
    return 'text with the line ends of old Macs: save it as CSV once more';
  const binary = binaryKind(chunk);
  if (binary !== null) return binary;
  if (chunk.includes(0)) return 'a binary file, or text of several encodings: save it as UTF-8';
  const beginning = fieldText(chunk, 0, Math.min(chunk.length, 100)).replace(/^\uFEFF/, '');
  if (MARKUP.test(beginning))
    return `a web page in place of a table, as when a download failed; open it in a browser to see what it says: ${beginning}`;
  return null;
}

/** A column `name` holds symbols in some files, and names of companies in others. */
function withoutNames(head: TableHead, rows: readonly (readonly string[])[]): TableHead {
  const [{ symbol, columnIndex }] = head.series as readonly [TableHead['series'][number]];
  const column = columnIndex.symbol;
  if (column < 0 || head.names[column]!.trim().toLowerCase() !== 'name') return head;
  const areSymbols = rows.every((row) => {
    const text = row[column] ?? '';
    return text === text.toUpperCase() && pricedTickerOf(text) !== null;
  });
  return areSymbols ? head : { ...head, series: [{ symbol, columnIndex: { ...columnIndex, symbol: -1 } }] };
}

function orderOf(
  rows: readonly (readonly string[])[],
  { series, names, lastHeadLine }: TableHead,
  { dateFormat = 'auto', calendar }: CsvOptions,
): DateOrder | null | NoReading {
  if (dateFormat !== 'auto') return dateFormat;
  const column = series[0]!.columnIndex.date;
  const dates = rows.flatMap((row) => [numberedDate(row[column] ?? '')].filter((date) => date !== null));
  if (dates.length === 0) return null;
  const isDayFirst = dates.some(([first]) => first > 12);
  const isMonthFirst = dates.some(([, second]) => second > 12);
  if (isDayFirst && isMonthFirst)
    return open(`dates with the day first and with the month first: ${choice('date_format')} decides`);
  if (isDayFirst) return 'day-first';
  if (isMonthFirst) return 'month-first';
  const hasSlashes = rows.some((row) => (row[column] ?? '').includes('/'));
  if (hasSlashes && isAmerican(names, lastHeadLine, series[0]!.columnIndex.time)) return 'month-first';
  // Read the wrong way round, dates fall on weekends and holidays, and daily rows months apart.
  const ways = (['month-first', 'day-first'] as const).map((order) => {
    const read = timeReader(DEFAULT_ZONE, order);
    const days = rows.flatMap((row) => [read(row[column] ?? '').day].filter((day) => !Number.isNaN(day)));
    const gaps = days.slice(1).map((day, at) => Math.abs(day - days[at]!));
    const ofMonth = new Set(days.map((day) => new Date(day).getUTCDate()));
    return {
      order,
      isPossible: days.every((day) => calendar.isSession(dateOf(day))),
      isMonthly: gaps.length > 0 && Math.min(...gaps) > MONTH_MS && ofMonth.size === 1,
      isOfFirsts: ofMonth.has(1),
    };
  });
  const possible = ways.filter(({ isPossible }) => isPossible);
  if (possible.length === 1) return possible[0]!.order;
  // Rows of months have the first of each: that other reading would be as good.
  const daily = possible.filter(({ isMonthly }) => !isMonthly);
  if (daily.length === 1 && !ways.some((way) => way.isMonthly && way.isOfFirsts)) return daily[0]!.order;
  return open(
    `dates such as ${rows[0]![column]} may have the day or the month first: ${choice('date_format')} decides`,
  );
}

/** Layouts of American sites and vendors: the exchange's (`Close/Last`), and files without names with a clock in a column. */
const isAmerican = (names: readonly string[], lastHeadLine: number, clockColumn: number): boolean =>
  names.includes('Close/Last') || (lastHeadLine === 0 && clockColumn === 1);

function markOf(
  rows: readonly (readonly string[])[],
  { series, delimiter }: TableHead,
  { decimalMark }: CsvOptions,
): DecimalMark | NoReading {
  if (decimalMark !== undefined) return decimalMark === 'comma' ? ',' : '.';
  const textsOf = (fields: readonly CsvField[]): string[] => {
    const columns = series.flatMap(({ columnIndex }) => fields.map((field) => columnIndex[field]));
    return rows.flatMap((row) => columns.map((column) => row[column] ?? ''));
  };
  const seenIn = (fields: readonly CsvField[]): SeenMark => decimalMarkIn(textsOf(fields));
  const prices = ['open', 'high', 'low', 'close'] as const;
  const seen = seenIn([...prices, 'volume']);
  if (seen === 'both')
    return open(`numbers with a decimal point and with a decimal comma: ${choice('decimal_mark')} decides`);
  // In a file cut at commas a quoted `1,234` has a mark of thousands, and so has it among shares.
  if (seen === 'open' && delimiter !== ',' && seenIn(prices) === 'open')
    return open(
      `prices such as 1,234 may have a decimal comma or a mark of thousands: ${choice('decimal_mark')} decides`,
    );
  if (seen === ',' && seenIn(prices) !== ',' && textsOf(prices).some((text) => /\d\.\d{3}$/.test(text)))
    return open(
      `prices such as 100.125 beside shares such as 1.234.567 may have a decimal point or a mark of thousands: ${choice('decimal_mark')} decides`,
    );
  return seen === ',' ? ',' : '.';
}

function rowReader({ series }: TableHead, order: DateOrder | null, mark: DecimalMark) {
  const read = timeReader('UTC', order);
  return (piece: readonly (readonly string[])[]): SampleRow[] => {
    const rows: SampleRow[] = [];
    for (const cells of piece) {
      for (const { symbol, columnIndex } of series) {
        const textOf = (column: number): string => (column < 0 ? '' : (cells[column] ?? ''));
        const { instant, wall, day, hasClock, hasZone } = read(
          textOf(columnIndex.date),
          textOf(columnIndex.time),
        );
        if (Number.isNaN(instant)) continue;
        const numberOf = (column: number): number => writtenNumber(textOf(column), mark);
        rows.push({
          symbol: symbol ?? textOf(columnIndex.symbol),
          time: instant,
          wall,
          day,
          hasClock: hasClock && !(hasZone && isDate(instant)),
          hasZone,
          open: numberOf(columnIndex.open),
          close: numberOf(columnIndex.close),
          volume:
            columnIndex.volume >= 0
              ? numberOf(columnIndex.volume)
              : numberOf(columnIndex.volume_up) + numberOf(columnIndex.volume_down),
          split: writtenSplit(textOf(columnIndex.split), mark),
          dividend: numberOf(columnIndex.dividend) || 0,
          isWhole: true,
        });
      }
    }
    return rows;
  };
}

/** A midnight of UTC or of New York stands for a date. */
const newYorkMidnight = zonedToUtc(DEFAULT_ZONE);
function isDate(instant: number): boolean {
  if (instant % DAY_MS === 0) return true;
  const date = new Date(instant - 4 * HOUR_MS);
  return (
    newYorkMidnight(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), 0, 0, 0, 0) === instant
  );
}

/** How often the rows of each symbol go up and down in time. */
function ordersOf(rows: readonly SampleRow[]) {
  const orders = new Map<string, { last: number; up: number; down: number }>();
  for (const { symbol, time } of rows) {
    const own = orders.getOrInsertComputed(symbol, () => ({ last: time, up: 0, down: 0 }));
    if (time > own.last) own.up++;
    if (time < own.last) own.down++;
    own.last = time;
  }
  return [...orders].map(([symbol, own]) => ({ symbol, ...own }));
}

function isNewestFirst(rows: readonly SampleRow[]): boolean {
  const orders = ordersOf(rows);
  return orders.reduce((sum, { up, down }) => sum + down - up, 0) > 0;
}

/** Some symbols oldest first and others newest first; null where all go one way. */
function mixedOrders(rows: readonly SampleRow[]): NoReading | null {
  const orders = ordersOf(rows);
  const up = orders.find((order) => order.up > 1 && order.down === 0);
  const down = orders.find((order) => order.down > 1 && order.up === 0);
  if (up === undefined || down === undefined) return null;
  const example = `rows of ${up.symbol} go from the oldest to the newest and those of ${down.symbol} back: sort the file by time`;
  return { reason: 'out_of_order', example };
}

/** Rows of each symbol, oldest first, as far as they traded: a row of volume 0 beside others shows nothing of the file. */
function bySymbol(rows: readonly SampleRow[], newestFirst: boolean): readonly (readonly SampleRow[])[] {
  const series = new Map<string, SampleRow[]>();
  for (const row of rows) series.getOrInsertComputed(row.symbol, () => []).push(row);
  return [...series.values()].map((own) => {
    const traded = own.some(({ volume }) => volume > 0) ? own.filter(({ volume }) => volume !== 0) : own;
    return newestFirst ? traded.toReversed() : traded;
  });
}

function symbolFinding(
  file: TextFile,
  { series, names }: TableHead,
  rows: readonly SampleRow[],
  options: CsvOptions,
): { readonly symbol: string | null; readonly finding: Finding } | NoReading {
  const { symbol, symbolFrom, fileNamePattern } = options;
  if (symbol !== undefined) {
    const ticker = pricedTickerOf(symbol)!;
    return { symbol: ticker, finding: { value: ticker, evidence: choice('symbol'), sure: 'stated' } };
  }
  const written = [...new Set(rows.map((row) => row.symbol).filter((text) => text !== ''))];
  const own = written.map((text) => pricedTickerOf(text) ?? text);
  if (series[0]!.symbol !== null) {
    return {
      symbol: null,
      finding: { value: listed(own), evidence: 'columns of their own', sure: 'stated' },
    };
  }
  const column = series[0]!.columnIndex.symbol;
  const fromName = symbolOfFile(file.name, fileNamePattern);
  const asked = fileNamePattern !== undefined || symbolFrom === 'file-name';
  if (column >= 0 && !asked) {
    // A name in capitals is a claim of its own; a file of several symbols is named for something else.
    const claims =
      'symbol' in fromName &&
      new RegExp(`(^|[^A-Z])${RegExp.escape(fromName.symbol)}([^A-Z]|$)`).test(file.name);
    if (claims && own.length === 1 && fromName.symbol.length <= 5 && own[0] !== fromName.symbol) {
      return open(
        `the file is named for ${fromName.symbol}, its column ${names[column]} says ${own[0]}: ${choice('symbol')} decides`,
      );
    }
    if (written.length > 0 && written.every((text) => pricedTickerOf(text) === null)) {
      const example = `column ${names[column]} says ${written[0]}, which is no stock or index of the United States: ${choice('symbol')} where it is`;
      return { reason: 'bad_symbol', example };
    }
    const evidence = `column ${names[column]}`;
    return { symbol: null, finding: { value: listed(own), evidence, sure: 'stated' } };
  }
  if (symbolFrom === 'column') return { reason: 'wrong_columns', example: 'no column for symbol' };
  if ('fault' in fromName) return { reason: 'bad_symbol', example: fromName.fault };
  return {
    symbol: fromName.symbol,
    finding: { value: fromName.symbol, evidence: `the name ${file.name}`, sure: 'seen' },
  };
}

/** The series of a file, unless some symbols have rows of two instruments, or go another way than others. */
const oneInstrument = (
  series: readonly (readonly SampleRow[])[],
  rows: readonly SampleRow[],
  cells: readonly (readonly string[])[],
  head: TableHead,
) => mixedInstruments(series, cells, head) ?? mixedOrders(rows) ?? series;

/** Columns whose values tell rows of one symbol from each other. */
const PLACES =
  /^(exchange|venue|mic|market|isin|figi|cusip|publisher_id|instrument_id|currency|conid|board)$/i;
/** Times with rows that differ: fewer are corrections, and the first counts. */
const MIXED_TIMES_MIN = 2;
const MIXED_SHARE = 0.1;

/** Rows of one symbol and time that differ, most often of two venues or instruments; null without. */
function mixedInstruments(
  series: readonly (readonly SampleRow[])[],
  cells: readonly (readonly string[])[],
  { names }: TableHead,
): NoReading | null {
  for (const rows of series) {
    const first = new Map<number, SampleRow>();
    let times = 0;
    let example = '';
    for (const row of rows) {
      if (!Number.isFinite(row.close)) continue;
      const earlier = first.get(row.time);
      if (earlier === undefined) first.set(row.time, row);
      else if (earlier.close !== row.close || earlier.volume !== row.volume) {
        times++;
        example = `closes ${earlier.close} and ${row.close} on ${dateOf(row.day)}`;
      }
    }
    if (times < MIXED_TIMES_MIN || times < first.size * MIXED_SHARE) continue;
    const column = names.findIndex((name) => PLACES.test(name.trim()));
    const values = new Set(cells.map((row) => row[column] ?? ''));
    const where =
      column >= 0 && values.size > 1 ? ` of several ${names[column]} (${listed([...values])})` : '';
    return open(
      `rows of two instruments under one name${where}, as ${example}: keep one a file, or name them in a column symbol`,
    );
  }
  return null;
}

function listed(symbols: readonly string[]): string {
  const first = symbols.slice(0, 3).join(', ');
  return symbols.length > 3 ? `${first} and ${symbols.length - 3} more so far` : first;
}

function lastRowFinding(
  rows: readonly SampleRow[],
  { modified = Number.POSITIVE_INFINITY }: TextFile,
  { calendar, now = Number.POSITIVE_INFINITY, finalThrough }: CsvOptions,
): Finding<'final' | 'running'> {
  const newest = rows.reduce((max, { day }) => Math.max(max, day), Number.NEGATIVE_INFINITY);
  if (finalThrough !== undefined) {
    const isFinal = newest <= Date.parse(finalThrough);
    return { value: isFinal ? 'final' : 'running', evidence: choice('final_through'), sure: 'stated' };
  }
  const session = Number.isFinite(newest) ? calendar.session(dateOf(newest)) : null;
  if (session !== null && session.close > now)
    return { value: 'running', evidence: `the session of ${dateOf(newest)} is not over`, sure: 'seen' };
  if (session !== null && modified >= session.preOpen && modified < session.close) {
    const evidence = `the file was written while the session of ${dateOf(newest)} ran`;
    return { value: 'running', evidence, sure: 'seen' };
  }
  return { value: 'final', evidence: 'its session is over', sure: 'seen' };
}

/** Symbols of a file of which known bars are read. */
const KNOWN_SYMBOLS_MAX = 20;
/** Calendar days around a file whose days on the tape are its neighbours. */
const NEIGHBOURS_MS = 60 * DAY_MS;
const isIndex = (text: string): boolean => (pricedTickerOf(text) ?? '').startsWith('^');

/** Rows with the volumes of their own days: prices in later shares have volumes in those too. */
const inOwnShares = (
  series: readonly (readonly SampleRow[])[],
  prices: PriceBasis,
  splits: ReturnType<typeof splitsOf>,
): readonly (readonly SampleRow[])[] =>
  prices === 'traded'
    ? series
    : series.map((rows, at) =>
        rows.map((row) => ({ ...row, volume: row.volume / sharesSince(splits[at]!, row.day) })),
      );

/** Whether a file has columns for volumes of which every one says that there is none. */
const areVolumesAbsent = (rows: readonly (readonly string[])[], { series }: TableHead): boolean =>
  series.every(
    ({ columnIndex }) =>
      hasVolumes(columnIndex) &&
      rows.every((cells) =>
        [columnIndex.volume, columnIndex.volume_up, columnIndex.volume_down].every(
          (column) => column < 0 || isAbsent(cells[column] ?? ''),
        ),
      ),
  );

/** What the tape has of each series of a file, in their order; nothing of those that are no symbols. */
async function knownOf(
  { series, named: { symbol }, options: { known } }: Draft,
  interval: Interval,
): Promise<Known[]> {
  if (known === undefined) return [];
  const found: Known[] = [];
  for (const rows of series.slice(0, KNOWN_SYMBOLS_MAX)) {
    const ticker = symbol ?? pricedTickerOf(rows[0]!.symbol) ?? '';
    const days = rows.map(({ day }) => day);
    const [from, to] = [days.reduce((a, b) => Math.min(a, b)), days.reduce((a, b) => Math.max(a, b))];
    const beside = interval === '1d' ? NEIGHBOURS_MS : DAY_MS;
    found.push(await known(ticker, interval, from - beside, to + beside));
  }
  return found;
}

/** What the tape has, unless one of the symbols is of the simulated market. */
function ofRealMarket(known: readonly Known[], { series, named }: Draft): readonly Known[] | NoReading {
  const at = known.findIndex(({ simulated }) => simulated === true);
  if (at < 0) return known;
  const symbol = named.symbol ?? pricedTickerOf(series[at]![0]!.symbol);
  const example = `${symbol} is a stock of the simulated market, which shares nothing with real data: leave that market, then import again`;
  return { reason: 'bad_symbol', example };
}

const hasWholePrices = (rows: readonly SampleRow[]): boolean =>
  rows.length > 0 && rows.every(({ open: price }) => price > 1e6 && Number.isInteger(price));

/** Of the whole file where its first and last rows are those of its only symbol; else what was seen. */
function rangeFinding({ rows, series, sample: { isWhole, reachesEnd }, dateOrder }: Draft): Finding {
  const isOfAll = isWhole || (reachesEnd && series.length === 1);
  const days = rows.map(({ day }) => day);
  const at = (day: number): string => (Number.isFinite(day) ? dateOf(day) : 'nothing');
  const first = at(days.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY));
  const last = at(days.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY));
  return {
    value: `${first} to ${last}${isOfAll ? '' : ' at least'}`,
    evidence:
      (reachesEnd ? 'first and last rows' : 'the first rows; the packed file goes on') +
      (dateOrder === null ? '' : `, dates read ${dateOrder === 'month-first' ? 'month' : 'day'} first`),
    sure: 'seen',
  };
}

const FOREIGN = /€|£|¥|\b(EUR|GBP|GBX|JPY|CHF|CAD|AUD|HKD|CNY|INR|SEK|NOK|DKK|BRL|MXN)\b/;

function currencyFinding(
  rows: readonly (readonly string[])[],
  { names, series }: TableHead,
): Finding | NoReading {
  const column = names.findIndex((name) => /^currency$/i.test(name.trim()));
  const texts = [names.join(' ')];
  for (const row of rows) {
    texts.push(row[column] ?? '');
    texts.push(row[series[0]!.columnIndex.close] ?? '');
  }
  // Whatever stands in a column for it, and signs and codes beside the prices.
  const other = rows
    .map((row) => (row[column] ?? '').trim())
    .find((text) => text !== '' && !/^(?:USD|US\$|\$)$/i.test(text));
  const foreign = other ?? texts.map((text) => FOREIGN.exec(text)?.[0]).find((found) => found !== undefined);
  if (foreign !== undefined)
    return { reason: 'unknown_format', example: `prices in ${foreign}: only prices in US dollars are read` };
  const stated = texts.some((text) => /\$|\bUSD\b/.test(text));
  if (stated) return { value: 'USD', evidence: 'written beside the prices', sure: 'stated' };
  return { value: 'USD', evidence: 'the file names no other', sure: 'assumed' };
}

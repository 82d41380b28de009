import { dateOf } from '../../base/dates.ts';
import { BarColumnBuilder } from '../column-builder.ts';
import type { Delivery, Feed } from '../feed.ts';
import { type BarColumns, barColumns, type CorporateAction, INTERVAL_MS } from '../observations.ts';
import { type RefusalReason, type RefusalTally, refusedFile } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import {
  CSV_FIELDS,
  type CsvOptions,
  planReading,
  type ReadingPlan,
  timeReader,
  type WrittenTime,
  zoneOf,
} from './csv-plan.ts';
import { announcedSplit, decimal, fieldScanner, fieldText, pricedTickerOf } from './fields.ts';
import { DELIVERY_ROWS, deliverRows, fileFeed } from './source-file.ts';

export { CSV_FIELDS, type CsvField, type CsvOptions, DATE_FORMATS, type DateFormat } from './csv-plan.ts';

/** Raise it when the reader reads the same bytes otherwise: files are then imported again. */
const READER_VERSION = 1;

/**
 * Delimited files of bars, as `CsvOptions` describes them; one unit per file. Throws a RangeError for an option that
 * cannot be meant; a path that does not exist rejects when the units are listed.
 */
export function csvFeed(options: CsvOptions): Feed {
  refuseOptions(options);
  const { paths, calendar: _calendar, ...reading } = options;
  const namedBy = new Set<string>();
  const feed = fileFeed('csv', paths, { version: READER_VERSION, ...reading }, (file, tally) =>
    rowsOf(file, options, tally, namedBy),
  );
  return { ...feed, namedBy };
}

function refuseOptions({ symbol, fileNamePattern, delimiter, mapping, ...options }: CsvOptions): void {
  timeReader(options.dateFormat ?? 'auto', options.timeZone ?? 'UTC');
  if (fileNamePattern !== undefined) patternExpression(fileNamePattern);
  if (symbol !== undefined && pricedTickerOf(symbol) === null)
    throw new RangeError(`"${symbol}" is no symbol`);
  if (delimiter !== undefined && !/^[\x20-\x7e\t]$/.test(delimiter)) {
    throw new RangeError(`the delimiter "${delimiter}" must be one character`);
  }
  for (const field of Object.keys(mapping ?? {})) {
    if (CSV_FIELDS.some((known) => known === field)) continue;
    throw new RangeError(`no field ${field} can be mapped; the fields are ${CSV_FIELDS.join(', ')}`);
  }
}

async function* rowsOf(
  file: TextFile,
  options: CsvOptions,
  tally: RefusalTally,
  namedBy: Set<string>,
): AsyncGenerator<Delivery> {
  const plan = await planReading(file, options);
  if ('reason' in plan) {
    yield refusedFile(plan.reason, file.where, plan.example);
    return;
  }
  const symbol = symbolFor(file, plan, options);
  if (symbol === undefined) yield refusedFile('bad_symbol', file.where, file.name);
  else if (symbol === null && plan.columnIndex.symbol < 0) {
    yield refusedFile('wrong_columns', file.where, 'no column for symbol');
  } else if (!mayLackVolume(symbol, plan, options)) {
    yield refusedFile('wrong_columns', file.where, 'no column for volume');
  } else {
    namedBy.add(
      options.symbol !== undefined ? '--symbol' : symbol === null ? 'a column' : 'the name of the file',
    );
    yield* csvRows(file, plan, symbol, options, tally);
  }
}

/** The symbol of every row, null when a column holds it, undefined when the file's name should but does not. */
function symbolFor(
  file: TextFile,
  { columnIndex }: ReadingPlan,
  options: CsvOptions,
): string | null | undefined {
  if (options.symbol !== undefined) return pricedTickerOf(options.symbol);
  const from = options.symbolFrom ?? (columnIndex.symbol >= 0 ? 'column' : 'file-name');
  return from === 'column' ? null : (symbolOfFile(file.name, options.fileNamePattern) ?? undefined);
}

/** Whether the file has volumes or may do without; where a column holds the symbol, each row is checked by itself. */
function mayLackVolume(
  symbol: string | null,
  { columnIndex, interval }: ReadingPlan,
  { noVolume }: CsvOptions,
): boolean {
  if (columnIndex.volume >= 0) return true;
  return interval === '1d' && (noVolume === true || symbol === null || symbol.startsWith('^'));
}

/**
 * The symbol that a file's name spells, or null when it spells none. Without a pattern it is the part before the
 * first `_`, space or extension: `SPY_1min.csv` and `spy.csv` are SPY, `BRK.B.csv` is BRK.B.
 */
function symbolOfFile(name: string, pattern?: string): string | null {
  if (pattern !== undefined) return pricedTickerOf(patternExpression(pattern).exec(name)?.[1] ?? '');
  const stem = name.replace(/\.(csv|txt|tsv|dat)$/i, '');
  return pricedTickerOf(stem.split(/[_ ]/)[0]!);
}

/** The expression behind a file name pattern; throws a RangeError when it does not hold `{symbol}` once. */
function patternExpression(pattern: string): RegExp {
  const parts = pattern.split('{symbol}');
  if (parts.length !== 2) throw new RangeError(`the file name pattern "${pattern}" must hold {symbol} once`);
  const [before, after] = parts.map((part) => part.split('*').map(RegExp.escape).join('.*?'));
  return new RegExp(`^${before}(.+?)${after}$`, 'i');
}

/** Rows of a newest-first file, which memory reverses: some 200 MB of columns. */
const NEWEST_FIRST_ROWS_MAX = 4_000_000;
/** Pending rows of all symbols of a file: some 20 MB. */
const WAITING_ROWS_MAX = 400_000;

/** Rows of one symbol that are not yet delivered. Of a newest-first file `bars` has the times negated. */
interface Series {
  readonly symbol: string;
  readonly bars: BarColumnBuilder;
  readonly actions: CorporateAction[];
}

/**
 * The rows of one file as bars and, from its dividend and split columns, corporate actions with the row's date as
 * ex-date.
 *
 * @param symbol the symbol of every row, or null when a column holds it
 */
function csvRows(
  file: TextFile,
  plan: ReadingPlan,
  symbol: string | null,
  options: CsvOptions,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const { columnIndex, columns, interval, newestFirst } = plan;
  const { scan, starts, ends } = fieldScanner(plan.delimiter);
  const readTime = timeReader(options.dateFormat ?? 'auto', zoneOf(options));
  const timeOf = barClock(plan, options);
  const series = new Map<string, Series>();
  const hasActions = interval === '1d' && (columnIndex.dividend >= 0 || columnIndex.split >= 0);
  let waiting = 0;

  const textAt = (bytes: Uint8Array, column: number): string =>
    column < 0 ? '' : fieldText(bytes, starts[column]!, ends[column]!);
  const numberAt = (bytes: Uint8Array, column: number): number =>
    column < 0 ? 0 : decimal(bytes, starts[column]!, ends[column]!);
  /** 0 when the file has no such column or the field is empty. */
  const amountAt = (bytes: Uint8Array, column: number): number =>
    column < 0 || starts[column] === ends[column] ? 0 : numberAt(bytes, column);
  const seriesOf = (ticker: string): Series =>
    series.getOrInsertComputed(ticker, () => ({
      symbol: ticker,
      bars: new BarColumnBuilder(64),
      actions: [],
    }));
  let written = symbol ?? '';
  let known = symbol === null ? null : seriesOf(symbol);

  const take = (bytes: Uint8Array, start: number, end: number, line: number): RefusalReason | null => {
    if (line === plan.headerLine) return null;
    const count = scan(bytes, start, end);
    if (count < columns) return 'wrong_columns';
    // Fields beyond the header's are allowed when they are empty: some writers end each row with a delimiter.
    for (let column = columns; column < count; column++)
      if (ends[column]! > starts[column]!) return 'wrong_columns';
    if (symbol === null && textAt(bytes, columnIndex.symbol) !== written) {
      written = textAt(bytes, columnIndex.symbol);
      const ticker = pricedTickerOf(written);
      known = ticker === null ? null : seriesOf(ticker);
    }
    if (known === null) return 'bad_symbol';
    if (columnIndex.volume < 0 && options.noVolume !== true && !known.symbol.startsWith('^'))
      return 'wrong_columns';
    const time = timeOf(readTime(textAt(bytes, columnIndex.date), textAt(bytes, columnIndex.time)));
    if (typeof time === 'string') return time;
    const open = numberAt(bytes, columnIndex.open);
    const high = numberAt(bytes, columnIndex.high);
    const low = numberAt(bytes, columnIndex.low);
    const close = numberAt(bytes, columnIndex.close);
    const volume = numberAt(bytes, columnIndex.volume);
    if (Number.isNaN(open + high + low + close + volume)) return 'not_a_number';
    if (newestFirst && waiting === NEWEST_FIRST_ROWS_MAX) return 'too_large';
    const reason = known.bars.push(newestFirst ? -time : time, open, high, low, close, volume);
    if (reason !== null) return reason;
    waiting++;
    if (hasActions) {
      const dividend = amountAt(bytes, columnIndex.dividend);
      const split = amountAt(bytes, columnIndex.split);
      if (!addActions(known.actions, time, dividend, split))
        tally.row('bad_action', file.where, line, bytes, start, end);
    }
    return null;
  };

  function* due(finished: boolean): Generator<Delivery> {
    const takesAll = finished || (waiting >= WAITING_ROWS_MAX && !newestFirst);
    for (const { symbol, bars } of series.values()) {
      if (bars.rows === 0 || (!takesAll && (newestFirst || bars.rows < DELIVERY_ROWS))) continue;
      waiting -= bars.rows;
      const taken = newestFirst ? ascending(bars.take()) : [bars.take()];
      for (const columns of taken) yield { kind: 'bars', symbol, interval, columns };
    }
    if (!finished) return;
    for (const { symbol, actions } of series.values()) {
      actions.sort((a, b) => a.exDate - b.exDate);
      if (actions.length > 0) yield { kind: 'actions', symbol, actions };
    }
  }
  return deliverRows(file, tally, take, due);
}

/** Bars with negated times in ascending time, in pieces. */
function* ascending(bars: BarColumns): Generator<BarColumns> {
  const piece = (column: Float64Array, to: number): Float64Array =>
    column.slice(Math.max(to - DELIVERY_ROWS, 0), to).reverse();
  for (let to = bars.time.length; to > 0; to -= DELIVERY_ROWS) {
    const columns = barColumns((name) => piece(bars[name], to));
    yield { ...columns, time: columns.time.map((time) => -time) };
  }
}

/** Time of a bar from the date of its row, or the reason of its refusal. */
function barClock({ interval }: ReadingPlan, { calendar }: CsvOptions) {
  let knownDay = Number.NaN;
  let isSession = false;
  const length = INTERVAL_MS[interval];
  const isMinutes = interval === '1m' || interval === '5m';

  const daily = ({ day }: WrittenTime): number | RefusalReason => {
    if (Number.isNaN(day)) return 'bad_time';
    if (day !== knownDay) {
      knownDay = day;
      isSession = calendar.isSession(dateOf(day));
    }
    return isSession ? day : 'outside_session';
  };
  const intraday = ({ instant }: WrittenTime): number | RefusalReason => {
    // A bar that begins between the minutes has another length than the interval of the file.
    if (Number.isNaN(instant) || (isMinutes && instant % length !== 0)) return 'bad_time';
    return calendar.sessionHolding(instant) === null ? 'outside_session' : instant;
  };
  return interval === '1d' ? daily : intraday;
}

/** Adds the row's dividend and split, if it has any; false when one of them is impossible. */
function addActions(actions: CorporateAction[], exDate: number, dividend: number, split: number): boolean {
  if (!(dividend >= 0 && split >= 0 && Number.isFinite(dividend + split))) return false;
  if (dividend > 0) actions.push({ kind: 'dividend', exDate, value: dividend });
  // Vendors write 1 or 0 on days without a split.
  if (split > 0 && split !== 1) actions.push({ kind: 'split', exDate, value: announcedSplit(split) });
  return true;
}

import { dateOf, midnightUtc } from '../../base/dates.ts';
import { BarColumnBuilder } from '../../market/column-builder.ts';
import type { Delivery, Feed } from '../../market/feed.ts';
import {
  BAR_COLUMNS,
  type Bar,
  type BarColumns,
  barColumns,
  type CorporateAction,
  INTERVAL_MS,
} from '../../market/observations.ts';
import { type RefusalReason, type RefusalTally, refusalTally, refusedFile } from '../../market/refusals.ts';
import { isTextFile, type TextFile, unverifiedFiles } from '../archive.ts';
import type { FileKind } from '../choices.ts';
import { choice } from '../choices.ts';
import { type ContentReading, sampleOf } from '../content-reading.ts';
import { decimal, fieldScanner, fieldText, pricedTickerOf } from '../fields.ts';
import { isRefused, type NoReading } from '../findings.ts';
import { type FoundFile, keyedFiles } from '../found-files.ts';
import { damageSeen } from '../json.ts';
import { isAbsent, writtenNumber, writtenSplit } from '../numbers.ts';
import { DELIVERY_ROWS, deliverRows, fileFeed, readRows } from '../source-file.ts';
import { type ColumnIndex, hasVolumes } from '../table-head.ts';
import { overruledReader, type ReadTime, timeReader, type WrittenTime } from '../times.ts';
import { datedReader } from './bar-dates.ts';
import { type Reading, readingOf } from './bar-reading.ts';
import { asTable } from './bars-json.ts';
import { type CsvOptions, SHARES_IN } from './csv-options.ts';
import { sharesSince } from './known-bars.ts';
import { splitsAgainst } from './price-basis.ts';
import { actionsOn, type WrittenActions } from './row-actions.ts';
import { startOfHour } from './session-edges.ts';

/** Raise it when the reader reads the same bytes otherwise: files are then imported again. */
const READER_VERSION = 3;

/**
 * Delimited files of bars, as `CsvOptions` describes them; one unit per file. A path that does not exist rejects when the
 * units are listed.
 */
export function csvFeed(options: CsvOptions & Paths): CsvFeed {
  const { paths, calendar: _calendar, now: _now, known: _known, ...reading } = options;
  const { namedBy, rows, read } = barReader(options);
  return {
    ...fileFeed('csv', paths, { version: READER_VERSION, ...reading }, rows),
    namedBy,
    readings: () => readingsOf(paths, async (file) => ({ read: await read(file) })),
  };
}

/** Files (plain, `.gz`, or `.zip` with any number of entries) or folders, whose files are taken without descending. */
interface Paths {
  readonly paths: readonly string[];
}

export interface CsvFeed extends Feed {
  /** How each file is going to be read, or why it is not; from the beginnings of the files alone. */
  readings(): AsyncIterable<FileReading>;
}

/** How a file is going to be read: of bars all that was worked out, of others what they are, or why not at all. */
export interface FileReading {
  readonly where: string;
  /** Unknown of what cannot be opened. */
  readonly kind?: FileKind;
  readonly read: ReadFile | ContentReading;
  /** Of bars the first as they will be on the tape; none where only the whole file tells it. */
  readonly first?: readonly FirstBar[];
}

/** Times of daily bars are midnights of their dates in UTC, others instants. */
export interface FirstBar extends Bar {
  readonly symbol: string;
  readonly isDaily: boolean;
}

/** Bars that are shown of a file. */
const FIRST_BARS = 3;
/** And of so many files of an archive or a folder, the first. */
const FIRST_OF_FILES = 200;

type ReadFile = Awaited<ReturnType<typeof readingOf>>;

/** The readings of every text of some files, and what of their folders is left out. */
export async function* readingsOf(
  paths: readonly (string | FoundFile)[],
  read: (file: TextFile) => Promise<Pick<FileReading, 'kind' | 'read'>>,
  firstOf: (file: TextFile, read: FileReading['read']) => Promise<readonly FirstBar[]> = async () => [],
): AsyncGenerator<FileReading> {
  const { files, leftOut } = await keyedFiles(paths);
  let place = 0;
  for (const { path, key } of files) {
    for await (const file of unverifiedFiles(path, key)) {
      const said = isTextFile(file) ? await read(file) : { read: file };
      const first = isTextFile(file) && place++ < FIRST_OF_FILES ? await firstOf(file, said.read) : [];
      yield { where: file.where, ...said, first };
    }
  }
  for (const refused of leftOut) yield { where: refused.where, read: refused };
}

/** Reads texts of bars, and remembers what it worked out of each until its rows are read. */
export function barReader(options: CsvOptions) {
  const known = new Map<string, { readonly read: ReadFile; readonly version: string | undefined }>();
  const knownOf = ({ where, version }: TextFile): ReadFile | undefined => {
    const of = known.get(where);
    return of?.version === version ? of?.read : undefined;
  };
  const namedBy = new Set<string>();
  return {
    namedBy: namedBy as ReadonlySet<string>,
    rows: (file: TextFile, tally: RefusalTally) => rowsOf(file, options, knownOf(file), tally, namedBy),
    /** Rows of the beginning of a file that was read; none of one whose prices follow from all of it. */
    async first(file: TextFile): Promise<readonly FirstBar[]> {
      const read = knownOf(file);
      if (read === undefined || isRefused(read) || read.parts.prices.value !== 'traded') return [];
      try {
        const table = await asTable(file);
        const { sample } = await sampleOf(isRefused(table) ? file : table);
        for await (const delivery of rowsOf(sample, options, read, refusalTally(), new Set()))
          if (delivery.kind === 'bars') return firstBars(delivery);
      } catch {
        // A part of a binary table is none; its rows are not needed to import it.
      }
      return [];
    },
    async read(file: TextFile): Promise<ReadFile> {
      const read = await readFile(file, options);
      known.set(file.where, { read, version: file.version });
      return read;
    },
  };
}

/** Damage to an archive is found and told when its rows are read. */
async function readFile(file: TextFile, options: CsvOptions): Promise<ReadFile> {
  try {
    const table = await asTable(file);
    return isRefused(table) ? table : await readingOf(table, options);
  } catch (error) {
    return { reason: 'broken_archive', example: damageSeen(error) };
  }
}

function firstBars({ symbol, interval, columns }: Extract<Delivery, { kind: 'bars' }>): FirstBar[] {
  const count = Math.min(FIRST_BARS, columns.time.length);
  return Array.from({ length: count }, (_, row) => ({
    symbol,
    isDaily: interval === '1d',
    ...(Object.fromEntries(BAR_COLUMNS.map((name) => [name, columns[name][row]!])) as Bar),
  }));
}

async function* rowsOf(
  written: TextFile,
  options: CsvOptions,
  known: ReadFile | undefined,
  tally: RefusalTally,
  namedBy: Set<string>,
): AsyncGenerator<Delivery> {
  const file = await asTable(written);
  const read = isRefused(file) ? file : (known ?? (await readingOf(file, options)));
  if (isRefused(file) || isRefused(read)) {
    const { reason, example } = isRefused(file) ? file : (read as NoReading);
    return yield refusedFile(reason, written.where, example);
  }
  const plan = read;
  if (
    plan.series.some(
      ({ symbol, columnIndex }) => !mayLackVolume(symbol ?? plan.symbol, columnIndex, plan, options),
    )
  ) {
    yield refusedFile('wrong_columns', file.where, 'no column for volume');
    return;
  }
  const adjustments = await surveyOf(file, plan, options);
  if (adjustments !== null && isRefused(adjustments))
    return yield refusedFile(adjustments.reason, written.where, adjustments.example);
  namedBy.add(
    options.symbol !== undefined
      ? choice('symbol')
      : plan.symbol === null
        ? 'a column'
        : 'the name of the file',
  );
  yield* csvRows(file, plan, adjustments, options, tally);
}

/** Whether the file has volumes or may do without; where a column holds the symbol, each row is checked by itself. */
function mayLackVolume(
  symbol: string | null,
  columnIndex: ColumnIndex,
  { parts }: Reading,
  { volumes }: CsvOptions,
): boolean {
  if (hasVolumes(columnIndex)) return true;
  return (
    parts.interval.value === '1d' && (volumes === 'unknown' || symbol === null || symbol.startsWith('^'))
  );
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

/** What brings the prices of a symbol back to those of their own days. */
interface Adjustments {
  readonly splits: CorporateAction[];
  readonly dividends: PaidDividend[];
}

const UNADJUSTED: Adjustments = { splits: [], dividends: [] };

interface PaidDividend extends CorporateAction {
  /** The close before it, as written. */
  readonly closeBefore: number;
}

/** The reader of the times of its rows. */
function rowTimes({ timeZone, dateOrder, overrules, dates }: Reading): ReadTime {
  const read = timeReader(timeZone, dateOrder);
  return overrules ? overruledReader(read, timeZone) : datedReader(read, dates);
}

/** What a whole file says of a symbol before its rows are read. */
interface Survey extends Adjustments {
  /** First price and last close of every day, in the order of the file. */
  readonly days: { day: number; open: number; close: number }[];
}

/**
 * What has to be known of a whole file before its first row is delivered, in one pass: what splits in the middle of a long
 * one say against its reading, and what brings its prices back to those of their own days. Splits are those of the tape
 * where the file has no column for them.
 *
 * @returns adjustments by symbol; null where prices are as traded
 */
async function surveyOf(
  file: TextFile,
  plan: Reading,
  options: CsvOptions,
): Promise<ReadonlyMap<string, Adjustments> | NoReading | null> {
  const prices = plan.parts.prices.value;
  const hasSplits = plan.series.some(({ columnIndex }) => columnIndex.split >= 0);
  const known = await splitsOfTape(plan, options);
  const comparesDays = !plan.isOfAllRows && (hasSplits || known.length > 0);
  if (!comparesDays && prices === 'traded') return null;
  const surveys = await surveysIn(file, plan, options, comparesDays);
  if (comparesDays) {
    const own = [...surveys.values()];
    const against = splitsAgainst(
      own.map(({ days }) => (plan.newestFirst ? days.toReversed() : days)),
      own.map(({ splits }) => (hasSplits ? splits : known)),
      prices,
      options,
    );
    if (against !== null) return against;
  }
  if (prices === 'traded') return null;
  for (const [symbol, { splits, dividends }] of surveys) {
    if (!hasSplits && splits.length === 0 && options.known !== undefined)
      splits.push(...(await options.known(symbol, plan.parts.interval.value, 0, 0)).splits);
    // A dividend is compared with closes as the file has them.
    if (plan.dividends === 'paid')
      for (const [at, paid] of dividends.entries())
        dividends[at] = { ...paid, value: paid.value / sharesSince(splits, paid.exDate) };
  }
  return surveys;
}

/** Of a file of many symbols that has no splits the tape's are compared in its sample alone. */
async function splitsOfTape({ isOfAllRows, symbol }: Reading, { known }: CsvOptions) {
  if (isOfAllRows || symbol === null) return [];
  return (await known?.(symbol, '1d', 0, 0))?.splits ?? [];
}

async function surveysIn(
  file: TextFile,
  plan: Reading,
  { calendar }: CsvOptions,
  comparesDays: boolean,
): Promise<Map<string, Survey>> {
  const found = new Map<string, Survey>();
  const closeBefore = closesBefore(plan);
  const isAdjusted = plan.parts.prices.value === 'adjusted';
  let lastName = '';
  let lastTicker: string | null = null;
  const tickerNamed = (name: string): string | null => {
    if (name === lastName) return lastTicker;
    lastName = name;
    lastTicker = pricedTickerOf(name);
    return lastTicker;
  };
  const { scan, starts, ends } = fieldScanner(plan.delimiter);
  const readTime = rowTimes(plan);
  const ignored = { note: () => {}, row: () => {}, refusals: () => [] };
  const of = (symbol: string) =>
    found.getOrInsertComputed(symbol, () => ({ splits: [], dividends: [], days: [] }));
  const addDay = ({ days }: Survey, day: number, first: number, close: number): void => {
    const last = days.at(-1);
    if (last?.day !== day) days.push({ day, open: first, close });
    else if (plan.newestFirst) last.open = first;
    else last.close = close;
  };
  const addAlone = (symbol: string, date: string, action: WrittenActions | null): void => {
    if (action !== null && action.split > 0)
      of(symbol).splits.push(...actionsOn(readTime(date).day, action, calendar));
  };
  const addActions = (own: Survey, actions: readonly CorporateAction[], pays: AwaitClose): void => {
    for (const one of actions) {
      if (one.kind === 'split') addAction(own.splits, one);
      else if (isAdjusted) pays((before) => own.dividends.push({ ...one, closeBefore: before }));
    }
  };
  await readRows(file, ignored, (bytes, start, end, line) => {
    if (line <= plan.lastHeadLine) return null;
    const count = scan(bytes, start, end);
    const textAt = (column: number): string =>
      column < 0 ? '' : fieldText(bytes, starts[column]!, ends[column]!);
    const priceAt = (column: number): number => {
      const plain = plan.mark === '.' ? decimal(bytes, starts[column]!, ends[column]!) : Number.NaN;
      return Number.isNaN(plain) ? writtenNumber(textAt(column), plan.mark) : plain;
    };
    if (count === 2 && plan.symbol !== null) addAlone(plan.symbol, textAt(0), actionIn(textAt(1)));
    if (count < plan.columns) return null;
    for (const { symbol, columnIndex } of plan.series) {
      const ticker = tickerNamed(plan.symbol ?? symbol ?? textAt(columnIndex.symbol));
      if (ticker === null) continue;
      const own = of(ticker);
      const hasActions = hasActionsIn(columnIndex);
      if (!comparesDays && !hasActions) continue;
      const { day } = readTime(textAt(columnIndex.date), textAt(columnIndex.time));
      if (Number.isNaN(day)) continue;
      const close = priceAt(columnIndex.close);
      if (comparesDays) addDay(own, day, priceAt(columnIndex.open), close);
      if (!hasActions) continue;
      const split = writtenSplit(textAt(columnIndex.split), plan.mark);
      const dividend = writtenNumber(textAt(columnIndex.dividend), plan.mark) || 0;
      addActions(own, actionsOn(day, { split, dividend }, calendar), closeBefore(ticker, day, close));
    }
    return null;
  });
  return found;
}

const hasActionsIn = ({ split, dividend }: ColumnIndex): boolean => split >= 0 || dividend >= 0;

/** Takes the last close before a dividend once it is known. */
type AwaitClose = (take: (close: number) => void) => void;

/** Finds for each dividend the last close before it, which in a file that begins with its newest row comes later. */
function closesBefore({ newestFirst }: Reading) {
  interface Place {
    day: number;
    close: number;
    readonly awaited: { readonly day: number; readonly take: (close: number) => void }[];
  }
  const places = new Map<string, Place>();
  return (ticker: string, day: number, close: number): AwaitClose => {
    const place = places.getOrInsertComputed(ticker, () => ({ day: NaN, close: NaN, awaited: [] }));
    const { day: dayBefore, close: before } = place;
    if (close > 0) {
      Object.assign(place, { day, close });
      while (place.awaited.length > 0 && place.awaited[0]!.day > day) place.awaited.shift()!.take(close);
    }
    return (take): void => {
      if (newestFirst) place.awaited.push({ day, take });
      else if (dayBefore < day) take(before);
    };
  };
}

/** Adds an action; minutes may repeat it in every row of its day. */
function addAction(actions: CorporateAction[], added: CorporateAction): void {
  const { kind, exDate, value } = added;
  if (!actions.some((one) => one.exDate === exDate && one.kind === kind && one.value === value))
    actions.push(added);
}

/** The share of a price that later dividends left of it: what a vendor multiplied its prices by. */
function keptSince(dividends: readonly PaidDividend[], day: number): number {
  // The close before a dividend, free of those that came later, is what it was paid of.
  let kept = 1;
  for (const { exDate, value, closeBefore } of dividends.toSorted((a, b) => b.exDate - a.exDate)) {
    if (exDate <= day) break;
    kept *= 1 - value / (closeBefore / kept + value);
  }
  return kept;
}

/** A row of Yahoo's history page that tells of a dividend (`0.25 Dividend`) or a split (`10:1 Stock Splits`). */
function actionIn(text: string): WrittenActions | null {
  const dividend = /^([\d.]+) Dividend$/i.exec(text);
  if (dividend !== null) return { dividend: Number(dividend[1]), split: 0 };
  const split = /^([\d.]+:[\d.]+) Stock Splits?$/i.exec(text);
  return split === null ? null : { dividend: 0, split: writtenSplit(split[1]!) };
}

/**
 * The rows of one file as bars and, from its dividend and split columns, corporate actions with the row's date as
 * ex-date.
 */
function csvRows(
  file: TextFile,
  plan: Reading,
  adjustments: ReadonlyMap<string, Adjustments> | null,
  options: CsvOptions,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const { columns, newestFirst, mark, unitsPerDollar, parts } = plan;
  const [interval, volumes] = [parts.interval.value, parts.volumes.value];
  const { scan, starts, ends } = fieldScanner(plan.delimiter);
  const readTime = rowTimes(plan);
  const timeOf = barClock(plan, file, options);
  const series = new Map<string, Series>();
  let waiting = 0;

  const textAt = (bytes: Uint8Array, column: number): string =>
    column < 0 ? '' : fieldText(bytes, starts[column]!, ends[column]!);
  /** NaN for what is no number; null for what says that there is none. */
  const numberAt = (bytes: Uint8Array, column: number): number | null => {
    if (column < 0) return null;
    // A point in a file with decimal commas marks thousands.
    const plain = mark === '.' ? decimal(bytes, starts[column]!, ends[column]!) : Number.NaN;
    if (!Number.isNaN(plain)) return plain;
    const text = textAt(bytes, column);
    return isAbsent(text) ? null : writtenNumber(text, mark);
  };
  const volumeAt = (bytes: Uint8Array, columnIndex: ColumnIndex, mayLack: boolean): number | null => {
    const none = mayLack ? 0 : null;
    if (columnIndex.volume >= 0) return numberAt(bytes, columnIndex.volume) ?? none;
    const [up, down] = [numberAt(bytes, columnIndex.volume_up), numberAt(bytes, columnIndex.volume_down)];
    return up === null || down === null ? none : up + down;
  };
  const seriesOf = (ticker: string): Series =>
    series.getOrInsertComputed(ticker, () => ({
      symbol: ticker,
      bars: new BarColumnBuilder(64),
      actions: [],
    }));
  const splitAt = (bytes: Uint8Array, column: number): number => {
    const plain = numberAt(bytes, column) ?? 0;
    return Number.isNaN(plain) ? writtenSplit(textAt(bytes, column), mark) : plain;
  };
  /** A dividend in the shares of a later day comes back to those of its own. */
  const takeActions = (
    { actions }: Series,
    day: number,
    written: WrittenActions,
    splits: readonly CorporateAction[],
    refused: () => void,
  ): void => {
    if (Number.isNaN(day) || isAhead(day)) return;
    for (const action of actionsOn(day, written, options.calendar, refused)) {
      const isOfLater = action.kind === 'dividend' && plan.dividends === 'adjusted';
      const value = isOfLater ? action.value * sharesSince(splits, action.exDate) : action.value;
      addAction(actions, { ...action, value });
    }
  };
  const { now = Number.POSITIVE_INFINITY } = options;
  /** Whether a day is not there yet: what is announced for it may be put off. */
  const isAhead = (day: number): boolean => day > now;
  /** The text of the last symbol and its series, null where it is no symbol. */
  let written: string | null = null;
  let named: Series | null = null;

  const seriesNamed = (text: string): Series | null => {
    if (text === written) return named;
    written = text;
    const ticker = pricedTickerOf(text);
    named = ticker === null ? null : seriesOf(ticker);
    return named;
  };

  /** Of a row with a number in each place. */
  const faultOfPrices = (
    open: number | null,
    high: number | null,
    low: number | null,
    close: number | null,
    volume: number | null,
  ): RefusalReason | null => {
    if (open === null || high === null || low === null || close === null || volume === null)
      return 'missing_value';
    if (Number.isNaN(open + high + low + close + volume)) return 'not_a_number';
    return newestFirst && waiting === NEWEST_FIRST_ROWS_MAX ? 'too_large' : null;
  };

  const needsNoVolume = (symbol: string): boolean => options.volumes === 'unknown' || symbol.startsWith('^');

  const takeSeries = (
    bytes: Uint8Array,
    symbol: string | null,
    columnIndex: ColumnIndex,
    actionRefused: () => void,
  ): RefusalReason | null => {
    const known = seriesNamed(symbol ?? textAt(bytes, columnIndex.symbol));
    if (known === null) return 'bad_symbol';
    const at = readTime(textAt(bytes, columnIndex.date), textAt(bytes, columnIndex.time));
    const { splits, dividends } = adjustments?.get(known.symbol) ?? UNADJUSTED;
    const split = splitAt(bytes, columnIndex.split);
    const dividend = numberAt(bytes, columnIndex.dividend) ?? 0;
    takeActions(known, at.day, { split, dividend }, splits, actionRefused);
    const time = timeOf(at);
    if (typeof time === 'string') return time;
    const mayLack = needsNoVolume(known.symbol);
    if (!hasVolumes(columnIndex) && !mayLack) return 'wrong_columns';
    const open = numberAt(bytes, columnIndex.open);
    const high = numberAt(bytes, columnIndex.high);
    const low = numberAt(bytes, columnIndex.low);
    const close = numberAt(bytes, columnIndex.close);
    const volume = volumes === 'unknown' ? 0 : volumeAt(bytes, columnIndex, mayLack);
    const fault = faultOfPrices(open, high, low, close, volume);
    if (fault !== null) return fault;
    if (open! >= 9999 && low === high && isFiller(textAt(bytes, columnIndex.open))) return 'out_of_bounds';
    const shares = sharesSince(splits, time);
    const kept = keptSince(dividends, time);
    const price = (value: number): number => (value * shares) / kept / unitsPerDollar;
    const reason = known.bars.push(
      newestFirst ? -time : time,
      price(open!),
      price(high!),
      price(low!),
      price(close!),
      (volume! * SHARES_IN[volumes]) / shares,
    );
    if (reason !== null) return reason;
    waiting++;
    return null;
  };

  /** Fields beyond the header's are allowed when they are empty: some writers end each row with a delimiter. */
  const hasAll = (count: number): boolean => {
    for (let column = columns; column < count; column++) if (ends[column]! > starts[column]!) return false;
    return count >= columns;
  };

  /** A row that has an action alone. */
  const takeAlone = (
    bytes: Uint8Array,
    symbol: string,
    action: WrittenActions,
    refused: () => void,
  ): RefusalReason | null => {
    const { day } = readTime(textAt(bytes, 0));
    takeActions(seriesOf(symbol), day, action, adjustments?.get(symbol)?.splits ?? [], refused);
    return Number.isNaN(day) ? 'bad_time' : null;
  };

  const take = (bytes: Uint8Array, start: number, end: number, line: number): RefusalReason | null => {
    if (line <= plan.lastHeadLine) return null;
    const count = scan(bytes, start, end);
    if (count === 1 && columns > 1 && isRemark(textAt(bytes, 0))) return null;
    const actionRefused = (): void => tally.row('bad_action', file.where, line, bytes, start, end);
    const action = count === 2 && columns > 2 ? actionIn(textAt(bytes, 1)) : null;
    if (action !== null && plan.symbol !== null) return takeAlone(bytes, plan.symbol, action, actionRefused);
    if (!hasAll(count)) return 'wrong_columns';
    let refused: RefusalReason | null = null;
    for (const { symbol, columnIndex } of plan.series) {
      const reason = takeSeries(bytes, plan.symbol ?? symbol, columnIndex, actionRefused);
      // A table of several symbols has no price for one that was not listed yet.
      if (reason !== null && !(reason === 'missing_value' && plan.series.length > 1)) refused = reason;
    }
    return refused;
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

/** What stands below the rows says who wrote them, and when. */
const isRemark = (text: string): boolean => /^\D*[a-z]{3,} /i.test(text);

/** What some writers put where they have no price: 99999, 999999.99. */
const isFiller = (text: string): boolean => /^9{5,}(?:\.(?:9+|0+))?$/.test(text);

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
function barClock(
  { parts, startAfter }: Reading,
  { modified = Number.POSITIVE_INFINITY }: TextFile,
  { calendar, now = Number.POSITIVE_INFINITY, finalThrough }: CsvOptions,
) {
  let knownDay = Number.NaN;
  let knownState: RefusalReason | null = null;
  const interval = parts.interval.value;
  const length = INTERVAL_MS[interval];
  const lastFinal = finalThrough === undefined ? Number.POSITIVE_INFINITY : midnightUtc(finalThrough);

  const stateOf = (day: number): RefusalReason | null => {
    const session = calendar.session(dateOf(day));
    if (session === null) return 'outside_session';
    // A file that was written while the session ran cannot hold its end.
    const wasRunning = modified >= session.preOpen && modified < session.close;
    return session.close > now || day > lastFinal || wasRunning ? 'not_final' : null;
  };
  const daily = ({ day }: WrittenTime): number | RefusalReason => {
    if (Number.isNaN(day)) return 'bad_time';
    if (day !== knownDay) {
      knownDay = day;
      knownState = stateOf(day);
    }
    return knownState ?? day;
  };
  const intraday = ({ instant, day }: WrittenTime): number | RefusalReason => {
    const start =
      typeof startAfter === 'number' ? instant + startAfter : startOfHour(instant, startAfter, calendar);
    // A bar that begins between the minutes has another length than the interval of the file.
    if (Number.isNaN(start) || (interval !== '1h' && start % length !== 0)) return 'bad_time';
    const session = calendar.sessionHolding(start);
    if (session === null) return 'outside_session';
    // The last bar of a file that was written while the session ran may have formed still.
    const wasForming =
      modified >= session.preOpen && modified < session.postClose && start + length > modified;
    return start + length > now || day > lastFinal || wasForming ? 'not_final' : start;
  };
  return interval === '1d' ? daily : intraday;
}

import { type Calendar, DAY_MS, dateOf, midnightUtc, type Session } from '../base/calendar.ts';
import { HOUR_MS, MINUTE_MS, weekdayOf } from '../base/dates.ts';
import {
  BAR_COLUMNS,
  type Bar,
  type BarColumns,
  type CorporateAction,
  type FlowMinuteColumns,
  INTERVAL_MS,
  type Interval,
} from '../market/observations.ts';
import {
  asBars,
  asFlow,
  barSeries,
  type Columns,
  rowAtOrAfter,
  type SeriesKind,
  sliceRows,
  tradeDay,
} from '../market/series.ts';
import type { SegmentReader, SymbolTape } from '../tape/index.ts';
import { barsFinalAt, makesDay, priorIntraday, readIntraday, regularBar } from '../tape/read-view.ts';
import type { TapeSource } from './tape-source.ts';

/** Lengths of intraday bars, milliseconds. */
const INTRADAY_MS = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
} as const;

export type IntradayInterval = keyof typeof INTRADAY_MS;
export type BarInterval = IntradayInterval | '1d' | '1w';

export const BAR_INTERVALS = ['1m', '5m', '15m', '30m', '1h', '1d', '1w'] as const satisfies BarInterval[];

export const isIntradayInterval = (interval: BarInterval): interval is IntradayInterval =>
  interval in INTRADAY_MS;

export interface BarsQuestion {
  readonly interval: BarInterval;
  /** The first and last time of a bar, epoch ms, both included; of days and weeks midnight UTC of the date. */
  readonly from: number;
  readonly to: number;
  /** No row counts that became final later. */
  readonly asOf: number;
  /** In shares of the trade date of `asOf`; otherwise as traded. Dividends change nothing. */
  readonly adjusted: boolean;
  /** Intraday bars of 09:30-16:00, or of 04:00-20:00. Bars of a day and a week are of the regular session. */
  readonly session: 'regular' | 'all';
  /** Bars at most. */
  readonly limit: number;
  /** Which bars of the range, where there are more than `limit`. */
  readonly keep: 'first' | 'newest';
}

interface PrintedBars extends BarColumns {
  /** Of the prints; NaN where the tape has no prints of the bar. */
  readonly vwap: Float64Array;
  /** Shares bought less shares sold; NaN where the tape has no prints of the bar. */
  readonly delta: Float64Array;
}

/** Bars in ascending time. */
export interface Bars extends PrintedBars {
  /** True when the last bar is still forming at `asOf`. */
  readonly unfinished: boolean;
  /** The time of the first bar beyond `limit`, of the newest the one before them; null when there is none. */
  readonly next: number | null;
}

/** Intervals that the tape keeps, the finest first, and their series. */
const SOURCES = [
  ['1m', 'bars-1m'],
  ['2m', 'bars-2m'],
  ['3m', 'bars-3m'],
  ['5m', 'bars-5m'],
  ['10m', 'bars-10m'],
  ['15m', 'bars-15m'],
  ['30m', 'bars-30m'],
  ['1h', 'bars-1h'],
] as const satisfies readonly (readonly [Interval, SeriesKind])[];

type Sources = readonly (readonly [Interval, SeriesKind])[];

/** Sessions that are read together: some megabytes of minutes. */
const SESSIONS_AT_ONCE = 32;

/**
 * Bars of a stock from the finest rows that the tape has of each session. Intraday bars count from the beginning of
 * pre-market, regular session and after-hours trading, so that none lies on both sides of the open or the close; an hour
 * that the tape has only as such stays as it is. A day's bar is the reported one, else that of its intraday bars; a
 * week's bar is made of days and has the date of the first.
 */
export function barsOf(source: TapeSource, tape: SymbolTape, question: BarsQuestion): Bars {
  const basis = midnightUtc(source.calendar.tradeDateOf(question.asOf));
  const actions = question.adjusted ? tape.actions.filter(isSplitUntil(basis)) : [];
  const add = isIntradayInterval(question.interval) ? addIntraday : addDays;
  if (question.keep === 'newest') return newestBars(source, tape, question, actions, add);
  const bars = new BarBuilder(question.limit);
  add(bars, source, tape, question, actions);
  return bars.take(question.asOf);
}

/** Days of the first step back in time; each further one is twice as long. */
const STEP_DAYS = { intraday: 2, daily: 400 };

/** The last bars of a range, read in steps back in time, so that a few cost little however far back the tape goes. */
function newestBars(
  source: TapeSource,
  tape: SymbolTape,
  question: BarsQuestion,
  actions: readonly CorporateAction[],
  add: typeof addDays,
): Bars {
  const { interval, limit, asOf } = question;
  const isIntraday = isIntradayInterval(interval);
  // The bar of a week has the date of its first session, on which the stock need not have traded.
  const alignedOf = (time: number): number => (interval === '1w' ? mondayOf(time) : time);
  const from = Math.max(question.from, alignedOf(firstTime(tape)));
  const parts: Bars[] = [];
  let count = 0;
  let stepMs = (isIntraday ? STEP_DAYS.intraday : STEP_DAYS.daily) * DAY_MS;
  for (let { to } = question; to >= from && count <= limit; stepMs *= 2) {
    const start = Math.max(from, alignedOf(to - (to % DAY_MS) - stepMs));
    const bars = new BarBuilder(Number.POSITIVE_INFINITY);
    add(bars, source, tape, { ...question, from: start, to }, actions);
    parts.unshift(bars.take(asOf));
    count += bars.length;
    to = start - (isIntraday ? 1 : DAY_MS);
  }
  const all = columnsOf((name) => joined(parts.map((part) => part[name])));
  const first = Math.max(0, count - limit);
  return {
    ...columnsOf((name) => all[name].subarray(first)),
    unfinished: parts.some((part) => part.unfinished),
    next: first === 0 ? null : all.time[first - 1]!,
  };
}

/** No bar of a tape begins earlier. */
function firstTime({ slices, running }: SymbolTape): number {
  const days = slices.map(({ firstDay }) => firstDay * DAY_MS);
  const times = running.map(({ columns }) => columns[0]![0] ?? Number.POSITIVE_INFINITY);
  return Math.min(...days, ...times.map((time) => time - (time % DAY_MS)));
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((rows, part) => rows + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const isSplitUntil =
  (basis: number) =>
  ({ kind, exDate }: CorporateAction): boolean =>
    kind === 'split' && exDate <= basis;

/** New shares for one old of the splits after a day (midnight UTC). */
function splitFactor(splits: readonly CorporateAction[], day: number): number {
  let factor = 1;
  for (const { exDate, value } of splits) if (exDate > day) factor *= value;
  return factor;
}

const ROWS_AT_FIRST = 1_024;

/** Collects rows into bars, at most `limit` of them and the beginning of the next. */
class BarBuilder {
  readonly #limit: number;
  #columns = emptyBars(ROWS_AT_FIRST);
  /** Instant at which the last bar is finished. */
  #end = 0;
  length = 0;
  next: number | null = null;

  constructor(limit: number) {
    this.#limit = limit;
  }

  makeRoom(bars: number): void {
    const rows = this.#columns.time.length;
    if (bars <= rows) return;
    const longer = emptyBars(Math.max(bars, 2 * rows));
    for (const name of COLUMNS) longer[name].set(this.#columns[name]);
    this.#columns = longer;
  }

  /** Adds rows that are bars already, of one length and later than the last bar; a share then is `factor` shares now. */
  addBars(rows: BarColumns, from: number, to: number, lengthMs: number, factor: number): void {
    const first = this.length;
    const last = Math.min(to, from + this.#limit - first);
    if (last < to) this.next ??= rows.time[last]!;
    if (last <= from) return;
    this.length += last - from;
    this.makeRoom(this.length);
    for (const name of BAR_COLUMNS) {
      const part = rows[name].subarray(from, last);
      const isSame = factor === 1 || name === 'time';
      const inShares = (value: number): number => (name === 'volume' ? value * factor : value / factor);
      this.#columns[name].set(isSame ? part : part.map(inShares), first);
    }
    this.#end = rows.time[last - 1]! + lengthMs;
  }

  /** Adds a row to the bar of a time, which is the last one or a later one; `next` is set where it does not fit. */
  add(
    time: number,
    end: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): void {
    const last = this.length - 1;
    if (last >= 0 && this.#columns.time[last] === time) {
      const columns = this.#columns;
      if (high > columns.high[last]!) columns.high[last] = high;
      if (low < columns.low[last]!) columns.low[last] = low;
      columns.close[last] = close;
      columns.volume[last]! += volume;
      return;
    }
    if (this.length === this.#limit) {
      this.next ??= time;
      return;
    }
    const at = this.length++;
    this.makeRoom(this.length);
    const columns = this.#columns;
    columns.time[at] = time;
    columns.open[at] = open;
    columns.high[at] = high;
    columns.low[at] = low;
    columns.close[at] = close;
    columns.volume[at] = volume;
    this.#end = end;
  }

  /** Sets what the prints of the bars from one place on say; a share then is `factor` shares now. */
  addPrints(from: number, factor: number, printsOf: (time: number) => Prints): void {
    const { time, vwap, delta } = this.#columns;
    for (let at = from; at < this.length; at++) {
      const prints = printsOf(time[at]!);
      vwap[at] = prints.price / factor;
      delta[at] = prints.delta * factor;
    }
  }

  take(asOf: number): Bars {
    return {
      ...columnsOf((name) => this.#columns[name].subarray(0, this.length)),
      unfinished: this.next === null && this.length > 0 && this.#end > asOf,
      next: this.next,
    };
  }
}

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume', 'vwap', 'delta'] as const;

const columnsOf = (columnOf: (name: (typeof COLUMNS)[number]) => Float64Array) =>
  Object.fromEntries(COLUMNS.map((name) => [name, columnOf(name)])) as Record<
    (typeof COLUMNS)[number],
    Float64Array
  >;

const emptyBars = (rows: number): PrintedBars => {
  const columns = columnsOf(() => new Float64Array(rows));
  columns.vwap.fill(Number.NaN);
  columns.delta.fill(Number.NaN);
  return columns;
};

function addIntraday(
  bars: BarBuilder,
  { reader, calendar }: TapeSource,
  tape: SymbolTape,
  question: BarsQuestion,
  splits: readonly CorporateAction[],
): void {
  const { interval, from, to, asOf, limit } = question;
  const length = INTRADAY_MS[interval as IntradayInterval];
  const sources = SOURCES.filter(([name]) => length % INTERVAL_MS[name] === 0);
  const days = daysOf(
    tape,
    sources.map(([, kind]) => kind),
    calendar.tradeDateOf(from),
    calendar.tradeDateOf(Math.min(to, asOf)),
  );
  for (let at = 0; at < days.length && bars.next === null; at += SESSIONS_AT_ONCE) {
    const part = days.slice(at, at + SESSIONS_AT_ONCE);
    const rows = sources.map(([, kind]) => reader.rows(tape, kind, part[0]!, part.at(-1)!));
    // Of these rows each is a bar: about as many as that come.
    if (at === 0)
      bars.makeRoom(Math.min(limit, rows.at(-1)!.time.length * Math.ceil(days.length / part.length)));
    const prints = printsOf(reader, tape, part[0]!, part.at(-1)!);
    for (const day of part) {
      const session = calendar.session(dateOf(day * DAY_MS));
      if (session !== null) {
        addSession(bars, session, sources, rows, prints, question, splitFactor(splits, day * DAY_MS));
      }
      if (bars.next !== null) break;
    }
  }
}

/** Trade dates with rows of some series in a range of dates, ascending, as days since 1970-01-01. */
function daysOf(tape: SymbolTape, kinds: readonly SeriesKind[], from: string, to: string): number[] {
  const [first, last] = [midnightUtc(from) / DAY_MS, midnightUtc(to) / DAY_MS];
  const days = new Set<number>();
  for (const { kind, days: own } of tape.slices) {
    if (kinds.includes(kind)) for (const day of own) if (day >= first && day <= last) days.add(day);
  }
  for (const { kind, columns } of tape.running) {
    if (!kinds.includes(kind)) continue;
    for (const time of columns[0]!) {
      const day = tradeDay(kind, time);
      if (day >= first && day <= last) days.add(day);
    }
  }
  return [...days].sort((a, b) => a - b);
}

function addSession(
  bars: BarBuilder,
  session: Session,
  sources: Sources,
  rows: readonly Columns[],
  prints: FlowMinuteColumns | null,
  { interval, from, to, asOf, session: hours }: BarsQuestion,
  factor: number,
): void {
  const length = INTRADAY_MS[interval as IntradayInterval];
  for (const [place, [source]] of sources.entries()) {
    const rowsThen = barsFinalAt(rows[place]!, source, session, asOf);
    if (rowsThen === null) continue;
    const { open, close } = session;
    const ofHours = (instant: number): number => rowAtOrAfter(rowsThen.time, instant);
    const final = asBars(hours === 'all' ? rowsThen : sliceRows(rowsThen, ofHours(open), ofHours(close)));
    const isAligned = (time: number): boolean => Math.floor(time / length) * length === time;
    const isBar = INTERVAL_MS[source] === length && (source === '1h' || final.time.every(isAligned));
    const firstNew = bars.length;
    if (isBar) {
      const [first, after] = [rowAtOrAfter(final.time, from), rowAtOrAfter(final.time, to + 1)];
      bars.addBars(final, first, after, length, factor);
    } else {
      addBuckets(bars, session, final, { from, to, length, factor });
    }
    const endOf = (time: number): number => (isBar ? time + length : bucketOf(session, time, length).end);
    if (prints !== null) {
      bars.addPrints(firstNew, factor, (time) => sumsOf(prints, time, Math.min(endOf(time), asOf)));
    }
    return;
  }
}

/** Adds rows of a session to bars of another length, of which those count that begin in a range. */
function addBuckets(
  bars: BarBuilder,
  session: Session,
  rows: BarColumns,
  { from, to, length, factor }: { from: number; to: number; length: number; factor: number },
): void {
  let bucket = { time: 0, end: Number.NEGATIVE_INFINITY };
  for (let row = 0; row < rows.time.length && bars.next === null; row++) {
    if (rows.time[row]! >= bucket.end) bucket = bucketOf(session, rows.time[row]!, length);
    if (bucket.time < from || bucket.time > to) continue;
    bars.add(
      bucket.time,
      bucket.end,
      rows.open[row]! / factor,
      rows.high[row]! / factor,
      rows.low[row]! / factor,
      rows.close[row]! / factor,
      rows.volume[row]! * factor,
    );
  }
}

/** The bar of a length that an instant of a session belongs to: its beginning and its end. */
function bucketOf(session: Session, instant: number, length: number): { time: number; end: number } {
  const [from, to] =
    instant < session.open
      ? [session.preOpen, session.open]
      : instant < session.close
        ? [session.open, session.close]
        : [session.close, session.postClose];
  const time = from + Math.floor((instant - from) / length) * length;
  return { time, end: Math.min(time + length, to) };
}

/** Sums of prints by minute in a range of days; null where the tape has none. */
function printsOf(
  reader: SegmentReader,
  tape: SymbolTape,
  firstDay: number,
  lastDay: number,
): FlowMinuteColumns | null {
  const parts = [...tape.slices, ...tape.running];
  if (!parts.some(({ kind }) => kind === 'flow-minutes')) return null;
  const rows = asFlow(reader.rows(tape, 'flow-minutes', firstDay, lastDay));
  return rows.time.length === 0 ? null : rows;
}

interface Prints {
  /** Volume-weighted, dollars. */
  readonly price: number;
  /** Shares bought less shares sold. */
  readonly delta: number;
}

const NO_PRINTS: Prints = { price: Number.NaN, delta: Number.NaN };

/** The prints of whole minutes from one instant to another. */
function sumsOf(prints: FlowMinuteColumns, from: number, to: number): Prints {
  let notional = 0;
  let volume = 0;
  let delta = 0;
  for (let row = rowAtOrAfter(prints.time, from); row < prints.time.length; row++) {
    if (prints.time[row]! + MINUTE_MS > to) break;
    notional += prints.notional[row]!;
    volume += prints.volume[row]!;
    delta += prints.buyByQuote[row]! + prints.buyByTick[row]!;
    delta -= prints.sellByQuote[row]! + prints.sellByTick[row]!;
  }
  return volume > 0 ? { price: notional / volume, delta } : NO_PRINTS;
}

function addDays(
  bars: BarBuilder,
  source: TapeSource,
  tape: SymbolTape,
  { interval, from, to, asOf }: BarsQuestion,
  splits: readonly CorporateAction[],
): void {
  const [first, last] = interval === '1w' ? [mondayOf(from), mondayOf(to) + 6 * DAY_MS] : [from, to];
  for (const row of dailyRows(source, tape, first / DAY_MS, last / DAY_MS, asOf)) {
    const { day, open, high, low, close, volume, prints } = row;
    const factor = splitFactor(splits, day);
    const place = bars.length;
    const { time, end } = interval === '1w' ? weekOf(source.calendar, day) : { time: day, end: row.end };
    bars.add(time, end, open / factor, high / factor, low / factor, close / factor, volume * factor);
    if (interval === '1d') bars.addPrints(place, factor, () => prints);
    if (bars.next !== null) return;
  }
}

const mondayOf = (day: number): number => day - ((weekdayOf(day) + 6) % 7) * DAY_MS;

/** The bar of a week: the date of its first session, and the close of its last. */
function weekOf(calendar: Calendar, day: number): { time: number; end: number } {
  const monday = mondayOf(day);
  const sessions = calendar.sessionsBetween(dateOf(monday), dateOf(monday + 6 * DAY_MS));
  const [first, last] = [sessions[0], sessions.at(-1)];
  if (first === undefined) return { time: monday, end: monday + 7 * DAY_MS };
  return { time: midnightUtc(first), end: calendar.session(last!)!.close };
}

interface DailyRow extends Omit<Bar, 'time'> {
  /** Midnight UTC of the trade date. */
  readonly day: number;
  /** Instant of the close. */
  readonly end: number;
  /** Of the regular session. */
  readonly prints: Prints;
}

/** Daily bars of a range of days that were final at `asOf`, and of the session that runs the bar so far. */
function* dailyRows(
  { reader, calendar }: TapeSource,
  tape: SymbolTape,
  firstDay: number,
  lastDay: number,
  asOf: number,
): Iterable<DailyRow> {
  const reported = asBars(reader.rows(tape, barSeries('1d'), firstDay, lastDay));
  const intraday = daysOf(
    tape,
    ['bars-1m', 'bars-5m'],
    dateOf(firstDay * DAY_MS),
    dateOf(Math.min(lastDay, midnightUtc(calendar.tradeDateOf(asOf)) / DAY_MS) * DAY_MS),
  );
  const days = new Set([...Array.from(reported.time, (time) => time / DAY_MS), ...intraday]);
  const withPrints = new Set(
    daysOf(tape, ['flow-minutes'], dateOf(firstDay * DAY_MS), dateOf(lastDay * DAY_MS)),
  );
  for (const day of [...days].sort((a, b) => a - b)) {
    const session = calendar.session(dateOf(day * DAY_MS));
    const end = session?.close ?? (day + 1) * DAY_MS;
    const prints = session !== null && withPrints.has(day) ? printsOn(day, session) : NO_PRINTS;
    const at = rowAtOrAfter(reported.time, day * DAY_MS);
    if (end > asOf || reported.time[at] !== day * DAY_MS) {
      const bar = session === null ? null : barOfIntraday({ reader, calendar }, tape, day, session, asOf);
      if (bar !== null) yield { ...bar, day: day * DAY_MS, end, prints };
      continue;
    }
    yield {
      day: day * DAY_MS,
      end,
      open: reported.open[at]!,
      high: reported.high[at]!,
      low: reported.low[at]!,
      close: reported.close[at]!,
      volume: reported.volume[at]!,
      prints,
    };
  }

  function printsOn(day: number, session: Session): Prints {
    const prints = printsOf(reader, tape, day, day);
    return prints === null ? NO_PRINTS : sumsOf(prints, session.open, Math.min(session.close, asOf));
  }
}

/** A day's bar from its intraday bars; null where they are a fragment of a session that is over. */
function barOfIntraday(
  { reader, calendar }: Pick<TapeSource, 'reader' | 'calendar'>,
  tape: SymbolTape,
  day: number,
  session: Session,
  asOf: number,
): Bar | null {
  const read = readIntraday(reader, tape, day, session, asOf);
  const bar = regularBar(read.bars, session, day);
  if (bar === null || session.close > asOf) return bar;
  return makesDay(read, session, priorIntraday(reader, tape, calendar, session)) ? bar : null;
}

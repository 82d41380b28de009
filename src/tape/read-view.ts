import { type Calendar, DAY_MS, dateOf, midnightUtc, type Session } from '../base/calendar.ts';
import { newYorkDay } from '../base/time-zone.ts';
import { chainOnBasisOf, type OptionChain, type VolatilityColumns } from '../market/chains.ts';
import { knownFacts } from '../market/known-facts.ts';
import {
  BAR_COLUMNS,
  type Bar,
  type BarColumns,
  barColumns,
  type CorporateAction,
  type FlowMinuteColumns,
  INTERVAL_MS,
  type Interval,
} from '../market/observations.ts';
import {
  asBars,
  asFlow,
  asVolatility,
  barSeries,
  type Columns,
  emptyColumns,
  rowAtOrAfter,
  type SeriesKind,
  sliceRows,
} from '../market/series.ts';
import type { BarsView, SeenPart, StockView } from '../market/stock-view.ts';
import { feedCut, type RegularHours, withoutBadPrints } from './bad-prints.ts';
import type { ChainSlice } from './chain-slices.ts';
import type { PlacedSlice, SegmentReader } from './segment-reader.ts';
import { holdsDays, SUMMED_FEED, type SymbolTape } from './symbol-tape.ts';

/** Rows of daily history in a view: two years and a little, after which Wilder's memory is under 1e-15. */
export const DAILY_ROWS_MAX = 520;
/** Calendar days that are sure to hold that many sessions. */
export const DAILY_REACH_DAYS = 800;
/** Days of volatility in a view: the sessions of a year. */
const VOLATILITY_ROWS_MAX = 252;
/** Calendar days that are sure to hold that many sessions. */
export const VOLATILITY_REACH_DAYS = 400;
/** A hole of more sessions ends a view's history. */
export const HOLE_SESSIONS_MAX = 5;
/** Intraday bars that blocks can use, finest first: opening ranges and volume profiles need no coarser ones. */
export const VIEW_INTERVALS: readonly Interval[] = ['1m', '5m'];
const PRIOR_SERIES = VIEW_INTERVALS.map(barSeries);
/** Lengths of intraday bars, finest first. */
export const INTRADAY_INTERVALS = (Object.keys(INTERVAL_MS) as Interval[]).filter(
  (interval) => interval !== '1d',
);
/** A session's bars that reach within this of both its ends are those of the whole of it. */
export const WHOLE_SLACK_MS = 1_800_000;

/**
 * The view of one stock for a trade date as known at `asOf`, or null when no bar of that date had become final by then.
 *
 * @param tradeDate a session of the calendar
 * @param asOf epoch milliseconds; every row in the view became final at or before it
 */
export function readStockView(
  reader: SegmentReader,
  tape: SymbolTape,
  calendar: Calendar,
  tradeDate: string,
  asOf: number,
): StockView | null {
  const priorDate = calendar.previousSession(tradeDate);
  if (priorDate === null) return null;
  const day = midnightUtc(tradeDate) / DAY_MS;
  const priorDay = midnightUtc(priorDate) / DAY_MS;
  reader.fetch(() => slicesOfView(tape, day, priorDay, asOf));
  const view = readBarsView(reader, tape, calendar, tradeDate, asOf);
  if (view === null) return null;
  return {
    ...view,
    quoteTime: newestQuoteTime(reader, tape, day, asOf),
    facts: tape.known?.(asOf) ?? knownFacts(tape.facts, asOf),
    // `with-peers.ts` adds them.
    peers: undefined,
    chain: readChain(reader, tape, day, asOf, { notBefore: priorDay }),
    chainAt: asOf,
    volatility: readVolatility(reader, tape, view.session.close <= asOf ? day : priorDay),
    simulated: tape.slices.some((slice) => slice.simulated) || tape.running.some((rows) => rows.simulated),
  };
}

/** The part of `readStockView` that blocks of bars read, for walks over many dates. */
export function readBarsView(
  reader: SegmentReader,
  tape: SymbolTape,
  calendar: Calendar,
  tradeDate: string,
  asOf: number,
): BarsView | null {
  const session = calendar.session(tradeDate);
  const priorDate = calendar.previousSession(tradeDate);
  if (session === null || priorDate === null) return null;
  const priorSession = calendar.session(priorDate)!;
  const day = midnightUtc(tradeDate) / DAY_MS;
  const priorDay = midnightUtc(priorDate) / DAY_MS;
  const completed = session.close <= asOf;
  const splits = splitsText(tape.actions);
  const splitsUntil = () =>
    tape.actions.filter(({ kind, exDate }) => kind === 'split' && exDate <= day * DAY_MS);
  const actions =
    splits === '' ? NONE : reader.keptPart(tape, 'splits', [], [day, day], `${day} ${splits}`, splitsUntil);
  const lastDay = completed ? day : priorDay;
  const dailyRange = [lastDay - DAILY_REACH_DAYS, lastDay] as const;
  const daily = reader.keptPart(tape, 'daily', ['bars-1d'], dailyRange, `${lastDay} ${day} ${splits}`, () =>
    readDaily(reader, tape, calendar, lastDay, day, actions),
  );
  const clean = (read: IntradayRead, date: number, hours: Session) =>
    withoutBadPrints(onBasisOf(read.bars, actions, date, day), {
      hours,
      reference: closeBefore(daily, date),
      splitRatio: splitRatio(actions, date - 1, date),
    });
  const intradayRead = readIntraday(reader, tape, day, session, asOf);
  const { bars, excluded } = clean(intradayRead, day, session);
  const intraday = { ...intradayRead, bars };
  const priorBasis = `${Math.min(asOf, priorSession.postClose)} ${day} ${closeBefore(daily, priorDay)} ${splits}`;
  const priorIntraday = reader.keptPart(tape, 'prior', PRIOR_SERIES, [priorDay, priorDay], priorBasis, () => {
    const rowsOf = (kind: SeriesKind): Columns => reader.rows(tape, kind, priorDay, priorDay);
    const read = intradayFrom(rowsOf, priorSession, asOf);
    return { ...read, bars: clean(read, priorDay, priorSession).bars };
  });
  const today = regularBar(intraday.bars, session, day);
  const isDay = !completed || makesDay(intraday, session, () => ({ ...priorIntraday, hours: priorSession }));
  const { daily: known, dailyNow } = withIntradayToday(daily, isDay ? today : null, completed, day);
  const todayRow = lastRowIs(dailyNow, day) ? dailyNow.time.length - 1 : -1;
  if (todayRow < 0 && intradayRead.bars.time.length === 0) return null;
  const priorRow = rowBefore(known, day);
  const intradayWhole = !completed || coversSession(intraday.bars, session);
  const priorIntradayWhole = coversSession(priorIntraday.bars, priorSession);
  return {
    symbol: tape.symbol,
    tradeDate,
    asOf,
    session,
    priorSession,
    sessionOn: calendar.sessionOn,
    daily: known,
    dailyNow,
    todayRow,
    priorRow,
    running: completed ? null : today,
    intraday: intraday.bars,
    badPrints: excluded,
    intradayInterval: intraday.interval,
    partialFeed: partialFeedOf(reader, tape, intraday),
    intradayWhole,
    intradayCutAt: completed ? cutOf(intraday, session, { ...priorIntraday, hours: priorSession }) : null,
    part: intradayWhole || todayRow < 0 ? null : partOf(reader, tape, calendar, day, lastRowIs(daily, day)),
    priorPart: priorIntradayWhole
      ? null
      : partOf(reader, tape, calendar, priorDay, isRowOf(known, priorRow, priorDay)),
    priorIntraday: priorIntraday.bars,
    priorIntradayInterval: priorIntraday.interval,
    priorIntradayWhole,
    flow: readFlow(reader, tape, day, session, asOf),
    actions,
  };
}

const NONE: readonly CorporateAction[] = [];

/** Feeds of files, whose bars are of the whole market also where their volume is unknown. */
const OF_FILES: ReadonlySet<string> = new Set(['csv', 'files']);

/** The feed of one exchange that the newest bar without volume is of; null where there is none. */
function partialFeedOf(
  reader: SegmentReader,
  tape: SymbolTape,
  { bars, interval }: IntradayRead,
): string | null {
  const row = bars.volume.findLastIndex(Number.isNaN);
  const feed =
    row < 0 || interval === null ? null : reader.feedOfRow(tape, barSeries(interval), bars.time[row]!);
  return feed !== null && OF_FILES.has(feed) ? null : feed;
}

/** What a view reads of the segment files. Days count from 1970-01-01. */
export function slicesOfView(tape: SymbolTape, day: number, priorDay: number, asOf: number): PlacedSlice[] {
  const within = (kind: SeriesKind, from: number, to: number) =>
    tape.slices.filter((slice) => slice.kind === kind && holdsDays(slice, from, to));
  const finest = (of: number) =>
    VIEW_INTERVALS.map((interval) => within(barSeries(interval), of, of)).find(({ length }) => length > 0) ??
    [];
  const chain = chainAt(tape, asOf, priorDay);
  return [
    ...within('bars-1d', priorDay - DAILY_REACH_DAYS, day),
    ...finest(day),
    ...finest(priorDay),
    ...within('flow-minutes', day, day),
    ...within('quotes-1m', day, day),
    ...within('volatility-1d', priorDay - VOLATILITY_REACH_DAYS, day),
    ...(chain === null ? [] : [chain]),
  ];
}

/** Close of the last daily row before a day, dollars; NaN without one. */
function closeBefore({ time, close }: BarColumns, day: number): number {
  return close[rowAtOrAfter(time, day * DAY_MS) - 1] ?? Number.NaN;
}

/** Names the splits. */
export const splitsText = (actions: readonly CorporateAction[]): string =>
  actions.flatMap(({ kind, exDate, value }) => (kind === 'split' ? `${exDate}:${value}` : [])).join();

/** New shares for one old of the splits after one day and up to another; 1 without one. */
function splitRatio(actions: readonly CorporateAction[], after: number, until: number): number {
  const splits = actions.filter(
    ({ kind, exDate }) => kind === 'split' && exDate > after * DAY_MS && exDate <= until * DAY_MS,
  );
  return splits.reduce((ratio, { value }) => ratio * value, 1);
}

/** Bars of the session before, and its hours. */
type PriorRead = IntradayRead & { readonly hours: RegularHours };

/** Where the bars of a session that is over stop before its end; null where they do not. */
function cutOf(
  { bars, interval }: IntradayRead,
  session: RegularHours,
  prior: PriorRead | null,
): number | null {
  if (interval === null) return null;
  return feedCut(bars, session, INTERVAL_MS[interval], prior?.interval === interval ? prior : null);
}

/**
 * Whether the bars of a session that is over make its day: they reach near its close, or the session before shows that the
 * stock trades so seldom that their end is no sign of a feed that stopped. They may begin late: of a stock that was
 * halted, or first listed, that is the day; where the tape lacks a morning, `SeenPart` says what was seen.
 */
export function makesDay(read: IntradayRead, session: RegularHours, prior: () => PriorRead | null): boolean {
  const { bars, interval } = read;
  const last = rowAtOrAfter(bars.time, session.close) - 1;
  if (last < 0 || bars.time[last]! < session.open) return false;
  if (bars.time[last]! >= session.close - WHOLE_SLACK_MS) return true;
  const before = prior();
  return (
    before?.interval === interval && before.bars.time.length > 0 && cutOf(read, session, before) === null
  );
}

/** Reads the bars of the session before one, for `makesDay`. */
export const priorIntraday =
  (reader: SegmentReader, tape: SymbolTape, calendar: Calendar, { tradeDate }: Session) =>
  (): PriorRead | null => {
    const priorDate = calendar.previousSession(tradeDate);
    const hours = priorDate === null ? null : calendar.session(priorDate);
    if (hours === null) return null;
    const day = midnightUtc(hours.tradeDate) / DAY_MS;
    return { ...readIntraday(reader, tape, day, hours, Number.POSITIVE_INFINITY), hours };
  };

/**
 * What the tape holds of a session that is over, where that is not near both ends of the session and no daily bar was
 * reported; null elsewhere.
 *
 * @param isOnTape whether the tape holds a daily bar of the day
 */
function partOf(
  reader: SegmentReader,
  tape: SymbolTape,
  calendar: Calendar,
  day: number,
  isOnTape: boolean,
): SeenPart | null {
  const session = calendar.session(dateOf(day * DAY_MS));
  if (session === null) return null;
  for (const interval of INTRADAY_INTERVALS) {
    const { time } = reader.rows(tape, barSeries(interval), day, day);
    const from = rowAtOrAfter(time, session.open);
    const to = rowAtOrAfter(time, session.close);
    if (to <= from) continue;
    const length = INTERVAL_MS[interval];
    const endsLate = time[to - 1]! >= session.close - Math.max(WHOLE_SLACK_MS, length);
    if (time[from]! <= session.open + WHOLE_SLACK_MS && endsLate) return null;
    if (isOnTape && reader.feedOfRow(tape, 'bars-1d', day * DAY_MS) !== SUMMED_FEED) return null;
    return { from: time[from]!, to: Math.min(time[to - 1]! + length, session.close) };
  }
  return null;
}

/**
 * The newest chain taken by `asOf`, in the shares of a trade date, whenever in the day or the week it was taken. Days
 * count from 1970-01-01.
 *
 * @param notBefore the New York date before which a chain is too old; without it any age counts
 */
export function readChain(
  reader: SegmentReader,
  tape: SymbolTape,
  day: number,
  asOf: number,
  { notBefore = Number.NEGATIVE_INFINITY }: { readonly notBefore?: number } = {},
): OptionChain | null {
  const slice = chainAt(tape, asOf, notBefore);
  if (slice === null) return null;
  const { segmentId, bodyOffset } = slice;
  const basis = `${segmentId} ${bodyOffset} ${day} ${splitsText(tape.actions)}`;
  return reader.keptPart(tape, 'chain', [], [day, day], basis, () =>
    chainOnBasisOf(reader.chain(slice), tape.actions, newYorkDay(slice.takenAt), day * DAY_MS),
  );
}

/** The newest chain taken by `asOf`; null without one, or with one from before the day `notBefore`. */
function chainAt(tape: SymbolTape, asOf: number, notBefore: number): ChainSlice | null {
  const slice = tape.chains.findLast(({ takenAt }) => takenAt <= asOf);
  return slice === undefined || newYorkDay(slice.takenAt) < notBefore * DAY_MS ? null : slice;
}

/** Daily volatility up to and including `lastDay`. */
function readVolatility(reader: SegmentReader, tape: SymbolTape, lastDay: number): VolatilityColumns {
  const range = [lastDay - VOLATILITY_REACH_DAYS, lastDay] as const;
  return reader.keptPart(tape, 'volatility', ['volatility-1d'], range, `${lastDay}`, () => {
    const rows = reader.rows(tape, 'volatility-1d', ...range);
    return asVolatility(sliceRows(rows, -VOLATILITY_ROWS_MAX, rows.time.length));
  });
}

/** Trade dates with a bar nearest to a day on either side, as days since 1970-01-01; null where there is none. */
export function neighbouringDays(reader: SegmentReader, tape: SymbolTape, day: number) {
  let before: number | null = null;
  let after: number | null = null;
  const consider = (candidate: number): void => {
    if (candidate < day && (before === null || candidate > before)) before = candidate;
    if (candidate > day && (after === null || candidate < after)) after = candidate;
  };
  for (const slice of tape.slices) {
    if (slice.kind === 'bars-1m' || slice.kind === 'bars-5m') slice.days.forEach(consider);
  }
  const { time } = reader.rows(tape, 'bars-1d', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  const at = rowAtOrAfter(time, day * DAY_MS);
  if (at > 0) consider(time[at - 1]! / DAY_MS);
  const next = time[at] === day * DAY_MS ? at + 1 : at;
  if (next < time.length) consider(time[next]! / DAY_MS);
  return { before, after };
}

interface IntradayRead {
  readonly bars: BarColumns;
  readonly interval: Interval | null;
}

/** Bars of one trade date, which stay from minute to minute while the tape does. */
const sessionRows = (reader: SegmentReader, tape: SymbolTape, kind: SeriesKind, day: number): Columns =>
  reader.keptPart(tape, kind, [kind], [day, day], `${day}`, () => reader.rows(tape, kind, day, day));

/** Bars of the finest interval of one trade date that were final at `asOf`, 04:00-20:00. */
export const readIntraday = (
  reader: SegmentReader,
  tape: SymbolTape,
  day: number,
  session: Session,
  asOf: number,
): IntradayRead => intradayFrom((kind) => sessionRows(reader, tape, kind, day), session, asOf);

function intradayFrom(rowsOf: (kind: SeriesKind) => Columns, session: Session, asOf: number): IntradayRead {
  for (const interval of VIEW_INTERVALS) {
    const bars = barsFinalAt(rowsOf(barSeries(interval)), interval, session, asOf);
    if (bars !== null) return { bars: asBars(bars), interval };
  }
  return { bars: asBars(emptyColumns('bars-1m')), interval: null };
}

/** Of a session's bars those of 04:00-20:00 that were final at `asOf`; null when there are none. */
export function barsFinalAt(
  rows: Columns,
  interval: Interval,
  session: Session,
  asOf: number,
): Columns | null {
  const last = Math.min(asOf, session.postClose) - INTERVAL_MS[interval];
  const from = rowAtOrAfter(rows.time, session.preOpen);
  const to = rowAtOrAfter(rows.time, last + 1);
  return to > from ? sliceRows(rows, from, to) : null;
}

/** Classified prints of one trade date, 04:00-20:00, in minutes that were over at `asOf`. */
function readFlow(
  reader: SegmentReader,
  tape: SymbolTape,
  day: number,
  session: Session,
  asOf: number,
): FlowMinuteColumns {
  const rows = reader.rows(tape, 'flow-minutes', day, day);
  const last = Math.min(asOf, session.postClose) - INTERVAL_MS['1m'];
  return asFlow(sliceRows(rows, rowAtOrAfter(rows.time, session.preOpen), rowAtOrAfter(rows.time, last + 1)));
}

/** Daily rows up to and including `lastDay`, without holes, on the basis of `basisDay`. */
function readDaily(
  reader: SegmentReader,
  tape: SymbolTape,
  calendar: Calendar,
  lastDay: number,
  basisDay: number,
  actions: readonly CorporateAction[],
): BarColumns {
  const rows = reader.rows(tape, 'bars-1d', lastDay - DAILY_REACH_DAYS, lastDay);
  const first = Math.max(firstRowAfterHole(rows, calendar, lastDay), rows.time.length - DAILY_ROWS_MAX);
  return adjustForSplits(asBars(sliceRows(rows, first, rows.time.length)), actions, basisDay);
}

/** The row that begins the run of sessions which reaches `lastDay` without a hole. */
function firstRowAfterHole(rows: Columns, calendar: Calendar, lastDay: number): number {
  let laterDay = lastDay;
  for (let row = rows.time.length - 1; row >= 0; row--) {
    const day = rows.time[row]! / DAY_MS;
    if (liesBeforeHole(calendar, day, laterDay)) return row + 1;
    laterDay = day;
  }
  return 0;
}

/** Whether a hole in the history lies between two days, counted since 1970-01-01. */
export function liesBeforeHole(calendar: Calendar, day: number, nextDay: number): boolean {
  // Seven calendar days cannot hide more than five sessions: only wider gaps need the calendar.
  if (nextDay - day <= 7) return false;
  const from = calendar.nextSession(dateOf(day * DAY_MS));
  const to = calendar.previousSession(dateOf(nextDay * DAY_MS));
  return from !== null && to !== null && calendar.sessionCount(from, to) > HOLE_SESSIONS_MAX;
}

/**
 * Prices of rows before a split divided by it, their volumes multiplied, so that the whole reads in shares of
 * `basisDay`. A split counts from its ex-date on, and only when that date is not after `basisDay`.
 */
export function adjustForSplits(
  bars: BarColumns,
  actions: readonly CorporateAction[],
  basisDay: number,
): BarColumns {
  const first = bars.time[0]!;
  const splits = actions.filter(
    (action) => action.kind === 'split' && action.exDate > first && action.exDate <= basisDay * DAY_MS,
  );
  if (splits.length === 0) return bars;
  const ends = splits.map(({ exDate }) => rowAtOrAfter(bars.time, exDate));
  return barColumns((name) => {
    if (name === 'time') return bars.time;
    const column = bars[name].slice();
    for (const [at, { value }] of splits.entries()) {
      for (let row = 0; row < ends[at]!; row++) {
        if (name === 'volume') column[row]! *= value;
        else column[row]! /= value;
      }
    }
    return column;
  });
}

/** Intraday bars of one trade date on the basis of a later one. */
function onBasisOf(
  bars: BarColumns,
  actions: readonly CorporateAction[],
  day: number,
  basisDay: number,
): BarColumns {
  const ratio = splitRatio(actions, day, basisDay);
  if (ratio === 1) return bars;
  return barColumns((name) => {
    if (name === 'time') return bars.time;
    return bars[name].map((value) => (name === 'volume' ? value * ratio : value / ratio));
  });
}

/** The regular session's bars as one daily bar, or null before its first trade. */
export function regularBar(bars: BarColumns, session: RegularHours, day: number): Bar | null {
  const from = rowAtOrAfter(bars.time, session.open);
  const to = rowAtOrAfter(bars.time, session.close);
  if (to <= from) return null;
  let high = Number.NEGATIVE_INFINITY;
  let low = Number.POSITIVE_INFINITY;
  let volume = 0;
  for (let row = from; row < to; row++) {
    if (bars.high[row]! > high) high = bars.high[row]!;
    if (bars.low[row]! < low) low = bars.low[row]!;
    volume += bars.volume[row]!;
  }
  return { time: day * DAY_MS, open: bars.open[from]!, high, low, close: bars.close[to - 1]!, volume };
}

/** True when the bars of a session reach near both its ends. */
export function coversSession(bars: BarColumns, session: RegularHours): boolean {
  const from = rowAtOrAfter(bars.time, session.open);
  const to = rowAtOrAfter(bars.time, session.close);
  return (
    to > from &&
    bars.time[from]! <= session.open + WHOLE_SLACK_MS &&
    bars.time[to - 1]! >= session.close - WHOLE_SLACK_MS
  );
}

/**
 * Daily columns with the trade date's bar from intraday bars: its bar so far while the session runs, and the
 * complete bar after the close when no daily bar has been reported.
 *
 * @param today null where the bars of a session that is over are a fragment: neither its bar nor one that still forms
 */
function withIntradayToday(
  daily: BarColumns,
  today: Bar | null,
  completed: boolean,
  day: number,
): { daily: BarColumns; dailyNow: BarColumns } {
  if (today === null || lastRowIs(daily, day)) return { daily, dailyNow: daily };
  const dailyNow = appendBar(daily, today);
  return { daily: completed ? dailyNow : daily, dailyNow };
}

/** In one memory: it is made for each stock in each minute. */
function appendBar(bars: BarColumns, bar: Bar): BarColumns {
  const rows = bars.time.length + 1;
  const memory = new Float64Array(BAR_COLUMNS.length * rows);
  return barColumns((name, index) => {
    const longer = memory.subarray(index * rows, (index + 1) * rows);
    longer.set(bars[name]);
    longer[rows - 1] = bar[name];
    return longer;
  });
}

const isRowOf = ({ time }: BarColumns, row: number, day: number): boolean => time[row] === day * DAY_MS;

const lastRowIs = (bars: BarColumns, day: number): boolean => isRowOf(bars, bars.time.length - 1, day);

/** End of the newest quote bar that was final at `asOf`. */
function newestQuoteTime(reader: SegmentReader, tape: SymbolTape, day: number, asOf: number): number | null {
  const time = reader.keptPart(
    tape,
    'quotes-1m',
    ['quotes-1m'],
    [day, day],
    `${day}`,
    () => reader.rows(tape, 'quotes-1m', day, day).time,
  );
  const row = rowAtOrAfter(time, asOf - INTERVAL_MS['1m'] + 1) - 1;
  return row < 0 ? null : time[row]! + INTERVAL_MS['1m'];
}

/** The last row of days before one. */
const rowBefore = (daily: BarColumns, day: number): number =>
  daily.time.length - (lastRowIs(daily, day) ? 2 : 1);

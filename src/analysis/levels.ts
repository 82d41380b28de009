import type { BarColumns, Interval, SessionBounds } from '../market/observations.ts';
import {
  DAY_MS,
  type IntradayBars,
  intradayBars,
  MINUTE_MS,
  NO_RANGE,
  overnightBar,
  type PriceRange,
  priceRange,
  type RowRange,
  regularRows,
  rowsBetween,
  tradeDay,
  windowRows,
} from './sessions.ts';
import { type VwapColumns, vwap } from './vwap.ts';

/** What the levels of a day are read from; a stock's view has all of it under these names. */
export interface LevelsInput {
  /** Daily bars on the price basis of the trade date, and the row of the session before it (-1 for none). */
  readonly daily: BarColumns;
  readonly priorRow: number;
  readonly intraday: BarColumns;
  readonly intradayInterval: Interval | null;
  readonly priorIntraday: BarColumns;
  readonly priorIntradayInterval: Interval | null;
  readonly session: SessionBounds;
  readonly priorSession: SessionBounds;
  /** Epoch milliseconds; bars that end after it are not read. */
  readonly asOf: number;
}

/** Every level of one day in dollars; NaN where it is not defined (yet). */
export type Levels = Readonly<ReturnType<typeof levels>>;

/**
 * All levels of a trade date as of `asOf`.
 *
 * @param series VWAP of the regular session so far, where it is there already
 */
export function levels(input: LevelsInput, series?: VwapColumns) {
  const { daily, session } = input;
  const bars = intradayBars(input.intraday, input.intradayInterval, input.asOf);
  const prior = priorDay(daily, input.priorRow);
  return {
    priorDay: prior,
    priorWeek: priorWeekRange(daily, session),
    priorMonth: priorMonthRange(daily, session),
    pivots: floorPivots(prior.high, prior.low, prior.close),
    centralPivotRange: centralPivotRange(prior.high, prior.low, prior.close),
    overnight: overnight(input, bars),
    openingFrom: openingFrom(bars, session),
    initialBalance: initialBalance(bars, session),
    openingRange5: openingRange(bars, session, 5),
    openingRange15: openingRange(bars, session, 15),
    openingRange30: openingRange(bars, session, 30),
    /** Anchored at 09:30 New York, regular session only. */
    vwap: vwap(bars.columns, regularRows(bars, session), series),
  };
}

/** High and low from the prior close to the open; unknown of a single bar, which is no range of a night. */
function overnight(input: LevelsInput, bars: IntradayBars): PriceRange {
  const prior = intradayBars(input.priorIntraday, input.priorIntradayInterval, input.asOf);
  const bar = overnightBar(prior, input.priorSession, bars, input.session);
  return bar === null || bar.bars === 1 ? NO_RANGE : { high: bar.high, low: bar.low };
}

/** The previous regular session in dollars. */
interface PriorDay extends PriceRange {
  readonly close: number;
}

/** High, low and close of a daily row; all NaN for row -1. */
export function priorDay(daily: BarColumns, priorRow: number): PriorDay {
  return {
    high: daily.high[priorRow] ?? Number.NaN,
    low: daily.low[priorRow] ?? Number.NaN,
    close: daily.close[priorRow] ?? Number.NaN,
  };
}

/** High and low of the calendar week (Monday to Sunday) before the trade date's. */
export function priorWeekRange(daily: BarColumns, session: SessionBounds): PriceRange {
  const day = tradeDay(session);
  // 1970-01-01 was a Thursday: three days after its week's Monday.
  const monday = day - ((day / DAY_MS + 3) % 7) * DAY_MS;
  return wholePeriod(daily, monday - 7 * DAY_MS, monday);
}

/** High and low of the calendar month before the trade date's. */
export function priorMonthRange(daily: BarColumns, session: SessionBounds): PriceRange {
  const day = new Date(tradeDay(session));
  const year = day.getUTCFullYear();
  const month = day.getUTCMonth();
  return wholePeriod(daily, Date.UTC(year, month - 1, 1), Date.UTC(year, month, 1));
}

/** NaN unless the history reaches back beyond the period: half of a week is not its range. */
function wholePeriod(daily: BarColumns, start: number, end: number): PriceRange {
  const rows = rowsBetween(daily, start, end);
  return rows.from === 0 ? NO_RANGE : priceRange(daily, rows);
}

/** Floor pivots in dollars; all NaN when one of their inputs is. */
type FloorPivots = Readonly<Record<'pivot' | 'r1' | 'r2' | 'r3' | 's1' | 's2' | 's3', number>>;

/**
 * Floor (classic) pivots from the previous regular session's high, low and close, dollars.
 *
 * P = (H+L+C)/3; R1 = 2P-L; S1 = 2P-H; R2 = P+(H-L); S2 = P-(H-L); R3 = H+2(P-L); S3 = L-2(H-P). The third pair is
 * the one of the floor traders' handbooks; some charts draw P +- 2(H-L) there instead.
 */
export function floorPivots(high: number, low: number, close: number): FloorPivots {
  const pivot = (high + low + close) / 3;
  const range = high - low;
  return {
    pivot,
    r1: 2 * pivot - low,
    r2: pivot + range,
    r3: high + 2 * (pivot - low),
    s1: 2 * pivot - high,
    s2: pivot - range,
    s3: low - 2 * (high - pivot),
  };
}

/** Central pivot range in dollars, `top` never below `bottom`. */
interface CentralPivotRange {
  readonly top: number;
  readonly bottom: number;
}

/**
 * Central pivot range from the previous regular session: BC = (H+L)/2, TC = 2P-BC with P = (H+L+C)/3. After a close
 * in the lower half of the range TC lies under BC, and the labels are swapped so that the top is the top.
 */
export function centralPivotRange(high: number, low: number, close: number): CentralPivotRange {
  const middle = (high + low) / 2;
  const mirrored = (2 * (high + low + close)) / 3 - middle;
  return { top: Math.max(middle, mirrored), bottom: Math.min(middle, mirrored) };
}

export const INITIAL_BALANCE_MINUTES = 60;

/** Minutes of the session that make a level, by its name: 15 of `orb_15m_high`, 0 of what was there before the open. */
export const madeInMinutes = (name: string): number =>
  name.startsWith('ib_') ? INITIAL_BALANCE_MINUTES : Number(/^orb_(\d+)m_/.exec(name)?.[1] ?? 0);

/** The first hour's range in dollars with its extensions; all NaN until a bar of it exists. */
export interface InitialBalance {
  readonly high: number;
  readonly low: number;
  readonly range: number;
  /** Half a range above the high, and one whole range above it. */
  readonly high15x: number;
  readonly high2x: number;
  /** The same below the low. */
  readonly low15x: number;
  readonly low2x: number;
  /** True from the first bar until 10:30 New York: the range may still grow. */
  readonly developing: boolean;
}

/**
 * High and low of 09:30-10:30 New York with extensions of half and one whole range beyond each edge: 1.5x high =
 * high + 0.5 range, 2x high = high + range, mirrored below. Source: J. Peter Steidlmayer's Market Profile, as in J.
 * Dalton, "Mind over Markets".
 */
export function initialBalance(bars: IntradayBars, session: SessionBounds): InitialBalance {
  const end = session.open + INITIAL_BALANCE_MINUTES * MINUTE_MS;
  const { high, low } = priceRange(bars.columns, windowRows(bars, session.open, end));
  return extended({ high, low }, !Number.isNaN(high) && bars.asOf < end);
}

/** Start of the first regular bar where it is later than the open, which windows from the open on lack; else NaN. */
function openingFrom(bars: IntradayBars, session: SessionBounds): number {
  const rows = regularRows(bars, session);
  const first = rows === null ? Number.NaN : (bars.columns.time[rows.from] ?? Number.NaN);
  return rows !== null && rows.from < rows.to && first > session.open ? first : Number.NaN;
}

function extended({ high, low }: PriceRange, developing: boolean): InitialBalance {
  const range = high - low;
  return {
    high,
    low,
    range,
    high15x: high + 0.5 * range,
    high2x: high + range,
    low15x: low - 0.5 * range,
    low2x: low - range,
    developing,
  };
}

export const NO_INITIAL_BALANCE = extended(NO_RANGE, false);

export const OPENING_RANGE_STATUSES = [
  'inside',
  'breakout_up',
  'breakout_down',
  'failed_breakout_up',
  'failed_breakout_down',
] as const;
export type OpeningRangeStatus = (typeof OPENING_RANGE_STATUSES)[number];

/** Where a bar closed: beyond the high, beyond the low, or on neither (the edges themselves are within). */
export type ClosePosition = 'above' | 'within' | 'below';

/**
 * What a close makes of the status. A break is a close beyond the range, a failure is a close back inside it; the
 * newest event decides, so a failed break up can still become a break up again or a break down, and a close that goes
 * through the whole range in one bar is a break on the other side. Nothing leads back to `inside`: a range that has
 * been broken once stays broken or failed for the session.
 */
const NEXT: Readonly<Record<OpeningRangeStatus, Readonly<Record<ClosePosition, OpeningRangeStatus>>>> = {
  inside: { above: 'breakout_up', within: 'inside', below: 'breakout_down' },
  breakout_up: { above: 'breakout_up', within: 'failed_breakout_up', below: 'breakout_down' },
  breakout_down: { above: 'breakout_up', within: 'failed_breakout_down', below: 'breakout_down' },
  failed_breakout_up: { above: 'breakout_up', within: 'failed_breakout_up', below: 'breakout_down' },
  failed_breakout_down: { above: 'breakout_up', within: 'failed_breakout_down', below: 'breakout_down' },
};

export function nextOpeningRangeStatus(status: OpeningRangeStatus, close: ClosePosition): OpeningRangeStatus {
  return NEXT[status][close];
}

/** An opening range in dollars and what became of it. */
export interface OpeningRange {
  readonly minutes: number;
  /** NaN until a bar of the window exists. */
  readonly high: number;
  readonly low: number;
  /** True from the first bar until the window closes: the range may still grow. */
  readonly developing: boolean;
  /** Null until the window closes. */
  readonly status: OpeningRangeStatus | null;
}

/**
 * Range of the first minutes after 09:30 New York and the status of its breaks by the closes of the regular session.
 * The definition asks for one-minute closes; where the tape has only longer bars that fit the window, their closes
 * decide, and a break shorter than a bar is not seen. Source: Toby Crabel, "Day Trading with Short Term Price
 * Patterns and Opening Range Breakout".
 */
export function openingRange(bars: IntradayBars, session: SessionBounds, minutes: number): OpeningRange {
  const end = session.open + minutes * MINUTE_MS;
  const { high, low } = priceRange(bars.columns, windowRows(bars, session.open, end));
  const exists = !Number.isNaN(high);
  const developing = exists && bars.asOf < end;
  const rows = windowRows(bars, end, session.close) ?? { from: 0, to: 0 };
  const status =
    exists && !developing ? (statusChanges(bars, rows, high, low).at(-1)?.status ?? 'inside') : null;
  return { minutes, high, low, developing, status };
}

/** A close that changed the status of an opening range, by its row. */
export interface StatusChange {
  readonly row: number;
  readonly status: OpeningRangeStatus;
}

/** The changes of the status over the closes of some rows, which is `inside` before the first of them. */
export function statusChanges(bars: IntradayBars, rows: RowRange, high: number, low: number): StatusChange[] {
  const { close } = bars.columns;
  const changes: StatusChange[] = [];
  let status: OpeningRangeStatus = 'inside';
  let position: ClosePosition = 'within';
  for (let row = rows.from; row < rows.to; row++) {
    const price = close[row]!;
    const now: ClosePosition = price > high ? 'above' : price < low ? 'below' : 'within';
    // Only a close that changes sides can change the status.
    if (now === position) continue;
    position = now;
    status = nextOpeningRangeStatus(status, now);
    changes.push({ row, status });
  }
  return changes;
}

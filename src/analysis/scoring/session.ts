import type { BarColumns, Interval, SessionBounds } from '../../market/observations.ts';
import type { StockView } from '../../market/stock-view.ts';
import { type Level, ladderRungs } from '../level-ladder.ts';
import { type LevelsInput, type OpeningRangeStatus, type StatusChange, statusChanges } from '../levels.ts';
import { TrendWalk } from '../session-trend.ts';
import {
  type IntradayBars,
  intradayBars,
  MINUTE_MS,
  priceRange,
  type RowRange,
  regularRows,
  rowAtOrAfter,
  windowRows,
} from '../sessions.ts';
import { vwapColumns } from '../vwap.ts';
import { type FastInputs, SCALES } from './inputs.ts';

/**
 * The inputs that move with every bar, at any instant of the session. Each is read from bars that ended by that instant
 * and from data known before the session, so that an instant's inputs never change.
 */

/** What the day's inputs are read from; of a fragment VWAP, volume and trend are not the day's. */
export interface SessionInput
  extends Omit<LevelsInput, 'daily' | 'priorRow'>,
    Pick<StockView, 'intradayWhole'> {
  /** Null where the session before is not there as a whole. */
  readonly prior: ReturnType<typeof priorVolume>;
  /** Close and daily ATR(14) of the session before the trade date, dollars; NaN without one. */
  readonly priorClose: number;
  readonly priorAtr: number;
  /** Levels that are fixed from the open to the close. */
  readonly levels: readonly Level[];
  /** VWAP after each bar of the regular session, where it is there already. */
  readonly vwap?: Float64Array;
  /** Of the same bars, where it is there already. */
  readonly trend?: TrendWalk;
}

/** A session prepared for queries at its instants. */
export type SessionPath = Readonly<ReturnType<typeof sessionPath>>;

export function sessionPath(input: SessionInput) {
  const bars = intradayBars(input.intraday, input.intradayInterval, input.asOf);
  const rows = (input.intradayWhole ? regularRows(bars, input.session) : null) ?? { from: 0, to: 0 };
  const ladder = ladderRungs(input.levels, input.priorClose, input.priorAtr).toReversed();
  return {
    input,
    /** Rows of the regular session of a whole day, empty otherwise. */
    rows,
    barMs: bars.barMs,
    /** After each of `rows`: dollars, and shares since the open. */
    vwap: rows.from < rows.to && input.vwap ? input.vwap : vwapColumns(bars.columns, rows).vwap,
    shares: runningSum(bars.columns.volume, rows),
    trend: input.trend ?? new TrendWalk(bars, input.session),
    prior: input.prior,
    ranges: openingRanges(input, bars, rows),
    /** The levels, lowest first, and how strong each is. */
    prices: ladder.map((rung) => rung.price),
    strengths: ladder.map((rung) => rung.strength),
  };
}

/** Starts of the regular bars of the session before, and the shares since its open after each. */
export function priorVolume(
  columns: BarColumns,
  interval: Interval | null,
  session: SessionBounds,
  asOf: number,
) {
  const bars = intradayBars(columns, interval, asOf);
  const rows = regularRows(bars, session);
  if (rows === null || rows.from >= rows.to) return null;
  const { time, volume } = columns;
  return { time: time.subarray(rows.from, rows.to), barMs: bars.barMs, shares: runningSum(volume, rows) };
}

function runningSum(column: Float64Array, { from, to }: RowRange): Float64Array {
  const sums = new Float64Array(to - from);
  let sum = 0;
  for (let row = from; row < to; row++) {
    sum += column[row]!;
    sums[row - from] = sum;
  }
  return sums;
}

/** Regular bars that had ended by the instant. */
export function barsBy({ input, rows, barMs }: SessionPath, instant: number): number {
  const ended = rowAtOrAfter(input.intraday.time, instant - barMs + 1);
  return Number.isNaN(barMs) ? 0 : Math.max(0, Math.min(ended, rows.to) - rows.from);
}

/** Close of the last regular bar that had ended by the instant, dollars; NaN before the first. */
export function priceAt(path: SessionPath, instant: number): number {
  const bars = barsBy(path, instant);
  return bars === 0 ? Number.NaN : path.input.intraday.close[path.rows.from + bars - 1]!;
}

/** End of that bar, epoch milliseconds; NaN before the first. */
export function lastBarEnd(path: SessionPath, instant: number): number {
  const bars = barsBy(path, instant);
  return bars === 0 ? Number.NaN : path.input.intraday.time[path.rows.from + bars - 1]! + path.barMs;
}

/** @param price the newest price of the instant, dollars; of extended hours where the caller wants them */
export function fastInputs(path: SessionPath, instant: number, price: number): FastInputs {
  const { input } = path;
  const atr = input.priorAtr > 0 ? input.priorAtr : Number.NaN;
  const count = barsBy(path, instant);
  const vwap = count === 0 ? Number.NaN : path.vwap[count - 1]!;
  const ranges = path.ranges.filter(({ end }) => end <= instant);
  const widest = count === 0 ? undefined : ranges.at(-1);
  return {
    ...around(path, price, atr),
    vwap_atr: (price - vwap) / atr,
    volume_pace: volumePace(path, instant, count),
    trend_score: count === 0 ? Number.NaN : (path.trend.at(instant)?.trend.score ?? Number.NaN),
    orb_lean: count === 0 ? Number.NaN : openingRangeBias(ranges, path.rows.from + count),
    orb_high_atr: widest === undefined ? Number.NaN : Math.abs(price - widest.high) / atr,
    orb_low_atr: widest === undefined ? Number.NaN : Math.abs(price - widest.low) / atr,
    intraday_return_atr: (price - input.priorClose) / atr,
  };
}

/** Maximum distance of a level, and the distance of a side without one. */
const FAR_ATR = SCALES.support_atr.high;

/** The nearest levels on both sides; a level at the price is support. NaN when no level is known. */
function around({ prices, strengths }: SessionPath, price: number, atr: number) {
  const known = prices.length > 0 && price > 0 && atr > 0;
  let above = 0;
  while (above < prices.length && prices[above]! <= price) above++;
  const side = (at: number): readonly [number, number] => {
    if (!known) return [Number.NaN, Number.NaN];
    if (at < 0 || at >= prices.length) return [FAR_ATR, 0];
    return [Math.min(FAR_ATR, Math.abs(price - prices[at]!) / atr), strengths[at]!];
  };
  const [supportAtr, supportStrength] = side(above - 1);
  const [resistanceAtr, resistanceStrength] = side(above);
  return {
    support_atr: supportAtr,
    support_strength: supportStrength,
    resistance_atr: resistanceAtr,
    resistance_strength: resistanceStrength,
  };
}

/** Shares since the open over those of the session before after as long; NaN where either has none. */
function volumePace({ input, shares, prior }: SessionPath, instant: number, count: number): number {
  if (prior === null || count === 0) return Number.NaN;
  const sameTime = input.priorSession.open + (instant - input.session.open);
  const bars = rowAtOrAfter(prior.time, sameTime - prior.barMs + 1);
  const before = bars === 0 ? 0 : prior.shares[bars - 1]!;
  return before > 0 ? shares[count - 1]! / before : Number.NaN;
}

const ORB_MINUTES = [5, 15, 30] as const;

/** The opening ranges of a whole day that exist, shortest first, each followed through the session once. */
function openingRanges(input: SessionInput, bars: IntradayBars, rows: RowRange) {
  if (rows.from >= rows.to) return [];
  return ORB_MINUTES.flatMap((minutes) => {
    const end = input.session.open + minutes * MINUTE_MS;
    const { high, low } = priceRange(bars.columns, windowRows(bars, input.session.open, end));
    const after = { from: rowAtOrAfter(bars.columns.time, end), to: rows.to };
    return Number.isNaN(high) ? [] : [{ high, low, end, changes: statusChanges(bars, after, high, low) }];
  });
}

/** Weight of a failed breakout, which favours the side that price returned to, against a break that holds. */
export const TRAP_LEAN = 0.7;

/** The side that each status of an opening range speaks for: above 0 longs. */
export const OPENING_RANGE_LEAN: Readonly<Record<OpeningRangeStatus, number>> = {
  inside: 0,
  breakout_up: 1,
  breakout_down: -1,
  failed_breakout_up: -TRAP_LEAN,
  failed_breakout_down: TRAP_LEAN,
};

/** Mean bias of the closed opening ranges by the closes before a row, -1 to 1; NaN before the first has closed. */
function openingRangeBias(
  ranges: readonly { readonly changes: readonly StatusChange[] }[],
  endRow: number,
): number {
  let sum = 0;
  for (const { changes } of ranges) {
    sum += OPENING_RANGE_LEAN[changes.findLast(({ row }) => row < endRow)?.status ?? 'inside'];
  }
  return sum / ranges.length;
}

import type { BarColumns, Interval, SessionBounds } from '../../market/observations.ts';
import { dayType } from '../day-type.ts';
import type { Level } from '../level-ladder.ts';
import { levelLadder } from '../level-ladder.ts';
import { type OpeningRange, type OpeningRangeStatus, openingRange } from '../levels/index.ts';
import { type IntradayBars, intradayBars, type RowRange, regularRows, rowAtOrAfter } from '../sessions.ts';
import { vwapColumns } from '../vwap.ts';
import type { FastInputs } from './inputs.ts';
import { SCALES } from './inputs.ts';

/**
 * The inputs that move with every bar, at any instant of the session: each is read from the bars that had ended by
 * that instant and from what was settled before the session, so that an instant's inputs are the same whenever they
 * are computed.
 */

/** What the day's inputs are read from; a stock's view has most of it under these names. */
export interface SessionTold {
  readonly intraday: BarColumns;
  readonly intradayInterval: Interval | null;
  /** False for a fragment of a session that is over: its VWAP, volume and trend are not the day's. */
  readonly intradayWhole: boolean;
  readonly priorIntraday: BarColumns;
  readonly priorIntradayInterval: Interval | null;
  readonly priorIntradayWhole: boolean;
  readonly session: SessionBounds;
  readonly priorSession: SessionBounds;
  readonly asOf: number;
  /** Close and daily ATR(14) of the session before the trade date, dollars; NaN without one. */
  readonly priorClose: number;
  readonly priorAtr: number;
  /** Levels that stand still from the open to the close. */
  readonly levels: readonly Level[];
}

/** A session laid out for questions about its instants. */
export interface SessionPath {
  readonly told: SessionTold;
  /** Rows of the regular session of a whole day, empty otherwise. */
  readonly rows: RowRange;
  readonly barMs: number;
  /** After each of `rows`: dollars, and shares since the open. */
  readonly vwap: Float64Array;
  readonly shares: Float64Array;
  readonly prior: { readonly ends: Float64Array; readonly shares: Float64Array } | null;
  /** The levels, lowest first, and how strong each is. */
  readonly prices: Float64Array;
  readonly strengths: Float64Array;
}

export function sessionPath(told: SessionTold): SessionPath {
  const bars = intradayBars(told.intraday, told.intradayInterval, told.asOf);
  const rows = (told.intradayWhole ? regularRows(bars, told.session) : null) ?? { from: 0, to: 0 };
  const ladder = levelLadder(told.levels, told.priorClose, told.priorAtr).rungs.toReversed();
  return {
    told,
    rows,
    barMs: bars.barMs,
    vwap: vwapColumns(bars.columns, rows).vwap,
    shares: runningSum(bars.columns.volume, rows),
    prior: priorVolume(told),
    prices: Float64Array.from(ladder, (rung) => rung.price),
    strengths: Float64Array.from(ladder, (rung) => rung.strength),
  };
}

function priorVolume(told: SessionTold): SessionPath['prior'] {
  if (!told.priorIntradayWhole) return null;
  const bars = intradayBars(told.priorIntraday, told.priorIntradayInterval, told.asOf);
  const rows = regularRows(bars, told.priorSession);
  if (rows === null || rows.from >= rows.to) return null;
  const ends = bars.columns.time.slice(rows.from, rows.to).map((time) => time + bars.barMs);
  return { ends, shares: runningSum(bars.columns.volume, rows) };
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
export function barsBy({ told, rows, barMs }: SessionPath, instant: number): number {
  const ended = rowAtOrAfter(told.intraday.time, instant - barMs + 1);
  return Number.isNaN(barMs) ? 0 : Math.max(0, Math.min(ended, rows.to) - rows.from);
}

/** Close of the last regular bar that had ended by the instant, dollars; NaN before the first. */
export function priceAt(path: SessionPath, instant: number): number {
  const bars = barsBy(path, instant);
  return bars === 0 ? Number.NaN : path.told.intraday.close[path.rows.from + bars - 1]!;
}

/** End of that bar, epoch milliseconds; NaN before the first. */
export function lastBarEnd(path: SessionPath, instant: number): number {
  const bars = barsBy(path, instant);
  return bars === 0 ? Number.NaN : path.told.intraday.time[path.rows.from + bars - 1]! + path.barMs;
}

/** @param price the newest price of the instant, dollars; extended hours included where it is asked from there */
export function fastInputs(path: SessionPath, instant: number, price: number): FastInputs {
  const { told } = path;
  const atr = told.priorAtr > 0 ? told.priorAtr : Number.NaN;
  const count = barsBy(path, instant);
  const vwap = count === 0 ? Number.NaN : path.vwap[count - 1]!;
  const ranges = openingRanges(path, instant);
  const widest = ranges.at(-1);
  return {
    ...around(path, price, atr),
    vwap_atr: (price - vwap) / atr,
    volume_pace: volumePace(path, instant, count),
    trend_score: trendScore(path, instant, count),
    orb_lean: orbLean(ranges.map(({ status }) => status!)),
    orb_high_atr: widest === undefined ? Number.NaN : Math.abs(price - widest.high) / atr,
    orb_low_atr: widest === undefined ? Number.NaN : Math.abs(price - widest.low) / atr,
    intraday_return_atr: (price - told.priorClose) / atr,
  };
}

/** As far as the scale of the distances goes; a side without a level is as far away. */
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
function volumePace({ told, shares, prior }: SessionPath, instant: number, count: number): number {
  if (prior === null || count === 0) return Number.NaN;
  const sameTime = told.priorSession.open + (instant - told.session.open);
  const bars = rowAtOrAfter(prior.ends, sameTime + 1);
  const before = bars === 0 ? 0 : prior.shares[bars - 1]!;
  return before > 0 ? shares[count - 1]! / before : Number.NaN;
}

/** As `day_context` has it: NaN in the first half hour. The value areas only tell rotation and are left out. */
function trendScore({ told }: SessionPath, instant: number, count: number): number {
  if (count === 0) return Number.NaN;
  const bars = intradayBars(told.intraday, told.intradayInterval, instant);
  const day = dayType({ bars, session: told.session, priorValue: null, developingValue: null });
  return day?.trendScore ?? Number.NaN;
}

const ORB_MINUTES = [5, 15, 30] as const;

/** The opening ranges whose window had closed, shortest first. */
function openingRanges({ told, rows }: SessionPath, instant: number): OpeningRange[] {
  if (rows.from >= rows.to) return [];
  const bars: IntradayBars = intradayBars(told.intraday, told.intradayInterval, instant);
  return ORB_MINUTES.map((minutes) => openingRange(bars, told.session, minutes)).filter(
    ({ status }) => status !== null,
  );
}

/** A trap speaks for the side that it threw the price back to, less loudly than a break that holds. */
export const TRAP_LEAN = 0.7;

const LEAN: Readonly<Record<OpeningRangeStatus, number>> = {
  inside: 0,
  breakout_up: 1,
  breakout_down: -1,
  failed_breakout_up: -TRAP_LEAN,
  failed_breakout_down: TRAP_LEAN,
};

/** Mean of what the closed opening ranges say, -1 to 1; NaN before the first has closed. */
export function orbLean(statuses: readonly OpeningRangeStatus[]): number {
  return statuses.reduce((sum, status) => sum + LEAN[status], 0) / statuses.length;
}

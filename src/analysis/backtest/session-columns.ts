import type { BarColumns, Interval, SessionBounds } from '../../market/observations.ts';
import { atr, ema } from '../indicators/index.ts';
import { type Level, levelLadder } from '../level-ladder.ts';
import { type Levels, type LevelsInput, levels } from '../levels/index.ts';
import { intradayBars, MINUTE_MS, priceRange, rowAtOrAfter, sliceBars, windowRows } from '../sessions.ts';
import type { VolumeProfile } from '../volume-profile.ts';
import { vwapColumns } from '../vwap.ts';

const ATR_SESSIONS = 14;
const OPENING_RANGE_MINUTES = 15;
const INITIAL_BALANCE_MINUTES = 60;

/**
 * One session of one stock and what stood before it; a StockView as of the session's close or later is one. Prices are
 * on the basis of the trade date; `intraday` reaches over the whole regular session.
 */
export interface BacktestSession extends Omit<LevelsInput, 'asOf'> {
  /** False for a session whose bars stop short of one of its ends. */
  readonly intradayWhole: boolean;
  readonly priorIntradayWhole: boolean;
}

/** A stretch of prices in dollars that levels of at least two families share. */
export interface Zone {
  readonly high: number;
  readonly low: number;
}

/**
 * The one-minute bars of a regular session, one row a bar, with what was known at each bar's end. Everything that is not
 * a column stood before the first bar, but for the two ranges, which count from the minute on at which they are over.
 */
export interface SessionColumns {
  /** Minutes from the open to the start of each bar, ascending; a minute without a trade has no row. */
  readonly minute: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  /** Running, anchored at the open, the bar's own trades within. */
  readonly vwap: Float64Array;
  /** Of the session's closes alone. */
  readonly ema9: Float64Array;
  readonly ema20: Float64Array;
  readonly ema50: Float64Array;
  /** ATR(14) of the session before, dollars. */
  readonly dailyAtr: number;
  /** Edges of the first 15 and 60 minutes. */
  readonly openingRange: Zone;
  readonly initialBalance: Zone;
  readonly zones: readonly Zone[];
}

/** ATR(14) of the session before the trade date; NaN without 15 of them. */
export function priorDailyAtr({ daily, priorRow }: Pick<BacktestSession, 'daily' | 'priorRow'>): number {
  const rows = priorRow + 1;
  const [high, low, close] = [daily.high, daily.low, daily.close].map((column) => column.subarray(0, rows));
  return atr(high!, low!, close!, ATR_SESSIONS).at(-1) ?? Number.NaN;
}

/** The one-minute bars of the regular session; null when there are none or only longer ones. */
export function regularMinutes(
  intraday: BarColumns,
  interval: Interval | null,
  session: SessionBounds,
): BarColumns | null {
  if (interval !== '1m') return null;
  const rows = windowRows(intradayBars(intraday, interval, session.close), session.open, session.close);
  return rows === null || rows.from >= rows.to ? null : sliceBars(intraday, rows);
}

/**
 * @param bars the session's regular one-minute bars so far
 * @param zones as of `confluenceZones`
 */
export function sessionColumns(
  bars: BarColumns,
  open: number,
  dailyAtr: number,
  zones: readonly Zone[],
): SessionColumns {
  const { close } = bars;
  return {
    minute: bars.time.map((time) => (time - open) / MINUTE_MS),
    open: bars.open,
    high: bars.high,
    low: bars.low,
    close,
    vwap: vwapColumns(bars, { from: 0, to: close.length }).vwap,
    ema9: ema(close, 9),
    ema20: ema(close, 20),
    ema50: ema(close, 50),
    dailyAtr,
    openingRange: firstMinutes(bars, open, OPENING_RANGE_MINUTES),
    initialBalance: firstMinutes(bars, open, INITIAL_BALANCE_MINUTES),
    zones,
  };
}

function firstMinutes(bars: BarColumns, open: number, minutes: number): Zone {
  return priceRange(bars, { from: 0, to: rowAtOrAfter(bars.time, open + minutes * MINUTE_MS) });
}

/** The session turned upside down: its longs are the shorts of the session, to the last bit. */
export function mirrored(day: SessionColumns): SessionColumns {
  return {
    minute: day.minute,
    open: negated(day.open),
    high: negated(day.low),
    low: negated(day.high),
    close: negated(day.close),
    vwap: negated(day.vwap),
    ema9: negated(day.ema9),
    ema20: negated(day.ema20),
    ema50: negated(day.ema50),
    dailyAtr: day.dailyAtr,
    openingRange: upsideDown(day.openingRange),
    initialBalance: upsideDown(day.initialBalance),
    zones: day.zones.map(upsideDown),
  };
}

function negated(column: Float64Array): Float64Array {
  const out = new Float64Array(column.length);
  for (let row = 0; row < column.length; row++) out[row] = -column[row]!;
  return out;
}

const upsideDown = ({ high, low }: Zone): Zone => ({ high: -low, low: -high });

/**
 * Where levels that stood before the open lie within 0.25 daily ATR of each other, of at least two families: the prior
 * day, week and month, pivots and central pivot range, overnight, and the prior session's volume profile.
 *
 * @param priorProfile null where the prior session has none
 */
export function confluenceZones(
  day: BacktestSession,
  priorProfile: VolumeProfile | null,
  dailyAtr: number,
): readonly Zone[] {
  const atOpen = levels({ ...day, asOf: day.session.open });
  const anyPrice = atOpen.priorDay.close;
  return levelLadder(standingLevels(atOpen, priorProfile), anyPrice, dailyAtr).zones;
}

function standingLevels(known: Levels, profile: VolumeProfile | null): Level[] {
  const { priorDay, priorWeek, priorMonth, pivots, centralPivotRange, overnight } = known;
  return [
    { name: 'pdh', family: 'prior_day', price: priorDay.high },
    { name: 'pdl', family: 'prior_day', price: priorDay.low },
    { name: 'pdc', family: 'prior_day', price: priorDay.close },
    { name: 'pwh', family: 'prior_week', price: priorWeek.high },
    { name: 'pwl', family: 'prior_week', price: priorWeek.low },
    { name: 'pmh', family: 'prior_month', price: priorMonth.high },
    { name: 'pml', family: 'prior_month', price: priorMonth.low },
    { name: 'pivot', family: 'pivot', price: pivots.pivot },
    { name: 'r1', family: 'pivot', price: pivots.r1 },
    { name: 'r2', family: 'pivot', price: pivots.r2 },
    { name: 's1', family: 'pivot', price: pivots.s1 },
    { name: 's2', family: 'pivot', price: pivots.s2 },
    { name: 'cpr_top', family: 'pivot', price: centralPivotRange.top },
    { name: 'cpr_bottom', family: 'pivot', price: centralPivotRange.bottom },
    { name: 'overnight_high', family: 'overnight', price: overnight.high },
    { name: 'overnight_low', family: 'overnight', price: overnight.low },
    { name: 'prior_poc', family: 'prior_profile', price: profile?.poc ?? Number.NaN },
    { name: 'prior_vah', family: 'prior_profile', price: profile?.vah ?? Number.NaN },
    { name: 'prior_val', family: 'prior_profile', price: profile?.val ?? Number.NaN },
  ];
}

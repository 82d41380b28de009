import type { BarColumns, Interval, SessionBounds } from '../../market/observations.ts';
import { ema } from '../indicators/averages.ts';
import { atr } from '../indicators/true-range.ts';
import { type ConfluenceZone, type Level, levelLadder } from '../level-ladder.ts';
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

/** The range of the session's first minutes, dollars. */
interface EarlyRange extends Zone {
  /** The first row after those minutes: from it on the range is known. */
  readonly knownFrom: number;
}

/**
 * The one-minute bars of a regular session, one row a bar, with what was known at each bar's end; a minute without a
 * trade has no row. ATR and zones stood before the first bar.
 */
export interface SessionColumns {
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
  readonly openingRange: EarlyRange;
  readonly initialBalance: EarlyRange;
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
 * The columns of a session; averages are computed when a signal first reads them, since most signals read none.
 *
 * @param bars the session's regular one-minute bars so far
 * @param zones as of `confluenceZones`
 */
export function sessionColumns(
  bars: BarColumns,
  sessionOpen: number,
  dailyAtr: number,
  zones: readonly Zone[],
): SessionColumns {
  const { open, high, low, close } = bars;
  const averages = new Map<string, Float64Array>();
  const average = (period: number): Float64Array =>
    averages.getOrInsertComputed(`ema${period}`, () => ema(close, period));
  return {
    open,
    high,
    low,
    close,
    dailyAtr,
    openingRange: earlyRange(bars, sessionOpen, OPENING_RANGE_MINUTES),
    initialBalance: earlyRange(bars, sessionOpen, INITIAL_BALANCE_MINUTES),
    zones,
    get vwap() {
      return averages.getOrInsertComputed(
        'vwap',
        () => vwapColumns(bars, { from: 0, to: close.length }).vwap,
      );
    },
    get ema9() {
      return average(9);
    },
    get ema20() {
      return average(20);
    },
    get ema50() {
      return average(50);
    },
  };
}

function earlyRange(bars: BarColumns, open: number, minutes: number): EarlyRange {
  const knownFrom = rowAtOrAfter(bars.time, open + minutes * MINUTE_MS);
  return { ...priceRange(bars, { from: 0, to: knownFrom }), knownFrom };
}

type ColumnName = 'open' | 'high' | 'low' | 'close' | 'vwap' | 'ema9' | 'ema20' | 'ema50';

/** The session upside down: its longs are the shorts of the session, to the last bit. Columns are made when first read. */
export function mirrored(day: SessionColumns): SessionColumns {
  const columns = new Map<ColumnName, Float64Array>();
  const minus = (name: ColumnName): Float64Array =>
    columns.getOrInsertComputed(name, () => negated(day[name]));
  return {
    dailyAtr: day.dailyAtr,
    openingRange: { ...day.openingRange, ...upsideDown(day.openingRange) },
    initialBalance: { ...day.initialBalance, ...upsideDown(day.initialBalance) },
    zones: day.zones.map(upsideDown),
    get open() {
      return minus('open');
    },
    get high() {
      return minus('low');
    },
    get low() {
      return minus('high');
    },
    get close() {
      return minus('close');
    },
    get vwap() {
      return minus('vwap');
    },
    get ema9() {
      return minus('ema9');
    },
    get ema20() {
      return minus('ema20');
    },
    get ema50() {
      return minus('ema50');
    },
  };
}

function negated(column: Float64Array): Float64Array {
  const out = new Float64Array(column.length);
  for (let row = 0; row < column.length; row++) out[row] = -column[row]!;
  return out;
}

const upsideDown = ({ high, low }: Zone): Zone => ({ high: -low, low: -high });

/** The levels of a profile, dollars. */
type ProfileLevels = Pick<VolumeProfile, 'poc' | 'vah' | 'val'>;

/**
 * Where levels that stood before the open lie within 0.25 daily ATR of each other, of at least two families: the prior
 * day, week and month, pivots and central pivot range, overnight, and the prior session's volume profile.
 *
 * @param priorProfile null where the prior session has none
 */
export function confluenceZones(
  day: Omit<LevelsInput, 'asOf'>,
  priorProfile: ProfileLevels | null,
  dailyAtr: number,
): readonly ConfluenceZone[] {
  const atOpen = levels({ ...day, asOf: day.session.open });
  const anyPrice = atOpen.priorDay.close;
  return levelLadder(standingLevels(atOpen, priorProfile), anyPrice, dailyAtr).zones;
}

function standingLevels(known: Levels, profile: ProfileLevels | null): Level[] {
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

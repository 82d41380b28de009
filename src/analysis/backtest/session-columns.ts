import type { BarColumns, Interval, QuoteBarColumns, SessionBounds } from '../../market/observations.ts';
import { ema } from '../indicators/averages.ts';
import { atr } from '../indicators/true-range.ts';
import { type ConfluenceZone, type Level, type LevelFamily, ladderZones } from '../level-ladder.ts';
import { type Levels, type LevelsInput, levels } from '../levels.ts';
import {
  intradayBars,
  MINUTE_MS,
  type PriceRange,
  priceRange,
  rowAtOrAfter,
  sliceBars,
  windowRows,
} from '../sessions.ts';
import type { VolumeProfile } from '../volume-profile.ts';
import { vwapColumns } from '../vwap.ts';

const ATR_SESSIONS = 14;
const OPENING_RANGE_MINUTES = 15;
const INITIAL_BALANCE_MINUTES = 60;

/**
 * One session of one stock and the history before it; a StockView as of the close or later fits. Prices are on the
 * basis of the trade date; `intraday` covers the regular session.
 */
export interface BacktestSession extends Omit<LevelsInput, 'asOf'> {
  /** False when the bars do not cover the session to both ends. */
  readonly intradayWhole: boolean;
  readonly priorIntradayWhole: boolean;
}

interface EarlyRange extends PriceRange {
  /** The first row after those minutes, from which the range is known. */
  readonly knownFrom: number;
}

/**
 * The one-minute bars of a regular session, one row a bar, with what is known at the end of each bar; a minute without
 * a trade has no row. ATR and zones are known before the first bar.
 */
export interface SessionColumns extends Pick<BarColumns, 'open' | 'high' | 'low' | 'close'> {
  /** Anchored at the open, the trades of the bar included. */
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
  /** Ranges that levels of at least two families share. */
  readonly zones: readonly PriceRange[];
  /** Quoted spreads, where fills pay half of them. */
  readonly spreads?: HalfSpreads;
}

/** Half of the quoted spread, dollars a share. */
interface HalfSpreads {
  /** At the start of each bar: of the newest quote by then. */
  readonly open: Float64Array;
  /** At the close. */
  readonly end: number;
}

/**
 * Half of the quoted spread at each bar: that of the quote bar that begins with it, else of the newest before it.
 * Null unless there is a two-sided quote from the first bar on.
 */
export function halfSpreads(
  { time: bars }: Pick<BarColumns, 'time'>,
  { time, bidOpen, askOpen, bidClose, askClose }: QuoteBarColumns,
  close: number,
): HalfSpreads | null {
  const open = new Float64Array(bars.length);
  let newest = Number.NaN;
  let row = 0;
  const see = (half: number): void => {
    if (half >= 0) newest = half;
  };
  for (let bar = 0; bar < bars.length; bar++) {
    for (; row < time.length && time[row]! < bars[bar]!; row++) see((askClose[row]! - bidClose[row]!) / 2);
    if (time[row] === bars[bar]) see((askOpen[row]! - bidOpen[row]!) / 2);
    if (Number.isNaN(newest)) return null;
    open[bar] = newest;
  }
  for (; row < time.length && time[row]! < close; row++) see((askClose[row]! - bidClose[row]!) / 2);
  return { open, end: newest };
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
  zones: readonly PriceRange[],
  spreads: HalfSpreads | null = null,
): SessionColumns {
  const { open, high, low, close } = bars;
  const columns = lazy({
    vwap: () => vwapColumns(bars, { from: 0, to: close.length }).vwap,
    ema9: () => ema(close, 9),
    ema20: () => ema(close, 20),
    ema50: () => ema(close, 50),
  });
  return Object.assign(columns, {
    open,
    high,
    low,
    close,
    dailyAtr,
    openingRange: earlyRange(bars, sessionOpen, OPENING_RANGE_MINUTES),
    initialBalance: earlyRange(bars, sessionOpen, INITIAL_BALANCE_MINUTES),
    zones,
    ...(spreads === null ? {} : { spreads }),
  });
}

/** Columns that are made when first read. */
function lazy<Name extends string>(
  makers: Readonly<Record<Name, () => Float64Array>>,
): Record<Name, Float64Array> {
  const columns = {} as Record<Name, Float64Array>;
  for (const name in makers) {
    let column: Float64Array | undefined;
    Object.defineProperty(columns, name, {
      enumerable: true,
      get() {
        column ??= makers[name]();
        return column;
      },
    });
  }
  return columns;
}

function earlyRange(bars: BarColumns, open: number, minutes: number): EarlyRange {
  const knownFrom = rowAtOrAfter(bars.time, open + minutes * MINUTE_MS);
  return { ...priceRange(bars, { from: 0, to: knownFrom }), knownFrom };
}

/** The session upside down: its longs are the shorts of the session, to the last bit. Columns are made when first read. */
export function mirrored(day: SessionColumns): SessionColumns {
  const columns = lazy({
    open: () => negated(day.open),
    high: () => negated(day.low),
    low: () => negated(day.high),
    close: () => negated(day.close),
    vwap: () => negated(day.vwap),
    ema9: () => negated(day.ema9),
    ema20: () => negated(day.ema20),
    ema50: () => negated(day.ema50),
  });
  return Object.assign(columns, {
    dailyAtr: day.dailyAtr,
    openingRange: { ...day.openingRange, ...upsideDown(day.openingRange) },
    initialBalance: { ...day.initialBalance, ...upsideDown(day.initialBalance) },
    zones: day.zones.map(upsideDown),
    ...(day.spreads === undefined ? {} : { spreads: day.spreads }),
  });
}

function negated(column: Float64Array): Float64Array {
  const out = new Float64Array(column.length);
  for (let row = 0; row < column.length; row++) out[row] = -column[row]!;
  return out;
}

const upsideDown = ({ high, low }: PriceRange): PriceRange => ({ high: -low, low: -high });

type ProfileLevels = Pick<VolumeProfile, 'poc' | 'vah' | 'val'>;

/**
 * Zones in which levels known before the open, of at least two families, are within 0.25 daily ATR.
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
  return ladderZones(standingLevels(atOpen, priorProfile), anyPrice, dailyAtr);
}

function standingLevels(known: Levels, profile: ProfileLevels | null): Level[] {
  const { priorDay, priorWeek, priorMonth, centralPivotRange, overnight } = known;
  const { pivot, r1, r2, s1, s2 } = known.pivots;
  return [
    ...levelsOf('prior_day', { pdh: priorDay.high, pdl: priorDay.low, pdc: priorDay.close }),
    ...levelsOf('prior_week', { pwh: priorWeek.high, pwl: priorWeek.low }),
    ...levelsOf('prior_month', { pmh: priorMonth.high, pml: priorMonth.low }),
    ...levelsOf('pivot', { pivot, r1, r2, s1, s2 }),
    ...levelsOf('pivot', { cpr_top: centralPivotRange.top, cpr_bottom: centralPivotRange.bottom }),
    ...levelsOf('overnight', { overnight_high: overnight.high, overnight_low: overnight.low }),
    ...(profile === null
      ? []
      : levelsOf('prior_profile', {
          prior_poc: profile.poc,
          prior_vah: profile.vah,
          prior_val: profile.val,
        })),
  ];
}

const levelsOf = (family: LevelFamily, prices: Readonly<Record<string, number>>): Level[] =>
  Object.entries(prices).map(([name, price]) => ({ name, family, price }));

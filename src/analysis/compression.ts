import type { BarColumns } from '../market/observations.ts';
import { atr } from './indicators/true-range.ts';
import { NOTHING } from './indicators/warm-up.ts';
import { MINOR_SWING, meanTrueRange, swingPoints } from './patterns/pivots.ts';
import { contractions, isUptrend, TREND_ROWS, TREND_SLOPE_ROWS } from './patterns/vcp.ts';

/** Ranges closer than this share of the price are equal. */
const DUST = 1e-9;
const NARROW_ROWS = 7;

/** How compressed price is as of the last row. NaN: not enough history. */
export function compression(bars: BarColumns) {
  return {
    isNr7: isNr7(bars),
    isInsideDay: isInsideDay(bars),
    /** ATR(3) / ATR(14): below 1 the last days are quieter than the last weeks. */
    atrCompressionRatio: atrCompressionRatio(bars),
    /** Contracting pivot ranges, 0 for none; NaN without the 170 rows that an uptrend needs. */
    vcpContractionCount: vcpContractionCount(bars),
  };
}

/**
 * True when the last row's high-low range is narrower than each of the six before it. A tie is not narrower, nor is one
 * of prices in cents whose binary differences are not quite equal; fewer than seven rows are false.
 *
 * Source: Toby Crabel, "Day Trading with Short Term Price Patterns and Opening Range Breakout" (1990): NR7.
 */
export function isNr7(bars: BarColumns): boolean {
  const { high, low, close } = bars;
  const last = close.length - 1;
  if (last < NARROW_ROWS - 1) return false;
  const range = high[last]! - low[last]!;
  for (let row = last - NARROW_ROWS + 1; row < last; row++) {
    if (high[row]! - low[row]! <= range + DUST * high[row]!) return false;
  }
  return true;
}

/** Whether the last row's range lies strictly inside the one before. Source: Crabel (1990), inside day. */
export function isInsideDay(bars: BarColumns): boolean {
  const { high, low, close } = bars;
  const last = close.length - 1;
  return last >= 1 && high[last]! < high[last - 1]! && low[last]! > low[last - 1]!;
}

/** ATR(3) over ATR(14), both Wilder's; NaN for fewer than 15 rows or a stock that has not moved. */
export function atrCompressionRatio(bars: BarColumns): number {
  const { high, low, close } = bars;
  const last = close.length - 1;
  if (last < 14) return Number.NaN;
  const long = atr(high, low, close, 14)[last]!;
  return long > NOTHING ? atr(high, low, close, 3)[last]! / long : Number.NaN;
}

/**
 * Number of the latest finished declines that are each shallower in percent than the one before, counted back until a
 * deeper one stops it: 3 says that the last three contracted. 0 when the newest is not shallower than the one before
 * it, and outside an uptrend (close above its 150-session mean, that mean above its value 20 sessions before). Declines
 * are legs of the zig-zag with a reversal of 1.5 mean true ranges, so only confirmed turns count. NaN below 170
 * rows.
 *
 * Source: Mark Minervini, "Trade Like a Stock Market Wizard": the count of contractions ("T") of a VCP.
 */
export function vcpContractionCount(bars: BarColumns): number {
  const rows = bars.close.length;
  if (rows < TREND_ROWS + TREND_SLOPE_ROWS) return Number.NaN;
  if (!isUptrend(bars, rows - 1)) return 0;
  const swings = swingPoints(bars, meanTrueRange(bars), MINOR_SWING);
  return contractions(swings, swings.length, Number.POSITIVE_INFINITY);
}

import type { BarColumns, SessionBounds } from '../../market/observations.ts';
import { DAY_MS, NO_RANGE, type PriceRange, priceRange, rowsBetween, tradeDay } from '../sessions.ts';

/** The previous regular session in dollars. */
export interface PriorDay {
  readonly high: number;
  readonly low: number;
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
export interface FloorPivots {
  readonly pivot: number;
  readonly r1: number;
  readonly r2: number;
  readonly r3: number;
  readonly s1: number;
  readonly s2: number;
  readonly s3: number;
}

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
export interface CentralPivotRange {
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

import type { BarColumns, SessionBounds } from '../../market/observations.ts';
import { NO_RANGE, type PriceRange, priceRange, rowsBetween, tradeDay } from '../sessions.ts';

const DAY_MS = 86_400_000;

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

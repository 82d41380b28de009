import type { BarColumns } from '../market/observations.ts';
import { type PriceRange, priceRange } from './sessions.ts';

export const RANGE_SESSIONS = 3;

/**
 * Highest high and lowest low of rows `priorRow - 2` to `priorRow`. A break is a trade beyond it, not at it: today's
 * high above, today's low below; both can happen on one day, and neither is undone when price comes back. Null when
 * there are fewer than three sessions before the trade date.
 *
 * @param bars daily rows, oldest first, one price basis
 * @param priorRow row of the last session before the trade date, -1 when there is none
 * @param today the trade date so far; null before its first trade, when nothing is broken
 */
export function threeDayRange(bars: BarColumns, priorRow: number, today: PriceRange | null) {
  if (priorRow < RANGE_SESSIONS - 1) return null;
  const { high, low } = priceRange(bars, { from: priorRow - RANGE_SESSIONS + 1, to: priorRow + 1 });
  return {
    high,
    low,
    breakHigh: today !== null && today.high > high,
    breakLow: today !== null && today.low < low,
  };
}

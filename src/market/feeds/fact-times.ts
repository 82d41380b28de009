import { DAY_MS, dateOf, midnightUtc } from '../../base/dates.ts';
import { newYorkMidnightOf, zonedToUtc } from '../../base/time-zone.ts';
import type { ReportTime } from '../facts.ts';

/**
 * From which instant on a fact may be quoted, where its source names a date and no instant. Always the latest instant
 * that the source's words allow: a fact that appears too late costs an answer a detail, one that appears too early
 * lets a backtest see the future.
 */

/** New York wall clock by which results announced at that time of day are out; null: only the day's end is sure. */
const OUT_BY: Readonly<Record<ReportTime, readonly [hour: number, minute: number] | null>> = {
  pre_market: [9, 30],
  during_market: [16, 0],
  post_market: [20, 0],
  unknown: null,
};

/** The midnight that ends a date, YYYY-MM-DD, in New York; epoch milliseconds, NaN for what is no date. */
export function endOfDayNewYork(date: string): number {
  return newYorkMidnightOf(midnightUtc(date) + DAY_MS);
}

/**
 * When results of which the trade date and the time of day are known may be quoted: from 09:30 when they came before
 * the open, from 16:00 when they came during the session, from 20:00 when they came after the close, from the end of
 * the day when nobody says. New York; epoch milliseconds, NaN for what is no date.
 */
export function announcementKnownAt(date: string, time: ReportTime): number {
  const clock = OUT_BY[time];
  const midnight = midnightUtc(date);
  if (clock === null || Number.isNaN(midnight)) return endOfDayNewYork(date);
  const [year, month, day] = dateOf(midnight).split('-').map(Number);
  return newYorkWallClock(year!, month!, day!, clock[0], clock[1], 0, 0);
}

const newYorkWallClock = zonedToUtc('America/New_York');

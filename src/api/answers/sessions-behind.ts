import type { Calendar } from '../../base/calendar.ts';
import { type DataFeed, visibleInstant } from '../access/viewer.ts';
import { newestClosed } from './newest-closed.ts';

/** What a caller asked for, and the session that the answer is of. */
interface DatedAnswer {
  /** The date that was asked for; undefined for the newest. */
  readonly date: string | undefined;
  readonly tradeDate: string;
}

/**
 * How many sessions the market has completed since that of an answer for now. 0 for a past date or minute, which asks for
 * nothing newer: when data arrived is not recorded, so that no one can know what an answer lacked then.
 */
export function sessionsBehind(
  calendar: Calendar,
  { date, tradeDate }: DatedAnswer,
  feed: Pick<DataFeed, 'delayMs' | 'asOf'>,
  now: number,
): number {
  if (date !== undefined || feed.asOf !== undefined) return 0;
  const last = lastCompleted(calendar, visibleInstant(feed, now));
  return last === null ? 0 : Math.max(0, calendar.sessionCount(tradeDate, last) - 1);
}

/** When the market completes its next session for a feed, which makes every answer for now a session older. */
export function nextCompletion(
  calendar: Calendar,
  { delayMs }: Pick<DataFeed, 'delayMs'>,
  now: number,
): number {
  const last = lastCompleted(calendar, now - delayMs);
  const next = last === null ? null : calendar.nextSession(last);
  return next === null ? Number.POSITIVE_INFINITY : calendar.session(next)!.close + delayMs;
}

const lastCompleted = (calendar: Calendar, instant: number): string | null =>
  newestClosed(calendar, calendar.tradeDateOf(instant), instant);

import { type Calendar, DAY_MS, dateOf, midnightUtc } from '../../base/calendar.ts';
import { type Timeline, timelineOf } from './simulated-timeline.ts';

/** The sessions of the model and of the months after its end: what has been announced for a day that has no price yet. */
export interface Schedule extends Timeline {
  /** Calendar quarter of each session, counted from year 0: four times the year, plus 0 to 3. */
  readonly quarter: Int32Array;
}

/** A report is announced at most a quarter and a half before its day. */
const AHEAD_DAYS = 160;

/** Sessions from the epoch to some months after the end, or to the end of the calendar. */
export function scheduleOf(calendar: Calendar, end: string): Schedule {
  const ahead = dateOf(midnightUtc(end) + AHEAD_DAYS * DAY_MS);
  const timeline = timelineOf(calendar, ahead < calendar.last ? ahead : calendar.last);
  const quarter = Int32Array.from(timeline.sessions, ({ tradeDate }) => quarterOf(tradeDate));
  return { ...timeline, quarter };
}

/** The quarter that holds a date, YYYY-MM-DD. */
export const quarterOf = (date: string): number =>
  4 * Number(date.slice(0, 4)) + Math.floor((Number(date.slice(5, 7)) - 1) / 3);

/** The last date of a quarter. */
export function quarterEnd(quarter: number): string {
  const next = quarter + 1;
  const month = `${3 * (next % 4) + 1}`.padStart(2, '0');
  return dateOf(midnightUtc(`${Math.floor(next / 4)}-${month}-01`) - DAY_MS);
}

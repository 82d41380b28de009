import { type Calendar, DAY_MS, dateOf, midnightUtc } from '../base/calendar.ts';

/** The first session of every simulated market: paths begin here, so a later end only adds to them. */
export const EPOCH = '2018-01-02';
/** A report is announced at most a quarter and a half before its day. */
const AHEAD_DAYS = 160;

/** The sessions of the model as columns, from the epoch to the end. */
export type Timeline = ReturnType<typeof timelineOf>;

/** The sessions of the exchange from the epoch up to and including the end. */
export function timelineOf(calendar: Calendar, end: string) {
  const sessions = calendar.sessionsBetween(EPOCH, end).map((date) => calendar.session(date)!);
  /** Days since 1970-01-01. */
  const day = Int32Array.from(sessions, ({ tradeDate }) => midnightUtc(tradeDate) / DAY_MS);
  /** Calendar quarter of each session: four times the year, plus 0 to 3. */
  const quarter = Int32Array.from(sessions, ({ tradeDate }) => quarterOf(tradeDate));
  /** Index of the session in its quarter, from 0: companies report, pay and split by it. */
  const sessionOfQuarter = quarter.map((own, s) => s - quarter.indexOf(own));
  return { sessions, day, quarter, sessionOfQuarter };
}

/** The timeline extended by some months, for what is announced of days that have no price yet. */
export function scheduleOf(calendar: Calendar, end: string): Timeline {
  const ahead = dateOf(midnightUtc(end) + AHEAD_DAYS * DAY_MS);
  return timelineOf(calendar, ahead < calendar.last ? ahead : calendar.last);
}

/** The quarter that holds a date, YYYY-MM-DD. */
export const quarterOf = (date: string): number =>
  4 * Number(date.slice(0, 4)) + Math.floor((Number(date.slice(5, 7)) - 1) / 3);

export function quarterEnd(quarter: number): string {
  const next = quarter + 1;
  const month = `${3 * (next % 4) + 1}`.padStart(2, '0');
  return dateOf(midnightUtc(`${Math.floor(next / 4)}-${month}-01`) - DAY_MS);
}

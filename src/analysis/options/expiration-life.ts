import { onceFor } from '../../base/once-for.ts';
import { withLate } from '../../base/with-late.ts';
import { DAY_MS } from '../sessions.ts';
import { clamp } from '../statistics.ts';
import { AT_THE_OPEN, type ExpirationQuotes } from './quotes.ts';

/** What the calendar says of an expiration. Dates are midnight UTC of the New York date, epoch milliseconds. */

const WEEK_DAYS = 7;
/** 1970-01-01 was a Thursday; Friday is day 5 of a week that begins on Sunday. */
const EPOCH_WEEKDAY = 4;
const FRIDAY = 5;
/** An expiration this many sessions from the monthly one feels the unwinding of its positions. */
export const NEAR_OPEX_SESSIONS = 2;

export interface ExpirationLife {
  /** Sessions that have not closed yet, up to the expiration, today whole; on the last the share of it left. */
  readonly sessionsLeft: number;
  /** Sessions between it and the nearest monthly expiration, either way; 0 on it. */
  readonly opexDays: number;
  /** Monthly expirations before it or on it. */
  readonly monthlies: readonly number[];
  /** Weekdays without a session before it. */
  readonly holidays: readonly number[];
}

/**
 * @param expirations ascending
 * @param today the date from which they are seen
 * @param todayLeft share of today's session that is left, see `sessionShareLeft`
 * @param isSession whether the exchange holds a session on a date
 */
export function expirationLives(
  expirations: readonly Pick<ExpirationQuotes, 'date' | 'settlement'>[],
  today: number,
  todayLeft: number,
  isSession: (date: number) => boolean,
): ExpirationLife[] {
  const last = expirations.at(-1)?.date;
  if (last === undefined) return [];
  const until = Math.ceil((last + MONTH_REACH_DAYS * DAY_MS) / SPAN_MS) * SPAN_MS;
  const { before, monthlies, holidays } = sessionsUntil(isSession, today, until);
  const count = (from: number, to: number): number => before(to + DAY_MS) - before(from + DAY_MS);
  return expirations.map(({ date, settlement }) =>
    withLate(
      {
        // What settles at the open lives no session of its own date.
        sessionsLeft: sessionsLeft(count(today, date) - Number(settlement === AT_THE_OPEN), todayLeft),
      },
      {
        opexDays: () =>
          Math.min(
            ...monthlies.map((monthly) => Math.abs(count(Math.min(date, monthly), Math.max(date, monthly)))),
          ),
        monthlies: () => monthlies.filter((monthly) => monthly > today && monthly <= date),
        holidays: () => holidays.filter((holiday) => holiday <= date),
      },
    ),
  );
}

/** The same function for the same calendar. */
export const isSessionOf = onceFor(
  (sessionOn: (date: number) => object | null) =>
    (date: number): boolean =>
      sessionOn(date) !== null,
);

/** A calendar is read as far as a multiple of this: the chains of a date end with different expirations. */
const SPAN_MS = 512 * DAY_MS;

/** What the calendar says from a month before a day on, the same for all chains that are seen from it. */
const sessionsUntil = onceFor((isSession: (date: number) => boolean, today: number, until: number) => {
  const isKnownSession = remembered(isSession);
  return {
    before: sessionsBefore(today, until, isKnownSession),
    monthlies: monthlyExpirations(today, until, isKnownSession),
    holidays: weekdaysWithout(today, until, isKnownSession),
  };
});

/** The last session of a contract is as long as what is left of it: minutes before the end nothing travels a day's range. */
const sessionsLeft = (after: number, todayLeft: number): number =>
  after < 0 ? 0 : after === 0 ? todayLeft : after + Number(todayLeft > 0);

/** Share left of a session at an instant (ms): 1 up to its open, 0 from its close on and where there is none. */
export function sessionShareLeft(
  session: { readonly open: number; readonly close: number } | null,
  at: number,
): number {
  if (session === null) return 0;
  return clamp((session.close - at) / (session.close - session.open), 0, 1);
}

/** Days within which the next monthly expiration is sure to come, and the last one to have been. */
const MONTH_REACH_DAYS = 40;

function remembered(isSession: (date: number) => boolean): (date: number) => boolean {
  const known = new Map<number, boolean>();
  return (date) => known.getOrInsertComputed(date, () => isSession(date));
}

/** Sessions before a date, counted from a month before today. */
function sessionsBefore(today: number, last: number, isSession: (date: number) => boolean) {
  const first = today - MONTH_REACH_DAYS * DAY_MS;
  const counts = new Int32Array((last - first) / DAY_MS + 2);
  for (let day = 1; day < counts.length; day++) {
    counts[day] = counts[day - 1]! + Number(isSession(first + (day - 1) * DAY_MS));
  }
  return (date: number): number => counts[(date - first) / DAY_MS]!;
}

/** Every monthly expiration from a month before today on, ascending. */
function monthlyExpirations(today: number, last: number, isSession: (date: number) => boolean): number[] {
  const found: number[] = [];
  const start = new Date(today - MONTH_REACH_DAYS * DAY_MS);
  for (let month = 0; ; month++) {
    const first = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month, 1);
    if (first > last) return found.filter((date) => date >= start.getTime() && date <= last);
    found.push(monthlyExpiration(first, isSession));
  }
}

/**
 * The third Friday of a month, or the session before it when that is a holiday.
 *
 * @param firstOfMonth midnight UTC of the month's first day
 */
export function monthlyExpiration(firstOfMonth: number, isSession: (date: number) => boolean): number {
  const weekday = (firstOfMonth / DAY_MS + EPOCH_WEEKDAY) % WEEK_DAYS;
  const firstFriday = firstOfMonth + ((FRIDAY - weekday + WEEK_DAYS) % WEEK_DAYS) * DAY_MS;
  let date = firstFriday + 2 * WEEK_DAYS * DAY_MS;
  // No exchange has been closed for two weeks since 1933; a calendar that ends knows no session at all.
  for (let back = 0; back < 2 * WEEK_DAYS && !isSession(date); back++) date -= DAY_MS;
  return date;
}

function weekdaysWithout(today: number, last: number, isSession: (date: number) => boolean): number[] {
  const found: number[] = [];
  for (let date = today + DAY_MS; date <= last; date += DAY_MS) {
    const weekday = (date / DAY_MS + EPOCH_WEEKDAY) % WEEK_DAYS;
    if (weekday !== 0 && weekday !== 6 && !isSession(date)) found.push(date);
  }
  return found;
}

import type { Calendar, SessionBounds } from './calendar.ts';
import { CLOSE_MS, OPEN_MS, POST_CLOSE_MS, PRE_OPEN_MS } from './calendar-data.ts';
import { DAY_MS, dateOf, midnightUtc, weekdayOf } from './dates.ts';
import { newYorkMidnight } from './time-zone.ts';

/** The state of the trading day at an instant, from the calendar as it was known then. */
export const PHASES = ['closed', 'pre_market', 'regular', 'after_hours'] as const;
type Phase = (typeof PHASES)[number];

export const SPECIAL_SESSIONS = ['holiday', 'early_close', 'late_open'] as const;

/** A future holiday or session of unusual hours. */
interface UpcomingSpecialSession {
  readonly date: string;
  readonly kind: (typeof SPECIAL_SESSIONS)[number];
  readonly name: string;
  /** Regular hours of that date, epoch milliseconds; null on a holiday. */
  readonly open: number | null;
  readonly close: number | null;
}

/** Days ahead that are searched; two special sessions are never farther apart. */
const DEPARTURE_REACH_DAYS = 200;
/** The longest closure has been shorter. */
const CLOSED_DAYS_MAX = 14;

/**
 * The session clock at an instant. An unforeseen closure (attack, storm, day of mourning) counts from the day of its
 * announcement; before that the session was expected.
 *
 * @param tradeDate a session
 * @param at epoch milliseconds
 */
export function sessionClock(calendar: Calendar, tradeDate: string, at: number) {
  const today = calendar.tradeDateOf(at);
  const expected = expectedSessions(calendar, today);
  return {
    phase: phaseAt(calendar, at),
    /** Why the New York date of the instant has no session; null for a session. */
    closedFor: calendar.reason(today),
    nextBell: nextBell(expected, today, at),
    /** The sessions before and after the trade date. */
    previousSession: calendar.previousSession(tradeDate),
    nextSession: expected.after(tradeDate),
    nextSpecialSession: nextSpecialSession(calendar, today),
  };
}

export type ExpectedSessions = ReturnType<typeof expectedSessions>;

/**
 * The sessions as expected on a date.
 *
 * @param today the New York date whose knowledge counts
 */
export function expectedSessions(calendar: Calendar, today: string) {
  const isUnknown = (date: string): boolean => (calendar.specialSession(date)?.announced ?? today) > today;
  const has = (date: string): boolean => calendar.isSession(date) || isUnknown(date);
  return {
    has,
    bounds: (date: string): SessionBounds | null =>
      isUnknown(date) ? fullDay(date) : calendar.session(date),
    /** The first session after a date; null at the end of the calendar. */
    after(date: string): string | null {
      for (let days = 1; days <= CLOSED_DAYS_MAX; days++) {
        const next = daysAfter(date, days);
        if (has(next)) return next;
      }
      return null;
    },
    /** The number of sessions after one date and up to another. */
    count(after: string, until: string): number {
      let sessions = 0;
      for (let day = midnightUtc(after) + DAY_MS; day <= midnightUtc(until); day += DAY_MS) {
        sessions += Number(has(dateOf(day)));
      }
      return sessions;
    },
  };
}

const daysAfter = (date: string, days: number): string => dateOf(midnightUtc(date) + days * DAY_MS);

function fullDay(date: string): SessionBounds {
  const midnight = newYorkMidnight(date);
  return {
    preOpen: midnight + PRE_OPEN_MS,
    open: midnight + OPEN_MS,
    close: midnight + CLOSE_MS,
    postClose: midnight + POST_CLOSE_MS,
  };
}

function phaseAt(calendar: Calendar, at: number): Phase {
  const session = calendar.sessionHolding(at);
  if (session === null) return 'closed';
  if (at < session.open) return 'pre_market';
  return at < session.close ? 'regular' : 'after_hours';
}

/** The next opening or closing bell of a regular session; null at the end of the calendar. */
function nextBell(
  expected: ExpectedSessions,
  today: string,
  at: number,
): { readonly kind: 'open' | 'close'; readonly at: number } | null {
  const session = expected.bounds(today);
  if (session !== null && at < session.open) return { kind: 'open', at: session.open };
  if (session !== null && at < session.close) return { kind: 'close', at: session.close };
  const next = expected.after(today);
  return next === null ? null : { kind: 'open', at: expected.bounds(next)!.open };
}

/** The next weekday after the date that is no full session. */
function nextSpecialSession(calendar: Calendar, today: string): UpcomingSpecialSession | null {
  for (let days = 1; days <= DEPARTURE_REACH_DAYS; days++) {
    const date = daysAfter(today, days);
    const weekday = weekdayOf(midnightUtc(date));
    if (weekday === 0 || weekday === 6) continue;
    const specialSession = calendar.specialSession(date);
    if (specialSession === null || (specialSession.announced ?? today) > today) continue;
    const session = calendar.session(date);
    const { name } = specialSession;
    if (session === null) return { date, kind: 'holiday', name, open: null, close: null };
    const { open, close } = session;
    return { date, kind: open > fullDay(date).open ? 'late_open' : 'early_close', name, open, close };
  }
  return null;
}

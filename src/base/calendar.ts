import {
  type CalendarData,
  CLOSE_MS,
  clockMs,
  OPEN_MS,
  POST_CLOSE_MS,
  PRE_OPEN_MS,
  readCalendarData,
} from './calendar-data.ts';
import { DAY_MS, dateOf, midnightUtc, weekdayOf } from './dates.ts';
import { CodedError } from './errors.ts';
import { regularHalfDays, regularHolidays } from './holidays.ts';
import { newYorkDay, newYorkMidnightOf, tradeDateOf } from './time-zone.ts';

export type { CalendarData } from './calendar-data.ts';
export { DAY_MS, dateOf, dayOf, midnightUtc, midnightUtcOf, parseDate } from './dates.ts';
export { newYorkMidnight } from './time-zone.ts';

/** New York 04:00, 09:30, 16:00 and 20:00 as epoch milliseconds, the last two earlier on half days. */
export interface SessionBounds {
  readonly preOpen: number;
  readonly open: number;
  readonly close: number;
  readonly postClose: number;
}

/** One session of the exchange. */
export interface Session extends SessionBounds {
  /** New York calendar date, YYYY-MM-DD. */
  readonly tradeDate: string;
  /** Midnight in New York, epoch milliseconds. */
  readonly midnight: number;
  /** True when the regular session ends before 16:00; after-hours trading then ends earlier by as much. */
  readonly earlyClose: boolean;
  /** The end of the trade date, epoch milliseconds: the next session's pre-market begins. */
  readonly end: number;
}

/**
 * The sessions of NYSE and Nasdaq. Dates are New York calendar dates, YYYY-MM-DD. Invalid dates, and dates outside
 * `first` to `last`, give null, false or -1. Every method takes constant time; one that returns a list, the time of its
 * length.
 */
export type Calendar = Readonly<ReturnType<typeof createCalendar>>;

/** A holiday, a closure, or a session of unusual hours. */
interface SpecialSession {
  readonly kind: 'closed' | 'hours';
  /** E.g. `Good Friday`, `day after Thanksgiving`. */
  readonly name: string;
  /** The New York date from which it was known; null for a rule. */
  readonly announced: string | null;
}

/** The regular rules with the given data. The first call of a method builds its table, in a few milliseconds. */
export function createCalendar(data: CalendarData) {
  let built: Table | undefined;
  const table = (): Table => {
    built ??= buildTable(data);
    return built;
  };
  const dateAt = (index: number): string | null => sessionOf(table(), index)?.tradeDate ?? null;
  /** Index of a session, from 0; -1 for other dates. */
  const sessionIndex = (date: string): number => indexOf(table(), dayIn(table(), date));
  // Rows arrive in order of time, so the session of the last row nearly always includes the next one.
  let lastSession: Session | null = null;
  return {
    /** The first and last calendar dates that it covers. */
    first: data.first,
    last: data.last,
    isSession: (date: string): boolean => sessionIndex(date) >= 0,
    session: (date: string): Session | null => sessionOf(table(), sessionIndex(date)),
    /** The same by the date's midnight UTC. */
    sessionOn: (midnight: number): Session | null =>
      sessionOf(table(), indexOf(table(), Math.floor((midnight - table().firstDay) / DAY_MS))),
    /** The last session before the date, which may be any date. */
    previousSession(date: string): string | null {
      const day = dayIn(table(), date);
      return day < 0 ? null : dateAt(table().sessionsBefore[day]! - 1);
    },
    /** The first session after the date, which may be any date. */
    nextSession(date: string): string | null {
      const day = dayIn(table(), date);
      return day < 0 ? null : dateAt(table().sessionsBefore[day + 1]!);
    },
    /** The date itself if it is a session, else the closest one, the earlier of two; for dates outside the first or last. */
    nearestSession: (date: string): string | null => dateAt(nearestIndex(table(), midnightUtc(date))),
    /** Sessions from one date to another, both inclusive. */
    sessionsBetween(from: string, to: string): string[] {
      const [begin, end] = indexRange(table(), from, to);
      const dates: string[] = [];
      for (let index = begin; index < end; index++) dates.push(sessionOf(table(), index)!.tradeDate);
      return dates;
    },
    /** The length of `sessionsBetween`. */
    sessionCount(from: string, to: string): number {
      const [begin, end] = indexRange(table(), from, to);
      return end - begin;
    },
    sessionIndex,
    /** Null outside the calendar. `sessionAt(sessionIndex(date) - 20)` is 20 sessions earlier. */
    sessionAt: (index: number): Session | null => sessionOf(table(), index),
    /** The session whose pre-market, regular or after-hours trading includes the instant (20:00 excluded), or null. */
    sessionHolding(instant: number): Session | null {
      if (lastSession !== null && instant >= lastSession.preOpen && instant < lastSession.postClose)
        return lastSession;
      const day = (newYorkDay(instant) - table().firstDay) / DAY_MS;
      const session = sessionOf(table(), indexOf(table(), day));
      if (session === null || instant < session.preOpen || instant >= session.postClose) return null;
      lastSession = session;
      return session;
    },
    /** The New York calendar date of an instant, also when it is no session. */
    tradeDateOf,
    /** `weekend`, the name of the holiday or closure, `outside the calendar`, `not a date`; null for a session. */
    reason: (date: string): string | null => reasonIn(table(), date),
    /** How a weekday differs from a full session; null for full sessions and weekends. */
    specialSession(date: string): SpecialSession | null {
      const day = dayIn(table(), date);
      return day < 0 || isWeekend(midnightUtc(date)) ? null : (table().specialSessions.get(day) ?? null);
    },
  };
}

let shipped: Calendar | undefined;

/** The calendar of the data file that ships with the program; one instance per thread. */
export function newYorkCalendar(): Calendar {
  shipped ??= createCalendar(readCalendarData(new URL('./calendar-data.json', import.meta.url)));
  return shipped;
}

/** @param file calendar data of the operator; null for the built-in file */
export const openCalendar = (file: string | null): Calendar =>
  file === null ? newYorkCalendar() : createCalendar(readCalendarData(file));

/**
 * The session of a trade date.
 *
 * @throws CodedError no_session, with the reason and the nearest session
 */
export function requireSession(calendar: Calendar, date: string): Session {
  const session = calendar.session(date);
  if (session !== null) return session;
  const nearest = calendar.nearestSession(date);
  const hint = nearest === null ? '' : `; the nearest session is ${nearest}`;
  throw new CodedError('no_session', `${date} is not a trade date (${calendar.reason(date)})${hint}`);
}

type Table = ReturnType<typeof buildTable>;

interface Hours {
  readonly openMs: number;
  readonly closeMs: number;
}

const FULL_DAY: Hours = { openMs: OPEN_MS, closeMs: CLOSE_MS };
const HALF_DAY: Hours = { openMs: OPEN_MS, closeMs: clockMs('13:00') };

/** Days count from the first date of the calendar, sessions from the first session. */
function buildTable(data: CalendarData) {
  const firstDay = midnightUtc(data.first);
  const days = (midnightUtc(data.last) - firstDay) / DAY_MS + 1;
  const { closedFor, hours, special } = specialSessions(data, firstDay);
  const sessionsBefore = new Int32Array(days + 1);
  const dayOfSession = new Int32Array(days);
  let count = 0;
  for (let day = 0; day < days; day++) {
    sessionsBefore[day] = count;
    if (!isWeekend(firstDay + day * DAY_MS) && !closedFor.has(day)) dayOfSession[count++] = day;
  }
  sessionsBefore[days] = count;
  return {
    /** Midnight UTC of the first date. */
    firstDay,
    days,
    /** For each day the number of earlier sessions; one entry more than `days`. */
    sessionsBefore,
    dayOfSession: dayOfSession.slice(0, count),
    closedFor,
    hours,
    specialSessions: special,
    /** Created on first use. */
    sessions: new Array<Session | undefined>(count),
  };
}

/** Every weekday that is no full session: first by the rules, then by the data file, which overrides them. */
function specialSessions(data: CalendarData, firstDay: number) {
  const closedFor = new Map<number, string>();
  const hours = new Map<number, Hours>();
  const special = new Map<number, SpecialSession>();
  const dayOf = (midnight: number): number => (midnight - firstDay) / DAY_MS;
  const lastYear = Number(data.last.slice(0, 4));
  for (let year = Number(data.first.slice(0, 4)); year <= lastYear; year++) {
    for (const { day, name } of regularHalfDays(year)) {
      hours.set(dayOf(day), HALF_DAY);
      special.set(dayOf(day), { kind: 'hours', name, announced: null });
    }
    for (const { day, name } of regularHolidays(year)) {
      closedFor.set(dayOf(day), name);
      special.set(dayOf(day), { kind: 'closed', name, announced: null });
    }
  }
  for (const { date, name, announced } of data.closures) {
    closedFor.set(dayOf(midnightUtc(date)), name);
    special.set(dayOf(midnightUtc(date)), { kind: 'closed', name, announced: announced ?? null });
  }
  for (const { date, open, close, name, announced } of data.hours) {
    const day = dayOf(midnightUtc(date));
    closedFor.delete(day);
    if (open === undefined && close === undefined) special.delete(day);
    else special.set(day, { kind: 'hours', name, announced: announced ?? null });
    hours.set(day, {
      openMs: open === undefined ? OPEN_MS : clockMs(open),
      closeMs: close === undefined ? CLOSE_MS : clockMs(close),
    });
  }
  return { closedFor, hours, special };
}

function sessionOf(table: Table, index: number): Session | null {
  const day = table.dayOfSession[index];
  if (day === undefined) return null;
  const made = table.sessions[index];
  if (made !== undefined) return made;
  const nextDay = table.dayOfSession[index + 1] ?? day + 1;
  const session = {
    ...makeSession(table.firstDay + day * DAY_MS, table.hours.get(day) ?? FULL_DAY),
    end: newYorkMidnightOf(table.firstDay + nextDay * DAY_MS) + PRE_OPEN_MS,
  };
  table.sessions[index] = session;
  return session;
}

function makeSession(midnightUtcMs: number, { openMs, closeMs }: Hours): Omit<Session, 'end'> {
  const midnight = newYorkMidnightOf(midnightUtcMs);
  // After-hours trading lasts four hours: to 20:00 on a full day, to 17:00 after a close at 13:00.
  const postCloseMs = Math.min(closeMs + (POST_CLOSE_MS - CLOSE_MS), POST_CLOSE_MS);
  return {
    tradeDate: dateOf(midnightUtcMs),
    midnight,
    preOpen: midnight + PRE_OPEN_MS,
    open: midnight + openMs,
    close: midnight + closeMs,
    postClose: midnight + postCloseMs,
    earlyClose: closeMs < CLOSE_MS,
  };
}

/** Index of a date among the days of the calendar; -1 outside. */
function dayIn(table: Table, date: string): number {
  const day = (midnightUtc(date) - table.firstDay) / DAY_MS;
  return day >= 0 && day < table.days ? day : -1;
}

/** Index of a day among the sessions; -1 for other days. */
function indexOf(table: Table, day: number): number {
  if (!(day >= 0 && day < table.days)) return -1;
  const index = table.sessionsBefore[day]!;
  return table.dayOfSession[index] === day ? index : -1;
}

function nearestIndex(table: Table, midnight: number): number {
  if (Number.isNaN(midnight)) return -1;
  const day = Math.min(Math.max((midnight - table.firstDay) / DAY_MS, 0), table.days - 1);
  const next = table.sessionsBefore[day]!;
  const daysToNext = (table.dayOfSession[next] ?? Number.POSITIVE_INFINITY) - day;
  const daysToPrevious = day - (table.dayOfSession[next - 1] ?? Number.NEGATIVE_INFINITY);
  return daysToNext < daysToPrevious ? next : next - 1;
}

/** Indexes of the sessions from one date to another, the second exclusive; empty for invalid dates. */
function indexRange(table: Table, from: string, to: string): [number, number] {
  const begin = (midnightUtc(from) - table.firstDay) / DAY_MS;
  const end = (midnightUtc(to) - table.firstDay) / DAY_MS + 1;
  if (!(begin < end)) return [0, 0];
  const clamp = (day: number): number => Math.min(Math.max(day, 0), table.days);
  return [table.sessionsBefore[clamp(begin)]!, table.sessionsBefore[clamp(end)]!];
}

function reasonIn(table: Table, date: string): string | null {
  const midnight = midnightUtc(date);
  if (Number.isNaN(midnight)) return 'not a date';
  const day = dayIn(table, date);
  if (day < 0) return 'outside the calendar';
  if (isWeekend(midnight)) return 'weekend';
  return table.closedFor.get(day) ?? null;
}

function isWeekend(midnightUtcMs: number): boolean {
  const weekday = weekdayOf(midnightUtcMs);
  return weekday === 0 || weekday === 6;
}

/** The last close of a session up to an instant, before the first the instant itself: between two nothing changes. */
export function lastClose(calendar: Calendar, instant: number): number {
  const date = calendar.tradeDateOf(instant);
  let session = calendar.session(date) ?? null;
  while (session === null || session.close > instant) {
    const prior = calendar.previousSession(session?.tradeDate ?? date);
    if (prior === null) return instant;
    session = calendar.session(prior);
  }
  return session.close;
}

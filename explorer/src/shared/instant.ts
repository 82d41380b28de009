import { instantAt, startOfDate } from './chart/wall-clock.ts';

/** Instants and days as the exchange in New York counts them. */

/** The instant that a page shows, as `as_of` has it; undefined is the newest. */
export type Instant = string | undefined;

const ZONE = 'America/New_York';

const partsOf = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { timeZone: ZONE, hourCycle: 'h23', ...options });

const clock = partsOf({ hour: '2-digit', minute: '2-digit' });
const dayNumbers = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE });
const dayWords = partsOf({ weekday: 'short', month: 'short', day: 'numeric' });
const yearWords = partsOf({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

/** `10:42`. */
export const clockOf = (instantMs: number): string => clock.format(instantMs);
/** `2026-11-20`. */
export const dateOf = (instantMs: number): string => dayNumbers.format(instantMs);
/** `Fri, Nov 20`, and of another year `Fri, Feb 14, 2025`. */
export const dayOf = (instantMs: number): string =>
  (dateOf(instantMs).slice(0, 4) === dateOf(Date.now()).slice(0, 4) ? dayWords : yearWords).format(instantMs);

/** `Fri, Nov 20, 10:42 ET`. */
export const wordsOf = (instantMs: number): string => `${dayOf(instantMs)}, ${clockOf(instantMs)} ET`;

/** The same with the year, whichever it is: `Fri, Nov 20, 2026, 10:42 ET`. */
export const wordsWithYearOf = (instantMs: number): string =>
  `${yearWords.format(instantMs)}, ${clockOf(instantMs)} ET`;

/** The day of a bare date, at noon so that no zone moves it. */
export const noonOf = (date: string): number => Date.parse(`${date}T17:00:00Z`);

export const MINUTE_MS = 60_000;

/** Minutes of New York's day at which the first prints of a session come, and the last. */
export const FIRST_MINUTE = 4 * 60;
export const LAST_MINUTE = 20 * 60;

/** To the minute, as the service reads `as_of`. */
export const minuteOf = (instantMs: number): string =>
  `${new Date(instantMs - (instantMs % MINUTE_MS)).toISOString().slice(0, 16)}:00Z`;

/** Minutes since midnight. */
export function minuteOfDay(instantMs: number): number {
  const [hours, minutes] = clockOf(instantMs).split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** The instant of a minute of a day. */
export const atMinute = (date: string, minute: number): number =>
  instantAt((startOfDate(date) + minute * 60) as never);

/** The minute of the day that `10:17`, `1017` or `3:05 pm` names; null for anything else. */
export function readClock(text: string): number | null {
  const [, hours, minutes, half] = /^(\d{1,2})[:.]?(\d\d)\s*([ap]m)?\s*(?:et)?$/i.exec(text.trim()) ?? [];
  if (hours === undefined || Number(minutes) > 59 || Number(hours) > (half === undefined ? 23 : 12))
    return null;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  return hour * 60 + Number(minutes);
}

/** With its zone, of the years that the service knows. */
const WRITTEN = /^(?:19|20)\d\d-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** An instant of an address; undefined for anything else. */
export const readInstant = (value: unknown): Instant =>
  typeof value === 'string' && WRITTEN.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** The address of a page that has an instant alone. */
export const readTimeSearch = (search: Record<string, unknown>): { readonly as_of?: string } =>
  instantSearch(readInstant(search.as_of));

export const instantSearch = (instant: Instant): { as_of?: string } =>
  instant === undefined ? {} : { as_of: instant };

/** What a query's key ends in. */
export const instantKey = (instant: Instant): string => instant ?? 'live';

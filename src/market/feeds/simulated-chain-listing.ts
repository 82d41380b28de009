import { type Calendar, DAY_MS, dateOf, midnightUtc } from '../../base/calendar.ts';
import { weekdayOf } from '../../base/dates.ts';

/** How often the options of a company expire: its size decides. */
export type Rhythm = 'daily' | 'weekly' | 'monthly';

const FRIDAY = 5;
/** Expirations of each kind that are listed. */
const DAILY_COUNT = 5;
const WEEKLY_COUNT = 6;
const MONTHLY_MONTHS: readonly number[] = [0, 1, 2, 3, 5, 8];
const LEAP_YEARS = 2;
const JANUARY = 1;

/**
 * Expirations that are listed on a trade date, as midnights UTC in ascending order. Every company has monthlies, the
 * third Friday of this month and of some to come; larger ones expire every Friday, the largest every session, and both
 * have the Januaries of the next two years (LEAPS) as far as the calendar reaches. A Friday without a session gives way to
 * the session before.
 */
export function listedExpirations(calendar: Calendar, tradeDate: string, rhythm: Rhythm): number[] {
  const day = midnightUtc(tradeDate);
  const listed = new Set<number>();
  const add = (midnight: number): void => {
    const session = sessionOnOrBefore(calendar, midnight);
    if (session !== null && session >= day) listed.add(session);
  };
  if (rhythm === 'daily') {
    let date: string | null = tradeDate;
    for (let count = 0; count < DAILY_COUNT && date !== null; count++) {
      listed.add(midnightUtc(date));
      date = calendar.nextSession(date);
    }
  }
  if (rhythm !== 'monthly') {
    const firstFriday = day + ((FRIDAY - weekdayOf(day) + 7) % 7) * DAY_MS;
    for (let week = 0; week < WEEKLY_COUNT; week++) add(firstFriday + week * 7 * DAY_MS);
  }
  const year = Number(tradeDate.slice(0, 4));
  const month = Number(tradeDate.slice(5, 7));
  const current = thirdFriday(year, month);
  const first = (sessionOnOrBefore(calendar, current) ?? current) >= day ? 0 : 1;
  for (const ahead of MONTHLY_MONTHS) add(thirdFriday(year, month + first + ahead));
  if (rhythm !== 'monthly') {
    for (let ahead = 1; ahead <= LEAP_YEARS; ahead++) add(thirdFriday(year + ahead, JANUARY));
  }
  return [...listed].sort((a, b) => a - b);
}

/** Midnight UTC of the third Friday of a month; months beyond 12 run into the next year. */
function thirdFriday(year: number, month: number): number {
  const years = year + Math.floor((month - 1) / 12);
  const first = midnightUtc(`${years}-${`${((month - 1) % 12) + 1}`.padStart(2, '0')}-01`);
  return first + (((FRIDAY - weekdayOf(first) + 7) % 7) + 14) * DAY_MS;
}

function sessionOnOrBefore(calendar: Calendar, midnight: number): number | null {
  const date = dateOf(midnight);
  if (calendar.isSession(date)) return midnight;
  // Beyond its last date the calendar knows of no session.
  const before = date > calendar.last ? null : calendar.previousSession(date);
  return before === null ? null : midnightUtc(before);
}

/** Distances between strikes that exchanges list, in dollars. */
const STEPS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250];
/** Strikes reach so many standard deviations of the move until expiration. */
const REACH_DEVIATIONS = 3.2;
const REACH_MIN = 0.06;
const REACH_MAX = 1.1;

/**
 * Strikes of one expiration in ascending order, about `count` of them around the price.
 *
 * @param deviation standard deviation of the log price at expiration
 */
export function listedStrikes(price: number, deviation: number, count: number): number[] {
  const reach = Math.min(REACH_MAX, Math.max(REACH_MIN, REACH_DEVIATIONS * deviation));
  const low = price * Math.exp(-reach);
  const high = price * Math.exp(reach);
  const step = STEPS.find((candidate) => (high - low) / candidate <= count) ?? 500;
  const strikes: number[] = [];
  for (let place = Math.max(1, Math.ceil(low / step)); place * step <= high; place++)
    strikes.push(place * step);
  return strikes.length > 0 ? strikes : [Math.max(1, Math.round(price / step)) * step];
}

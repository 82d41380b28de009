import { DAY_MS, midnightUtcOf, weekdayOf } from './dates.ts';

/**
 * The regular holidays and half days of NYSE and Nasdaq by rule, since 1990. Exceptions (days of mourning, attacks,
 * storms, irregular half days) are in calendar-data.json.
 *
 * Source: NYSE Rule 7.2 and the exchange's yearly holiday and early-closing notices.
 */
export interface Observance {
  /** Midnight UTC of the calendar date. */
  readonly day: number;
  readonly name: string;
}

const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

/** Days of a year on which the exchange closes by rule; the weekday on which each is observed. */
export function regularHolidays(year: number): Observance[] {
  const holidays = [
    { name: "Washington's Birthday", day: nthWeekday(year, 2, MONDAY, 3) },
    { name: 'Good Friday', day: easterSunday(year) - 2 * DAY_MS },
    { name: 'Memorial Day', day: lastMondayOfMay(year) },
    nearestWeekday({ name: 'Independence Day', day: midnightUtcOf(year, 7, 4) }),
    { name: 'Labor Day', day: nthWeekday(year, 9, MONDAY, 1) },
    { name: 'Thanksgiving Day', day: thanksgiving(year) },
    nearestWeekday({ name: 'Christmas Day', day: midnightUtcOf(year, 12, 25) }),
  ];
  const newYear = { name: "New Year's Day", day: midnightUtcOf(year, 1, 1) };
  // On a Saturday it is not observed on the Friday, the last trading day of the accounting year.
  if (weekdayOf(newYear.day) !== SATURDAY) holidays.push(nearestWeekday(newYear));
  if (year >= 1998)
    holidays.push({ name: 'Martin Luther King Jr. Day', day: nthWeekday(year, 1, MONDAY, 3) });
  if (year >= 2022) holidays.push(nearestWeekday({ name: 'Juneteenth', day: midnightUtcOf(year, 6, 19) }));
  return holidays;
}

/** Days of a year on which the regular session ends at 13:00 by rule; they may fall on a holiday or weekend. */
export function regularHalfDays(year: number): Observance[] {
  const halfDays: Observance[] = [];
  if (year >= 1993) {
    halfDays.push({ name: 'day after Thanksgiving', day: thanksgiving(year) + DAY_MS });
    halfDays.push({ name: 'Christmas Eve', day: midnightUtcOf(year, 12, 24) });
  }
  if (year >= 1995) halfDays.push({ name: 'eve of Independence Day', day: midnightUtcOf(year, 7, 3) });
  return halfDays;
}

/** A Saturday holiday is observed on Friday, a Sunday holiday on Monday. */
function nearestWeekday(holiday: Observance): Observance {
  const weekday = weekdayOf(holiday.day);
  if (weekday === SATURDAY) return { name: `${holiday.name} (observed)`, day: holiday.day - DAY_MS };
  if (weekday === SUNDAY) return { name: `${holiday.name} (observed)`, day: holiday.day + DAY_MS };
  return holiday;
}

function thanksgiving(year: number): number {
  return nthWeekday(year, 11, THURSDAY, 4);
}

function lastMondayOfMay(year: number): number {
  return nthWeekday(year, 6, MONDAY, 1) - 7 * DAY_MS;
}

function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  const first = midnightUtcOf(year, month, 1);
  const daysToWeekday = (weekday - weekdayOf(first) + 7) % 7;
  return first + (daysToWeekday + 7 * (nth - 1)) * DAY_MS;
}

/** Source: the anonymous Gregorian computus (Meeus, Astronomical Algorithms, chapter 8), with its letters. */
function easterSunday(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const marchBased = h + l - 7 * m + 114;
  return midnightUtcOf(year, Math.floor(marchBased / 31), (marchBased % 31) + 1);
}

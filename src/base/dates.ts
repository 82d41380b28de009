/**
 * Calendar dates as YYYY-MM-DD and as midnight UTC in epoch milliseconds, as daily rows have them. Integer arithmetic
 * without time zones, because importers convert a date on every row.
 *
 * Source of the two conversions: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
 */
export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

const DAYS_IN_MONTH = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const HYPHEN = 45;
const ZERO = 48;

/** Midnight UTC of a calendar date (month 1-12); NaN for dates that do not exist or lie outside the years 1-9999. */
export function midnightUtcOf(year: number, month: number, day: number): number {
  if (!(Number.isInteger(year) && Number.isInteger(month) && Number.isInteger(day))) return Number.NaN;
  if (year < 1 || year > 9999 || month < 1 || month > 12) return Number.NaN;
  if (day < 1 || day > daysInMonth(year, month)) return Number.NaN;
  return daysFromCivil(year, month, day) * DAY_MS;
}

/** Midnight UTC of a date written YYYY-MM-DD; NaN for any other text. */
export function midnightUtc(date: string): number {
  if (date.length !== 10 || date.charCodeAt(4) !== HYPHEN || date.charCodeAt(7) !== HYPHEN) return Number.NaN;
  return midnightUtcOf(digits(date, 0, 4), digits(date, 5, 7), digits(date, 8, 10));
}

/** Days since 1970-01-01 of a date, YYYY-MM-DD. */
export const dayOf = (date: string): number => midnightUtc(date) / DAY_MS;

/**
 * The UTC date of an instant, YYYY-MM-DD; the inverse of `midnightUtc`.
 *
 * @throws RangeError outside the years 1-9999
 */
export function dateOf(midnightUtcMs: number): string {
  // Days are counted from 0000-03-01, so that the leap day is the last of its year.
  const shifted = Math.floor(midnightUtcMs / DAY_MS) + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  if (!(year >= 1 && year <= 9999)) throw new RangeError(`no calendar date for ${midnightUtcMs}`);
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

/** The text itself when it is an existing date written YYYY-MM-DD, else null (2021-02-30, 2021-2-3, 20210203). */
export function parseDate(text: string): string | null {
  return Number.isNaN(midnightUtc(text)) ? null : text;
}

/** Day of the week of a midnight UTC: 0 Sunday to 6 Saturday. */
export function weekdayOf(midnightUtcMs: number): number {
  // 1970-01-01 was a Thursday.
  return (((midnightUtcMs / DAY_MS + 4) % 7) + 7) % 7;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)) return 29;
  return DAYS_IN_MONTH[month]!;
}

function daysFromCivil(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Epoch milliseconds of an RFC 3339 instant with its zone; the seconds may be left out. Null for anything else. */
export function parseInstant(text: string): number | null {
  const date = INSTANT.exec(text)?.[1];
  return date === undefined || parseDate(date) === null ? null : Date.parse(text);
}

/** The first day of a date's month. */
export const monthOf = (tradeDate: string): string => `${tradeDate.slice(0, 7)}-01`;

/** The first day of a date's quarter. */
export const quarterOf = (tradeDate: string): string => {
  const month = Number(tradeDate.slice(5, 7));
  return `${tradeDate.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`;
};

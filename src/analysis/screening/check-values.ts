import { DAY_MS } from '../sessions.ts';
import type { Faults, Path } from './faults.ts';
import type { KnownNames } from './names.ts';

/** Characters of a text that is compared with a field. */
const WORD_MAX = 1_000;

/** The value as its column has it (dates as days, instants as ms); null, with the fault, where it cannot be. */
export function checkValue(
  value: unknown,
  { type, words }: KnownNames,
  path: Path,
  faults: Faults,
): number | string | boolean | null {
  if (value === null) {
    faults.wrongValue(path, `nothing equals null; the operator 'is_null' finds what is absent`, value);
    return null;
  }
  switch (type) {
    case 'number':
    case 'integer':
      return checkNumber(value, path, faults);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      faults.wrongType(path, 'boolean', value);
      return null;
    case 'text':
      return checkText(value, words, path, faults);
    case 'date':
      return checkMoment(value, daysOf, DATE, path, faults);
    case 'instant':
      return checkMoment(value, millisecondsOf, INSTANT, path, faults);
  }
}

/** JSON knows no NaN, but `1e999` is read as infinity. */
function checkNumber(value: unknown, path: Path, faults: Faults): number | null {
  if (typeof value !== 'number') faults.wrongType(path, 'number', value);
  else if (!Number.isFinite(value)) {
    faults.add(path, 'finite_number', 'Input should be a finite number', `${value}`);
  } else return value;
  return null;
}

function checkText(
  value: unknown,
  words: readonly string[] | null,
  path: Path,
  faults: Faults,
): string | null {
  if (typeof value !== 'string') faults.wrongType(path, 'text', value);
  else if (words !== null && !words.includes(value)) faults.notAmong(path, words, value);
  else if (value.length > WORD_MAX) faults.textTooLong(path, WORD_MAX, value);
  else return value;
  return null;
}

const DATE = { name: 'date', noun: 'date, written YYYY-MM-DD' };
const INSTANT = { name: 'datetime', noun: 'instant of RFC 3339, such as 2024-06-03T13:30:00Z' };

function checkMoment(
  value: unknown,
  read: (text: string) => number,
  { name, noun }: typeof DATE,
  path: Path,
  faults: Faults,
): number | null {
  const moment = typeof value === 'string' ? read(value) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  const type = typeof value === 'string' ? `${name}_parsing` : `${name}_type`;
  faults.add(path, type, `Input should be a valid ${noun}`, value);
  return null;
}

/** Days from 1970-01-01 to a date written YYYY-MM-DD; NaN when it is written otherwise or no calendar has it. */
function daysOf(text: string): number {
  const parts = text.length === 10 ? /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) : null;
  if (parts === null) return Number.NaN;
  const [, year, month, day] = parts.map(Number);
  // Date.UTC puts the years before 100 into another century.
  if (year! < 100) return Number.NaN;
  const time = Date.UTC(year!, month! - 1, day);
  const date = new Date(time);
  return date.getUTCMonth() === month! - 1 && date.getUTCDate() === day ? time / DAY_MS : Number.NaN;
}

/** Milliseconds from 1970-01-01 to an instant written as RFC 3339 has it, offset included; NaN for any other text. */
function millisecondsOf(text: string): number {
  if (text.length > 40) return Number.NaN;
  const parts = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/.exec(text);
  if (parts === null) return Number.NaN;
  const [, date, hour, minute, second, fraction = '0', sign, offsetHour = '0', offsetMinute = '0'] = parts;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return Number.NaN;
  const minutesAhead = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const seconds = Number(hour) * 3_600 + Number(minute) * 60 + Number(second) - minutesAhead * 60;
  return daysOf(date!) * DAY_MS + seconds * 1_000 + Math.floor(Number(fraction) * 1_000);
}

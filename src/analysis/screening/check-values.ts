import type { Faults } from './faults.ts';
import { daysOf, millisecondsOf } from './moments.ts';
import type { Known } from './names.ts';

/** Characters of a text that is compared with a field. */
const WORD_MAX = 1_000;

type Path = readonly (string | number)[];

/**
 * A value that a field is compared with, as its column has it: dates as days, instants as milliseconds. Null, with the
 * fault, where a value of this field can never be such.
 */
export function checkValue(
  value: unknown,
  { type, words }: Known,
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

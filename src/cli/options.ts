import { InvalidArgumentError } from 'commander';
import { parseDate } from '../base/calendar.ts';
import { DAY_MS } from '../base/dates.ts';
import { CodedError } from '../base/errors.ts';

/** Readers of options and arguments, for commander: each throws InvalidArgumentError with what the text has to be. */

/** A wrong call that one option alone does not show. */
export const wrongCall = (sentence: string): CodedError => new CodedError('validation_failed', sentence);

/** @throws CodedError validation_failed where a range of dates is reversed */
export function checkRange(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to)
    throw wrongCall(`--from ${from} lies after --to ${to}.`);
}

export const LEAVE_DEMO = ['--leave-demo', 'first removes the simulated market, whole and for good'] as const;

export function date(text: string): string {
  const read = parseDate(text);
  if (read === null) throw new InvalidArgumentError('It is not a date such as 2013-10-10.');
  return read;
}

/** An instant of RFC 3339 in UTC, or the midnight of UTC that begins or ends a date. */
export const instant =
  (dateMeans: 'begin' | 'end') =>
  (text: string): Date => {
    const day = parseDate(text);
    if (day !== null) {
      const begin = Date.parse(`${day}T00:00:00Z`);
      return new Date(dateMeans === 'begin' ? begin : begin + DAY_MS);
    }
    const read = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/.test(text)
      ? Date.parse(text)
      : Number.NaN;
    if (Number.isNaN(read)) {
      throw new InvalidArgumentError(
        'It is neither a date such as 2026-12-31 nor an instant such as 2026-12-31T20:00:00Z.',
      );
    }
    return new Date(read);
  };

export const wholeNumber =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };

/** A number above the minimum, or at it where it is included, and at most the maximum. */
export const figure =
  (minimum: number, maximum: number, isIncluded = true) =>
  (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if ((isIncluded ? value >= minimum : value > minimum) && value <= maximum) return value;
    throw new InvalidArgumentError(
      `It is not a number ${isIncluded ? 'from' : 'above'} ${minimum} ${isIncluded ? 'to' : 'and at most'} ${maximum}.`,
    );
  };

/** Items with commas between them, each once, and each as `item` reads it. */
export const list =
  <Item = string>(max: number, item: (text: string) => Item = (text) => text as Item) =>
  (text: string): Item[] => {
    const words = text.split(',').flatMap((word) => word.trim() || []);
    if (words.length === 0) throw new InvalidArgumentError('It lists nothing.');
    const items = [...new Set(words.map(item))];
    if (items.length > max) throw new InvalidArgumentError(`It lists more than ${max}.`);
    return items;
  };

export const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const word = words.find((known) => known === text);
    if (word === undefined) throw new InvalidArgumentError(`${text} is none of ${words.join(', ')}.`);
    return word;
  };

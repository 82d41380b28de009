import { parseDate } from '../base/calendar.ts';
import { DAY_MS } from '../base/dates.ts';
import { CodedError } from '../base/errors.ts';
import type { Run } from './command.ts';

/** Parsers of options. All throw CodedError validation_failed. */

export const wrongCall = (sentence: string): CodedError => new CodedError('validation_failed', sentence);

/** A date; undefined if the option was not given. */
export function dateOption(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const date = parseDate(text);
  if (date === null) throw wrongCall(`${option} ${text} is not a date such as 2013-10-10.`);
  return date;
}

export function requiredDate(option: string, text: string | undefined): string {
  const date = dateOption(option, text);
  if (date === undefined) throw wrongCall(`${option} is missing: a date such as 2013-10-10.`);
  return date;
}

/** An instant of RFC 3339 in UTC, or the midnight of UTC that begins or ends a date. */
export function instantOption(option: string, text: string, dateMeans: 'begin' | 'end'): Date {
  const date = parseDate(text);
  if (date !== null) {
    const begin = Date.parse(`${date}T00:00:00Z`);
    return new Date(dateMeans === 'begin' ? begin : begin + DAY_MS);
  }
  const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(instant)) {
    throw wrongCall(
      `${option} ${text} is neither a date such as 2026-12-31 nor an instant such as 2026-12-31T20:00:00Z.`,
    );
  }
  return new Date(instant);
}

/** @param word accepted besides a number */
export function wholeNumber(
  option: string,
  text: string,
  minimum: number,
  maximum: number,
  word?: string,
): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw wrongCall(
    `${option} must be ${word === undefined ? '' : `${word} or `}a whole number from ${minimum} to ${maximum}, not ${JSON.stringify(text)}.`,
  );
}

/** Items of a comma-separated list without repetition; null if the option was not given. */
export function listOption(option: string, text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const items = text.split(',').map((item) => item.trim());
  const list = [...new Set(items.filter((item) => item !== ''))];
  if (list.length === 0) throw wrongCall(`${option} lists nothing.`);
  return list;
}

/** The one argument of a command besides its options. */
export function onlyWord(positionals: readonly string[], what: string): string {
  if (positionals.length !== 1) throw wrongCall(`This needs exactly ${what} beside its options; see --help.`);
  return positionals[0]!;
}

/** A command whose first argument names an action. */
export const actions =
  (command: string, runs: Readonly<Record<string, Run>>): Run =>
  async ([action = '', ...words], config) => {
    if (!Object.hasOwn(runs, action)) {
      const known = Object.keys(runs).join(', ');
      throw wrongCall(`${command} needs an action: ${known}. See tigraph ${command} --help.`);
    }
    return runs[action]!(words, config);
  };

/** Text from outside with control characters escaped, for one line of a terminal. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Z}]/gu, (character) =>
    character === ' ' ? ' ' : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );

import { parseDate } from '../base/calendar.ts';
import { CodedError } from '../base/errors.ts';

/** Readings of command line words that several commands share. */

/**
 * An instant: RFC 3339 in UTC, or a date for the midnight of UTC that begins or ends it.
 *
 * @throws CodedError validation_failed
 */
export function instantOption(option: string, text: string, dateMeans: 'begin' | 'end'): Date {
  const date = parseDate(text);
  if (date !== null) {
    const begin = Date.parse(`${date}T00:00:00Z`);
    return new Date(dateMeans === 'begin' ? begin : begin + 86_400_000);
  }
  const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(instant)) {
    throw new CodedError(
      'validation_failed',
      `${option} ${text} is neither a date such as 2026-12-31 nor an instant such as 2026-12-31T20:00:00Z.`,
    );
  }
  return new Date(instant);
}

/** Trimmed words of a comma-separated list without repetition; null when the option was not given. */
export function listOption(option: string, text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const words = text.split(',').map((word) => word.trim());
  const list = [...new Set(words.filter((word) => word !== ''))];
  if (list.length === 0) throw new CodedError('validation_failed', `${option} lists nothing.`);
  return list;
}

/**
 * The one word that a command takes beside its options.
 *
 * @throws CodedError validation_failed
 */
export function onlyWord(positionals: readonly string[], what: string): string {
  if (positionals.length !== 1)
    throw new CodedError('validation_failed', `This needs exactly ${what} beside its options; see --help.`);
  return positionals[0]!;
}

/** Names from outside as one line of a terminal: no character of theirs moves a cursor. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Z}]/gu, (character) =>
    character === ' ' ? ' ' : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );

import type { KnownField } from './field-words.ts';
import { FilterFault, isDate, type Value } from './filter.ts';
import { amountOf } from './trade-phrases.ts';

/** What a field is compared with. */

export interface Place {
  readonly at: number;
  readonly length: number;
}

export interface Operand extends Place {
  readonly text: string;
  readonly isQuoted: boolean;
}

export const isNumeric = ({ type }: KnownField): boolean => type === 'number' || type === 'integer';

/**
 * The value that words say for a field.
 *
 * @param isFree without a catalogue, where a number is a number whatever its field
 * @throws FilterFault
 */
export function readValue(field: KnownField, operand: Operand, isFree: boolean): Value {
  const { text, isQuoted } = operand;
  const { path, type } = field;
  const isOfNumbers = isNumeric(field);
  const number = !isQuoted && (isOfNumbers || isFree) ? numberOf(field, operand, isFree) : null;
  if (number !== null) return number;
  if (isOfNumbers) {
    if (!isFree) throw refused(operand, `${path} is a number, and “${text}” is none`);
    return text;
  }
  if (isQuoted && type !== 'boolean' && field.words === null) return text;
  if (text === 'true' || text === 'false') return text === 'true';
  if (type === 'boolean') throw refused(operand, `${path} is true or false`, ['true', 'false']);
  if (/^(?:date|instant)$/.test(type) && !isDate(text))
    throw refused(operand, `${path} is a date, such as 2026-01-31`);
  return wordOf(field, operand);
}

const refused = ({ at, length }: Place, message: string, instead: readonly string[] = []): FilterFault =>
  new FilterFault(at, message, length, instead);

/** An amount in the unit of its field; null for what is none. */
function numberOf({ path, unit }: KnownField, operand: Operand, isFree: boolean): number | null {
  const amount = amountOf(operand.text);
  if (amount === null) return null;
  if (isFree || amount.unit === null || path.startsWith('computed.')) return amount.number;
  if (amount.unit === 'percent' && unit === 'fraction') return amount.number / 100;
  if (amount.unit === unit || (amount.unit === 'times' && unit === 'ratio')) return amount.number;
  throw refused(operand, `${path} is in ${unit ?? 'no unit'}, and not ${operand.text}`, [`${amount.number}`]);
}

/** One of the words of a field, however it is written. */
function wordOf({ path, words }: KnownField, operand: Operand): string {
  const { text } = operand;
  if (words === null) return text;
  const word = text.toLowerCase().replaceAll(/[\s-]+/g, '_');
  const known = words.find((one) => one.toLowerCase() === word);
  if (known === undefined) throw refused(operand, `${path} is never “${text}”`, words.slice(0, 6));
  return known;
}

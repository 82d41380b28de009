import { parseDate } from '../base/dates.ts';
import { zonedToUtc } from '../base/time-zone.ts';
import type { CsvOptions } from './bars/csv-options.ts';
import { CHOICE_NAMES, type ChoiceForm, type ChoiceName, choiceOf } from './choices.ts';
import { knownAtOf } from './facts/known-at.ts';
import type { Stated as StatedOfFacts } from './facts/rows.ts';
import { pricedTickerOf } from './fields.ts';
import { patternExpression } from './file-symbol.ts';
import { CSV_FIELDS } from './table-head.ts';
import { instantOf } from './times.ts';

/** What a caller states of the files of an import, as their readers take it. */
export interface Stated extends Omit<CsvOptions, 'calendar' | 'now' | 'known' | 'symbolFrom'>, StatedOfFacts {
  /** Epoch milliseconds of chains without a complete instant. */
  readonly asOf?: number | undefined;
}

/** Choices as texts. */
export type Choices = { readonly [Name in ChoiceName]?: string };

/** A text that a choice cannot be meant by. */
export class ChoiceFault extends RangeError {
  readonly choice: ChoiceName;

  constructor(name: ChoiceName, sentence: string) {
    super(sentence);
    this.choice = name;
  }
}

/** A reader of each form, which throws a RangeError with what the text has to be. */
const READ: Readonly<Record<ChoiceForm, (text: string) => unknown>> = {
  word: (text) => text,
  symbol: (text) => (pricedTickerOf(text) === null ? fault(`"${text}" is no symbol.`) : text.toUpperCase()),
  zone(text) {
    try {
      return zonedToUtc(text) && text;
    } catch {
      return fault('It is not a zone such as America/New_York.');
    }
  },
  date: (text) => parseDate(text) ?? fault('It is not a date such as 2013-10-10.'),
  instant(text) {
    const instant = instantOf(text);
    const example = 'It must be an instant with its zone such as 2023-09-14T16:31:00-04:00.';
    return Number.isNaN(instant) ? fault(example) : instant;
  },
  date_or_instant: (text) =>
    Number.isNaN(knownAtOf(text))
      ? fault('It is neither a date written YYYY-MM-DD nor an instant with its zone.')
      : text,
  character: (text) =>
    text === '\\t' ? '\t' : /^[\x20-\x7e\t]$/.test(text) ? text : fault('It must be one character.'),
  names: (text) => text.split(',').map((name) => name.trim()),
  columns: (text) => Object.fromEntries(text.split(',').map(columnOf)),
  pattern(text) {
    patternExpression(text);
    return text;
  },
};

function columnOf(part: string): readonly [field: string, column: string] {
  const [field = '', column = ''] = part.split('=').map((side) => side.trim());
  if (column === '') return fault('It must read field=column, e.g. close=adj_close.');
  if (CSV_FIELDS.some((known) => known === field)) return [field, column];
  return fault(`${field} is none of ${CSV_FIELDS.join(', ')}.`);
}

function fault(sentence: string): never {
  throw new RangeError(sentence);
}

/** The value that a text states. @throws ChoiceFault */
export function statedValue(name: ChoiceName, text: string): unknown {
  const { form, values } = choiceOf(name);
  if (values !== undefined && !values.includes(text))
    throw new ChoiceFault(name, `${text} is none of ${values.join(', ')}.`);
  try {
    return READ[form](text);
  } catch (error) {
    throw error instanceof RangeError ? new ChoiceFault(name, error.message) : error;
  }
}

const memberOf = (name: ChoiceName): string =>
  name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** What values say that were read by `statedValue`. */
export const statedBy = (values: Readonly<Partial<Record<ChoiceName, unknown>>>): Stated =>
  Object.fromEntries(
    CHOICE_NAMES.flatMap((name) => (values[name] === undefined ? [] : [[memberOf(name), values[name]]])),
  );

/** @throws ChoiceFault for a choice that cannot be meant */
export const statedIn = (choices: Choices): Stated =>
  statedBy(
    Object.fromEntries(
      CHOICE_NAMES.flatMap((name) =>
        choices[name] === undefined ? [] : [[name, statedValue(name, choices[name])]],
      ),
    ),
  );

import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import { parseDate } from '../../base/calendar.ts';
import { parseInstant } from '../../base/dates.ts';
import { splitWords } from '../../base/parameters.ts';

/** Keywords that JSON Schema lacks, so that ajv checks and reports our parameters with all others. */

/** Refuses a date that does not exist, such as 2013-02-30. Another shape is left to `pattern`. */
const existingDate: SchemaValidateFunction = (isOn: boolean, text: string) => {
  const isValid = !isOn || !/^\d{4}-\d{2}-\d{2}$/.test(text) || parseDate(text) !== null;
  existingDate.errors = isValid ? [] : [{ keyword: 'existingDate', params: {} }];
  return isValid;
};

/** Refuses a text that is no instant with its zone. */
const existingInstant: SchemaValidateFunction = (isOn: boolean, text: string) => {
  const isValid = !isOn || parseInstant(text) !== null;
  existingInstant.errors = isValid ? [] : [{ keyword: 'existingInstant', params: {} }];
  return isValid;
};

const existingDateOrInstant: SchemaValidateFunction = (isOn: boolean, text: string) => {
  const isValid = !isOn || parseDate(text) !== null || parseInstant(text) !== null;
  existingDateOrInstant.errors = isValid ? [] : [{ keyword: 'existingDateOrInstant', params: {} }];
  return isValid;
};

/** A comma-separated list of words of a closed vocabulary. */
const wordList: SchemaValidateFunction = (allowed: readonly string[], text: string) => {
  const unknown = splitWords(text).filter((word) => !allowed.includes(word));
  wordList.errors = unknown.map((word) => ({
    keyword: 'wordList',
    params: { allowedValues: allowed, word },
  }));
  return unknown.length === 0;
};

interface ItemRule {
  readonly maxItems: number;
  readonly pattern: string;
}

/** A comma-separated list of one item or more, each of a pattern. */
const itemList: SchemaValidateFunction = ({ maxItems, pattern }: ItemRule, text: string) => {
  const items = splitWords(text);
  const expression = new RegExp(pattern);
  const invalid = items.filter((item) => !expression.test(item));
  itemList.errors = [
    ...(items.length < 1 ? [{ keyword: 'minItems', params: { limit: 1 } }] : []),
    ...(items.length > maxItems ? [{ keyword: 'maxItems', params: { limit: maxItems } }] : []),
    ...invalid.map((word) => ({ keyword: 'pattern', params: { pattern, word } })),
  ];
  return itemList.errors.length === 0;
};

interface NumberRule {
  readonly minimum: number;
  readonly maximum: number;
}

/** A whole number within bounds, as text of an address. */
const wholeNumber: SchemaValidateFunction = (bounds: NumberRule, text: string) => {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  const isWithin = value >= bounds.minimum && value <= bounds.maximum;
  wholeNumber.errors = isWithin ? [] : [{ keyword: 'wholeNumber', params: { ...bounds, value } }];
  return isWithin;
};

export const KEYWORDS: FuncKeywordDefinition[] = [
  { keyword: 'existingDate', type: 'string', schemaType: 'boolean', errors: 'full', validate: existingDate },
  {
    keyword: 'existingInstant',
    type: 'string',
    schemaType: 'boolean',
    errors: 'full',
    validate: existingInstant,
  },
  {
    keyword: 'existingDateOrInstant',
    type: 'string',
    schemaType: 'boolean',
    errors: 'full',
    validate: existingDateOrInstant,
  },
  { keyword: 'wordList', type: 'string', schemaType: 'array', errors: 'full', validate: wordList },
  { keyword: 'itemList', type: 'string', schemaType: 'object', errors: 'full', validate: itemList },
  { keyword: 'wholeNumber', type: 'string', schemaType: 'object', errors: 'full', validate: wholeNumber },
];

import { Type } from 'typebox';
import { INCLUDE_FIELDS } from '../operations/stock-result.ts';
import { splitWords } from './words.ts';

/** Parameters that several routes share. */

export const stockSymbol = Type.String({
  minLength: 1,
  maxLength: 20,
  pattern: '^[A-Za-z0-9^][A-Za-z0-9.^=_-]*$',
  description: 'Ticker symbol; capitals or not.',
  examples: ['SIMX'],
});

export const tradeDate = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  existingDate: true,
  description: 'Trade date, YYYY-MM-DD. Default: the newest session of the symbol.',
  examples: ['2026-08-19'],
});

const INCLUDE_WORDS = [...INCLUDE_FIELDS.keys()].sort();

export const includeList = Type.String({
  maxLength: 500,
  wordList: INCLUDE_WORDS,
  description: `Comma-separated list of blocks to add; the others are null. Words: ${INCLUDE_WORDS.join(', ')}.`,
  examples: ['levels,volume_profile'],
});

/** Lists that were asked for before: callers repeat themselves. */
const parsedLists = new Map<string, readonly string[]>();
const PARSED_MAX = 1_000;
const NONE: readonly string[] = [];

/** The words of an `include` that has passed its schema. */
export function includeWords(include: string | undefined): readonly string[] {
  if (include === undefined) return NONE;
  const known = parsedLists.get(include);
  if (known !== undefined) return known;
  if (parsedLists.size >= PARSED_MAX) parsedLists.clear();
  const words = splitWords(include);
  parsedLists.set(include, words);
  return words;
}

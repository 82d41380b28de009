import { Type } from 'typebox';
import { oneOf, withDefault } from '../base/schema.ts';
import { DIRECTIONS, TIMEFRAMES } from '../operations/get-dte-scores.ts';
import { INCLUDE_FIELDS } from '../operations/stock-result.ts';
import { splitWords } from './words.ts';

/** Parameters that several routes share. */

const SYMBOL_LENGTH_MAX = 20;
/** The first character and those that may follow it. */
const SYMBOL_FORM = '[A-Za-z0-9^][A-Za-z0-9.^=_/-]';

export const stockSymbol = Type.String({
  minLength: 1,
  maxLength: SYMBOL_LENGTH_MAX,
  pattern: `^${SYMBOL_FORM}*$`,
  description:
    'Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`).',
});

export const tradeDate = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  existingDate: true,
  description: 'Trade date, YYYY-MM-DD. Default: the newest session of the symbol.',
});

/** The date of a chain; by itself it says nothing of the symbol's newest bar. */
export const chainDate = {
  ...tradeDate,
  description: 'Trade date, YYYY-MM-DD, whose chain is replayed. Default: the newest chain of the symbol.',
};

export const tradeTimeframe = withDefault(
  oneOf(TIMEFRAMES, 'How long the trade is held: one session, five, twenty.'),
  'swing',
);

export const tradeDirection = withDefault(oneOf(DIRECTIONS, 'Which way the trade is.'), 'bullish');

const INCLUDE_WORDS = [...INCLUDE_FIELDS.keys()].sort();

export const includeList = Type.String({
  maxLength: 500,
  wordList: INCLUDE_WORDS,
  description: `Comma-separated list of blocks to add; the others are null. Words: ${INCLUDE_WORDS.join(', ')}.`,
  examples: ['levels,volume_profile'],
});

/** A whole number in an address, where every value is text. */
export const wholeNumber = (
  description: string,
  { minimum, maximum, byDefault }: { minimum: number; maximum: number; byDefault: number },
) =>
  Type.String({
    wholeNumber: { minimum, maximum },
    description: `${description}, ${minimum} to ${maximum}. Default: ${byDefault}.`,
    examples: [`${byDefault}`],
  });

/** A list of ticker symbols; what it holds is checked item by item. */
export const stockSymbols = (itemsMax: number) =>
  Type.String({
    // Each with a comma and a blank.
    maxLength: itemsMax * (SYMBOL_LENGTH_MAX + 2),
    itemList: {
      maxItems: itemsMax,
      pattern: `^${SYMBOL_FORM}{0,${SYMBOL_LENGTH_MAX - 1}}$`,
    },
    description: `Ticker symbols with commas between them, 1 to ${itemsMax}; capitals or not.`,
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

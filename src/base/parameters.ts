import { STORED_SYMBOL } from './symbols.ts';
import { Type } from './type.ts';

/** Parameters that several routes share. */

const SYMBOL_LENGTH_MAX = 20;
/** The first character and the characters that may follow. */
const SYMBOL_FORM = '[A-Za-z0-9^][A-Za-z0-9.^=_/-]';

export const stockSymbol = Type.String({
  minLength: 1,
  maxLength: SYMBOL_LENGTH_MAX,
  pattern: `^${SYMBOL_FORM}*$`,
  description:
    'Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`).',
});

/** A symbol as the store has it, in messages between processes. */
export const storedSymbol = Type.String({ pattern: STORED_SYMBOL.source });

export const isoDate = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

export const tradeDate = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  existingDate: true,
  description: 'Trade date, YYYY-MM-DD. Default: the newest session of the symbol.',
});

export const asOfParameter = Type.String({
  existingInstant: true,
  description:
    'RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller.',
});

/** One end of a range: a trade date, or an instant with its zone. */
export const dateOrInstant = (description: string) =>
  Type.String({ existingDateOrInstant: true, description: `${description} YYYY-MM-DD or RFC 3339.` });

/** An integer in a query string, where every value is text. */
export const wholeNumber = (
  description: string,
  { minimum, maximum, byDefault }: { minimum: number; maximum: number; byDefault: number },
) =>
  Type.String({
    wholeNumber: { minimum, maximum },
    description: `${description}, ${minimum} to ${maximum}. Default: ${byDefault}.`,
    examples: [`${byDefault}`],
  });

/** A list of ticker symbols, validated item by item. */
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

/** Whether a parameter is a list, as text with commas between its items. */
export const isList = (schema: object): boolean =>
  'itemList' in schema || 'wordList' in schema || 'describedItems' in schema;

/** The words of a validated `include`. */
export const includeWords = (include: string | undefined): readonly string[] =>
  include === undefined ? [] : splitWords(include);

/** The distinct words of a comma-separated list, trimmed and sorted. */
export function splitWords(list: string): readonly string[] {
  const words = list.split(',').map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))].sort();
}

/** A run of letters and digits with what may stand inside a word, and the mark before it. */
const RUN = /\$?[\p{L}\p{N}]+(?:['’&.-][\p{L}\p{N}]+)*/gu;
/** What stands in brackets with a colon names a listing: (NYSE: IBM). */
const LISTING = /\([^()]{0,40}:[^()]{0,40}\)/g;
const POSSESSIVE = /['’]s$/;

/**
 * Words in capitals that mean the same in small letters. Other short words in capitals are tickers: read as words, CAT
 * would be an animal and ALL a pronoun.
 */
const ABBREVIATIONS = new Set(
  'CEO CFO COO IPO FDA FTC EPA IRS GDP IMF ECB OPEC NATO UN UK EU ETF NYSE NASDAQ TV HIV LNG'.split(' '),
);
const TICKER_LETTERS_MAX = 5;

/**
 * The words of a text in small letters, in their order; tickers, listings and whatever holds a digit are left out. A text
 * all in capitals has no tickers that could be told.
 */
export function wordsOf(text: string): string[] {
  const isMixed = /\p{Ll}/u.test(text);
  const runs = text.replaceAll(LISTING, ' ').match(RUN) ?? [];
  return runs.flatMap((run) => {
    if (/[$\p{N}]/u.test(run) || (isMixed && isTicker(run))) return [];
    return [run.replace(POSSESSIVE, '').toLowerCase()];
  });
}

function isTicker(run: string): boolean {
  if (run.length < 2 || run.length > TICKER_LETTERS_MAX || ABBREVIATIONS.has(run)) return false;
  return /^\p{Lu}+([.-]\p{Lu})?$/u.test(run);
}

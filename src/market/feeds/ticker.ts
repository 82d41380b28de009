import { dottedSymbol, indexOfRoot } from '../../base/symbols.ts';

const TICKER = /^\^?[A-Z][A-Z0-9]{0,9}(\.[A-Z0-9]{1,4})?$/;

/**
 * A symbol as we write it: capitals, share classes behind a dot (`BRK-B` and `BRK/B` become `BRK.B`), indices behind a
 * caret (`^VIX`). Null when the text is no ticker.
 */
export function tickerOf(text: string): string | null {
  const ticker = dottedSymbol(text);
  return TICKER.test(ticker) ? ticker : null;
}

/**
 * The symbol of a series of prices or of a chain: an index goes by the symbol of its bars, however its options write it
 * (`SPX` and `SPXW` are `^SPX`). Null when the text is no ticker.
 */
export function pricedTickerOf(text: string): string | null {
  const ticker = tickerOf(text);
  return ticker === null ? null : indexOfRoot(ticker);
}

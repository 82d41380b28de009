const TICKER = /^\^?[A-Z][A-Z0-9]{0,9}(\.[A-Z0-9]{1,4})?$/;
const SHARE_CLASS = /[-/]([A-Z])$/;

/**
 * A symbol as we write it: capitals, share classes behind a dot (`BRK-B` and `BRK/B` become `BRK.B`), indices behind a
 * caret (`^VIX`). Null when the text is no ticker.
 */
export function tickerOf(text: string): string | null {
  const ticker = text.trim().toUpperCase().replace(SHARE_CLASS, '.$1');
  return TICKER.test(ticker) ? ticker : null;
}

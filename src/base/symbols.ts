import { indexOfRoot } from './option-roots.ts';

/** Spellings of symbols: callers and vendors have several, the tape has one. */

/** Any symbol that the store may hold, whatever its source. */
export const STORED_SYMBOL = /^[!-~]{1,64}$/;

/** The canonical form of any symbol that a caller may name. */
export const TICKER = /^[A-Z0-9^][A-Z0-9.^=_-]{0,19}$/;

/** `BRK-B`, `BRK/B`, `BRK B`. */
const SHARE_CLASS = /[-/]([A-Z])$|(?<=^[A-Z]{2,4}) ([AB])$/;
/** `BATS:SPY`, `US:SPY`, and `I:SPX` of an index. */
const VENUE =
  /^(?:AMEX|ARCA|BATS|CBOE|DJ|I|IEX|INDEX|INDEXSP|INDEXDJX|NASDAQ|NASDAQGM|NYSE|NYSEAMERICAN|NYSEARCA|OTC|OTCMKTS|SP|TVC|US|XNAS|XNYS):/;
/** `GOOG.US`, `GOOG.OQ`, `KO.N`, `GOOG:US`, `AAPL UW Equity`, `SPX Index`, `SPX.XO`, `$SPX.X`. */
const COUNTRY =
  /(?:[.:-]US|\.OQ?|\.N|:(?:NASDAQ|NYSE|ARCA|AMEX)|\.XO|(?<=^\$.+)\.X| U[NPQRSW](?: EQUITY)?| EQUITY| INDEX)$/;
/** Other names of indices whose bars go by one. */
const INDICES: ReadonlyMap<string, string> = new Map([
  ['^GSPC', '^SPX'],
  ['GSPC', '^SPX'],
  ['DJI', '^DJI'],
  ['IXIC', '^IXIC'],
  ['^INX', '^SPX'],
  ['$INX', '^SPX'],
  ['$DJI', '^DJI'],
  ['$COMPX', '^IXIC'],
  ['$COMP', '^IXIC'],
]);

/**
 * Upper case with a dot before the share class, without venue and country: `BRK-B` and `BRK/B` are `BRK.B`, `NASDAQ:GOOG`,
 * `GOOG.US` and `$GOOG` are `GOOG`.
 */
export function dottedSymbol(text: string): string {
  const bare = text.trim().toUpperCase().replace(VENUE, '').replace(COUNTRY, '');
  const index = INDICES.get(bare);
  return index ?? bare.replace(/^\$/, '').replace(SHARE_CLASS, '.$1$2');
}

/** The tape's symbol for a caller's spelling: `brk-b` is `BRK.B`, `SPX` and `SPXW` are `^SPX`. */
export const canonicalSymbol = (text: string): string => indexOfRoot(dottedSymbol(text));

/**
 * Spellings of symbols: callers and vendors have several, the tape has one. Roots of index options and the index that
 * each settles on; fractional indices (`NQX` is a fifth of `NDX`, `XSP` a tenth of `SPX`) have their own level.
 */
const INDEX_OF_ROOT: ReadonlyMap<string, string> = new Map([
  ['SPX', '^SPX'],
  ['SPXW', '^SPX'],
  ['XSP', '^XSP'],
  ['XSPW', '^XSP'],
  ['NDX', '^NDX'],
  ['NDXP', '^NDX'],
  ['NQX', '^NQX'],
  ['XND', '^XND'],
  ['RUT', '^RUT'],
  ['RUTW', '^RUT'],
  ['MRUT', '^MRUT'],
  ['DJX', '^DJX'],
  ['DJXW', '^DJX'],
  ['VIX', '^VIX'],
  ['VIXW', '^VIX'],
  ['OEX', '^OEX'],
  ['XEO', '^XEO'],
  ['CBTX', '^CBTX'],
]);
const OPTION_INDICES: ReadonlySet<string> = new Set(INDEX_OF_ROOT.values());

/** Any symbol that the store may hold, whatever its source. */
export const STORED_SYMBOL = /^[!-~]{1,64}$/;

/** `BRK-B`, `BRK/B`. */
const SHARE_CLASS = /[-/]([A-Z])$/;

/** Upper case with a dot before the share class: `BRK-B` and `BRK/B` are `BRK.B`. */
export const dottedSymbol = (text: string): string => text.trim().toUpperCase().replace(SHARE_CLASS, '.$1');

/** The index that a root of index options settles on; other symbols unchanged. */
export const indexOfRoot = (symbol: string): string => INDEX_OF_ROOT.get(symbol) ?? symbol;

/** Whether an index has listed options, which settle in cash. */
export const isOptionIndex = (symbol: string): boolean => OPTION_INDICES.has(symbol);

/** The tape's symbol for a caller's spelling: `brk-b` is `BRK.B`, `SPX` and `SPXW` are `^SPX`. */
export const canonicalSymbol = (text: string): string => indexOfRoot(dottedSymbol(text));

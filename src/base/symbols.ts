/** How symbols are written: by vendors and callers in several ways, on the tape in one. */

/**
 * The roots of index options and the index that each settles on, in the symbol of its bars. The only table of them.
 * Indices of a fraction (`NQX` is a fifth of `NDX`, `XSP` a tenth of `SPX`) have a level of their own.
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

/** `BRK-B`, `BRK/B`. */
const SHARE_CLASS = /[-/]([A-Z])$/;

/** Capitals, and a share class behind a dot: `BRK-B` and `BRK/B` are `BRK.B`. */
export const dottedSymbol = (text: string): string => text.trim().toUpperCase().replace(SHARE_CLASS, '.$1');

/** The index that a root of index options settles on; any other symbol is itself. */
export const indexOfRoot = (symbol: string): string => INDEX_OF_ROOT.get(symbol) ?? symbol;

/** Whether options are listed on an index; they are settled in cash. */
export const isOptionIndex = (symbol: string): boolean => OPTION_INDICES.has(symbol);

/** The symbol of the tape for what a caller writes: `brk-b` is `BRK.B`, `SPX` and `SPXW` are `^SPX`. */
export const canonicalSymbol = (text: string): string => indexOfRoot(dottedSymbol(text));

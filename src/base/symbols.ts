import { indexOfRoot } from './option-roots.ts';

/** Spellings of symbols: callers and vendors have several, the tape has one. */

/** Any symbol that the store may hold, whatever its source. */
export const STORED_SYMBOL = /^[!-~]{1,64}$/;

/** The canonical form of any symbol that a caller may name. */
export const TICKER = /^[A-Z0-9^][A-Z0-9.^=_-]{0,19}$/;

/** `BRK-B`, `BRK/B`. */
const SHARE_CLASS = /[-/]([A-Z])$/;

/** Upper case with a dot before the share class: `BRK-B` and `BRK/B` are `BRK.B`. */
export const dottedSymbol = (text: string): string => text.trim().toUpperCase().replace(SHARE_CLASS, '.$1');

/** The tape's symbol for a caller's spelling: `brk-b` is `BRK.B`, `SPX` and `SPXW` are `^SPX`. */
export const canonicalSymbol = (text: string): string => indexOfRoot(dottedSymbol(text));

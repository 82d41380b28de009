import { indexOfRoot } from '../base/option-roots.ts';
import { dottedSymbol } from '../base/symbols.ts';

/** Most columns that a row may have; no vendor table comes near. */
const FIELDS_MAX = 512;

const QUOTE = 34;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const SPACE = 32;

const DELIMITERS = [',', ';', '\t', '|'];

/** The delimiter that splits a header line into most parts. */
export function delimiterOf(header: string): string {
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

export type FieldScanner = ReturnType<typeof fieldScanner>;

/**
 * Cuts a line at a delimiter of one byte. `starts` and `ends` are byte offsets of the fields of the last row, a quoted
 * field without its quotes; doubled quotes inside it stay doubled.
 */
export function fieldScanner(delimiter: string) {
  const separator = delimiter.charCodeAt(0);
  const starts = new Int32Array(FIELDS_MAX);
  const ends = new Int32Array(FIELDS_MAX);
  return {
    starts,
    ends,
    /** How many fields the row has, or -1 when its quoting is broken or it has more than `FIELDS_MAX`. */
    scan(bytes: Uint8Array, start: number, end: number): number {
      let count = 0;
      let at = start;
      for (;;) {
        if (count === FIELDS_MAX) return -1;
        if (at < end && bytes[at] === QUOTE) {
          const closing = closingQuote(bytes, at + 1, end);
          if (closing < 0 || (closing + 1 < end && bytes[closing + 1] !== separator)) return -1;
          starts[count] = at + 1;
          ends[count] = closing;
          at = closing + 1;
        } else {
          starts[count] = at;
          while (at < end && bytes[at] !== separator) at++;
          ends[count] = at;
        }
        count++;
        if (at >= end) return count;
        at++;
      }
    },
  };
}

function closingQuote(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (bytes[at] !== QUOTE) continue;
    if (at + 1 < end && bytes[at + 1] === QUOTE) at++;
    else return at;
  }
  return -1;
}

/** Powers of ten that a double holds exactly. */
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
/** Mantissas of at most so many digits are exact in a double. */
const EXACT_DIGITS = 15;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * The number written in a field, NaN when it is not one (letters, thousands separators, nothing). Spaces around it are
 * allowed. An integer of at most 15 digits over a power of ten rounds once and therefore equals `Number(text)`
 * (W. D. Clinger, "How to Read Floating Point Numbers Accurately", 1990); anything longer takes the slow way.
 */
export function decimal(bytes: Uint8Array, from: number, to: number): number {
  let start = from;
  let end = to;
  while (start < end && bytes[start] === SPACE) start++;
  while (end > start && bytes[end - 1] === SPACE) end--;
  const negative = bytes[start] === MINUS;
  let at = negative || bytes[start] === PLUS ? start + 1 : start;
  let mantissa = 0;
  let digits = 0;
  let point = -1;
  for (; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      digits++;
    } else if (digit === POINT - ZERO && point < 0) point = at;
    else return slowDecimal(bytes, start, end);
  }
  if (digits === 0) return Number.NaN;
  if (digits > EXACT_DIGITS) return slowDecimal(bytes, start, end);
  const value = point < 0 ? mantissa : mantissa / POWERS_OF_TEN[end - point - 1]!;
  return negative ? -value : value;
}

function slowDecimal(bytes: Uint8Array, start: number, end: number): number {
  const text = fieldText(bytes, start, end);
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}

/** The whole number written in digits from `from` to `to`, or NaN; for dates and clock times. */
export function digitsAt(bytes: Uint8Array, from: number, to: number): number {
  if (to <= from) return Number.NaN;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** The text of a field, without spaces around it. */
export function fieldText(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.max(end - start, 0))
    .toString('utf8')
    .trim();
}

/** What vendors put behind symbols of other exchanges, whose stocks are not on the tape. */
const FOREIGN = new Set(
  `AMS AS ASX AT AX BD BIT BK BME BO BR BSE CO DE DEX EPA ETR FRA HE HK HKG IL IR IS JK JO KQ KRX KS L LON LS LSE MC MI
  MX NS NSE NZ OL PA SA SHA SHE SI SS ST SW SWX SZ TA TO TRT TRV TSE TSX TW TYO VI WA XETRA`.split(/\s+/),
);
/** `BACpL`, a preferred stock; in capitals it would be another company's. */
const PREFERRED = /^[A-Z]{1,5}[prw][A-Z]?$/;
const TICKER = /^\^?[A-Z][A-Z0-9]{0,9}(\.[A-Z0-9]{1,4})?$/;

/**
 * A symbol as we write it: capitals, share classes behind a dot (`BRK-B` and `BRK/B` become `BRK.B`), indices behind a
 * caret (`^VIX`). Null when the text is no ticker, or one of another country (`RY.TO`).
 */
export function tickerOf(text: string): string | null {
  if (PREFERRED.test(text.trim())) return null;
  const ticker = dottedSymbol(text);
  return TICKER.test(ticker) && !isForeign(ticker) ? ticker : null;
}

/** Whether a ticker has the suffix of another country's exchange. */
export const isForeign = (ticker: string): boolean =>
  FOREIGN.has(ticker.split('.')[1] ?? '') || /^\d{3,6}\.[A-Z]{1,3}$/.test(ticker);

/**
 * The symbol of a series of prices or of a chain: an index goes by the symbol of its bars, however its options write it
 * (`SPX` and `SPXW` are `^SPX`). Null when the text is no ticker.
 */
export function pricedTickerOf(text: string): string | null {
  const ticker = tickerOf(text);
  return ticker === null ? null : indexOfRoot(ticker);
}

const DENOMINATOR_MAX = 10;
const TOLERANCE = 2e-5;

/**
 * The ratio that a company announces, from a vendor's decimal: 6.99999 and 7.000007 are 7:1, 0.0625 is 1:16, 1.5 is
 * 3:2. Without a near ratio of small numbers (GOOG 2015: 1.0027) six decimals remain.
 */
export function announcedSplit(ratio: number): number {
  for (let denominator = 1; denominator <= DENOMINATOR_MAX; denominator++) {
    const forward = Math.round(ratio * denominator);
    if (forward >= denominator && isNear(forward / denominator, ratio)) return forward / denominator;
    const reverse = Math.round(denominator / ratio);
    if (reverse > denominator && isNear(denominator / reverse, ratio)) return denominator / reverse;
  }
  return Number(ratio.toFixed(6));
}

function isNear(candidate: number, ratio: number): boolean {
  return Math.abs(candidate - ratio) <= TOLERANCE * ratio;
}

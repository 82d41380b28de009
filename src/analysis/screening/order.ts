/** What rows are ordered by: a value for each row of the table, NaN for none. */
export interface OrderKey {
  readonly values: Float64Array;
  readonly descending: boolean;
}

/** A digit is one of the eight bytes of a double. */
const DIGITS = 8;
const DIGIT_BITS = 8;
const DIGIT_VALUES = 256;

const ALL_BITS = 0xffffffff;
const SIGN_BIT = 0x80000000;

/**
 * Rows of a table by several keys, the first before the others; absent values last either way, equal rows as they were.
 *
 * A radix sort from the last digit of the last key to the first digit of the first: stable, without a comparison, and as
 * fast on the worst of columns as on any.
 */
export function orderRows(rows: Uint32Array, keys: readonly OrderKey[]): Uint32Array {
  let order = Uint32Array.from(rows, (_, place) => place);
  let next = new Uint32Array(rows.length);
  const digits = new Uint8Array(rows.length);
  for (const key of keys.toReversed()) {
    const words = sortableWords(rows, key);
    for (let digit = 0; digit < DIGITS; digit++) {
      fillDigits(words, digit, digits);
      const starts = startsOf(digits);
      if (starts === null) continue;
      for (let at = 0; at < order.length; at++) {
        const place = order[at]!;
        next[starts[digits[place]!]!++] = place;
      }
      [order, next] = [next, order];
    }
  }
  return order.map((place) => rows[place]!);
}

/**
 * The values of the rows as pairs of 32-bit words, the lower first, that sort in the requested direction: bits of
 * doubles sort as unsigned integers once the sign bit is flipped, and for negatives every bit. NaN is the highest.
 */
function sortableWords(rows: Uint32Array, { values, descending }: OrderKey): Uint32Array {
  const bits = new DataView(new ArrayBuffer(8));
  const words = new Uint32Array(rows.length * 2);
  for (let place = 0; place < rows.length; place++) {
    // Plus 0, for -0 and 0 are equal.
    const value = values[rows[place]!]! + 0;
    bits.setFloat64(0, value);
    const high = bits.getUint32(0);
    const turnAll = high >= SIGN_BIT !== descending;
    words[place * 2] = Number.isNaN(value) ? ALL_BITS : bits.getUint32(4) ^ (turnAll ? ALL_BITS : 0);
    words[place * 2 + 1] = Number.isNaN(value) ? ALL_BITS : high ^ turned(high >= SIGN_BIT, descending);
  }
  return words;
}

/** The bits of the higher word to turn: all of a negative, the sign of others; the opposite where the order descends. */
function turned(isNegative: boolean, descending: boolean): number {
  return (isNegative ? ALL_BITS : SIGN_BIT) ^ (descending ? ALL_BITS : 0);
}

function fillDigits(words: Uint32Array, digit: number, digits: Uint8Array): void {
  const word = digit * DIGIT_BITS < 32 ? 0 : 1;
  const shift = (digit * DIGIT_BITS) % 32;
  for (let place = 0; place < digits.length; place++) {
    digits[place] = (words[place * 2 + word]! >>> shift) & (DIGIT_VALUES - 1);
  }
}

/** Where the rows with each value of a digit begin; null where all rows have the same. */
function startsOf(digits: Uint8Array): Uint32Array | null {
  const starts = new Uint32Array(DIGIT_VALUES);
  for (let place = 0; place < digits.length; place++) starts[digits[place]!]!++;
  let before = 0;
  for (let value = 0; value < DIGIT_VALUES; value++) {
    const count = starts[value]!;
    if (count === digits.length) return null;
    starts[value] = before;
    before += count;
  }
  return starts;
}

/** A text in the plain signs that it is read by, with the place of each sign in the text as it was written. */
export interface Reading {
  readonly signs: string;
  /** For each sign its UTF-16 place in the text, and one more for the end. */
  readonly places: Uint32Array;
}

/** A blank that may stand between the thousands of a number. */
export const TIGHT_BLANK = '\u00a0';

const PLAIN = new Map<string, string>([
  ...pairs('\u2212\ufe63\u2010\u2011\u2012\u2013', '-'),
  ...pairs('\u2014\u2015', '\u2014'),
  ...pairs('\u2018\u2019\u02bc', "'"),
  ...pairs('\u201c\u201d\u00ab\u00bb', '"'),
  ...pairs('\ufe6a\u066a', '%'),
  ...pairs('\u2248\u223c\u2243', '~'),
  ...pairs('\u2265', '>'),
  ...pairs('\u2264', '<'),
  ...pairs('\u00d7', 'x'),
  ...pairs('\u066b', '.'),
  ...pairs('\u066c', ','),
  ...pairs('\u00a0\u2009\u202f\u2007', TIGHT_BLANK),
  ...pairs('\u2028\u2029\u0085\u000b\u000c', '\n'),
  // They have no width, so that a reader does not see them between two digits.
  ...pairs('\u200b\u200c\u200d\u2060\ufeff\u00ad', ''),
]);

function pairs(signs: string, plain: string): [string, string][] {
  return Array.from(signs, (sign) => [sign, plain]);
}

const FULL_WIDTH_FIRST = 0xff01;
const FULL_WIDTH_LAST = 0xff5e;
const FULL_WIDTH_OFFSET = 0xfee0;
const ASCII_END = 0x80;

export function readingOf(text: string): Reading {
  const signs: string[] = [];
  const places = new Uint32Array(text.length + 1);
  let place = 0;
  for (const sign of text) {
    const plain = sign.codePointAt(0)! < ASCII_END ? sign : plainOf(sign);
    if (plain !== '') {
      places[signs.length] = place;
      signs.push(plain);
    }
    place += sign.length;
  }
  places[signs.length] = place;
  return { signs: signs.join(''), places: places.subarray(0, signs.length + 1) };
}

/** One sign or none. Letters stay as they are, and what no word here is made of becomes a blank of its own. */
function plainOf(sign: string): string {
  const known = PLAIN.get(sign);
  if (known !== undefined) return known;
  const code = sign.codePointAt(0)!;
  if (code >= FULL_WIDTH_FIRST && code <= FULL_WIDTH_LAST) {
    return String.fromCharCode(code - FULL_WIDTH_OFFSET);
  }
  if (/\p{Nd}/u.test(sign)) return `${digitOf(code)}`;
  if (/\p{Zs}/u.test(sign)) return ' ';
  return sign.length === 1 ? sign : '\ufffd';
}

/** Digits of every script stand in runs of ten, zero first; runs of mathematical digits follow each other. */
function digitOf(code: number): number {
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return (code - first) % 10;
}

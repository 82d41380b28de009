import { TIGHT_BLANK } from './reading.ts';

/** What lies before a token: nothing, a blank, the end of a line, an empty line. */
export type Gap = 'none' | 'blank' | 'line' | 'paragraph';

/** A word, a number or a mark of a text. */
export interface Token {
  readonly kind: 'word' | 'number' | 'mark';
  /** In small letters; of a number its digits and point alone. */
  readonly text: string;
  readonly raw: string;
  /** Signs of the reading. */
  readonly start: number;
  readonly end: number;
  readonly gap: Gap;
  /** True behind a sign that opens an item of a list or a row of a table. */
  readonly opensItem: boolean;
}

const ZERO = 48;
const NINE = 57;
/** Signs of emphasis and quotation say nothing. */
const NOISE = '*`"_';
const BULLETS = '*-+\u2022\u25e6\u2023|#>';
/** No figure of a market is longer; identifiers are. */
const DIGITS_MAX = 24;

const isDigit = (signs: string, at: number): boolean => {
  const code = signs.charCodeAt(at);
  return code >= ZERO && code <= NINE;
};
const LETTER = /\p{L}/u;
const isLetter = (signs: string, at: number): boolean => {
  const code = signs.charCodeAt(at);
  if (code < 0x80) return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return LETTER.test(signs.charAt(at));
};

/** Cuts a reading into tokens, in one walk. */
export function tokensOf(signs: string): Token[] {
  const tokens: Token[] = [];
  let gap: Gap = 'paragraph';
  let opensItem = false;
  let at = 0;
  const push = (kind: Token['kind'], end: number, text: string): void => {
    tokens.push({ kind, text, raw: signs.slice(at, end), start: at, end, gap, opensItem });
    gap = 'none';
    opensItem = false;
    at = end;
  };
  while (at < signs.length) {
    const sign = signs[at]!;
    if (sign === ' ' || sign === '\t' || sign === TIGHT_BLANK || sign === '\n' || sign === '\r') {
      gap = widerGap(gap, sign === '\n');
      at++;
    } else if (isDigit(signs, at) || (sign === '.' && isDigit(signs, at + 1) && gap !== 'none')) {
      const end = endOfNumber(signs, at);
      push('number', end, digitsOf(signs, at, end));
    } else if (isLetter(signs, at)) {
      const end = endOfWord(signs, at);
      push('word', end, signs.slice(at, end).toLowerCase());
    } else if (sign === "'" && /^'s\b/i.test(signs.slice(at, at + 3)) && gap === 'none') {
      push('word', at + 2, "'s");
    } else if ((gap === 'line' || gap === 'paragraph') && BULLETS.includes(sign) && !isDigit(signs, at + 1)) {
      opensItem = true;
      at++;
    } else if (NOISE.includes(sign)) {
      at++;
    } else {
      push('mark', at + 1, sign);
    }
  }
  return tokens;
}

function widerGap(gap: Gap, isLineEnd: boolean): Gap {
  if (isLineEnd) return gap === 'line' || gap === 'paragraph' ? 'paragraph' : 'line';
  return gap === 'none' ? 'blank' : gap;
}

/** Digits with their thousands apart by commas or tight blanks, and what follows a point. */
function endOfNumber(signs: string, start: number): number {
  let end = endOfDigits(signs, start);
  const leading = end - start;
  if (leading >= 1 && leading <= 3) {
    const separator = signs[end];
    if (separator === ',' || separator === TIGHT_BLANK) {
      while (signs[end] === separator && endOfDigits(signs, end + 1) === end + 4) end += 4;
    }
  }
  return signs[end] === '.' && isDigit(signs, end + 1) ? endOfDigits(signs, end + 1) : end;
}

function endOfDigits(signs: string, start: number): number {
  let end = start;
  while (isDigit(signs, end)) end++;
  return end;
}

function digitsOf(signs: string, start: number, end: number): string {
  const digits = signs.slice(start, end).replaceAll(',', '').replaceAll(TIGHT_BLANK, '');
  return digits.length > DIGITS_MAX ? '' : digits;
}

/** Letters with digits, underscores and apostrophes among them; points where digits surround them, as in `v4.5`. */
function endOfWord(signs: string, start: number): number {
  let end = start + 1;
  for (; end < signs.length; end++) {
    if (isLetter(signs, end) || isDigit(signs, end)) continue;
    const sign = signs[end];
    const isJoined = sign === '_' || (sign === "'" && !/^'s(?![a-z])/i.test(signs.slice(end, end + 3)));
    if (isJoined && (isLetter(signs, end + 1) || (sign === '_' && isDigit(signs, end + 1)))) continue;
    if (sign === '.' && isDigit(signs, end - 1) && isDigit(signs, end + 1)) continue;
    break;
  }
  return end;
}

import { ABBREVIATIONS, CLAUSE_STARTS, LEADING_ON } from './words.ts';

/** A text in plain signs, each with its place in the text as it was written. */
export type Reading = ReturnType<typeof readingOf>;

/** A word, a number or a mark. */
export interface Token {
  readonly kind: 'word' | 'number' | 'mark';
  /** In small letters. */
  readonly text: string;
  /** Signs of the reading. */
  readonly start: number;
  readonly end: number;
  /** What separates it from the token before. */
  readonly gap: 'none' | 'blank' | 'line' | 'paragraph';
  /** Numbers of its sentence and its clause. */
  readonly sentence: number;
  readonly clause: number;
}

/** A blank between the thousands of a number. */
const TIGHT_BLANK = '\u00a0';
/** Stands for a bullet or the number of a list item. */
const ITEM = '\u0002';
/** Stands for a citation. */
export const CITED = '\u0004';

const PLAIN = new Map(
  Object.entries({
    '-': '\u2212\ufe63\u2010\u2011\u2012\u2013',
    '\u2014': '\u2015',
    "'": '\u2018\u2019\u02bc',
    '%': '\ufe6a\u066a',
    '~': '\u2248\u223c\u2243',
    '>': '\u2265',
    '<': '\u2264',
    x: '\u00d7',
    // The only capital whose small letter is two signs.
    I: '\u0130',
    '.': '\u066b',
    ',': '\u066c',
    '\n': '\u2028\u2029\u0085\u000b\u000c',
    [TIGHT_BLANK]: '\u2009\u202f\u2007',
    // Emphasis, quotation marks and what has no width: a reader does not see them between two digits.
    '': '"`\u201c\u201d\u00ab\u00bb\u200b\u200c\u200d\u2060\ufeff\u00ad\u0001\u0002\u0003\u0004',
  }).flatMap(([plain, signs]) => Array.from(signs, (sign) => [sign, plain] as const)),
);

const CITATION = /\[([a-z]\w*(?:\.[\w^-]+)+)\]/gi;
/** A bullet, a cell of a table, `1.` or `2)` at the beginning of a line. */
const LIST_ITEM = /^[ \t]*(?:[*+\u2022\u25e6\u2023|#>-]+(?!\d)|\d{1,2}[.)](?=[ \t]))/gm;

/** Rewrites a text in one walk; full-width, mathematical and foreign digits become ASCII. */
export function readingOf(text: string) {
  const signs: string[] = [];
  const places = new Uint32Array(text.length + 1);
  let place = 0;
  for (const sign of text) {
    const plain = PLAIN.get(sign) ?? (sign < '\u0080' ? sign : plainOf(sign));
    if (plain !== '') {
      places[signs.length] = place;
      signs.push(plain);
    }
    place += sign.length;
  }
  places[signs.length] = place;
  const written = signs.join('').replaceAll(LIST_ITEM, (item) => ITEM.repeat(item.length));
  // By its place the id of each fact that the text cites: `62.3 [stock.technical.rsi_14]`.
  const citations = new Map(Array.from(written.matchAll(CITATION), ({ index, 1: id }) => [index, id!]));
  const plain = written.replaceAll(CITATION, (citation) => CITED + ' '.repeat(citation.length - 1));
  return {
    signs: plain,
    lower: plain.toLowerCase(),
    places: places.subarray(0, signs.length + 1),
    citations,
  };
}

/** One sign: letters stay, and what no word is made of becomes one that means nothing. */
function plainOf(sign: string): string {
  const code = sign.codePointAt(0)!;
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  if (/\p{Nd}/u.test(sign)) return `${digitOf(code)}`;
  if (/\p{Zs}/u.test(sign)) return sign === TIGHT_BLANK ? sign : ' ';
  return sign.length === 1 ? sign : '\ufffd';
}

/** Unicode has the digits of every script in runs of ten, zero first; runs of mathematical digits follow each other. */
function digitOf(code: number): number {
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return (code - first) % 10;
}

/** Digits with their thousands apart by commas or tight blanks, and what follows a point. */
export const NUMBER = `(?:\\d{1,3}(?:(?:,\\d{3})+|(?:${TIGHT_BLANK}\\d{3})+)(?!\\d)|\\d+)(?:\\.\\d+)?|(?<![^\\s$+-])\\.\\d+`;
const WORD = `'s(?!\\p{L})|\\p{L}(?:[\\p{L}\\d]|_(?=[\\p{L}\\d])|'(?!s(?!\\p{L}))(?=\\p{L})|(?<=\\d)\\.(?=\\d))*`;
const TOKEN = new RegExp(`(${NUMBER})|(${WORD})|[^\\s*_${ITEM}]`, 'gu');

/** Cuts a reading into tokens, sentences and clauses, in one walk. */
export function tokensOf({ signs, lower }: Reading): Token[] {
  const tokens: Token[] = [];
  let [sentence, clause, end] = [0, 0, 0];
  for (const { 0: text, 1: number, 2: word, index } of lower.matchAll(TOKEN)) {
    const kind = number !== undefined ? 'number' : word !== undefined ? 'word' : 'mark';
    const between = signs.slice(end, index);
    const token = { kind, text, start: index, end: index + text.length, gap: gapOf(between) } as const;
    const before = tokens.at(-1);
    const isCapital = kind === 'word' && signs[index] !== text[0];
    if (before !== undefined) {
      const opensItem = between.includes(ITEM);
      if (opensItem || beginsSentence(token, isCapital, before, tokens.at(-2))) {
        sentence++;
        clause++;
      } else if (/^[,\u2014:]$/.test(before.text) || CLAUSE_STARTS.has(text)) clause++;
    }
    tokens.push({ ...token, sentence, clause });
    end = token.end;
  }
  return tokens;
}

function gapOf(between: string): Token['gap'] {
  if (between.includes('\n'))
    return between.indexOf('\n') === between.lastIndexOf('\n') ? 'line' : 'paragraph';
  return /\s/.test(between) ? 'blank' : 'none';
}

type Cut = Pick<Token, 'kind' | 'gap'>;

function beginsSentence({ kind, gap }: Cut, isCapital: boolean, before: Token, earlier?: Token): boolean {
  if (gap === 'paragraph' || before.text === ';') return true;
  // A line that only wraps goes on in small letters, or after a word that leads on.
  if (gap === 'line' && !LEADING_ON.has(before.text) && (kind !== 'word' || isCapital)) return true;
  if (before.text === '!' || before.text === '?') return gap !== 'none';
  if (before.text !== '.' || (gap === 'none' && !isCapital)) return false;
  return earlier === undefined || before.gap !== 'none' || !ABBREVIATIONS.has(earlier.text);
}

import { isYear, monthOf } from './dates.ts';
import type { Bound, Quantity, WrittenUnit } from './quantity.ts';
import type { Token } from './tokens.ts';
import { APPROXIMATE } from './words.ts';

const words = (text: string): string[] => text.split(' ');
const table = <Value>(entries: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> =>
  new Map(entries.flatMap(([names, value]) => words(names).map((name) => [name, value])));

/** Written onto the number or, as words, behind it. */
const MAGNITUDES = table([
  ['k thousand', 1e3],
  ['m mm mn mln million millions mio', 1e6],
  ['b bn bln billion billions', 1e9],
  ['t tn tr trn trillion trillions', 1e12],
]);
/** Beyond one letter, so that they may stand apart from the number. */
const LETTERS_APART_MIN = 2;

interface UnitWord {
  readonly unit: WrittenUnit;
  /** What one of them is in the unit. */
  readonly scale: number;
}
const unit = (name: WrittenUnit, scale = 1): UnitWord => ({ unit: name, scale });

const UNITS = table<UnitWord>([
  ['% percent pct', unit('percent')],
  ['pp ppt ppts', unit('percentage points')],
  ['bp bps', unit('percent', 0.01)],
  ['x times', unit('times')],
  ['dollar dollars usd bucks', unit('USD')],
  ['cent cents', unit('USD', 0.01)],
  ['euro euros eur gbp pounds yen jpy chf cad', unit('other currency')],
  ['share shares', unit('shares')],
  ['day days', unit('days')],
  ['week weeks', unit('days', 7)],
  ['minute minutes min mins', unit('minutes')],
  ['hour hours', unit('minutes', 60)],
  ['quarter quarters', unit('quarters')],
  ['atr atrs', unit('ATR')],
  ['point points pt pts', unit('points')],
  ['deviation deviations sigma sigmas', unit('deviations')],
  ['contract contracts', unit('contracts')],
  ['employees people', unit('people')],
]);
/** Units of two words. */
const UNIT_PAIRS = table<UnitWord>([
  ['percentage-points percentage-point percent-points', unit('percentage points')],
  ['basis-points basis-point', unit('percent', 0.01)],
  ['per-cent', unit('percent')],
  ['standard-deviations standard-deviation', unit('deviations')],
  ['trading-days calendar-days', unit('days')],
  ['us-dollars', unit('USD')],
]);
/** May be tied to a number by a hyphen without making it a name. */
const HYPHENATED = new Set([
  'percent',
  'pct',
  'million',
  'billion',
  'trillion',
  'share',
  'dollar',
  'cent',
  'point',
]);

const BOUNDS: readonly (readonly [string, Bound])[] = [
  ['no less than', 'at least'],
  ['no more than', 'at most'],
  ['more than', 'above'],
  ['greater than', 'above'],
  ['higher than', 'above'],
  ['north of', 'above'],
  ['in excess of', 'above'],
  ['less than', 'below'],
  ['lower than', 'below'],
  ['south of', 'below'],
  ['shy of', 'below'],
  ['at least', 'at least'],
  ['at most', 'at most'],
  ['up to', 'at most'],
  ['above', 'above'],
  ['over', 'above'],
  ['exceeds', 'above'],
  ['exceeding', 'above'],
  ['beyond', 'above'],
  ['>', 'above'],
  ['below', 'below'],
  ['under', 'below'],
  ['beneath', 'below'],
  ['<', 'below'],
  ['within', 'within'],
];

/** Currency signs that are not the dollar's. */
const OTHER_CURRENCIES = new Set(['\u20ac', '\u00a3', '\u00a5']);
const ORDINALS = new Set(['st', 'nd', 'rd', 'th']);
/** Whole that a score is told of: `62/100`. */
const WHOLES = new Set(['100', '10', '5']);
const ITEM_DIGITS_MAX = 2;

/** Simple numbers in words. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  words('zero one two three four five six seven eight nine ten eleven twelve').map((word, value) => [
    word,
    value,
  ]),
);

interface Sign {
  readonly from: number;
  readonly factor: 1 | -1;
  readonly isSigned: boolean;
  readonly currency: WrittenUnit | null;
}

/** Reads numbers out of tokens. Tokens of names of measures are not looked into. */
export class QuantityReader {
  readonly #tokens: readonly Token[];
  readonly #isTaken: Uint8Array;

  constructor(tokens: readonly Token[], isTaken: Uint8Array) {
    this.#tokens = tokens;
    this.#isTaken = isTaken;
  }

  /**
   * The number at a token.
   *
   * @returns null where the token is no number, or one that states nothing: part of a name, of a time, of a list
   */
  at(at: number): Quantity | null {
    const token = this.#tokens[at]!;
    if (this.#isTaken[at] === 1) return null;
    if (token.kind === 'word') return this.#inWords(at);
    if (token.kind !== 'number' || token.text === '' || this.#isName(at)) return null;
    const sign = this.#signBefore(at);
    const magnitude = this.#magnitudeAt(at + 1);
    const after = magnitude === null ? at + 1 : at + 2;
    const whole = magnitude === null && this.#isWhole(after) ? after + 2 : null;
    const found = whole === null ? this.#unitAt(after) : { ...unit('points'), to: whole };
    const scale = (magnitude ?? 1) * (found?.scale ?? 1);
    const decimals = decimalsOf(token.text);
    const counted = sign.currency ?? found?.unit ?? null;
    // `$4.5 per share`, `$187 a share`: the dollars count.
    const to = found === null ? after : found.to;
    const isApproximate = this.#isApproximate(sign.from);
    return {
      from: sign.from,
      to,
      value: clean(sign.factor * Number(token.text) * scale),
      step: 10 ** -decimals * scale,
      digits: significantDigits(token.text),
      scale,
      unit: counted,
      isExact: counted !== null || magnitude !== null || decimals > 0,
      isSigned: sign.isSigned,
      isApproximate,
      isMagnified: magnitude !== null && magnitude >= 1e6,
      bound: this.#boundBefore(sign.from),
      rangeTo: null,
    };
  }

  /** `seven days`: only with a unit behind it, since most words of number count nothing that is known. */
  #inWords(at: number): Quantity | null {
    const value = NUMBER_WORDS.get(this.#tokens[at]!.text);
    if (value === undefined) return null;
    const next = this.#tokens[at + 1];
    if (next === undefined || next.kind !== 'word') return null;
    const found = this.#unitAt(at + 1);
    const isCounted = found === null ? this.#isCountedBy(at + 1) : COUNTED_IN_WORDS.has(found.unit);
    if (!isCounted) return null;
    const scale = found?.scale ?? 1;
    return {
      from: at,
      to: found?.to ?? at + 1,
      value: value * scale,
      step: scale,
      digits: 1,
      scale,
      unit: found?.unit ?? null,
      isExact: false,
      isSigned: false,
      isApproximate: this.#isApproximate(at),
      isMagnified: false,
      bound: this.#boundBefore(at),
      rangeTo: null,
    };
  }

  /** `five straight beats`: a measure or its adjective. */
  #isCountedBy(at: number): boolean {
    const { text } = this.#tokens[at]!;
    return text === 'straight' || text === 'consecutive' || (this.#isTaken[at] === 1 && !ARTICLES.has(text));
  }

  #isName(at: number): boolean {
    const tokens = this.#tokens;
    const token = tokens[at]!;
    const [before, next, later] = [tokens[at - 1], tokens[at + 1], tokens[at + 2]];
    const isTightNext = next?.gap === 'none';
    // `1.2.3`, `9:30`, `2:1`, `50/50`; a score of a whole stays.
    if (isTightNext && later?.gap === 'none' && later.kind === 'number') {
      if (next.text === ':') return true;
      if (next.text === '/' && !this.#isWhole(at + 1)) return true;
    }
    if (isTightNext && next.kind === 'number') return true;
    if (before !== undefined && token.gap === 'none') {
      if (before.text === '#' || before.kind === 'word') return true;
      const earlier = tokens[at - 2];
      if (
        (before.text === ':' || before.text === '/') &&
        before.gap === 'none' &&
        earlier?.kind === 'number'
      ) {
        return true;
      }
      // `COVID-19`, but not a measure with a dash behind it.
      if (
        before.text === '-' &&
        before.gap === 'none' &&
        earlier?.kind === 'word' &&
        this.#isTaken[at - 2] === 0
      ) {
        return NUMBER_WORDS.get(earlier.text) === undefined;
      }
    }
    if (isTightNext && next.kind === 'word' && this.#isTaken[at + 1] === 0) {
      if (ORDINALS.has(next.text)) return true;
      const isSuffix = MAGNITUDES.has(next.text) || UNITS.has(next.text);
      if (!isSuffix) return true;
    }
    // `50-day`, `10-K`: an adjective or a name.
    if (isTightNext && next.text === '-' && later?.gap === 'none' && later.kind === 'word') {
      return !HYPHENATED.has(later.text);
    }
    return this.#numbersItem(at) || this.#isYearOfDate(at);
  }

  /** `1.` or `2)` at the beginning of a line. */
  #numbersItem(at: number): boolean {
    const token = this.#tokens[at]!;
    const [next, later] = [this.#tokens[at + 1], this.#tokens[at + 2]];
    if (token.gap !== 'line' && token.gap !== 'paragraph') return false;
    if (token.raw.length > ITEM_DIGITS_MAX || token.raw.includes('.')) return false;
    if (next === undefined || next.gap !== 'none' || (next.text !== '.' && next.text !== ')')) return false;
    return later !== undefined && later.gap === 'blank';
  }

  /** A bare year after a month or a word that years follow. */
  #isYearOfDate(at: number): boolean {
    const token = this.#tokens[at]!;
    if (!isYear(token) || this.#tokens[at + 1]?.text === '%' || this.#unitAt(at + 1) !== null) return false;
    const before = this.#tokens[at - 1];
    if (before === undefined) return false;
    return (
      monthOf(before) !== null || BEFORE_YEARS.has(before.text) || /^(?:q[1-4]|h[12]|fy)$/.test(before.text)
    );
  }

  /** `/100`, `out of 100`. */
  #isWhole(at: number): boolean {
    const [slash, whole] = [this.#tokens[at], this.#tokens[at + 1]];
    if (slash?.text !== '/' || slash.gap !== 'none' || whole?.gap !== 'none') return false;
    return WHOLES.has(whole.raw);
  }

  #signBefore(at: number): Sign {
    const tokens = this.#tokens;
    let from = at;
    let factor: 1 | -1 = 1;
    let isSigned = false;
    let currency: WrittenUnit | null = null;
    for (let looked = 0; looked < 3 && from > 0; looked++) {
      const before = tokens[from - 1]!;
      const isTight = tokens[from]!.gap === 'none';
      if (currency === null && (before.text === '$' || OTHER_CURRENCIES.has(before.text)) && isTight) {
        currency = before.text === '$' ? 'USD' : 'other currency';
        from--;
        if (from > 0 && tokens[from]!.gap === 'none' && tokens[from - 1]!.text === 'us') from--;
      } else if (
        currency === null &&
        !isTight &&
        UNITS.get(before.text)?.unit === 'USD' &&
        before.text === 'usd'
      ) {
        currency = 'USD';
        from--;
      } else if (
        !isSigned &&
        isTight &&
        (before.text === '-' || before.text === '+') &&
        this.#isSign(from - 1)
      ) {
        factor = before.text === '-' ? -1 : 1;
        isSigned = true;
        from--;
      } else break;
    }
    return { from, factor, isSigned, currency };
  }

  /** A dash after a number or tight behind a word parts rather than subtracts. */
  #isSign(at: number): boolean {
    const [sign, before] = [this.#tokens[at]!, this.#tokens[at - 1]];
    if (before === undefined) return true;
    if (sign.gap !== 'none') return before.kind !== 'number';
    return before.kind === 'mark' && before.text !== ')' && before.text !== '%';
  }

  #magnitudeAt(at: number): number | null {
    const token = this.#tokens[at];
    if (token?.kind !== 'word' || this.#isTaken[at] === 1) return null;
    if (token.gap !== 'none' && (token.text.length < LETTERS_APART_MIN || token.gap !== 'blank')) return null;
    return MAGNITUDES.get(token.text) ?? null;
  }

  #unitAt(start: number): (UnitWord & { readonly to: number }) | null {
    let at = start;
    // `3.2-percent`, `12.3M-share`.
    if (
      this.#tokens[at]?.text === '-' &&
      this.#tokens[at]!.gap === 'none' &&
      this.#tokens[at + 1]?.gap === 'none'
    )
      at++;
    const [token, next] = [this.#tokens[at], this.#tokens[at + 1]];
    if (token === undefined || token.gap === 'paragraph' || token.opensItem) return null;
    if (
      token.text === 'average' &&
      next?.text === 'true' &&
      /^ranges?$/.test(this.#tokens[at + 2]?.text ?? '')
    ) {
      return this.#isDistance(at + 2) ? { ...unit('ATR'), to: at + 3 } : null;
    }
    const pair = next === undefined ? undefined : UNIT_PAIRS.get(`${token.text}-${next.text}`);
    if (pair !== undefined) return { ...pair, to: at + 2 };
    const found = UNITS.get(token.text);
    if (found === undefined) return null;
    // `1.2 ATR above`: a distance; `a 3.1 ATR`: the measure itself.
    if (found.unit === 'ATR') return this.#isDistance(at) ? { ...found, to: at + 1 } : null;
    return this.#isTaken[at] === 1 ? null : { ...found, to: at + 1 };
  }

  #isDistance(at: number): boolean {
    if (/^(?:atr|range)s$/.test(this.#tokens[at]!.text)) return true;
    const next = this.#tokens[at + 1];
    return next === undefined || next.kind === 'mark' || DISTANCES.has(next.text);
  }

  #isApproximate(from: number): boolean {
    for (let at = from - 1; at >= Math.max(0, from - 2); at--) {
      const { text } = this.#tokens[at]!;
      if (APPROXIMATE.has(text)) return true;
      if (
        (text === 'above' || text === 'below' || text === 'over' || text === 'under') &&
        this.#tokens[at - 1]?.text === 'just'
      ) {
        return true;
      }
    }
    return false;
  }

  #boundBefore(from: number): Bound | null {
    let end = from - 1;
    while (end >= 0 && SKIPPED_BY_BOUNDS.has(this.#tokens[end]!.text)) end--;
    for (const [phrase, bound] of BOUNDS) {
      const pieces = phrase.split(' ');
      if (pieces.every((piece, at) => this.#tokens[end - pieces.length + 1 + at]?.text === piece))
        return bound;
    }
    return null;
  }
}

const COUNTED_IN_WORDS: ReadonlySet<WrittenUnit> = new Set(['days', 'minutes', 'quarters', 'ATR', 'people']);
const ARTICLES = new Set(['a', 'an', 'the', 'its']);
const BEFORE_YEARS = new Set(
  words('in since of by fiscal fy during from until early late year mid for through to'),
);
const DISTANCES = new Set(
  words('above below from away over under of off higher lower beneath to beyond past'),
);
const SKIPPED_BY_BOUNDS = new Set(words('the its a about roughly approximately just ='));

/** Without what binary arithmetic adds behind the digits. */
const clean = (value: number): number => Number(value.toPrecision(15));

const decimalsOf = (text: string): number => (text.includes('.') ? text.length - text.indexOf('.') - 1 : 0);

/** How many digits tell a number from others: significant ones, or those behind the point of a small one. */
function significantDigits(text: string): number {
  return Math.max(text.replace('.', '').replace(/^0+/, '').length, decimalsOf(text));
}

import type { Mention } from './phrases.ts';
import type { Item, TextView } from './text-view.ts';
import type { Token } from './tokens.ts';
import { TYING, TYING_AFTER } from './words.ts';

/** The measures that a clause names for a number. */
export interface Named {
  /** One, or several where the clause lists them and does not say which. */
  readonly mentions: readonly Mention[];
  /** True where nothing but small words lies between. */
  readonly isTight: boolean;
  /** True where the measure precedes the number, so that a bound before the number is a bound of the measure. */
  readonly isBefore: boolean;
  /** False for one of a list that is longer than the list of measures, and for what only stands near. */
  readonly isCertain: boolean;
  /** The measure before the number in its sentence, however far. */
  readonly preceding: Mention | null;
  /** Where it could as well be told of the measure that follows: `price 187 RSI 62`. */
  readonly following: Mention | null;
}

const NOTHING_NAMED: Named = {
  mentions: [],
  isTight: false,
  isBefore: false,
  isCertain: false,
  preceding: null,
  following: null,
};

const TOKENS_TIGHT_MAX = 9;
const TOKENS_AFTER_MAX = 3;
const TOKENS_NEAR_MAX = 30;
const NEAR_MAX = 6;
const LISTED_MAX = 6;
const TYING_MARKS = new Set([',', ':', '=', '(', ')', '[', '-', '\u2014', '|', '~', "'", '+']);
const TYING_MARKS_AFTER = new Set(['(', '-', '[']);
const LISTING = new Set([
  ',',
  'and',
  'or',
  '/',
  'then',
  '&',
  '-',
  'to',
  'versus',
  'vs',
  'against',
  'followed',
  'by',
  'respectively',
  'of',
]);
const ARTICLES = new Set(['a', 'an', 'the', 'its']);
const MULTIPLES = new Set(['x', 'times', 'of', 'on']);
const BETWEEN_SUBJECTS = new Set(['of', 'for', 'in', 'on', 'at']);
const BOUND_WORDS = new Set(
  'above over below under more less greater higher lower than at least most no within north south of up to in excess > < beyond exceeds beneath exactly just'.split(
    ' ',
  ),
);

interface Walk {
  readonly mention: number;
  readonly item: number;
  readonly isTight: boolean;
  readonly steps: number;
}
const NOWHERE: Walk = { mention: -1, item: -1, isTight: false, steps: 0 };

/** Finds for each number the measure that it is told of, from left to right. */
export class Links {
  readonly #view: TextView;
  /** For each item the measures of the list that it is part of, once it has been looked at. */
  readonly #lists = new Map<
    number,
    { readonly mentions: readonly Mention[]; readonly first: number; readonly count: number }
  >();
  /** Mentions that the number before them has taken. */
  readonly #spent = new Set<number>();

  constructor(view: TextView) {
    this.#view = view;
  }

  /** Of items in their order, each once. */
  namedFor(place: number): Named {
    return { ...this.#tiedTo(place), preceding: this.#preceding(this.#view.items[place]!) };
  }

  #preceding({ from }: Item): Mention | null {
    const { mentions, mentionAt, structure } = this.#view;
    const sentence = structure.sentence[from];
    for (let at = from - 1; at >= Math.max(0, from - TOKENS_NEAR_MAX); at--) {
      if (structure.sentence[at] !== sentence) return null;
      if (mentionAt[at] !== -1) return mentions[mentionAt[at]!]!;
    }
    return null;
  }

  #tiedTo(place: number): Named {
    const { items, mentions } = this.#view;
    const item = items[place]!;
    const before = this.#walkBack(item);
    const after = this.#walkOn(item);
    const own = before.mention === -1 || this.#spent.has(before.mention) ? null : mentions[before.mention]!;
    const next = after.mention === -1 ? null : mentions[after.mention]!;
    const isOwn = own !== null && before.isTight;
    if (next !== null && after.isTight && (!isOwn || this.#followingWins(own, next, before, after))) {
      this.#spent.add(after.mention);
      return { ...NOTHING_NAMED, mentions: [next], isTight: true, isCertain: true };
    }
    if (isOwn)
      return {
        ...this.#listed(place, before.mention),
        following: after.isTight && after.steps === 0 ? next : null,
      };
    const list = before.item === -1 || !before.isTight ? undefined : this.#lists.get(before.item);
    if (list !== undefined) return this.#inList(place, list);
    return { ...NOTHING_NAMED, mentions: this.#near(item) };
  }

  /** What follows at once is closer than the stock's name, or than what is not known; `times earnings` is a unit. */
  #followingWins(own: Mention, next: Mention, before: Walk, after: Walk): boolean {
    const isOfStock = own.measure.trait === 'subject';
    if (after.steps > 0) return isOfStock && before.steps === 0;
    if (isOfStock || own.measure.facts.length === 0) return true;
    return (
      MULTIPLES.has(this.#view.tokens[next.from]!.text) || (before.steps > 0 && next.measure.trait === 'open')
    );
  }

  /** Backward to the next measure or number of the sentence. */
  #walkBack(item: Item): Walk {
    const { tokens, structure, mentionAt, itemAt } = this.#view;
    const bounded = item.kind === 'number' && item.quantity.bound !== null;
    let isTight = true;
    let isListing = true;
    for (let at = item.from - 1, steps = 0; at >= 0 && steps <= TOKENS_TIGHT_MAX; at--, steps++) {
      if (structure.sentence[at] !== structure.sentence[item.from]) break;
      if (mentionAt[at] !== -1) return { mention: mentionAt[at]!, item: -1, isTight, steps };
      if (itemAt[at] !== -1) {
        const origin = steps === 1 && tokens[at + 1]!.text === 'to' ? this.#originOf(itemAt[at]!) : null;
        if (origin === null) return { mention: -1, item: itemAt[at]!, isTight: isListing, steps };
        at = origin;
        continue;
      }
      const { text } = tokens[at]!;
      if (steps === 0 && text === 'from') continue;
      isListing &&= LISTING.has(text);
      if (bounded && steps < 4 && BOUND_WORDS.has(text)) continue;
      isTight &&= ties(tokens[at]!);
    }
    return NOWHERE;
  }

  /** Of `from 70 to 62` the place of `from`. */
  #originOf(place: number): number | null {
    const { items, tokens } = this.#view;
    const before = items[place]!.from - 1;
    return tokens[before]?.text === 'from' ? before : null;
  }

  /** Forward, a few words. */
  #walkOn(item: Item): Walk {
    const { tokens, structure, mentionAt, itemAt } = this.#view;
    let isTight = true;
    for (let at = item.to, steps = 0; at < tokens.length && steps <= TOKENS_AFTER_MAX; at++, steps++) {
      if (structure.sentence[at] !== structure.sentence[item.from]) break;
      if (itemAt[at] !== -1) break;
      // `8 quarters a share of`: an article begins something new.
      isTight &&= steps > 0 || !ARTICLES.has(tokens[at]!.text);
      if (mentionAt[at] !== -1) return { mention: mentionAt[at]!, item: -1, isTight, steps };
      const { text, kind } = tokens[at]!;
      isTight &&= kind === 'mark' ? TYING_MARKS_AFTER.has(text) : TYING_AFTER.has(text);
    }
    return NOWHERE;
  }

  /** The measure before the number, with those that are listed before it: `RSI and ADX are 62 and 25`. */
  #listed(place: number, nearest: number): Named {
    const { mentions } = this.#view;
    const head = this.#headOf(nearest);
    const list = head ?? this.#listBefore(nearest);
    // Of two that are one measure no list of numbers is told.
    const count = head === null ? this.#countFrom(place) : 1;
    const known = { mentions: list.map((at) => mentions[at]!), first: place, count };
    this.#lists.set(place, known);
    return this.#inList(place, known);
  }

  #inList(
    place: number,
    list: { readonly mentions: readonly Mention[]; readonly first: number; readonly count: number },
  ): Named {
    this.#lists.set(place, list);
    const { mentions, first, count } = list;
    const at = place - first;
    const base = { ...NOTHING_NAMED, isTight: true, isBefore: true };
    if (mentions.length === 1) return { ...base, mentions, isCertain: at === 0 };
    if (mentions.length === count) return { ...base, mentions: [mentions[at]!], isCertain: true };
    return { ...base, mentions, isCertain: false };
  }

  /** `the RSI of SIMX`, `the mean target of analysts`: the number is that of what comes first. */
  #headOf(place: number): readonly number[] | null {
    const { mentions, mentionAt, tokens } = this.#view;
    const mention = mentions[place]!;
    const isOfStock = mention.measure.trait === 'subject';
    const word = tokens[mention.from - 1]?.text ?? '';
    if (!(isOfStock ? BETWEEN_SUBJECTS.has(word) : word === 'of')) return null;
    const before = mentionAt[mention.from - 2] ?? -1;
    if (before === -1) return null;
    return isOfStock ? [before] : [before, place];
  }

  #listBefore(nearest: number): readonly number[] {
    const { mentions, mentionAt, tokens, structure } = this.#view;
    const list = [nearest];
    for (let at = mentions[nearest]!.from - 1, gaps = 0; at >= 0 && list.length < LISTED_MAX; at--) {
      if (structure.sentence[at] !== structure.sentence[mentions[nearest]!.from]) break;
      const place = mentionAt[at]!;
      if (place === -1) {
        if (++gaps > 2 || !LISTING.has(tokens[at]!.text)) break;
      } else {
        if (gaps === 0 || this.#spent.has(place)) break;
        list.unshift(place);
        at = mentions[place]!.from;
        gaps = 0;
      }
    }
    return list;
  }

  /** How many numbers follow each other in a list. */
  #countFrom(place: number): number {
    const { items, tokens } = this.#view;
    let count = 1;
    for (let at = place; at + 1 < items.length && count < LISTED_MAX; at++, count++) {
      const [one, other] = [items[at]!, items[at + 1]!];
      if (other.from - one.to > 2 || other.from === one.to) break;
      if (!tokens.slice(one.to, other.from).every(({ text }) => LISTING.has(text))) break;
    }
    return count;
  }

  /** The measures of the sentence, the closest first. */
  #near(item: Item): Mention[] {
    const { mentions, mentionAt, structure } = this.#view;
    const sentence = structure.sentence[item.from];
    const found = new Set<Mention>();
    for (let distance = 1; distance <= TOKENS_NEAR_MAX && found.size < NEAR_MAX; distance++) {
      for (const at of [item.from - distance, item.to - 1 + distance]) {
        if (structure.sentence[at] === sentence && (mentionAt[at] ?? -1) !== -1)
          found.add(mentions[mentionAt[at]!]!);
      }
    }
    return [...found];
  }
}

function ties({ kind, text }: Token): boolean {
  if (kind === 'mark') return TYING_MARKS.has(text);
  return TYING.has(text) || (text.length > 4 && text.endsWith('ly'));
}

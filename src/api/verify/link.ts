import type { Item, TextView } from './items.ts';
import type { Measure, Mention } from './lexicon.ts';
import { CITED, type Token } from './read.ts';
import { BOUNDING, LISTING, NO_TICKERS, TYING, TYING_AFTER } from './words.ts';

/** The measures that a clause names for a number. */
export interface Named {
  /** One; several where the clause lists them and does not say which; the nearest ones where none is tied to it. */
  readonly mentions: readonly Mention[];
  /** True where nothing but small words lies between. */
  readonly isTight: boolean;
  /** True where the measure precedes the number, so that a bound before the number is a bound of the measure. */
  readonly isBefore: boolean;
  /** False for one of a list that is longer than the list of measures, and for what is only near. */
  readonly isCertain: boolean;
  /** The measure before the number in its sentence, however far. */
  readonly preceding: Measure | null;
  /** Where the number could as well be of the measure that follows: `price 187 RSI 62`. */
  readonly following: Measure | null;
}

const TIGHT_MAX = 9;
const AFTER_MAX = 3;
const NEAR_MAX = 30;
const MEASURES_MAX = 6;
const TYING_MARKS = `,:=()[-\u2014|~'+${CITED}`;

interface List {
  readonly mentions: readonly Mention[];
  readonly first: number;
  readonly count: number;
}
interface Walk {
  readonly mention: Mention | null;
  readonly isTight: boolean;
  readonly steps: number;
}

/** Ties each number to the nearest measure of its clause, from left to right. */
export class Linker {
  readonly #view: TextView;
  /** By item the measures of the list that it is part of. */
  readonly #lists = new Map<number, List>();
  /** Measures that belong to the number before them. */
  readonly #spent = new Set<Mention>();

  constructor(view: TextView) {
    this.#view = view;
  }

  /** Of items in their order, each once. */
  namedFor(place: number): Named {
    const item = this.#view.items[place]!;
    const near = this.#near(item);
    const preceding = near.filter(({ to }) => to <= item.from).sort((one, other) => other.from - one.from)[0];
    const loose = {
      mentions: near.slice(0, MEASURES_MAX),
      isTight: false,
      isBefore: false,
      isCertain: false,
    };
    const tied = this.#tiedTo(place, item);
    return { following: null, ...loose, ...tied, preceding: preceding?.measure ?? null };
  }

  #tiedTo(place: number, item: Item): Partial<Named> {
    const [before, list] = this.#before(item);
    const after = this.#after(item);
    const own =
      before.mention !== null && before.isTight && !this.#spent.has(before.mention) ? before.mention : null;
    const next = after.isTight ? after.mention : null;
    if (next !== null && (own === null || this.#isOfNext(own, next, before.steps, after.steps))) {
      this.#spent.add(next);
      return { mentions: [next], isTight: true, isCertain: true };
    }
    if (own !== null) {
      const following = after.steps === 0 ? (next?.measure ?? null) : null;
      return { ...this.#inList(place, this.#listAt(place, own)), following };
    }
    return list === undefined ? {} : this.#inList(place, list);
  }

  /** What follows at once is closer than the stock's name, or than what is not known; `times earnings` is a unit. */
  #isOfNext(own: Mention, next: Mention, before: number, after: number): boolean {
    const isOfStock = own.measure.trait === 'stock';
    if (after > 0) return isOfStock && before === 0;
    if (isOfStock || own.measure.facts.length + own.measure.formulas.length === 0) return true;
    if (/^(?:x|times|of|on)$/.test(this.#view.tokens[next.from]!.text)) return true;
    return before > 0 && next.measure.trait === 'open';
  }

  /** Backward to the next measure of the sentence, or to a number of a list that goes on. */
  #before(item: Item): readonly [Walk, List | undefined] {
    const { tokens, mentions, mentionAt, items, itemAt } = this.#view;
    const isBounded = item.kind === 'number' && item.bound !== null;
    const nothing: Walk = { mention: null, isTight: false, steps: 0 };
    let [isTight, isListing] = [true, true];
    for (let at = item.from - 1, steps = 0; at >= 0 && steps <= TIGHT_MAX; at--, steps++) {
      const { text, sentence } = tokens[at]!;
      if (sentence !== tokens[item.from]!.sentence) break;
      if (mentionAt[at] !== -1) return [{ mention: mentions[mentionAt[at]!]!, isTight, steps }, undefined];
      if (itemAt[at] !== -1) {
        const other = items[itemAt[at]!]!;
        // `from 70 to 62` goes on before `from`.
        const isOrigin =
          steps === 1 && tokens[at + 1]!.text === 'to' && tokens[other.from - 1]?.text === 'from';
        if (!isOrigin) return [nothing, isListing ? this.#lists.get(itemAt[at]!) : undefined];
        at = other.from - 1;
        continue;
      }
      isListing &&= LISTING.has(text);
      const isBound = (isBounded && steps < 4 && BOUNDING.has(text)) || (steps === 0 && text === 'from');
      isTight &&= isBound || ties(tokens[at]!);
    }
    return [nothing, undefined];
  }

  /** Forward, a few words. */
  #after(item: Item): Walk {
    const { tokens, mentions, mentionAt, itemAt } = this.#view;
    let isTight = true;
    for (let at = item.to, steps = 0; at < tokens.length && steps <= AFTER_MAX; at++, steps++) {
      const { text, kind, sentence } = tokens[at]!;
      if (sentence !== tokens[item.from]!.sentence || itemAt[at] !== -1) break;
      // An article begins something new.
      isTight &&= steps > 0 || !/^(?:an?|the|its)$/.test(text);
      if (mentionAt[at] !== -1) return { mention: mentions[mentionAt[at]!]!, isTight, steps };
      isTight &&= kind === 'mark' ? /^[([-]$/.test(text) : TYING_AFTER.has(text);
    }
    return { mention: null, isTight: false, steps: 0 };
  }

  /** A measure with those that are listed before it, and the numbers that follow: `RSI and ADX are 62 and 25`. */
  #listAt(place: number, nearest: Mention): List {
    const { tokens, mentions, mentionAt } = this.#view;
    const isOfStock = nearest.measure.trait === 'stock';
    const word = tokens[nearest.from - 1]?.text ?? '';
    const head = mentions[mentionAt[nearest.from - 2] ?? -1];
    // `the RSI of SIMX`, `the mean target of analysts`: the number is that of what comes first.
    if (head !== undefined && (isOfStock ? /^(?:of|for|in|on|at)$/ : /^of$/).test(word)) {
      return { mentions: isOfStock ? [head] : [head, nearest], first: place, count: 1 };
    }
    const list = [nearest];
    for (let at = nearest.from - 1, gaps = 0; at >= 0 && list.length < MEASURES_MAX; at--) {
      if (tokens[at]!.sentence !== tokens[nearest.from]!.sentence) break;
      const other = mentions[mentionAt[at]!];
      if (other === undefined ? ++gaps > 2 || !isListed(tokens[at]!) : gaps === 0 || this.#spent.has(other))
        break;
      if (other === undefined) continue;
      list.unshift(other);
      at = other.from;
      gaps = 0;
    }
    return { mentions: list, first: place, count: this.#countFrom(place) };
  }

  /** How many numbers follow each other in a list. */
  #countFrom(place: number): number {
    const { items, tokens } = this.#view;
    let last = place;
    for (; last + 1 < items.length && last - place < MEASURES_MAX; last++) {
      const [one, other] = [items[last]!, items[last + 1]!];
      if (other.from - one.to > 2 || other.from === one.to) break;
      if (!tokens.slice(one.to, other.from).every(({ text }) => LISTING.has(text))) break;
    }
    return last - place + 1;
  }

  #inList(place: number, list: List): Partial<Named> {
    this.#lists.set(place, list);
    const { mentions, first, count } = list;
    const own = mentions.length === count ? mentions[place - first] : undefined;
    const isCertain = own !== undefined || (mentions.length === 1 && place === first);
    return { mentions: own === undefined ? mentions : [own], isTight: true, isBefore: true, isCertain };
  }

  /** The measures of the sentence around a number, the nearest first. */
  #near({ from, to }: Item): Mention[] {
    const { tokens, mentions, mentionAt } = this.#view;
    const found = new Set<Mention>();
    for (let distance = 1; distance <= NEAR_MAX; distance++) {
      for (const at of [from - distance, to - 1 + distance]) {
        if (tokens[at]?.sentence !== tokens[from]!.sentence) continue;
        if (mentionAt[at] !== -1) found.add(mentions[mentionAt[at]!]!);
      }
    }
    return [...found];
  }
}

const isListed = ({ text }: Token): boolean => LISTING.has(text) || text === 'the' || text === 'its';
const ties = ({ kind, text }: Token): boolean =>
  kind === 'mark' ? TYING_MARKS.includes(text) : TYING.has(text) || (text.length > 4 && text.endsWith('ly'));

const TICKER = /(?<![A-Za-z0-9])[A-Z][A-Z0-9]{0,5}(?![A-Za-z0-9])/g;
const CANDIDATES_MAX = 200;

/** Words of a text that may be symbols of stocks, each once: whether they are is for the market to say. */
export const possibleSymbols = (text: string): string[] =>
  [...new Set(text.match(TICKER))].filter((word) => !NO_TICKERS.has(word)).slice(0, CANDIDATES_MAX);

const BEFORE_MAX = 60;
const BEHIND_MAX = 8;

/** Which stock each number is of. */
export class Subjects {
  readonly #view: TextView;
  readonly #symbol: string;
  /** By token the symbol that it names. */
  readonly #symbols = new Map<number, string>();
  /** By sentence the last symbol in it, for a sentence behind it that begins with `its`. */
  readonly #lastOf = new Map<number, string>();

  /** @param others symbols of the market other than the text's own */
  constructor(view: TextView, symbol: string, others: ReadonlySet<string>) {
    this.#view = view;
    this.#symbol = symbol;
    if (others.size === 0) return;
    for (const [at, { start, end, sentence }] of view.tokens.entries()) {
      const raw = view.reading.signs.slice(start, end);
      const isOther = others.has(raw) && !NO_TICKERS.has(raw) && view.mentionAt[at] === -1;
      const isShort = raw.length === 1 && view.tokens[at - 1]?.text !== '$';
      const mention = view.mentions[view.mentionAt[at]!];
      const isOwn = raw === symbol || (mention?.measure.trait === 'stock' && mention.from === at);
      if (!isOwn && (!isOther || isShort)) continue;
      this.#symbols.set(at, isOwn ? symbol : raw);
      this.#lastOf.set(sentence, isOwn ? symbol : raw);
    }
  }

  /** The other stock that a number is of; null where it is the text's own. */
  otherOf(item: Item): string | null {
    if (this.#symbols.size === 0) return null;
    const symbol = this.#before(item) ?? this.#behind(item) ?? this.#carried(item);
    return symbol === this.#symbol ? null : symbol;
  }

  #before({ from }: Item): string | null {
    const { tokens, reading } = this.#view;
    let depth = 0;
    for (let at = from - 1; tokens[at]?.sentence === tokens[from]!.sentence && from - at < BEFORE_MAX; at--) {
      const { text } = tokens[at]!;
      depth = text === ')' ? depth + 1 : text === '(' ? Math.max(0, depth - 1) : depth;
      const symbol = this.#symbols.get(at);
      // Of those in brackets only the one that a name before it explains: `Acme (ACME) trades at`.
      const explains =
        tokens[at - 1]?.text === '(' && /[A-Z]/.test(reading.signs[tokens[at - 2]?.start ?? 0]!);
      if (symbol !== undefined && (depth === 0 || (explains && tokens[at + 1]?.text === ')'))) return symbol;
    }
    return null;
  }

  #behind({ from, to }: Item): string | null {
    const { tokens } = this.#view;
    for (let at = to; tokens[at]?.clause === tokens[from]!.clause && at - to < BEHIND_MAX; at++) {
      const symbol = this.#symbols.get(at);
      if (symbol !== undefined) return symbol;
    }
    return null;
  }

  #carried({ from }: Item): string | null {
    const { tokens } = this.#view;
    const { sentence } = tokens[from]!;
    let first = from;
    while (tokens[first - 1]?.sentence === sentence && from - first < BEFORE_MAX) first--;
    return /^(?:its?|their|they)$/.test(tokens[first]!.text)
      ? (this.#lastOf.get(sentence - 1) ?? null)
      : null;
  }
}

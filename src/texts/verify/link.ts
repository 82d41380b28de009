import type { Item, TextView } from './items.ts';
import type { Measure, Mention } from './lexicon.ts';
import { CITED, type Token } from './read.ts';
import { BOUNDING, isSide, LISTING, NO_TICKERS, SUBJECTS, TYING, TYING_AFTER } from './words.ts';

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
  /** The measure before it in its sentence, however far. */
  readonly preceding: Measure | null;
  /** The measure right behind, which the number may as well be of: `price 187 RSI 62`. */
  readonly following: Measure | null;
}

const UNTIED = { isTight: false, isBefore: false, isCertain: false, following: null };

const TIGHT_MAX = 9;
const AFTER_MAX = 3;
const SIDE_MAX = 4;
const NEAR_MAX = 30;
const MEASURES_MAX = 6;
const TYING_MARKS = `,:=()[-\u2014|~'+${CITED}`;

/** Measures that are listed, and the numbers that follow them. */
interface List {
  readonly mentions: readonly Mention[];
  readonly first: number;
  readonly count: number;
}
/** A measure, and how many small words part it from a number. */
interface Found {
  readonly mention: Mention;
  readonly steps: number;
}

/** Ties each number to the nearest measure of its clause, from left to right. */
export class Linker {
  readonly #view: TextView;
  /** By item the list that it is part of. */
  readonly #lists = new Map<Item, List>();
  /** Measures that belong to the number before them. */
  readonly #spent = new Set<Mention>();

  constructor(view: TextView) {
    this.#view = view;
  }

  /** Of items in their order, each once. */
  namedFor(item: Item): Named {
    const near = this.#near(item);
    const [preceding] = near.filter(({ to }) => to <= item.from);
    const mentions = near.slice(0, MEASURES_MAX);
    return { ...UNTIED, mentions, preceding: preceding?.measure ?? null, ...this.#tiedTo(item) };
  }

  #tiedTo(item: Item): Partial<Named> {
    const before = this.#before(item);
    const next = this.#after(item);
    const own = before !== null && 'mention' in before && !this.#spent.has(before.mention) ? before : null;
    if (next !== null && (own === null || this.#isOfNext(own, next))) {
      this.#spent.add(next.mention);
      return { mentions: [next.mention], isTight: true, isCertain: true };
    }
    if (own !== null) {
      const following = next?.steps === 0 ? next.mention.measure : null;
      const subject = this.#subjectOver(own.mention, item);
      const list =
        subject === null
          ? this.#listAt(item, own.mention)
          : { mentions: [own.mention, subject], first: item.place, count: 1 };
      return { ...this.#inList(item, list), following };
    }
    return before !== null && 'count' in before ? this.#inList(item, before) : {};
  }

  /** `R1 sits above VWAP at 221.36`: the measure above or below the one before `at`, which the number may be of. */
  #subjectOver({ from, to }: Mention, item: Item): Mention | null {
    const { tokens, mentionAt } = this.#view;
    if (!tokens.slice(to, item.from).some(({ text }) => text === 'at')) return null;
    let at = from - 1;
    while (at > from - SIDE_MAX && !isSide(tokens[at]?.text)) at--;
    if (at <= from - SIDE_MAX) return null;
    for (at--; tokens[at]?.sentence === tokens[from]!.sentence && this.#view.itemAt[at] === undefined; at--) {
      const mention = mentionAt[at];
      if (mention !== undefined) return mention.measure.trait === 'stock' ? null : mention;
    }
    return null;
  }

  /** What follows at once is closer than the stock's name, or than what is not known; `times earnings` is a unit. */
  #isOfNext({ mention: { measure }, steps }: Found, next: Found): boolean {
    const isOfStock = measure.trait === 'stock';
    if (next.steps > 0) return isOfStock && steps === 0;
    if (isOfStock || measure.facts.length + measure.formulas.length === 0) return true;
    if (/^(?:x|times|of|on)$/.test(this.#view.tokens[next.mention.from]!.text)) return true;
    return steps > 0 && next.mention.measure.trait === 'open';
  }

  /** Backward to the next measure of the sentence, or to a number of a list that goes on. */
  #before(item: Item): Found | List | null {
    const { tokens, mentionAt, itemAt } = this.#view;
    const isBounded = item.kind === 'number' && item.bound !== null;
    let [isTight, isListing] = [true, true];
    for (let at = item.from - 1, steps = 0; at >= 0 && steps <= TIGHT_MAX; at--, steps++) {
      const { text, sentence } = tokens[at]!;
      if (sentence !== tokens[item.from]!.sentence) break;
      const [mention, other] = [mentionAt[at], itemAt[at]];
      if (mention !== undefined) return isTight ? { mention, steps } : null;
      if (other !== undefined) {
        // `from 70 to 62` goes on before `from`.
        const isOrigin =
          steps === 1 && tokens[at + 1]!.text === 'to' && tokens[other.from - 1]?.text === 'from';
        if (!isOrigin) {
          const list = this.#lists.get(other) ?? null;
          return isListing || (steps === 1 && this.#isMoveTo(at + 1, other, list)) ? list : null;
        }
        at = other.from - 1;
        continue;
      }
      isListing &&= LISTING.has(text);
      const isBound = (isBounded && steps < 4 && BOUNDING.has(text)) || (steps === 0 && text === 'from');
      isTight &&= isBound || ties(tokens[at]!);
    }
    return null;
  }

  /** `closed up 2.2% at $316.83`: the stock by its move, and where that left it. */
  #isMoveTo(at: number, move: Item, list: List | null): boolean {
    const isMove = move.kind === 'number' && /^(?:percent|USD|points)$/.test(move.unit ?? '');
    const { trait, name } = list?.mentions[0]?.measure ?? { trait: null, name: '' };
    return this.#view.tokens[at]!.text === 'at' && isMove && (trait === 'stock' || name === 'price');
  }

  /** Forward, a few words. */
  #after(item: Item): Found | null {
    const { tokens, mentionAt, itemAt } = this.#view;
    for (let at = item.to, steps = 0; at < tokens.length && steps <= AFTER_MAX; at++, steps++) {
      const { text, kind, sentence } = tokens[at]!;
      // An article begins something new.
      const isNew = steps === 0 && /^(?:an?|the|its)$/.test(text);
      if (sentence !== tokens[item.from]!.sentence || itemAt[at] !== undefined || isNew) break;
      const mention = mentionAt[at];
      if (mention !== undefined) return { mention, steps };
      if (kind === 'mark' ? !/^[([-]$/.test(text) : !TYING_AFTER.has(text)) break;
    }
    return null;
  }

  /** A measure with those that are listed before it, and the numbers that follow: `RSI and ADX are 62 and 25`. */
  #listAt({ place }: Item, nearest: Mention): List {
    const { tokens, mentionAt } = this.#view;
    const heads = this.#headsOf(nearest);
    if (heads !== null) return { mentions: heads, first: place, count: 1 };
    const list = [nearest];
    for (let at = nearest.from - 1, gaps = 0; at >= 0 && list.length < MEASURES_MAX; at--) {
      const { sentence, text } = tokens[at]!;
      if (sentence !== tokens[nearest.from]!.sentence) break;
      const other = mentionAt[at];
      if (other === undefined) {
        if (++gaps > 2 || !(LISTING.has(text) || text === 'the' || text === 'its')) break;
        continue;
      }
      if (gaps === 0 || this.#spent.has(other)) break;
      list.unshift(other);
      at = other.from;
      gaps = 0;
    }
    return { mentions: list, first: place, count: this.#countFrom(place) };
  }

  /** `the RSI of SIMX`, `the mean target of analysts`: the number is that of what comes first. */
  #headsOf(nearest: Mention): Mention[] | null {
    const { tokens, mentionAt } = this.#view;
    const isOfStock = nearest.measure.trait === 'stock';
    const word = tokens[nearest.from - 1]?.text ?? '';
    const head = mentionAt[nearest.from - 2];
    if (head === undefined || !(isOfStock ? /^(?:of|for|in|on|at)$/ : /^of$/).test(word)) return null;
    return isOfStock ? [head] : [head, nearest];
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

  #inList(item: Item, list: List): Partial<Named> {
    this.#lists.set(item, list);
    const { mentions, first, count } = list;
    const own = mentions.length === count ? mentions[item.place - first] : undefined;
    const isCertain = own !== undefined || (mentions.length === 1 && count === 1);
    return { mentions: own === undefined ? mentions : [own], isTight: true, isBefore: true, isCertain };
  }

  /** The measures of the sentence around a number, the nearest first. */
  #near({ from, to }: Item): Mention[] {
    const { tokens, mentionAt } = this.#view;
    const found = new Set<Mention>();
    for (let away = 1; away <= NEAR_MAX; away++) {
      for (const at of [from - away, to - 1 + away]) {
        const mention = tokens[at]?.sentence === tokens[from]!.sentence ? mentionAt[at] : undefined;
        if (mention !== undefined) found.add(mention);
      }
    }
    return [...found];
  }
}

const ties = ({ kind, text }: Token): boolean =>
  kind === 'mark' ? TYING_MARKS.includes(text) : TYING.has(text) || (text.length > 4 && text.endsWith('ly'));

const TICKER = /(?<![A-Za-z0-9])[A-Z][A-Z0-9]{0,5}(?![A-Za-z0-9])/g;
const CANDIDATES_MAX = 200;

/** Words of a text that may be symbols of stocks, each once: whether they are is for the market to say. */
export const possibleSymbols = (text: string): string[] =>
  [...new Set(text.match(TICKER))].filter((word) => !NO_TICKERS.has(word)).slice(0, CANDIDATES_MAX);

const BEHIND_MAX = 8;

const SYMBOL_LIKE = /^[A-Z][A-Z0-9]{1,5}$/;
const NAME_LIKE = /^\p{Lu}\p{Ll}{2,}$/u;
/** A verb of a stock, or a possessive. */
const OF_A_STOCK =
  /^(?:'s|trad(?:es|ed)|clos(?:es|ed)|open(?:s|ed)|gain(?:s|ed)|lost|loses|fell|falls|rose|rises|jump(?:s|ed)|drop(?:s|ped)|climb(?:s|ed)|sl(?:id|ides)|beat|beats|miss(?:es|ed)|report(?:s|ed)|has|is|was)$/;
const OF_A_NAME = /^(?:has|is|was)$/;
/** What `is` makes a statement of a stock: `is trading at`. */
const OF_A_PRICE = /^(?:trading|up|down|gained|lost|fallen|risen|priced|quoted)$/;

/** What is written like a symbol or a name and does what a stock does: nobody says that it is this one. */
const isForeign = (raw: string, before: string, [behind = '', next = '']: readonly string[]): boolean =>
  (SYMBOL_LIKE.test(raw) && !NO_TICKERS.has(raw) && (before === '$' || OF_A_STOCK.test(behind))) ||
  (NAME_LIKE.test(raw) &&
    !SUBJECTS.has(raw.toLowerCase()) &&
    OF_A_STOCK.test(behind) &&
    (!OF_A_NAME.test(behind) || OF_A_PRICE.test(next)));

/** Which stock each number is of. */
export class Subjects {
  readonly #view: TextView;
  readonly #symbol: string;
  /** By token the symbol that it names. */
  readonly #named: (string | undefined)[] = [];
  /** By token the symbol that its sentence names last before it. */
  readonly #before: (string | undefined)[] = [];
  /** By sentence that begins with `its` the last symbol of the sentence before it. */
  readonly #carried = new Map<number, string | undefined>();

  /** @param others symbols of the market other than the text's own */
  constructor(view: TextView, symbol: string, others: ReadonlySet<string>) {
    this.#view = view;
    this.#symbol = symbol;
    const { tokens, reading, mentionAt } = view;
    const rawAt = (at: number): string => reading.signs.slice(tokens[at]?.start ?? 0, tokens[at]?.end ?? 0);
    let [subject, last]: (string | undefined)[] = [];
    let outside: (string | undefined)[] = [];
    for (const [at, { sentence, text }] of tokens.entries()) {
      if (sentence !== tokens[at - 1]?.sentence) {
        if (/^(?:its?|their|they)$/.test(text)) this.#carried.set(sentence, last);
        [subject, last, outside] = [undefined, undefined, []];
      }
      this.#before.push(subject);
      const [raw, mention] = [rawAt(at), mentionAt[at]];
      const isPossessed =
        text === 'stock' && this.#named[at - 2] !== undefined && tokens[at - 1]!.text === "'s";
      const isStock = mention?.measure.trait === 'stock' && mention.from === at && !isPossessed;
      const isOwn = raw === symbol || isStock;
      const isOther =
        (others.has(raw) && !NO_TICKERS.has(raw) && (raw.length > 1 || rawAt(at - 1) === '$')) ||
        isForeign(
          raw,
          rawAt(at - 1),
          tokens.slice(at + 1, at + 3).map((token) => token.text),
        );
      const named = isOwn ? symbol : isOther && mention === undefined ? raw : undefined;
      this.#named.push(named);
      subject = named ?? subject;
      last = named ?? last;
      if (text === '(') outside.push(subject);
      if (text !== ')' || outside.length === 0) continue;
      // Of those in brackets only the one that a name before it explains: `Acme (ACME) trades at`.
      const isExplained =
        this.#named[at - 1] !== undefined && rawAt(at - 2) === '(' && /^[A-Z]/.test(rawAt(at - 3));
      const before = outside.pop();
      if (!isExplained) subject = before;
    }
  }

  /** True for a token that is the symbol or the name of a stock. */
  readonly isNamed = (at: number): boolean => this.#named[at] !== undefined;

  /** The other stock that a number is of; null where it is the text's own. */
  otherOf({ from, to }: Pick<Item, 'from' | 'to'>): string | null {
    const { clause, sentence } = this.#view.tokens[from]!;
    let symbol = this.#before[from];
    for (let at = to; symbol === undefined && at < to + BEHIND_MAX; at++) {
      if (this.#view.tokens[at]?.clause !== clause) break;
      symbol = this.#named[at];
    }
    symbol ??= this.#carried.get(sentence) ?? this.#symbol;
    return symbol === this.#symbol ? null : symbol;
  }
}

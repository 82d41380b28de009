import type { Item, TextView } from './items.ts';
import { isRelated, type Mention } from './lexicon.ts';
import type { Named, Subjects } from './link.ts';
import { CITED, type Token } from './read.ts';
import { isSide, isUnderstood, OF_A_NUMBER, SAYS } from './words.ts';

const PLAIN_MARKS = `.,;:()[]%$/'+&!?~*|=\u2014-${CITED}`;
const BOUND_MARKS = /^[<>]$/;
const NEAR = 3;

/**
 * What of a text is not understood: a word or a number that may change what a number says, and a measure that is tied to no
 * number. Read are the clauses of a sentence up to the number's own, no further back than a colon or a dash; what comes behind
 * counts where it speaks of another time.
 */
export class Understanding {
  readonly #view: TextView;
  /** By clause the first word that is not understood. */
  readonly #words = new Map<number, { readonly text: string; readonly at: number }>();
  /** By clause the first measure that no number has. */
  readonly #loose = new Map<number, string>();
  /** Clauses that begin with a colon or a dash, or a sentence. */
  readonly #firsts = new Set<number>();
  readonly #sentences = new Map<number, number>();
  /** Clauses with a number. */
  readonly #numbered = new Set<number>();
  /** Clauses with a word of another time. */
  readonly #past = new Set<number>();

  constructor(view: TextView, named: ReadonlyMap<Item, Named>, subjects: Subjects) {
    this.#view = view;
    const { tokens, mentionAt, itemAt } = view;
    for (const [at, token] of tokens.entries()) {
      const { text, clause, sentence } = token;
      this.#sentences.set(clause, sentence);
      const item = itemAt[at];
      if (item?.from === at) {
        if (item.kind === 'number') this.#numbered.add(clause);
        if (isParameter(view, item) || (isYear(item) && !named.get(item)!.isTight))
          this.#words.set(clause, { text, at });
      }
      if (sentence !== tokens[at - 1]?.sentence) this.#firsts.add(clause);
      if (/^[:\u2014]$/.test(text)) this.#firsts.add(clause + 1);
      if (mentionAt[at] !== undefined || itemAt[at] !== undefined || subjects.isNamed(at)) continue;
      if (SAYS.flags.past.has(text) || text === 'respectively') this.#past.add(clause);
      if (!this.#words.has(clause) && !this.#isPlain(token, at)) this.#words.set(clause, { text, at });
    }
    const byClause = Map.groupBy(
      [...named].filter(([, { isTight }]) => isTight),
      ([{ from }]) => tokens[from]!.clause,
    );
    const tied = new Set([...named.values()].flatMap(({ isTight, mentions }) => (isTight ? mentions : [])));
    for (const mention of new Set(mentionAt)) {
      if (mention === undefined || tied.has(mention) || this.#isBeside(mention)) continue;
      const { clause } = tokens[mention.from]!;
      const others = (byClause.get(clause) ?? []).flatMap(([, { mentions }]) => mentions);
      if (others.some(({ measure }) => isRelated(measure, mention.measure))) continue;
      if (!this.#loose.has(clause)) this.#loose.set(clause, mention.measure.name);
    }
  }

  /** Why nothing is said of a number; null where all around it is understood. */
  doubtOf({ from, to }: Item): string | null {
    const { tokens } = this.#view;
    const { clause, sentence } = tokens[from]!;
    // `RSI (62) stands out`: what comes behind is of the measure.
    const isApposed = tokens[from - 1]?.text === '(' && tokens[to]?.text === ')';
    const word = this.#wordBefore(clause, isApposed ? to : null);
    if (word !== null) return `What “${word}” makes of it is not known.`;
    for (let at = to; tokens[at]?.sentence === sentence; at++) {
      if (this.#past.has(tokens[at]!.clause)) return 'The sentence speaks of another time.';
    }
    for (const [of, name] of this.#loose) {
      if (of === clause || (this.#sentences.get(of) === sentence && !this.#numbered.has(of)))
        return `The sentence speaks of ${name} too.`;
    }
    return null;
  }

  /** A word that is not understood, in a clause or in those before it that say one thing with it; null for none. */
  #wordBefore(clause: number, end: number | null): string | null {
    for (let at = clause; at >= 0; at--) {
      const word = this.#words.get(at);
      const isBehind = end !== null && at === clause && word !== undefined && word.at > end;
      if (word !== undefined && !isBehind) return word.text;
      if (!isBehind && this.#firsts.has(at)) return null;
    }
    return null;
  }

  /** The stock and its price, what a number follows at once, and what is above or below another. */
  #isBeside({ measure, from, to }: Mention): boolean {
    const { tokens, itemAt } = this.#view;
    const isVerb = /^(?:at|near|around)$/.test(tokens[to - 1]!.text);
    if (measure.trait === 'stock' || itemAt[to] !== undefined) return true;
    if (/^(?:closing )?price$/.test(measure.name) && !isVerb) return true;
    return [...tokens.slice(Math.max(0, from - NEAR), from), ...tokens.slice(to, to + NEAR)].some(
      ({ text }) => isSide(text) || /^(?:from|between|against)$/.test(text),
    );
  }

  #isPlain({ kind, text, gap }: Token, at: number): boolean {
    const { tokens, itemAt } = this.#view;
    if (kind === 'number') return false;
    // `46 % of the time`.
    if (text === 'time' && tokens[at - 2]?.text === 'of') return true;
    // `close to 185`, `near the 185 mark`.
    if (OF_A_NUMBER.has(text)) return itemAt.slice(at + 1, at + 4).some((item) => item !== undefined);
    if (kind === 'word') return /^(?:hold|held)/.test(text) ? isSideOrAt(tokens[at + 1]) : isUnderstood(text);
    if (BOUND_MARKS.test(text)) return itemAt[at + 1] !== undefined;
    // A sign that was not read as one: `316.83 -2.19%`.
    if (text === '-' && gap !== 'none' && itemAt[at + 1] !== undefined && tokens[at + 1]!.gap === 'none')
      return false;
    return PLAIN_MARKS.includes(text);
  }
}

const isSideOrAt = ({ text = '' }: Partial<Token> = {}): boolean =>
  isSide(text) || /^(?:at|near)$/.test(text);

/** `2027`, which is no number of a measure. */
const isYear = (item: Item): boolean =>
  item.kind === 'number' && item.unit === null && !item.isExact && item.value >= 1900 && item.value <= 2100;

/** `RSI(2)`: a number that makes another measure of the one before it. */
function isParameter({ tokens, mentionAt, items }: TextView, { from, to, place }: Item): boolean {
  const opening = tokens[from - 1];
  const isTied = opening?.text === '(' && opening.gap === 'none' && mentionAt[from - 2] !== undefined;
  return isTied && tokens[to]?.text === ')' && items[place + 1] !== undefined;
}

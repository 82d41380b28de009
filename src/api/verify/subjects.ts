import type { Item, TextView } from './text-view.ts';
import { NO_TICKERS } from './words.ts';

const TICKER = /^[A-Z][A-Z0-9]{0,5}$/;
const CANDIDATES_MAX = 200;
const PRONOUNS = new Set(['its', 'it', 'their', 'they']);
/** One letter is a word; with a dollar before it, it is a stock. */
const LETTERS_MIN = 2;

/** Words of a text that may be symbols of stocks, each once: whether they are is for the market to say. */
export function possibleSymbols(text: string): string[] {
  const found = new Set<string>();
  for (const [word] of text.matchAll(/(?<![A-Za-z0-9])[A-Z][A-Z0-9]{0,5}(?![A-Za-z0-9])/g)) {
    if (!NO_TICKERS.has(word)) found.add(word);
    if (found.size >= CANDIDATES_MAX) break;
  }
  return [...found];
}

/** Which stock each number speaks of. */
export class Subjects {
  readonly #view: TextView;
  readonly #others: ReadonlySet<string>;
  readonly #symbol: string;
  /** The stock of the sentence before, for a sentence that begins with `its`. */
  readonly #lastOf = new Map<number, string>();

  /** @param others symbols of the market other than the text's own */
  constructor(view: TextView, symbol: string, others: ReadonlySet<string>) {
    this.#view = view;
    this.#symbol = symbol;
    this.#others = others;
    view.tokens.forEach((_, at) => {
      const named = this.#symbolAt(at);
      if (named !== null) this.#lastOf.set(view.structure.sentence[at]!, named);
    });
  }

  /** The other stock that a number is told of; null where it is the text's own. */
  otherOf(item: Item): string | null {
    if (this.#others.size === 0) return null;
    const named = this.#before(item) ?? this.#after(item) ?? this.#carriedTo(item);
    return named === null || named === this.#symbol ? null : named;
  }

  #before({ from }: Item): string | null {
    const { structure } = this.#view;
    const sentence = structure.sentence[from];
    let depth = 0;
    for (let at = from - 1; at >= 0 && structure.sentence[at] === sentence && from - at < REACH; at--) {
      const { text } = this.#view.tokens[at]!;
      if (text === ')') depth++;
      else if (text === '(') depth = Math.max(0, depth - 1);
      const named = this.#symbolAt(at);
      // Of those in brackets only the one that a name before it explains: `Acme (ACME) trades at`.
      if (named !== null && (depth === 0 || this.#explainsName(at))) return named;
    }
    return null;
  }

  #after({ from, to }: Item): string | null {
    const { structure, tokens } = this.#view;
    for (
      let at = to;
      at < tokens.length && structure.clause[at] === structure.clause[from] && at - to < NEAR;
      at++
    ) {
      const named = this.#symbolAt(at);
      if (named !== null) return named;
    }
    return null;
  }

  #carriedTo({ from }: Item): string | null {
    const { structure, tokens } = this.#view;
    const sentence = structure.sentence[from]!;
    let first = from;
    while (first > 0 && structure.sentence[first - 1] === sentence && from - first < REACH) first--;
    return PRONOUNS.has(tokens[first]!.text) ? (this.#lastOf.get(sentence - 1) ?? null) : null;
  }

  #symbolAt(at: number): string | null {
    const { tokens, mentionAt, mentions } = this.#view;
    const { raw, kind } = tokens[at]!;
    if (kind !== 'word') return null;
    if (raw.toUpperCase() === this.#symbol && raw === raw.toUpperCase()) return this.#symbol;
    if (mentionAt[at] !== -1) {
      const { measure, from } = mentions[mentionAt[at]!]!;
      return measure.trait === 'subject' && from === at ? this.#symbol : null;
    }
    if (!TICKER.test(raw) || NO_TICKERS.has(raw) || !this.#others.has(raw)) return null;
    return raw.length >= LETTERS_MIN || tokens[at - 1]?.text === '$' ? raw : null;
  }

  #explainsName(at: number): boolean {
    const { tokens } = this.#view;
    const name = tokens[at - 2];
    return tokens[at - 1]?.text === '(' && tokens[at + 1]?.text === ')' && /^[A-Z]/.test(name?.raw ?? '');
  }
}

const REACH = 60;
const NEAR = 8;

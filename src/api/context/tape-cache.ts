import { LRUCache } from 'lru-cache';
import type { SymbolTape, Tape } from '../../market/tape/index.ts';

/** Symbols in memory, some kilobytes each. */
const SYMBOLS_MAX = 5_000;

/**
 * What the tape holds of a symbol, read once until a change of the symbol is announced. Files of the tape are never
 * removed, so what is in memory stays readable.
 */
export class TapeCache {
  readonly #tape: Pick<Tape, 'symbolTapes'>;
  readonly #known = new LRUCache<string, SymbolTape>({ max: SYMBOLS_MAX });
  /** Announcements so far: what was read across one may be older than it, and is not kept. */
  #announcements = 0;

  constructor(tape: Pick<Tape, 'symbolTapes'>) {
    this.#tape = tape;
  }

  /** Forgets changed symbols; null for all. */
  announce(symbols: readonly string[] | null): void {
    this.#announcements++;
    if (symbols === null) this.#known.clear();
    else for (const symbol of symbols) this.#known.delete(symbol);
  }

  /** The tapes of the named symbols; a symbol of which the tape knows nothing is left out. */
  async symbolTapes(
    symbols: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<SymbolTape[]> {
    const known = symbols.map((symbol) => this.#known.get(symbol));
    const unread = symbols.filter((_, at) => known[at] === undefined);
    if (unread.length === 0) return known as SymbolTape[];
    const announcements = this.#announcements;
    const read = new Map((await this.#tape.symbolTapes(unread, options)).map((tape) => [tape.symbol, tape]));
    if (announcements === this.#announcements)
      for (const [symbol, tape] of read) this.#known.set(symbol, tape);
    return symbols.flatMap((symbol, at) => known[at] ?? read.get(symbol) ?? []);
  }
}

import { LRUCache } from 'lru-cache';
import { Changes } from '../../base/kept-until.ts';
import type { QueryOptions } from '../../database/queryable.ts';
import type { SymbolTape, Tape } from '../../tape/index.ts';

/** Symbols in memory, some kilobytes each. */
const SYMBOLS_MAX = 5_000;

/**
 * What the tape holds of a symbol, read once until a change of the symbol is announced. Files of the tape are never
 * removed, so what is in memory stays readable.
 */
export function tapeCache(tape: Pick<Tape, 'symbolTapes'>) {
  const known = new LRUCache<string, SymbolTape>({ max: SYMBOLS_MAX });
  const changes = new Changes();
  return {
    /** Forgets changed symbols; null for all. */
    announce(symbols: readonly string[] | null): void {
      changes.note(symbols);
      if (symbols === null) known.clear();
      else for (const symbol of symbols) known.delete(symbol);
    },
    /** The tapes of the named symbols; a symbol of which the tape knows nothing is left out. */
    async symbolTapes(symbols: readonly string[], options: QueryOptions = {}): Promise<SymbolTape[]> {
      const kept = symbols.map((symbol) => known.get(symbol));
      const unread = symbols.filter((_, at) => kept[at] === undefined);
      if (unread.length === 0) return kept as SymbolTape[];
      const isCurrent = changes.keptUntil();
      const read = new Map((await tape.symbolTapes(unread, options)).map((each) => [each.symbol, each]));
      if (isCurrent()) for (const [symbol, each] of read) known.set(symbol, each);
      return symbols.flatMap((symbol, at) => kept[at] ?? read.get(symbol) ?? []);
    },
  };
}

import { LRUCache } from 'lru-cache';
import { Changes } from '../../base/kept-until.ts';
import type { QueryOptions } from '../../database/queryable.ts';
import type { MarketInstant, MarketTape, SymbolTape, Tape } from '../../tape/index.ts';

/** Symbols in memory, some kilobytes each. */
const SYMBOLS_MAX = 5_000;
/** Walks over a market in memory, of which all minutes of a running date are one; half a kilobyte for each symbol. */
const WALKS_MAX = 4;

/**
 * What the tape holds of a symbol, read once until a change of the symbol is announced, and of a whole market, until one of
 * any symbol is. Files of the tape are never
 * removed, so what is in memory stays readable.
 */
export function tapeCache(tape: Pick<Tape, 'symbolTapes' | 'marketTapesBefore' | 'withBarsSoFar'>) {
  const known = new LRUCache<string, SymbolTape>({ max: SYMBOLS_MAX });
  const walks = new LRUCache<string, readonly MarketTape[]>({ max: WALKS_MAX });
  const changes = new Changes();
  return {
    /** Forgets changed symbols; null for all. */
    announce(symbols: readonly string[] | null): void {
      changes.note(symbols);
      walks.clear();
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
    /**
     * What a walk over a market needs.
     *
     * @param isRunning whether the sessions run at their instants; their minutes differ in bars so far alone
     */
    async marketTapes(
      simulated: boolean,
      instants: readonly MarketInstant[],
      isRunning: (instant: MarketInstant) => boolean,
      options: QueryOptions = {},
    ): Promise<readonly MarketTape[]> {
      const dates = instants.map((instant) => `${instant.tradeDate} ${isRunning(instant)}`);
      const name = `${simulated} ${dates.join()}`;
      const kept = walks.get(name);
      const isCurrent = changes.keptUntil();
      const tapes = kept ?? (await tape.marketTapesBefore(simulated, instants, options));
      if (isCurrent()) walks.set(name, tapes);
      return instants.some(isRunning) ? tape.withBarsSoFar(tapes, instants, options) : tapes;
    },
  };
}

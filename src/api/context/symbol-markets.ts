import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../database/database.ts';
import { readSymbolMarkets } from '../../database/symbol-market.ts';
import type { Viewer } from '../access/viewer.ts';

/** The two markets, as a request names them. */
export const MARKET_NAMES = ['real', 'simulated'] as const;
export type MarketName = (typeof MARKET_NAMES)[number];

interface Known {
  readonly symbols: ReadonlyMap<string, boolean>;
  /** The symbols of the real market, then those of the simulated one. */
  readonly sets: Sets;
  /** By a grant's symbols those of them in each market: a set names the viewer in keys of caches, so it is made once. */
  readonly narrowed: WeakMap<ReadonlySet<string>, Sets>;
}

type Sets = readonly [ReadonlySet<string>, ReadonlySet<string>];

/** Which symbols are of which market, in memory: it is read again when a symbol is announced that it does not know. */
export function symbolMarkets(database: Pick<Queryable, 'query'>) {
  const all = new LRUCache<'all', Known>({
    max: 1,
    fetchMethod: () => load(database),
    ignoreFetchAbort: true,
  });
  const read = (): Promise<Known> => all.forceFetch('all');

  return {
    /** Symbols with new data; null for all. */
    announce(changed: readonly string[] | null): void {
      const known = all.peek('all');
      if (changed?.every((symbol) => known?.symbols.has(symbol)) !== true) all.clear();
    },
    /** Tells whether a stock is of the simulated market; false for one that is unknown. */
    async lookup(): Promise<(symbol: string) => boolean> {
      const { symbols } = await read();
      return (symbol) => symbols.get(symbol) ?? false;
    },
    /** The same of one stock. */
    async isSimulated(symbol: string): Promise<boolean> {
      return (await read()).symbols.get(symbol) ?? false;
    },
    /** The market of some symbols, of which those of the other count as unknown: the real one where it has any. */
    async marketOf(symbols: readonly string[]): Promise<boolean> {
      const { symbols: known } = await read();
      const markets = new Set(symbols.map((symbol) => known.get(symbol)));
      return markets.has(true) && !markets.has(false);
    },
    /** The market of an answer that spans stocks: the one asked for, else the real one where the viewer has any of it. */
    async marketFor({ symbols }: Pick<Viewer, 'symbols'>, asked?: MarketName): Promise<boolean> {
      if (asked !== undefined) return asked === 'simulated';
      const [real, simulated] = (await read()).sets;
      const hasReal = symbols === null ? real.size > 0 : [...symbols].some((symbol) => real.has(symbol));
      return !hasReal && simulated.size > 0;
    },
    symbolsOf,
    /** The viewer without the stocks of the other market, as if a grant left them out. */
    async within<Of extends Viewer>(viewer: Of, simulated: boolean): Promise<Of> {
      const { sets } = await read();
      if (sets.some(({ size }) => size === 0)) return viewer;
      return {
        ...viewer,
        symbols: await symbolsOf(viewer, simulated),
      };
    },
  };

  /** The stocks of a market that a viewer may see. */
  async function symbolsOf(
    { symbols }: Pick<Viewer, 'symbols'>,
    simulated: boolean,
  ): Promise<ReadonlySet<string>> {
    const { sets, narrowed } = await read();
    if (symbols === null) return sets[+simulated]!;
    return narrowed.getOrInsertComputed(symbols, () => [
      symbols.intersection(sets[0]),
      symbols.intersection(sets[1]),
    ])[+simulated]!;
  }
}

async function load(database: Pick<Queryable, 'query'>): Promise<Known> {
  const rows = await readSymbolMarkets(database);
  const ofMarket = (wanted: boolean): ReadonlySet<string> =>
    new Set(rows.filter(({ simulated }) => simulated === wanted).map(({ symbol }) => symbol));
  return {
    symbols: new Map(rows.map(({ symbol, simulated }) => [symbol, simulated])),
    sets: [ofMarket(false), ofMarket(true)],
    narrowed: new WeakMap(),
  };
}

export type SymbolMarkets = ReturnType<typeof symbolMarkets>;

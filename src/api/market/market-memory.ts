import type { MarketView } from '../../market/tape/index.ts';

/** Markets kept ready: a year of dates, some megabytes. */
const MARKETS_MAX = 256;

/**
 * Markets that answers were derived against on the spot, least recently used first out. Whoever asks while one is being
 * made waits for that one; a change of anything on the tape forgets them all, since any stock can move any of them.
 */
export class MarketMemory {
  readonly #markets = new Map<string, Promise<MarketView>>();

  share(key: string, make: () => Promise<MarketView>): Promise<MarketView> {
    const market = this.#markets.get(key) ?? make();
    // Re-inserting moves the key to the young end of the map, which iterates in order of insertion.
    this.#markets.delete(key);
    this.#markets.set(key, market);
    market.catch(() => this.#markets.get(key) === market && this.#markets.delete(key));
    if (this.#markets.size > MARKETS_MAX) this.#markets.delete(this.#markets.keys().next().value!);
    return market;
  }

  forget(): void {
    this.#markets.clear();
  }
}

import { LRUCache } from 'lru-cache';
import type { MarketView } from '../../market/tape/index.ts';

/** Markets kept ready: a year of dates, some megabytes. */
const MARKETS_MAX = 256;

/**
 * Markets that answers were derived against on the spot, least recently used first out. Whoever asks while one is being
 * made waits for that one; a change of anything on the tape forgets them all, since any stock can move any of them.
 */
export class MarketCache {
  readonly #markets = new LRUCache<string, Promise<MarketView>>({ max: MARKETS_MAX });

  share(key: string, make: () => Promise<MarketView>): Promise<MarketView> {
    const known = this.#markets.get(key);
    if (known !== undefined) return known;
    const market = make();
    this.#markets.set(key, market);
    market.catch(() => this.#markets.peek(key) === market && this.#markets.delete(key));
    return market;
  }

  forget(): void {
    this.#markets.clear();
  }
}

import { LRUCache } from 'lru-cache';
import type { ScalarType } from '../../derive/scalar-fields.ts';

/** A selected column of all stocks that pass, in their order. */
export interface CachedColumn {
  /** As the request calls it. */
  readonly name: string;
  readonly type: ScalarType;
  readonly values: Float64Array;
  /** Texts by their places; null where the column holds none. */
  readonly words: readonly string[] | null;
}

/** All that a screen came to, from which its pages are cut. */
export interface CachedResult {
  readonly tradeDate: string;
  /** Version of the image that it was carried out on. */
  readonly version: string;
  readonly universe: number;
  /** Instants that the oldest and the newest of the rows looked at speak for, epoch milliseconds; null without rows. */
  readonly oldestAsOf: number | null;
  readonly newestAsOf: number | null;
  /** Symbols of the image, and the places among them of the stocks that pass, in their order. */
  readonly symbols: readonly string[];
  readonly rows: Uint32Array;
  readonly columns: readonly CachedColumn[];
  /** JSON text of the near misses. */
  readonly nearMisses: string;
}

const BYTES_MAX = 64 * 1_048_576;
/** Whoever leafs through pages asks for the next one sooner. */
const AGE_MAX_MS = 10 * 60_000;
/** What keeping a screen costs beside its columns: lists of symbols and texts are those of an image. */
const OVERHEAD_BYTES = 4_096;
const SYMBOL_BYTES = 32;

/**
 * What screens came to, so that their pages belong together whatever is written meanwhile. Bounded in bytes and in time;
 * least recently used first out.
 */
export class ResultCache {
  readonly #screens: LRUCache<string, CachedResult>;

  constructor(bytesMax: number = BYTES_MAX, now: () => number = () => performance.now()) {
    this.#screens = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: bytesOf,
      ttl: AGE_MAX_MS,
      ttlResolution: 0,
      perf: { now },
    });
  }

  get bytes(): number {
    return this.#screens.calculatedSize;
  }

  get(key: string): CachedResult | null {
    return this.#screens.get(key) ?? null;
  }

  /** Keeps a screen; one that is larger than all that may be kept is not. */
  put(key: string, screen: CachedResult): void {
    this.#screens.set(key, screen);
  }
}

function bytesOf({ rows, columns, symbols, nearMisses }: CachedResult): number {
  let bytes = OVERHEAD_BYTES + rows.byteLength + symbols.length * SYMBOL_BYTES + 2 * nearMisses.length;
  for (const { values, words } of columns) {
    bytes += values.byteLength;
    for (const word of words ?? []) bytes += SYMBOL_BYTES + word.length;
  }
  return bytes;
}

import { LRUCache } from 'lru-cache';
import { stopwatch } from '../../base/timers.ts';
import type { ScalarType } from '../../derive/scalar-fields.ts';

/** A selected column of all stocks that pass. */
export interface CachedColumn {
  /** As the request names it. */
  readonly name: string;
  readonly type: ScalarType;
  readonly values: Float64Array;
  /** Texts by index; null for other columns. */
  readonly words: readonly string[] | null;
}

/** The result of a screen, from which its pages are cut. */
export interface CachedResult {
  readonly tradeDate: string;
  /** Version of the columns that were screened. */
  readonly version: string;
  readonly universe: number;
  /** Of those, of which too little is known to pass or fail. */
  readonly unknown: number;
  /** Instants of the oldest and the newest screened row, epoch milliseconds; null without rows. */
  readonly oldestAsOf: number | null;
  readonly newestAsOf: number | null;
  /** Symbols of the columns, and the rows that pass, in order. */
  readonly symbols: readonly string[];
  readonly rows: Uint32Array;
  readonly columns: readonly CachedColumn[];
  /** JSON text of the near misses. */
  readonly nearMisses: string;
}

const BYTES_MAX = 64 * 1_048_576;
const AGE_MAX_MS = 10 * 60_000;
/** Memory of a result besides its columns. */
const OVERHEAD_BYTES = 4_096;
const SYMBOL_BYTES = 32;

export type ResultCache = LRUCache<string, CachedResult>;

/** An LRU cache of results, bounded in bytes and age, so that all pages of a screen come from one result. */
export const resultCache = (maxSize: number = BYTES_MAX, now: () => number = stopwatch): ResultCache =>
  new LRUCache({ maxSize, sizeCalculation: bytesOf, ttl: AGE_MAX_MS, ttlResolution: 0, perf: { now } });

function bytesOf({ rows, columns, symbols, nearMisses }: CachedResult): number {
  let bytes = OVERHEAD_BYTES + rows.byteLength + symbols.length * SYMBOL_BYTES + 2 * nearMisses.length;
  for (const { values, words } of columns) {
    bytes += values.byteLength;
    for (const word of words ?? []) bytes += SYMBOL_BYTES + word.length;
  }
  return bytes;
}

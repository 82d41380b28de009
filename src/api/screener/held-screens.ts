import type { ScalarType } from '../../derive/scalar-fields.ts';

/** A selected column of all stocks that pass, in their order. */
export interface HeldColumn {
  /** As the request calls it. */
  readonly name: string;
  readonly type: ScalarType;
  readonly values: Float64Array;
  /** Texts by their places; null where the column holds none. */
  readonly words: readonly string[] | null;
}

/** All that a screen came to, from which its pages are cut. */
export interface HeldScreen {
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
  readonly columns: readonly HeldColumn[];
  /** JSON text of the near misses. */
  readonly nearMisses: string;
}

const BYTES_MAX = 64 * 1_048_576;
/** Whoever leafs through pages asks for the next one sooner. */
const AGE_MAX_MS = 10 * 60_000;
/** What keeping a screen costs beside its columns: lists of symbols and texts are those of an image. */
const OVERHEAD_BYTES = 4_096;
const SYMBOL_BYTES = 32;

interface Entry {
  readonly screen: HeldScreen;
  readonly bytes: number;
  readonly madeAt: number;
}

/**
 * What screens came to, so that their pages belong together whatever is written meanwhile. Bounded in bytes and in time;
 * least recently used first out.
 */
export class HeldScreens {
  readonly #bytesMax: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(bytesMax: number = BYTES_MAX, now: () => number = () => performance.now()) {
    this.#bytesMax = bytesMax;
    this.#now = now;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): HeldScreen | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    this.#drop(key, entry);
    if (this.#now() - entry.madeAt >= AGE_MAX_MS) return null;
    this.#keep(key, entry);
    return entry.screen;
  }

  /** Keeps a screen; one that is larger than all that may be kept is not. */
  put(key: string, screen: HeldScreen): void {
    const former = this.#entries.get(key);
    if (former !== undefined) this.#drop(key, former);
    const bytes = bytesOf(screen);
    if (bytes > this.#bytesMax) return;
    this.#keep(key, { screen, bytes, madeAt: this.#now() });
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#drop(oldest, entry);
    }
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}

function bytesOf({ rows, columns, symbols, nearMisses }: HeldScreen): number {
  let bytes = OVERHEAD_BYTES + rows.byteLength + symbols.length * SYMBOL_BYTES + 2 * nearMisses.length;
  for (const { values, words } of columns) {
    bytes += values.byteLength;
    for (const word of words ?? []) bytes += SYMBOL_BYTES + word.length;
  }
  return bytes;
}

/** An answer as it goes over the wire. */
export interface Answer {
  readonly body: Buffer;
  readonly etag: string;
}

interface Entry extends Answer {
  readonly symbol: string;
  /** Epoch milliseconds after which the answer must be made anew. */
  readonly expires: number;
}

/** What an entry costs beside its body: key, headers, map slots. */
const ENTRY_OVERHEAD_BYTES = 512;

/**
 * Ready answers by request, bounded in bytes, least recently used first out. A hot answer is a Buffer that was
 * serialised once; a change of its symbol's tape or graph drops it.
 */
export class AnswerCache {
  readonly #bytesMax: number;
  readonly #entries = new Map<string, Entry>();
  readonly #keysOf = new Map<string, Set<string>>();
  #bytes = 0;
  /** Counts changes, so that an answer whose making began before a change is not kept after it. */
  #generation = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get generation(): number {
    return this.#generation;
  }

  get(key: string, now: number): Answer | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    if (entry.expires <= now) {
      this.#drop(key, entry);
      return null;
    }
    // Re-inserting moves the key to the young end of the map, which iterates in order of insertion.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  /** Keeps an answer unless something changed since `generation` was read. */
  put(key: string, symbol: string, answer: Answer, expires: number, generation: number): void {
    if (generation !== this.#generation) return;
    const earlier = this.#entries.get(key);
    if (earlier !== undefined) this.#drop(key, earlier);
    this.#entries.set(key, { ...answer, symbol, expires });
    this.#bytes += answer.body.length + ENTRY_OVERHEAD_BYTES;
    const keys = this.#keysOf.get(symbol);
    if (keys === undefined) this.#keysOf.set(symbol, new Set([key]));
    else keys.add(key);
    while (this.#bytes > this.#bytesMax) {
      const [oldestKey, oldest] = this.#entries.entries().next().value!;
      this.#drop(oldestKey, oldest);
    }
  }

  /** Forgets the answers about these symbols; null forgets all. */
  forget(symbols: readonly string[] | null): void {
    this.#generation++;
    if (symbols === null) {
      this.#entries.clear();
      this.#keysOf.clear();
      this.#bytes = 0;
      return;
    }
    for (const symbol of symbols) {
      for (const key of [...(this.#keysOf.get(symbol) ?? [])]) this.#drop(key, this.#entries.get(key)!);
    }
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= entry.body.length + ENTRY_OVERHEAD_BYTES;
    const keys = this.#keysOf.get(entry.symbol);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysOf.delete(entry.symbol);
  }
}

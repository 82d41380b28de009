import { hash } from 'node:crypto';
import { SharedWork } from '../../base/caller.ts';
import { CodedError } from '../../base/errors.ts';

/** An answer, ready to send: JSON, or the bytes of another format. */
export interface Answer {
  readonly body: Buffer;
  readonly etag: string;
  /** False if a later answer to the same question says more: no cache may store this one. */
  readonly isFinal?: boolean;
  /** Whether other bytes that say the same have this tag too. */
  readonly isWeak?: boolean;
}

/** An answer with a strong entity tag of its bytes. */
export function sealAnswer(content: string | Uint8Array, isFinal = true): Answer {
  const body =
    typeof content === 'string'
      ? Buffer.from(content)
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return { body, isFinal, etag: entityTag(body) };
}

export const entityTag = (content: string | Uint8Array): string => `"${hash('sha1', content, 'base64url')}"`;

export type Coding = 'br' | 'gzip';

interface Copies {
  holders: number;
  bytes: number;
  readonly byCoding: Map<Coding, Buffer>;
}

/** Whether an answer may change with the facts of some trade dates. */
export type DependsOn = (dates: readonly string[]) => boolean;

interface Entry extends Answer {
  readonly symbol: string;
  readonly dependsOn: DependsOn;
  /** Epoch milliseconds. */
  readonly expires: number;
  /** Value of the insertion counter when this entry last moved to the end of the map. */
  placedAt: number;
}

/** The symbol of answers that depend on every stock: any change drops them. */
export const WHOLE_MARKET = '*';

/** Memory of an entry besides its body: key, headers, map slots. */
const ENTRY_OVERHEAD_BYTES = 512;

/** A clock is set by less than this all the time. */
const CLOCK_SLACK_MS = 1_000;

/**
 * An LRU cache of serialised answers, bounded in bytes. A change of its symbol's tape or graph drops an answer, and a
 * clock that goes back drops all: they are of a future.
 */
export class AnswerCache {
  readonly #bytesMax: number;
  readonly #underWayMax: number;
  readonly #entries = new Map<string, Entry>();
  readonly #keysOf = new Map<string, Set<string>>();
  readonly #copies = new Map<Buffer, Copies>();
  #bytes = 0;
  #placed = 0;
  /** The newest instant at which an answer was asked for. */
  #newest = Number.NEGATIVE_INFINITY;
  /** Counts changes: an answer that was begun before a change of its symbol is not cached after it. */
  #generation = 0;
  /** The last change of each symbol, and of all symbols. */
  readonly #changed = new Map<string, number>();
  #allChanged = 0;
  readonly #underWay = new Map<string, { readonly generation: number; readonly work: SharedWork<Answer> }>();

  /**
   * @param bytesMax of cached answers and their copies
   * @param underWayMax answers that are made at a time
   */
  constructor(bytesMax: number, underWayMax: number = Number.POSITIVE_INFINITY) {
    this.#bytesMax = bytesMax;
    this.#underWayMax = underWayMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  get generation(): number {
    return this.#generation;
  }

  get(key: string, now: number): Answer | null {
    if (now > this.#newest) this.#newest = now;
    else if (now < this.#newest - CLOCK_SLACK_MS) {
      this.#newest = now;
      this.forget(null);
    }
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    if (entry.expires <= now) {
      this.#drop(key, entry);
      return null;
    }
    // Moves the key to the end of the map, which iterates in order of insertion, unless it is in the younger half.
    if (this.#placed - entry.placedAt > this.#entries.size / 2) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      entry.placedAt = this.#placed++;
    }
    return entry;
  }

  /**
   * Makes an answer, or shares one in progress for the same key that was begun after the last change of its symbol. What
   * all its callers have left is abandoned.
   *
   * @throws CodedError overloaded when too many answers are in progress
   */
  share(key: string, symbol: string, make: () => Promise<Answer>): Promise<Answer> {
    const earlier = this.#underWay.get(key);
    if (earlier?.work.isAbandoned === false && !this.#hasChanged(symbol, earlier.generation))
      return earlier.work.join();
    if (this.#underWay.size >= this.#underWayMax) return Promise.reject(new CodedError('overloaded'));
    const entry = {
      generation: this.#generation,
      work: new SharedWork(() =>
        make().finally(() => {
          if (this.#underWay.get(key) === entry) this.#underWay.delete(key);
        }),
      ),
    };
    this.#underWay.set(key, entry);
    return entry.work.join();
  }

  /** Caches an answer unless its symbol changed since `generation` was read. */
  put(
    key: string,
    symbol: string,
    answer: Answer,
    expires: number,
    generation: number,
    dependsOn: DependsOn = () => true,
  ): void {
    if (this.#hasChanged(symbol, generation)) return;
    const earlier = this.#entries.get(key);
    if (earlier !== undefined) this.#drop(key, earlier);
    this.#entries.set(key, { ...answer, symbol, dependsOn, expires, placedAt: this.#placed++ });
    this.#bytes += answer.body.length + ENTRY_OVERHEAD_BYTES;
    this.#copies.getOrInsertComputed(answer.body, () => ({ holders: 0, bytes: 0, byCoding: new Map() }))
      .holders++;
    const keys = this.#keysOf.get(symbol);
    if (keys === undefined) this.#keysOf.set(symbol, new Set([key]));
    else keys.add(key);
    this.#makeRoom();
  }

  copyOf(body: Buffer, coding: Coding): Buffer | undefined {
    return this.#copies.get(body)?.byCoding.get(coding);
  }

  /** Caches a compressed copy as long as its answer is cached. */
  keepCopy(body: Buffer, coding: Coding, copy: Buffer): void {
    const copies = this.#copies.get(body);
    if (copies === undefined || copies.byCoding.has(coding)) return;
    copies.byCoding.set(coding, copy);
    copies.bytes += copy.length;
    this.#bytes += copy.length;
    this.#makeRoom();
  }

  /**
   * Drops the answers about these symbols; null for all.
   *
   * @param dates only those that depend on the facts of these trade dates; null for all
   */
  forget(symbols: readonly string[] | null, dates: readonly string[] | null = null): void {
    this.#generation++;
    if (symbols === null && dates !== null) {
      this.#allChanged = this.#generation;
      this.#dropDated(this.#entries.keys(), dates);
      return;
    }
    if (symbols === null) {
      this.#allChanged = this.#generation;
      this.#changed.clear();
      this.#entries.clear();
      this.#keysOf.clear();
      this.#copies.clear();
      this.#bytes = 0;
      return;
    }
    for (const symbol of symbols) {
      this.#changed.set(symbol, this.#generation);
      this.#dropDated(this.#keysOf.get(symbol) ?? [], dates);
    }
  }

  #dropDated(keys: Iterable<string>, dates: readonly string[] | null): void {
    for (const key of [...keys]) {
      const entry = this.#entries.get(key)!;
      if (dates === null || entry.dependsOn(dates)) this.#drop(key, entry);
    }
  }

  #hasChanged(symbol: string, generation: number): boolean {
    return this.#allChanged > generation || (this.#changed.get(symbol) ?? 0) > generation;
  }

  #makeRoom(): void {
    while (this.#bytes > this.#bytesMax) {
      const [oldestKey, oldest] = this.#entries.entries().next().value!;
      this.#drop(oldestKey, oldest);
    }
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= entry.body.length + ENTRY_OVERHEAD_BYTES;
    const copies = this.#copies.get(entry.body)!;
    if (--copies.holders === 0) {
      this.#copies.delete(entry.body);
      this.#bytes -= copies.bytes;
    }
    const keys = this.#keysOf.get(entry.symbol);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysOf.delete(entry.symbol);
  }
}

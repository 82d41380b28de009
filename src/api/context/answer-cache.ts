import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { SharedWork } from '../../base/caller.ts';
import { CodedError } from '../../base/errors.ts';
import { Changes } from '../../base/kept-until.ts';

/** An answer, ready to send: JSON, or the bytes of another format. */
export interface Answer {
  readonly body: Buffer;
  readonly etag: string;
  /** False if a later answer to the same question says more: no cache may store this one. */
  readonly isFinal?: boolean;
  /** Whether other bytes that say the same have this tag too. */
  readonly isWeak?: boolean;
}

/**
 * An answer with a strong entity tag of its bytes.
 *
 * @param digest of the bytes, where a thread has worked it out already
 */
export function sealAnswer(content: string | Uint8Array, isFinal = true, digest?: string): Answer {
  const body =
    typeof content === 'string'
      ? Buffer.from(content)
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return { body, isFinal, etag: digest === undefined ? entityTag(body) : `"${digest}"` };
}

export const entityTag = (content: string | Uint8Array): string => `"${hash('sha1', content, 'base64url')}"`;

export type Coding = 'br' | 'gzip';

/** Whether an answer may change with the facts of some trade dates. */
export type DependsOn = (dates: readonly string[]) => boolean;

interface Entry {
  readonly answer: Answer;
  readonly symbol: string;
  readonly dependsOn: DependsOn;
  /** Epoch milliseconds. */
  readonly expires: number;
}

type Copies = ReadonlyMap<Coding, Buffer>;

/** The symbol of answers that depend on every stock: any change drops them. */
export const WHOLE_MARKET = '*';

/** Memory of an entry besides its body: key, headers, map slots. */
const ENTRY_OVERHEAD_BYTES = 512;

/** A clock is set by less than this all the time. */
const CLOCK_SLACK_MS = 1_000;

const isCopies = (kept: Entry | Copies): kept is Copies => kept instanceof Map;

/**
 * An LRU cache of serialised answers, bounded in bytes. A change of its symbol's tape or graph drops an answer, and a
 * clock that goes back drops all: they are of a future.
 */
export class AnswerCache {
  /** Answers by key, and beside them the compressed copies of a body. */
  readonly #kept: LRUCache<string | Buffer, Entry | Copies>;
  readonly #underWayMax: number;
  readonly #onBegun: () => void;
  #begun = 0;
  readonly #keysOf = new Map<string, Set<string>>();
  /** How many cached answers have a body. */
  readonly #holders = new Map<Buffer, number>();
  readonly #changes = new Changes();
  /** The newest instant at which an answer was asked for. */
  #newest = Number.NEGATIVE_INFINITY;
  readonly #underWay = new Map<
    string,
    { readonly isCurrent: () => boolean; readonly work: SharedWork<Answer> }
  >();

  /**
   * @param bytesMax of cached answers and their copies
   * @param underWayMax answers that are made at a time
   * @param onBegun called with each answer that is begun
   */
  constructor(
    bytesMax: number,
    underWayMax: number = Number.POSITIVE_INFINITY,
    onBegun: () => void = () => {},
  ) {
    this.#underWayMax = underWayMax;
    this.#onBegun = onBegun;
    this.#kept = new LRUCache({
      // Nothing fits one byte.
      maxSize: Math.max(1, bytesMax),
      sizeCalculation: (kept) =>
        isCopies(kept)
          ? kept.values().reduce((sum, { length }) => sum + length, 0)
          : kept.answer.body.length + ENTRY_OVERHEAD_BYTES,
      disposeAfter: (kept, key) => {
        if (!isCopies(kept)) this.#release(key as string, kept);
      },
    });
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  /** How many answers have been begun. */
  get begun(): number {
    return this.#begun;
  }

  /** Before an answer about a symbol is begun: tells whether it may be cached. */
  keptUntil(symbol: string): () => boolean {
    return this.#changes.keptUntil(symbol);
  }

  get(key: string, now: number): Answer | null {
    if (now > this.#newest) this.#newest = now;
    else if (now < this.#newest - CLOCK_SLACK_MS) {
      this.#newest = now;
      this.forget(null);
    }
    const entry = this.#kept.get(key) as Entry | undefined;
    if (entry === undefined) return null;
    if (entry.expires > now) return entry.answer;
    this.#kept.delete(key);
    return null;
  }

  /**
   * Makes an answer, or shares one in progress for the same key that was begun after the last change of its symbol. What
   * all its callers have left is abandoned.
   *
   * @throws CodedError overloaded when too many answers are in progress
   */
  share(key: string, symbol: string, make: () => Promise<Answer>): Promise<Answer> {
    const earlier = this.#underWay.get(key);
    if (earlier?.work.isAbandoned === false && earlier.isCurrent()) return earlier.work.join();
    if (this.#underWay.size >= this.#underWayMax) return Promise.reject(new CodedError('overloaded'));
    const entry = {
      isCurrent: this.keptUntil(symbol),
      work: new SharedWork(() =>
        make().finally(() => {
          if (this.#underWay.get(key) === entry) this.#underWay.delete(key);
        }),
      ),
    };
    this.#begun++;
    this.#onBegun();
    this.#underWay.set(key, entry);
    return entry.work.join();
  }

  /** Caches an answer that is still current: see `keptUntil`. */
  put(
    key: string,
    symbol: string,
    answer: Answer,
    expires: number,
    isCurrent: () => boolean,
    dependsOn: DependsOn = () => true,
  ): void {
    if (!isCurrent()) return;
    const { body } = answer;
    this.#holders.set(body, (this.#holders.get(body) ?? 0) + 1);
    this.#keysOf.getOrInsertComputed(symbol, () => new Set()).add(key);
    const entry = { answer, symbol, dependsOn, expires };
    this.#kept.set(key, entry);
    if (!this.#kept.has(key)) this.#release(key, entry);
  }

  copyOf(body: Buffer, coding: Coding): Buffer | undefined {
    return (this.#kept.get(body) as Copies | undefined)?.get(coding);
  }

  /** Caches a compressed copy as long as its answer is cached. */
  keepCopy(body: Buffer, coding: Coding, copy: Buffer): void {
    const copies = this.#kept.get(body) as Copies | undefined;
    if (!this.#holders.has(body) || copies?.has(coding)) return;
    this.#kept.set(body, new Map([...(copies ?? []), [coding, copy]]));
  }

  /**
   * Drops the answers about these symbols; null for all.
   *
   * @param dates only those that depend on the facts of these trade dates; null for all
   */
  forget(symbols: readonly string[] | null, dates: readonly string[] | null = null): void {
    this.#changes.note(symbols);
    for (const symbol of symbols ?? [...this.#keysOf.keys()]) {
      for (const key of [...(this.#keysOf.get(symbol) ?? [])]) {
        const { dependsOn } = this.#kept.peek(key) as Entry;
        if (dates === null || dependsOn(dates)) this.#kept.delete(key);
      }
    }
  }

  /** Lets go of what an answer shared with others, or left with them under its key. */
  #release(key: string, { answer: { body }, symbol }: Entry): void {
    const holders = this.#holders.get(body)! - 1;
    if (holders > 0) this.#holders.set(body, holders);
    else {
      this.#holders.delete(body);
      this.#kept.delete(body);
    }
    if (this.#kept.has(key)) return;
    const keys = this.#keysOf.get(symbol);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysOf.delete(symbol);
  }
}

import { CodedError, type ErrorCode, isCoded } from '../../base/errors.ts';
import { realTimers, stopwatch } from '../../base/timers.ts';

/** A segment file in a bucket is read in blocks of this many bytes; its last one is shorter. */
export const BLOCK_BYTES = 1_048_576;

/** A block: the name of its file and its number there. */
export type FileBlock = readonly [file: string, number: number];

/** What a reading thread asks of the block thread. */
export interface BlockQuestion {
  readonly blocks: readonly FileBlock[];
  /** `disk`: have them all on disk. `origin`: fetch them again. `bytes`: answer with the bytes of the one block. */
  readonly want: 'disk' | 'origin' | 'bytes';
  /** Time for which a bucket that fails is asked again, milliseconds. */
  readonly patienceMs: number;
}

/** Blocks of one question; more are asked one after another. */
export const BLOCKS_MAX = 1_000;

/** Questions at a time; another one waits. */
const SLOTS = 128;
/** Beyond the patience: an attempt that has begun, and a place among the requests under way. */
const GRACE_MS = 30_000;
/** An answer that is not taken for so long is dropped: its thread was ended. One that is only slow asks again. */
const UNTAKEN_MS = 5_000;
/** A slot whose thread was ended before it asked is free again after this long. */
const UNASKED_MS = 60_000;
/** A thread that waits for a free slot looks again after this long. */
const LOOK_AGAIN_MS = 1_000;

/** The phases of a slot. Its state is a phase, and above it a ticket that differs for each question. */
const FREE = 0;
const CLAIMED = 1;
const ASKED = 2;
const ANSWERED = 3;
const REFUSED = 4;
const TICKET = 8;
const phaseOf = (state: number): number => state & (TICKET - 1);
const inPhase = (state: number, phase: number): number => state - phaseOf(state) + phase;

const COUNTS = [
  // Blocks that a read found in the cache, and those that it did not.
  'hits',
  'misses',
  'fetchedBytes',
  'evictions',
  // Blocks that the disk did not take, because it is full or not writable.
  'unwritten',
  // On disk, of all processes that share the directory, as last counted.
  'bytes',
] as const;
type CountName = (typeof COUNTS)[number];

/** Figures of the local cache of a tape in a bucket, since the start of the process. */
export type CacheCounts = Readonly<Record<CountName, number>>;

/** Places in the shared memory: bells and tickets; of each slot state and length; figures; what is asked and answered. */
const ASKED_BELL = 0;
const FREED_BELL = 1;
const TICKETS = 2;
const stateOf = (slot: number): number => 3 + 2 * slot;
const lengthOf = (slot: number): number => 4 + 2 * slot;
const WORDS = 3 + 2 * SLOTS;
const COUNTS_OFFSET = 2_048;
const TEXTS_OFFSET = 4_096;
const MEMORY_BYTES = TEXTS_OFFSET + SLOTS * BLOCK_BYTES;

interface Claim {
  readonly slot: number;
  readonly state: number;
}

/**
 * Memory that the threads of a process share to ask one thread for blocks. A thread that computes waits for the answer
 * without returning to its event loop; the event loop of the service waits with a promise. Threads may be ended while
 * they wait. Untouched pages of the memory cost nothing.
 */
export class BlockBoard {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #counts: BigInt64Array<SharedArrayBuffer>;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(MEMORY_BYTES)) {
    this.memory = memory;
    this.#words = new Int32Array(memory, 0, WORDS);
    this.#counts = new BigInt64Array(memory, COUNTS_OFFSET, COUNTS.length);
  }

  count(name: CountName, by: number): void {
    Atomics.add(this.#counts, COUNTS.indexOf(name), BigInt(by));
  }

  counts(): CacheCounts {
    const entries = COUNTS.map((name, index) => [name, Number(Atomics.load(this.#counts, index))]);
    return Object.fromEntries(entries) as CacheCounts;
  }

  /**
   * Asks and waits for the answer.
   *
   * @returns the block of `bytes`, else nothing
   * @throws CodedError tape_unavailable, tape_damaged
   */
  ask(question: BlockQuestion): Uint8Array {
    for (;;) {
      const bell = Atomics.load(this.#words, FREED_BELL);
      const claim = this.#claim();
      if (claim === null) {
        Atomics.wait(this.#words, FREED_BELL, bell, LOOK_AGAIN_MS);
        continue;
      }
      const asked = this.#post(claim, question);
      Atomics.wait(this.#words, stateOf(claim.slot), asked, question.patienceMs + GRACE_MS);
      const answer = this.#take(claim);
      if (answer !== null) return answer;
    }
  }

  /** As `ask`, while the event loop goes on. */
  async askAsync(question: BlockQuestion): Promise<Uint8Array> {
    for (;;) {
      const bell = Atomics.load(this.#words, FREED_BELL);
      const claim = this.#claim();
      if (claim === null) {
        await Atomics.waitAsync(this.#words, FREED_BELL, bell, LOOK_AGAIN_MS).value;
        continue;
      }
      const asked = this.#post(claim, question);
      await Atomics.waitAsync(this.#words, stateOf(claim.slot), asked, question.patienceMs + GRACE_MS).value;
      const answer = this.#take(claim);
      if (answer !== null) return answer;
    }
  }

  /** For the block thread: answers every question, without end. */
  async serve(answer: (question: BlockQuestion) => Promise<Uint8Array | null>): Promise<never> {
    const underWay = new Set<number>();
    const seen = new Map<number, { readonly state: number; readonly since: number }>();
    realTimers.every(UNTAKEN_MS / 2, () => this.#freeAbandoned(seen), true);
    for (;;) {
      const rung = Atomics.load(this.#words, ASKED_BELL);
      for (let slot = 0; slot < SLOTS; slot++) {
        const state = Atomics.load(this.#words, stateOf(slot));
        if (phaseOf(state) !== ASKED || underWay.has(state)) continue;
        underWay.add(state);
        answer(this.#questionIn(slot))
          .then(
            (bytes) => this.#answer({ slot, state }, ANSWERED, bytes ?? NOTHING),
            (error) => this.#answer({ slot, state }, REFUSED, refusalText(error)),
          )
          .finally(() => underWay.delete(state));
      }
      await Atomics.waitAsync(this.#words, ASKED_BELL, rung).value;
    }
  }

  #claim(): Claim | null {
    for (let slot = 0; slot < SLOTS; slot++) {
      if (Atomics.load(this.#words, stateOf(slot)) !== FREE) continue;
      const state = ((Atomics.add(this.#words, TICKETS, 1) * TICKET) | 0) + CLAIMED;
      if (Atomics.compareExchange(this.#words, stateOf(slot), FREE, state) === FREE) return { slot, state };
    }
    return null;
  }

  /** Returns the state of the slot until it is answered. */
  #post({ slot, state }: Claim, question: BlockQuestion): number {
    this.#write(slot, Buffer.from(JSON.stringify(question)));
    const asked = inPhase(state, ASKED);
    Atomics.store(this.#words, stateOf(slot), asked);
    this.#ring(ASKED_BELL);
    return asked;
  }

  #questionIn(slot: number): BlockQuestion {
    return JSON.parse(Buffer.from(this.#read(slot)).toString());
  }

  #answer({ slot, state }: Claim, phase: number, bytes: Uint8Array): void {
    this.#write(slot, bytes);
    Atomics.store(this.#words, stateOf(slot), inPhase(state, phase));
    Atomics.notify(this.#words, stateOf(slot));
  }

  /** The answer; null where it was dropped before this thread came to take it. */
  #take({ slot, state }: Claim): Uint8Array | null {
    const now = Atomics.load(this.#words, stateOf(slot));
    // The block thread hangs. The slot is not freed, since an answer may still be written to it.
    if (now === inPhase(state, ASKED)) {
      throw new CodedError('tape_unavailable', 'The bucket of the tape was not read in time');
    }
    if (now !== inPhase(state, ANSWERED) && now !== inPhase(state, REFUSED)) return null;
    const bytes = this.#read(slot);
    if (Atomics.compareExchange(this.#words, stateOf(slot), now, FREE) !== now) return null;
    this.#ring(FREED_BELL);
    if (phaseOf(now) === ANSWERED) return bytes;
    const { code, message }: Refusal = JSON.parse(Buffer.from(bytes).toString());
    throw code === null ? new Error(message) : new CodedError(code, message);
  }

  /** @param seen of each slot the state in which it was found, and since when */
  #freeAbandoned(seen: Map<number, { readonly state: number; readonly since: number }>): void {
    const now = stopwatch();
    for (let slot = 0; slot < SLOTS; slot++) {
      const state = Atomics.load(this.#words, stateOf(slot));
      const earlier = seen.get(slot);
      if (earlier?.state !== state) seen.set(slot, { state, since: now });
      const phase = phaseOf(state);
      if (earlier?.state !== state || phase === FREE || phase === ASKED) continue;
      if (now - earlier.since < (phase === CLAIMED ? UNASKED_MS : UNTAKEN_MS)) continue;
      if (Atomics.compareExchange(this.#words, stateOf(slot), state, FREE) === state) this.#ring(FREED_BELL);
    }
  }

  #ring(bell: number): void {
    Atomics.add(this.#words, bell, 1);
    Atomics.notify(this.#words, bell);
  }

  #write(slot: number, bytes: Uint8Array): void {
    new Uint8Array(this.memory, TEXTS_OFFSET + slot * BLOCK_BYTES, bytes.length).set(bytes);
    this.#words[lengthOf(slot)] = bytes.length;
  }

  #read(slot: number): Uint8Array {
    return new Uint8Array(
      this.memory,
      TEXTS_OFFSET + slot * BLOCK_BYTES,
      this.#words[lengthOf(slot)],
    ).slice();
  }
}

const NOTHING = new Uint8Array(0);

interface Refusal {
  readonly code: ErrorCode | null;
  readonly message: string;
}

/** Errors lose their class between threads. */
function refusalText(error: unknown): Uint8Array {
  const refusal: Refusal = isCoded(error)
    ? { code: error.code, message: error.message }
    : { code: null, message: (error as Error).stack ?? String(error) };
  return Buffer.from(JSON.stringify(refusal));
}

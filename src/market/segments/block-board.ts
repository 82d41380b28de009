import { CodedError, type ErrorCode, isCoded } from '../../base/errors.ts';

/** A segment file in a bucket is read in blocks of this many bytes; its last one is shorter. */
export const BLOCK_BYTES = 1_048_576;

/** A block: the name of its file and its number there. */
export type Block = readonly [file: string, number: number];

/** What a reading thread asks of the block thread. */
export interface BlockQuestion {
  readonly blocks: readonly Block[];
  /** `disk`: have them all on disk. `origin`: fetch them again. `bytes`: answer with the bytes of the one block. */
  readonly want: 'disk' | 'origin' | 'bytes';
  /** Time for which a bucket that fails is asked again, milliseconds. */
  readonly patienceMs: number;
}

/** Blocks of one question; more are asked one after another. */
export const BLOCKS_MAX = 1_000;

/** Questions at a time; another one waits. */
const SLOTS = 32;
/** Beyond the patience: an attempt that has begun, and a place among the requests under way. */
const GRACE_MS = 30_000;
/** A slot whose thread has ended in between is free again after this long. */
const ABANDONED_MS = 60_000;

/** A thread that waits for a free slot looks again after this long. */
const LOOK_AGAIN_MS = 1_000;

const FREE = 0;
const CLAIMED = 1;
const ASKED = 2;
const ANSWERED = 3;
const REFUSED = 4;

const COUNTS = ['hits', 'misses', 'fetchedBytes', 'evictions', 'unwritten', 'bytes'] as const;
type CountName = (typeof COUNTS)[number];

/** Places in the shared memory: two bells and, of each slot, state and length; figures; what is asked and answered. */
const ASKED_BELL = 0;
const FREED_BELL = 1;
const stateOf = (slot: number): number => 2 + 2 * slot;
const lengthOf = (slot: number): number => 3 + 2 * slot;
const COUNTS_OFFSET = 1_024;
const TEXTS_OFFSET = 4_096;
const MEMORY_BYTES = TEXTS_OFFSET + SLOTS * BLOCK_BYTES;

/**
 * Memory that the threads of a process share to ask one thread for blocks. A thread that computes waits for the answer
 * without returning to its event loop; the event loop of the service waits with a promise. Untouched pages of it cost
 * nothing.
 */
export class BlockBoard {
  readonly memory: SharedArrayBuffer;
  readonly #state: Int32Array<SharedArrayBuffer>;
  readonly #counts: BigInt64Array<SharedArrayBuffer>;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(MEMORY_BYTES)) {
    this.memory = memory;
    this.#state = new Int32Array(memory, 0, 2 + 2 * SLOTS);
    this.#counts = new BigInt64Array(memory, COUNTS_OFFSET, COUNTS.length);
  }

  count(name: CountName, by: number): void {
    Atomics.add(this.#counts, COUNTS.indexOf(name), BigInt(by));
  }

  counts(): Record<CountName, number> {
    const entries = COUNTS.map((name, index) => [name, Number(Atomics.load(this.#counts, index))]);
    return Object.fromEntries(entries) as Record<CountName, number>;
  }

  /**
   * Asks and waits for the answer.
   *
   * @returns the block of `bytes`, else nothing
   * @throws CodedError tape_unavailable, tape_damaged
   */
  ask(question: BlockQuestion): Uint8Array {
    let slot = this.#claim();
    while (slot === null) {
      Atomics.wait(this.#state, FREED_BELL, Atomics.load(this.#state, FREED_BELL), LOOK_AGAIN_MS);
      slot = this.#claim();
    }
    this.#post(slot, question);
    Atomics.wait(this.#state, stateOf(slot), ASKED, question.patienceMs + GRACE_MS);
    return this.#take(slot);
  }

  /** As `ask`, while the event loop goes on. */
  async askAsync(question: BlockQuestion): Promise<Uint8Array> {
    let slot = this.#claim();
    while (slot === null) {
      await Atomics.waitAsync(this.#state, FREED_BELL, Atomics.load(this.#state, FREED_BELL), LOOK_AGAIN_MS)
        .value;
      slot = this.#claim();
    }
    this.#post(slot, question);
    await Atomics.waitAsync(this.#state, stateOf(slot), ASKED, question.patienceMs + GRACE_MS).value;
    return this.#take(slot);
  }

  /** For the block thread: answers every question, without end. */
  async serve(answer: (question: BlockQuestion) => Promise<Uint8Array | null>): Promise<never> {
    const underWay = new Set<number>();
    const left = new Map<number, number>();
    setInterval(() => this.#freeAbandoned(left), ABANDONED_MS / 2);
    for (;;) {
      const rung = Atomics.load(this.#state, ASKED_BELL);
      for (let slot = 0; slot < SLOTS; slot++) {
        if (Atomics.load(this.#state, stateOf(slot)) !== ASKED || underWay.has(slot)) continue;
        underWay.add(slot);
        answer(this.#questionIn(slot))
          .then(
            (bytes) => this.#answer(slot, ANSWERED, bytes ?? NOTHING),
            (error) => this.#answer(slot, REFUSED, refusalText(error)),
          )
          .finally(() => underWay.delete(slot));
      }
      await Atomics.waitAsync(this.#state, ASKED_BELL, rung).value;
    }
  }

  #claim(): number | null {
    for (let slot = 0; slot < SLOTS; slot++) {
      if (Atomics.compareExchange(this.#state, stateOf(slot), FREE, CLAIMED) === FREE) return slot;
    }
    return null;
  }

  #post(slot: number, question: BlockQuestion): void {
    this.#write(slot, Buffer.from(JSON.stringify(question)));
    Atomics.store(this.#state, stateOf(slot), ASKED);
    this.#ring(ASKED_BELL);
  }

  #questionIn(slot: number): BlockQuestion {
    return JSON.parse(Buffer.from(this.#read(slot)).toString());
  }

  #answer(slot: number, state: number, bytes: Uint8Array): void {
    this.#write(slot, bytes);
    Atomics.store(this.#state, stateOf(slot), state);
    Atomics.notify(this.#state, stateOf(slot));
  }

  #take(slot: number): Uint8Array {
    const state = Atomics.load(this.#state, stateOf(slot));
    // The thread has ended or hangs. The slot is not freed here, since an answer may still be written to it.
    if (state === ASKED)
      throw new CodedError('tape_unavailable', 'The bucket of the tape was not read in time');
    const bytes = this.#read(slot);
    Atomics.store(this.#state, stateOf(slot), FREE);
    this.#ring(FREED_BELL);
    if (state === ANSWERED) return bytes;
    const { code, message }: Refusal = JSON.parse(Buffer.from(bytes).toString());
    throw code === null ? new Error(message) : new CodedError(code, message);
  }

  #freeAbandoned(left: Map<number, number>): void {
    const now = performance.now();
    for (let slot = 0; slot < SLOTS; slot++) {
      const state = Atomics.load(this.#state, stateOf(slot));
      if (state === FREE || state === ASKED) left.delete(slot);
      else if (now - left.getOrInsert(slot, now) > ABANDONED_MS) {
        Atomics.store(this.#state, stateOf(slot), FREE);
        left.delete(slot);
        this.#ring(FREED_BELL);
      }
    }
  }

  #ring(bell: number): void {
    Atomics.add(this.#state, bell, 1);
    Atomics.notify(this.#state, bell);
  }

  #write(slot: number, bytes: Uint8Array): void {
    new Uint8Array(this.memory, TEXTS_OFFSET + slot * BLOCK_BYTES, bytes.length).set(bytes);
    this.#state[lengthOf(slot)] = bytes.length;
  }

  #read(slot: number): Uint8Array {
    return new Uint8Array(
      this.memory,
      TEXTS_OFFSET + slot * BLOCK_BYTES,
      this.#state[lengthOf(slot)],
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

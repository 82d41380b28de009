/**
 * The one door to the machine's time. Everything that waits, repeats or expires gets `Timers` as an argument, so that a
 * test can step through an hour; nothing else in `src` calls the runtime's own timers and clocks.
 */
export interface Timers {
  /** The time of day, epoch milliseconds. */
  now(): number;
  /** Milliseconds from an unnamed instant on; never runs back. */
  monotonic(): number;
  /**
   * Calls back once.
   *
   * @param keepsAlive whether the process waits for it; true unless set
   * @returns the function that calls it off
   */
  after(delayMs: number, callback: () => void, keepsAlive?: boolean): () => void;
  /**
   * Calls back again and again.
   *
   * @param keepsAlive whether the process goes on for it; false unless set
   * @returns the function that ends it
   */
  every(intervalMs: number, callback: () => void, keepsAlive?: boolean): () => void;
}

/** The machine's. */
export const realTimers: Timers = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback, keepsAlive = true) {
    const timer = setTimeout(callback, delayMs);
    if (!keepsAlive) timer.unref();
    return () => clearTimeout(timer);
  },
  every(intervalMs, callback, keepsAlive = false) {
    const timer = setInterval(callback, intervalMs);
    if (!keepsAlive) timer.unref();
    return () => clearInterval(timer);
  },
};

/** Milliseconds of the machine's stopwatch, to measure how long something took. */
export const stopwatch = (): number => performance.now();

/** Waits for some time or until the signal aborts. */
export function rest(
  timers: Timers,
  ms: number,
  { signal, keepsAlive }: { readonly signal?: AbortSignal; readonly keepsAlive?: boolean } = {},
): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    callOff();
    signal?.removeEventListener('abort', end);
    resolve();
  };
  const callOff = timers.after(ms, end, keepsAlive);
  signal?.addEventListener('abort', end, { once: true });
  return promise;
}

/** Settles with a promise, or resolves with null once the time is up. */
export function atMost<T>(timers: Timers, ms: number, promise: Promise<T>): Promise<T | null> {
  const ended = new AbortController();
  const timeUp = rest(timers, ms, ended).then(() => null);
  return Promise.race([promise, timeUp]).finally(() => ended.abort());
}

/** Resolves in a later turn of the event loop, after what has arrived meanwhile. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Loads parts of the program one by one; what has arrived meanwhile is answered between them. */
export async function loadInTurns(...parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const load of parts) {
    await nextTurn();
    await load();
  }
}

interface Waiting {
  at: number;
  /** Null for one that is called once. */
  readonly intervalMs: number | null;
  readonly callback: () => void;
}

/** Time that passes only when a test advances it. */
export class SteppedTimers implements Timers {
  #now: number;
  readonly #started: number;
  readonly #beatMs: number;
  readonly #waiting = new Set<Waiting>();

  /**
   * @param from epoch milliseconds
   * @param beatMs what repeats more often repeats at this interval, as on a busy machine: the steps of a long time are
   *   few then
   */
  constructor(from = 0, beatMs = 0) {
    this.#now = from;
    this.#started = from;
    this.#beatMs = beatMs;
  }

  readonly now = (): number => this.#now;

  readonly monotonic = (): number => this.#now - this.#started;

  readonly after = (delayMs: number, callback: () => void): (() => void) =>
    this.#add({ at: this.#now + Math.max(0, delayMs), intervalMs: null, callback });

  readonly every = (asked: number, callback: () => void): (() => void) => {
    const intervalMs = Math.max(asked, this.#beatMs);
    return this.#add({ at: this.#now + intervalMs, intervalMs, callback });
  };

  /**
   * Calls what is due within the next `ms`, in the order of its times.
   *
   * @param settled awaited before the first and after each callback, so that what one has begun ends before the next
   */
  async advance(ms: number, settled: () => Promise<unknown> = nextTurn): Promise<void> {
    const until = this.#now + ms;
    await settled();
    for (let next = this.#next(until); next !== null; next = this.#next(until)) {
      this.#now = next.at;
      this.#waiting.delete(next);
      if (next.intervalMs !== null) {
        next.at += next.intervalMs;
        this.#waiting.add(next);
      }
      next.callback();
      await settled();
    }
    this.#now = until;
  }

  #add(waiting: Waiting): () => void {
    this.#waiting.add(waiting);
    return () => void this.#waiting.delete(waiting);
  }

  /** The earliest that is due by an instant; of several at one instant the one that was added first. */
  #next(until: number): Waiting | null {
    let next: Waiting | null = null;
    for (const one of this.#waiting) if (one.at <= until && (next === null || one.at < next.at)) next = one;
    return next;
  }
}

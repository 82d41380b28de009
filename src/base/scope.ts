import { forCaller } from './caller.ts';
import { CodedError } from './errors.ts';
import { late } from './lateness.ts';
import { nextTurn, realTimers, type Timers } from './timers.ts';

/** A run of a scope, as its work sees it. */
export interface Task {
  /** Aborts when the scope closes. */
  readonly signal: AbortSignal;
  /** Awaits what only time or another process can bring. The scope counts as idle meanwhile. */
  waits<T>(promise: Promise<T>): Promise<T>;
}

/** What all scopes below one root share. */
class Tally {
  /** Tasks so far. */
  started = 0;
  /** Tasks that neither have ended nor wait. */
  #busy = 0;
  #quiet = Promise.withResolvers<void>();

  enter(): void {
    this.#busy++;
  }

  leave(): void {
    if (--this.#busy > 0) return;
    this.#quiet.resolve();
    this.#quiet = Promise.withResolvers();
  }

  /** Resolves once no task is busy, and what ended last has started none. */
  async quiet(): Promise<void> {
    for (;;) {
      while (this.#busy > 0) await this.#quiet.promise;
      const { started } = this;
      await nextTurn();
      if (this.#busy === 0 && this.started === started) return;
    }
  }
}

/** Work that goes on at a shutdown for this long is a defect. */
const CLOSE_DEADLINE_MS = 10_000;

/**
 * Owns the background work of a process or of a part of it: whatever outlives its caller is a named run of a scope, can be
 * awaited, and ends with the scope. Scopes nest.
 */
export class Scope {
  readonly name: string;
  readonly timers: Timers;
  readonly #parent: Scope | null;
  readonly #tally: Tally;
  readonly #closing = new AbortController();
  readonly #tasks = new Map<Promise<unknown>, string>();
  /** Each calls off what is due later. */
  readonly #timers = new Set<() => void>();
  readonly #children = new Set<Scope>();
  #closed: Promise<void> | null = null;

  constructor(name: string, timers: Timers = realTimers, parent: Scope | null = null) {
    this.name = name;
    this.timers = timers;
    this.#parent = parent;
    this.#tally = parent === null ? new Tally() : parent.#tally;
    if (parent !== null) {
      parent.#children.add(this);
      if (parent.signal.aborted) this.#abort();
    }
  }

  /** Aborts when the scope closes. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Tasks so far, of this scope and all its relatives. */
  get started(): number {
    return this.#tally.started;
  }

  /** A part that may close before the whole does. */
  child(name: string): Scope {
    return new Scope(name, this.timers, this);
  }

  /**
   * Starts work that may outlive its caller. Whoever does not await the result handles its failure.
   *
   * @throws what the work throws; CodedError shutting_down once the scope closes
   */
  run<T>(name: string, work: (task: Task) => Promise<T>): Promise<T> {
    if (this.signal.aborted) return Promise.reject(this.signal.reason);
    const tally = this.#tally;
    tally.started++;
    tally.enter();
    const task: Task = {
      signal: this.signal,
      async waits(promise) {
        tally.leave();
        try {
          return await promise;
        } finally {
          tally.enter();
        }
      },
    };
    const wait = late(`task ${name}`);
    const begin = (): Promise<T> => forCaller(undefined, () => work(task));
    const running = wait === null ? begin() : wait.then(begin);
    const end = (): void => {
      this.#tasks.delete(ended);
      tally.leave();
    };
    const ended = running.then(end, end);
    this.#tasks.set(ended, name);
    return running;
  }

  /**
   * Runs work after a while, unless the scope closes before.
   *
   * @returns the function that calls it off
   */
  after(delayMs: number, name: string, work: (task: Task) => Promise<void>): () => void {
    const begin = (): void => {
      this.#timers.delete(callOff);
      void this.run(name, work);
    };
    const callOff = this.timers.after(delayMs, begin, false);
    return this.#untilClosed(callOff);
  }

  /**
   * Runs work at intervals until the scope closes; a beat is left out while the last one goes on.
   *
   * @returns the function that ends it
   */
  every(intervalMs: number, name: string, work: (task: Task) => Promise<void>): () => void {
    let isRunning = false;
    const beat = (): void => {
      if (isRunning) return;
      isRunning = true;
      void this.run(name, work).finally(() => {
        isRunning = false;
      });
    };
    return this.#untilClosed(this.timers.every(intervalMs, beat));
  }

  #untilClosed(callOff: () => void): () => void {
    if (this.signal.aborted) callOff();
    else this.#timers.add(callOff);
    return () => {
      this.#timers.delete(callOff);
      callOff();
    };
  }

  /** The names of what runs, those of children after the name of their scope. */
  running(): string[] {
    const below = Array.from(this.#children, (child) =>
      child.running().map((name) => `${child.name}: ${name}`),
    );
    return [...this.#tasks.values(), ...below.flat()].sort();
  }

  /** Resolves once no task is busy, of this scope and all its relatives: each has ended, or waits for time or others. */
  idle(): Promise<void> {
    return this.#tally.quiet();
  }

  /**
   * Aborts everything, and waits until it has ended.
   *
   * @throws Error that names what goes on after the deadline
   */
  close(deadlineMs: number = CLOSE_DEADLINE_MS): Promise<void> {
    this.#closed ??= this.#close(deadlineMs);
    return this.#closed;
  }

  async #close(deadlineMs: number): Promise<void> {
    this.#abort();
    const deadline = Promise.withResolvers<'late'>();
    // The machine's time: nobody steps through a shutdown.
    const callOff = realTimers.after(deadlineMs, () => deadline.resolve('late'));
    const outcome = await Promise.race([this.#ended(), deadline.promise]);
    callOff();
    if (this.#parent !== null) this.#parent.#children.delete(this);
    if (outcome === 'late')
      throw new Error(
        `${this.name}: still running ${deadlineMs / 1000} s after the end: ${this.running().join(', ')}`,
      );
  }

  #abort(): void {
    this.#closing.abort(new CodedError('shutting_down'));
    for (const callOff of this.#timers) callOff();
    for (const child of this.#children) child.#abort();
  }

  /** Tasks may start others of a child until they end. */
  async #ended(): Promise<void> {
    while (this.#tasks.size > 0 || this.#children.size > 0) {
      await Promise.all(this.#tasks.keys());
      for (const child of [...this.#children]) {
        await child.#ended();
        this.#children.delete(child);
      }
    }
  }
}

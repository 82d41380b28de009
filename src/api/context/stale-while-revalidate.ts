import type { Scope } from '../../base/scope.ts';
import { rest } from '../../base/timers.ts';

/** Interval between updates: a pass announces changes many times a second. */
const UPDATE_INTERVAL_MS_MIN = 250;
/** A caller waits this long for an update before it gets the former value. */
const UPDATE_WAIT_MS = 15;
/** A value that is older than this is not returned. */
const STALE_MAX_MS = 5_000;

/** A cached value made from the store, updated on the first read after a change. Concurrent readers share an update. */
export class StaleWhileRevalidate<T> {
  readonly #scope: Scope;
  readonly #name: string;
  readonly #make: (former: T | null) => Promise<T>;
  #value: { readonly of: T; readonly madeAt: number } | null = null;
  #making: Promise<T> | null = null;
  /** When the oldest change was announced that the value lacks, and the oldest since the update began. */
  #changedAt: number | null = null;
  #changedMeanwhile: number | null = null;

  /**
   * @param name of an update among the tasks of the scope
   * @param make gets the former value, null the first time
   */
  constructor(scope: Scope, name: string, make: (former: T | null) => Promise<T>) {
    this.#scope = scope;
    this.#name = name;
    this.#make = make;
  }

  get last(): T | null {
    return this.#value?.of ?? null;
  }

  change(): void {
    const now = this.#scope.timers.monotonic();
    if (this.#making !== null) this.#changedMeanwhile ??= now;
    this.#changedAt ??= now;
  }

  async get(): Promise<T> {
    if (this.#value === null) return this.#update();
    if (this.#changedAt === null) return this.#value.of;
    const { timers } = this.#scope;
    const now = timers.monotonic();
    if (now - this.#changedAt >= STALE_MAX_MS) return this.#update();
    if (this.#making !== null || now - this.#value.madeAt >= UPDATE_INTERVAL_MS_MIN) {
      // After a failed update the former value stays until it is too old.
      const updated = this.#update().catch(() => null);
      await Promise.race([updated, rest(timers, UPDATE_WAIT_MS)]);
    }
    return this.#value.of;
  }

  #update(): Promise<T> {
    this.#making ??= this.#scope
      .run(this.#name, () => this.#makeNew())
      .finally(() => {
        this.#making = null;
      });
    return this.#making;
  }

  async #makeNew(): Promise<T> {
    this.#changedMeanwhile = null;
    const value = await this.#make(this.last);
    this.#value = { of: value, madeAt: this.#scope.timers.monotonic() };
    this.#changedAt = this.#changedMeanwhile;
    return value;
  }
}

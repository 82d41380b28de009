import { setTimeout as delay } from 'node:timers/promises';

/** Remakes of one thing begin this far apart at least: a pass announces changes many times a second. */
const PAUSE_MS = 250;
/** Who asks waits this long for a remake; one that takes longer goes on, and the former value is answered meanwhile. */
const PATIENCE_MS = 15;
/** A change announced longer ago than this is waited for. */
const BEHIND_MAX_MS = 5_000;

/**
 * Something made of what is stored, kept, and brought up to date when it is asked for after a change. Whoever asks while
 * it is being made shares the making.
 */
export class StaleWhileRevalidate<T> {
  readonly #make: (former: T | null) => Promise<T>;
  #value: { readonly of: T; readonly madeAt: number } | null = null;
  #making: Promise<T> | null = null;
  /** When the oldest change was announced that the value does not know, and the oldest since the making began. */
  #changedAt: number | null = null;
  #changedMeanwhile: number | null = null;

  /** @param make is given what it made before, null for the first time */
  constructor(make: (former: T | null) => Promise<T>) {
    this.#make = make;
  }

  /** What was made last; null before the first time. */
  get last(): T | null {
    return this.#value?.of ?? null;
  }

  /** Says that what is stored is no longer what the value was made of. */
  change(): void {
    const now = performance.now();
    if (this.#making !== null) this.#changedMeanwhile ??= now;
    this.#changedAt ??= now;
  }

  async get(): Promise<T> {
    if (this.#value === null) return this.#remake();
    if (this.#changedAt === null) return this.#value.of;
    const now = performance.now();
    if (now - this.#changedAt >= BEHIND_MAX_MS) return this.#remake();
    if (this.#making !== null || now - this.#value.madeAt >= PAUSE_MS) {
      // A remake that fails leaves the former value, until that is too far behind.
      const remade = this.#remake().catch(() => null);
      await Promise.race([remade, delay(PATIENCE_MS)]);
    }
    return this.#value.of;
  }

  #remake(): Promise<T> {
    this.#making ??= this.#makeAnew().finally(() => {
      this.#making = null;
    });
    return this.#making;
  }

  async #makeAnew(): Promise<T> {
    this.#changedMeanwhile = null;
    const value = await this.#make(this.last);
    this.#value = { of: value, madeAt: performance.now() };
    this.#changedAt = this.#changedMeanwhile;
    return value;
  }
}

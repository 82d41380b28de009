import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../base/dates.ts';

/**
 * Limits calls by key: a minute's calls at once, refilled evenly over the minute (the generic cell rate algorithm, one
 * number per key).
 */
export class CallRate {
  readonly #intervalMs: number;
  /** By key the instant at which all its calls are refilled. */
  readonly #refilledAt: LRUCache<string, number>;

  /**
   * @param perMinute at least 1
   * @param keysMax keys in memory; beyond it the one with the oldest call starts over
   */
  constructor(perMinute: number, keysMax: number) {
    this.#intervalMs = MINUTE_MS / perMinute;
    this.#refilledAt = new LRUCache({ max: keysMax });
  }

  get size(): number {
    return this.#refilledAt.size;
  }

  /**
   * Takes a call of the key if it has one left.
   *
   * @param nowMs of a clock that never goes back
   * @returns milliseconds until the next call; 0 if this one was taken
   */
  take(key: string, nowMs: number): number {
    const refilledAt = Math.max(this.#refilledAt.peek(key) ?? 0, nowMs) + this.#intervalMs;
    const waitMs = refilledAt - nowMs - MINUTE_MS;
    // Rounding errors of summed fractions must not refuse a call that is due.
    if (waitMs > 1e-6) return waitMs;
    this.#refilledAt.set(key, refilledAt);
    return 0;
  }
}

const MINUTE_MS = 60_000;

/**
 * How often each key may call: a minute's calls at once, given back evenly over the minute (the generic cell rate
 * algorithm, which remembers one number for each key).
 */
export class CallRate {
  readonly #intervalMs: number;
  readonly #keysMax: number;
  /** When the calls of a key will all have been given back, by key; the one that called longest ago first. */
  readonly #paidUp = new Map<string, number>();

  /**
   * @param perMinute at least 1
   * @param keysMax keys that are remembered; beyond them the one that called longest ago starts anew
   */
  constructor(perMinute: number, keysMax: number) {
    this.#intervalMs = MINUTE_MS / perMinute;
    this.#keysMax = keysMax;
  }

  get size(): number {
    return this.#paidUp.size;
  }

  /**
   * Takes a call of the key, if it has one left.
   *
   * @param nowMs of a clock that never goes back
   * @returns milliseconds until there is one; 0 where the call was taken
   */
  take(key: string, nowMs: number): number {
    const paidUp = Math.max(this.#paidUp.get(key) ?? 0, nowMs) + this.#intervalMs;
    // Sums of fractions: a call that is due now must not wait for the last bit of one.
    const waitMs = paidUp - nowMs - MINUTE_MS;
    if (waitMs > 1e-6) return waitMs;
    this.#paidUp.delete(key);
    this.#paidUp.set(key, paidUp);
    if (this.#paidUp.size > this.#keysMax) this.#paidUp.delete(this.#paidUp.keys().next().value!);
    return 0;
  }
}

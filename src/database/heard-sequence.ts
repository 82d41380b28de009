import { abortable } from '../base/abortable.ts';

interface Waiter {
  readonly sequence: number;
  readonly resolve: () => void;
}

/**
 * Which announcements this process has acted on. They are numbered without gaps in the order in which their transactions
 * committed, and may arrive in another one.
 */
export class HeardSequence {
  /** All up to this one have been acted on; null while nobody listens. */
  #through: number | null = null;
  /** Heard before one that precedes them. */
  readonly #ahead = new Set<number>();
  readonly #waiting = new Set<Waiter>();

  /**
   * From now on every later one arrives.
   *
   * @param sequence the newest of those that everything read from now on includes
   */
  begin(sequence: number): void {
    this.#advance(Math.max(sequence, this.#through ?? 0));
  }

  /** One has been acted on; what is no number is left. */
  note(sequence: number): void {
    if (!Number.isSafeInteger(sequence)) return;
    this.#ahead.add(sequence);
    if (this.#through !== null) this.#advance(this.#through);
  }

  /** Resolves once all up to a number have been acted on; at once where nobody listens, who has nothing to act on. */
  until(sequence: number, signal?: AbortSignal): Promise<void> {
    if (this.#through === null || this.#through >= sequence) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { sequence, resolve };
    this.#waiting.add(waiter);
    return abortable(promise, signal).finally(() => this.#waiting.delete(waiter));
  }

  #advance(from: number): void {
    let through = from;
    while (this.#ahead.delete(through + 1)) through++;
    this.#through = through;
    for (const number of this.#ahead) if (number <= through) this.#ahead.delete(number);
    for (const waiter of this.#waiting) if (waiter.sequence <= through) waiter.resolve();
  }
}

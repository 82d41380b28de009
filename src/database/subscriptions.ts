import { abortable } from '../base/abortable.ts';
import type { Counter, Metrics } from '../base/metrics.ts';

interface Subscription {
  readonly channel: string;
  readonly handler: (payload: string) => void;
  readonly missed: (() => void) | undefined;
}

/** Who in this process listens to which channel, whatever carries the announcements. */
export class Subscriptions {
  readonly #all = new Set<Subscription>();
  readonly #unread: Counter;

  constructor(metrics: Metrics) {
    this.#unread = metrics.counter(
      'tigraph_announcements_unread_total',
      'Announcements that a part of this process could not read, by channel.',
    );
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  /** Each once. */
  channels(): Set<string> {
    return new Set(Array.from(this.#all, ({ channel }) => channel));
  }

  /** Returns the function that ends it. */
  add(channel: string, handler: (payload: string) => void, missed?: () => void): () => void {
    const subscription = { channel, handler, missed };
    this.#all.add(subscription);
    return () => void this.#all.delete(subscription);
  }

  /** What one cannot read is counted, and keeps it from none of the others. */
  deliver(channel: string, payload: string): void {
    for (const each of this.#all) {
      if (each.channel !== channel) continue;
      try {
        each.handler(payload);
      } catch {
        this.#unread.add(1, { channel });
      }
    }
  }

  /** Says to all that some may have been lost. */
  miss(): void {
    for (const each of this.#all) each.missed?.();
  }
}

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

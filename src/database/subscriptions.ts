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

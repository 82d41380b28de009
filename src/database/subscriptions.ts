interface Subscription {
  readonly channel: string;
  readonly handler: (payload: string) => void;
  readonly missed: (() => void) | undefined;
}

/** Who in this process listens to which channel, whatever carries the announcements. */
export class Subscriptions {
  readonly #all = new Set<Subscription>();

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

  deliver(channel: string, payload: string): void {
    for (const each of this.#all) if (each.channel === channel) each.handler(payload);
  }

  /** Says to all that some may have been lost. */
  miss(): void {
    for (const each of this.#all) each.missed?.();
  }
}

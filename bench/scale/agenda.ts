/** What happens when: events in the order of their times, those of one time in the order in which they were planned. */
export class Agenda {
  readonly #events: { readonly at: number; readonly order: number; readonly happen: () => void }[] = [];
  #planned = 0;
  #now = 0;

  /** Milliseconds since the beginning. */
  get now(): number {
    return this.#now;
  }

  after(ms: number, happen: () => void): void {
    const events = this.#events;
    events.push({ at: this.#now + ms, order: this.#planned++, happen });
    let at = events.length - 1;
    for (let above = (at - 1) >> 1; at > 0 && this.#isBefore(at, above); above = (at - 1) >> 1) {
      this.#swap(at, above);
      at = above;
    }
  }

  /** Lets everything happen until nothing is planned. */
  run(): void {
    const events = this.#events;
    while (events.length > 0) {
      this.#swap(0, events.length - 1);
      const next = events.pop()!;
      this.#sink();
      this.#now = next.at;
      next.happen();
    }
  }

  #sink(): void {
    const { length } = this.#events;
    for (let at = 0; ; ) {
      let first = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < length && this.#isBefore(below, first)) first = below;
      if (first === at) return;
      this.#swap(at, first);
      at = first;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#events[one]!, this.#events[other]!];
    return a.at < b.at || (a.at === b.at && a.order < b.order);
  }

  #swap(one: number, other: number): void {
    const events = this.#events;
    [events[one], events[other]] = [events[other]!, events[one]!];
  }
}

export interface RefreshLimits {
  /** Refreshes that run at once. */
  readonly refreshesAtOnce: number;
  /** Items of one refresh. */
  readonly batchMax: number;
}

/** Refreshes items in batches. An item waits at most once and is never in two refreshes at a time. */
export class RefreshQueue<Item> {
  readonly #limits: RefreshLimits;
  readonly #refresh: (items: readonly Item[]) => Promise<void>;
  readonly #waiting = new Set<Item>();
  readonly #refreshing = new Set<Item>();
  #running = 0;
  #isScheduled = false;
  #settled: PromiseWithResolvers<void> | null = null;

  /** @param refresh must not reject */
  constructor(limits: RefreshLimits, refresh: (items: readonly Item[]) => Promise<void>) {
    this.#limits = limits;
    this.#refresh = refresh;
  }

  /** Queues a refresh; a running one may have missed the change. */
  add(item: Item): void {
    this.#waiting.add(item);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Batches changes that come together.
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  forget(item: Item): void {
    this.#waiting.delete(item);
  }

  /** Resolves once nothing waits or runs. */
  settled(): Promise<void> {
    if (this.#waiting.size === 0 && this.#refreshing.size === 0) return Promise.resolve();
    this.#settled ??= Promise.withResolvers<void>();
    return this.#settled.promise;
  }

  #start(): void {
    while (this.#running < this.#limits.refreshesAtOnce) {
      const items = this.#next();
      if (items.length === 0) return;
      this.#running++;
      void this.#refresh(items).finally(() => {
        this.#running--;
        for (const item of items) this.#refreshing.delete(item);
        this.#start();
        this.#settle();
      });
    }
  }

  #next(): Item[] {
    const items: Item[] = [];
    for (const item of this.#waiting) {
      if (items.length === this.#limits.batchMax) break;
      if (this.#refreshing.has(item)) continue;
      this.#waiting.delete(item);
      this.#refreshing.add(item);
      items.push(item);
    }
    return items;
  }

  #settle(): void {
    if (this.#settled === null || this.#waiting.size > 0 || this.#refreshing.size > 0) return;
    this.#settled.resolve();
    this.#settled = null;
  }
}

export interface RefreshLimits {
  /** Refreshes that run at a time. */
  readonly refreshesAtOnce: number;
  /** Most items of one refresh. */
  readonly batchMax: number;
}

/**
 * Items that wait for a refresh. Each waits at most once and is never in two refreshes at a time; a refresh takes several
 * items, and the number that run at once is limited, so that a burst of changes neither crowds out callers nor repeats
 * work.
 */
export class RefreshQueue<Item> {
  readonly #limits: RefreshLimits;
  readonly #refresh: (items: readonly Item[]) => Promise<void>;
  readonly #waiting = new Set<Item>();
  readonly #underWay = new Set<Item>();
  #running = 0;
  #isScheduled = false;
  #settled: PromiseWithResolvers<void> | null = null;

  /** @param refresh must not reject */
  constructor(limits: RefreshLimits, refresh: (items: readonly Item[]) => Promise<void>) {
    this.#limits = limits;
    this.#refresh = refresh;
  }

  /** Queues a refresh that begins after now: one that runs already may have missed the change. */
  add(item: Item): void {
    this.#waiting.add(item);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Changes come many at a time: one refresh takes them together.
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  forget(item: Item): void {
    this.#waiting.delete(item);
  }

  /** Resolves once nothing waits and nothing is under way. */
  settled(): Promise<void> {
    if (this.#waiting.size === 0 && this.#underWay.size === 0) return Promise.resolve();
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
        for (const item of items) this.#underWay.delete(item);
        this.#start();
        this.#settle();
      });
    }
  }

  #next(): Item[] {
    const items: Item[] = [];
    for (const item of this.#waiting) {
      if (items.length === this.#limits.batchMax) break;
      if (this.#underWay.has(item)) continue;
      this.#waiting.delete(item);
      this.#underWay.add(item);
      items.push(item);
    }
    return items;
  }

  #settle(): void {
    if (this.#settled === null || this.#waiting.size > 0 || this.#underWay.size > 0) return;
    this.#settled.resolve();
    this.#settled = null;
  }
}

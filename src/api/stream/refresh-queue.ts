import type { Scope } from '../../base/scope.ts';

export interface RefreshLimits {
  readonly refreshesAtOnce: number;
  readonly batchMax: number;
}

/** Refreshes items in batches. An item waits at most once and is never in two refreshes at a time. */
export class RefreshQueue<Item> {
  readonly #scope: Scope;
  readonly #limits: RefreshLimits;
  readonly #refresh: (items: readonly Item[]) => Promise<void>;
  readonly #waiting = new Set<Item>();
  readonly #refreshing = new Set<Item>();
  #running = 0;
  #isScheduled = false;

  /** @param refresh must not reject */
  constructor(scope: Scope, limits: RefreshLimits, refresh: (items: readonly Item[]) => Promise<void>) {
    this.#scope = scope;
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

  #start(): void {
    while (this.#running < this.#limits.refreshesAtOnce && !this.#scope.signal.aborted) {
      const items = this.#next();
      if (items.length === 0) return;
      this.#running++;
      void this.#scope.run('refreshing streams', async () => {
        await this.#refresh(items);
        this.#running--;
        for (const item of items) this.#refreshing.delete(item);
        this.#start();
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
}

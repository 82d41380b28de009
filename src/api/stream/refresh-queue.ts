export interface RefreshLimits {
  /** Looks under way at a time. */
  readonly looksAtOnce: number;
  /** Things of one look. */
  readonly lookedAtTogether: number;
}

/**
 * Things that wait to be looked at: each at most once, never in two looks at a time, several in one look, and only so
 * many looks at once, so that a burst of news neither crowds out callers nor is looked at twice.
 */
export class RefreshQueue<Thing> {
  readonly #limits: RefreshLimits;
  readonly #look: (things: readonly Thing[]) => Promise<void>;
  readonly #waiting = new Set<Thing>();
  readonly #underWay = new Set<Thing>();
  #looks = 0;
  #isStarting = false;
  #settled: PromiseWithResolvers<void> | null = null;

  /** @param look must not reject */
  constructor(limits: RefreshLimits, look: (things: readonly Thing[]) => Promise<void>) {
    this.#limits = limits;
    this.#look = look;
  }

  /** Has a thing looked at after now: a look that is under way may have missed the reason. */
  ask(thing: Thing): void {
    this.#waiting.add(thing);
    if (this.#isStarting) return;
    this.#isStarting = true;
    // News come many at a time: those of one go are looked at together.
    queueMicrotask(() => {
      this.#isStarting = false;
      this.#start();
    });
  }

  forget(thing: Thing): void {
    this.#waiting.delete(thing);
  }

  /** Resolves once nothing waits and nothing is under way. */
  settled(): Promise<void> {
    if (this.#waiting.size === 0 && this.#underWay.size === 0) return Promise.resolve();
    this.#settled ??= Promise.withResolvers<void>();
    return this.#settled.promise;
  }

  #start(): void {
    while (this.#looks < this.#limits.looksAtOnce) {
      const things = this.#next();
      if (things.length === 0) return;
      this.#looks++;
      void this.#look(things).finally(() => {
        this.#looks--;
        for (const thing of things) this.#underWay.delete(thing);
        this.#start();
        this.#settle();
      });
    }
  }

  #next(): Thing[] {
    const things: Thing[] = [];
    for (const thing of this.#waiting) {
      if (things.length === this.#limits.lookedAtTogether) break;
      if (this.#underWay.has(thing)) continue;
      this.#waiting.delete(thing);
      this.#underWay.add(thing);
      things.push(thing);
    }
    return things;
  }

  #settle(): void {
    if (this.#settled === null || this.#waiting.size > 0 || this.#underWay.size > 0) return;
    this.#settled.resolve();
    this.#settled = null;
  }
}

/**
 * Looks that wait for their turn: each thing at most once, never two looks at one thing at a time, and only so many at
 * once, so that a burst of news neither crowds out callers nor is looked at twice.
 */
export class Looks<Thing> {
  readonly #atOnce: number;
  readonly #look: (thing: Thing) => Promise<void>;
  readonly #waiting = new Set<Thing>();
  readonly #underWay = new Set<Thing>();
  #settled: PromiseWithResolvers<void> | null = null;

  /** @param look must not reject */
  constructor(atOnce: number, look: (thing: Thing) => Promise<void>) {
    this.#atOnce = atOnce;
    this.#look = look;
  }

  /** Has a thing looked at after now: a look that is under way may have missed the reason. */
  ask(thing: Thing): void {
    this.#waiting.add(thing);
    this.#start();
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
    for (const thing of this.#waiting) {
      if (this.#underWay.size >= this.#atOnce) return;
      if (this.#underWay.has(thing)) continue;
      this.#waiting.delete(thing);
      this.#underWay.add(thing);
      void this.#look(thing).finally(() => {
        this.#underWay.delete(thing);
        this.#start();
        this.#settle();
      });
    }
  }

  #settle(): void {
    if (this.#settled === null || this.#waiting.size > 0 || this.#underWay.size > 0) return;
    this.#settled.resolve();
    this.#settled = null;
  }
}

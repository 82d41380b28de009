/** Further requests are dropped; callers repeat them. */
const QUEUE_MAX = 16;

/** Measures requested sessions against their peers in the background, in batches. */
export class PeersOnDemand {
  readonly #measure: (dates: readonly string[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  /** Queued or being measured. */
  readonly #requested = new Set<string>();
  #running: Promise<void> | null = null;
  #isClosed = false;

  /**
   * @param measure of completed sessions
   * @param onError called when a batch fails; its sessions may be requested again
   */
  constructor(measure: (dates: readonly string[]) => Promise<void>, onError: (error: unknown) => void) {
    this.#measure = measure;
    this.#onError = onError;
  }

  /** Requests a completed session. */
  ask(tradeDate: string): void {
    if (this.#isClosed || this.#requested.size >= QUEUE_MAX) return;
    this.#requested.add(tradeDate);
    this.#running ??= this.#run();
  }

  /** Resolves once the queue is empty. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Takes no more requests; the running batch continues. */
  close(): void {
    this.#isClosed = true;
  }

  async #run(): Promise<void> {
    while (this.#requested.size > 0 && !this.#isClosed) {
      const batch = [...this.#requested];
      try {
        await this.#measure(batch);
      } catch (error) {
        if (!this.#isClosed) this.#onError(error);
      }
      for (const date of batch) this.#requested.delete(date);
    }
    this.#running = null;
  }
}

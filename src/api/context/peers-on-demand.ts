import type { Scope } from '../../base/scope.ts';

/** Further requests are dropped; callers repeat them. */
const QUEUE_MAX = 16;

/** Measures requested sessions against their peers in the background, in batches. */
export class PeersOnDemand {
  readonly #scope: Scope;
  readonly #measure: (dates: readonly string[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  /** Queued or being measured. */
  readonly #requested = new Set<string>();
  #isRunning = false;

  /**
   * @param measure of completed sessions
   * @param onError called when a batch fails; its sessions may be requested again
   */
  constructor(
    scope: Scope,
    measure: (dates: readonly string[]) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#scope = scope;
    this.#measure = measure;
    this.#onError = onError;
  }

  ask(tradeDate: string): void {
    if (this.#scope.signal.aborted || this.#requested.size >= QUEUE_MAX) return;
    this.#requested.add(tradeDate);
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#scope.run('measuring peers', ({ signal }) => this.#run(signal));
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (this.#requested.size > 0 && !signal.aborted) {
      const batch = [...this.#requested];
      try {
        await this.#measure(batch);
      } catch (error) {
        if (!signal.aborted) this.#onError(error);
      }
      for (const date of batch) this.#requested.delete(date);
    }
    this.#isRunning = false;
  }
}

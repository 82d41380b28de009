/** Sessions that may wait to be measured; one more is left to be asked for again. */
const WAITING_MAX = 16;

/**
 * Measures sessions against their peers in the background when somebody asks for one that nobody has measured, one round
 * after the other.
 */
export class PeersOnDemand {
  readonly #measure: (dates: readonly string[]) => Promise<void>;
  readonly #tell: (error: unknown) => void;
  /** Waiting or being measured. */
  readonly #asked = new Set<string>();
  #rounds: Promise<void> | null = null;
  #isClosed = false;

  /**
   * @param measure of completed sessions
   * @param tell what a round broke with; its sessions may be asked for again
   */
  constructor(measure: (dates: readonly string[]) => Promise<void>, tell: (error: unknown) => void) {
    this.#measure = measure;
    this.#tell = tell;
  }

  /** Asks for a completed session. */
  ask(tradeDate: string): void {
    if (this.#isClosed || this.#asked.size >= WAITING_MAX) return;
    this.#asked.add(tradeDate);
    this.#rounds ??= this.#run();
  }

  /** Resolves once nothing is asked for any more. */
  async settled(): Promise<void> {
    await this.#rounds;
  }

  /** Takes no more; what is being measured is for its own means to call off. */
  close(): void {
    this.#isClosed = true;
  }

  async #run(): Promise<void> {
    while (this.#asked.size > 0 && !this.#isClosed) {
      const round = [...this.#asked];
      try {
        await this.#measure(round);
      } catch (error) {
        if (!this.#isClosed) this.#tell(error);
      }
      for (const date of round) this.#asked.delete(date);
    }
    this.#rounds = null;
  }
}

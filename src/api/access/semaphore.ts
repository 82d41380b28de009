import { CodedError } from '../../base/errors.ts';

/** Hashes at work at once; each takes 19 MiB and a thread of the pool that file reads need too. */
const AT_ONCE = 2;
/** Hashes that may wait: at 10-20 ms each the last of them is served within half a second. */
const WAITING_MAX = 50;

/** Lets expensive hashes through a few at a time, in order of asking, so that a flood of them starves nobody else. */
export class Semaphore {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce = AT_ONCE, waitingMax = WAITING_MAX) {
    this.#atOnce = atOnce;
    this.#waitingMax = waitingMax;
  }

  /** @throws CodedError overloaded, when too many wait already */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= this.#waitingMax) {
      throw new CodedError(
        'overloaded',
        'Too many secrets are being checked already; try again in a moment.',
      );
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The place goes to the next in line, or is free. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running--;
    else next();
  }
}

import { CodedError } from './errors.ts';

/** Runs a few pieces of work at a time, in the order of the calls. */
export class Semaphore {
  readonly #limit: number;
  readonly #queueMax: number;
  readonly #refusal: string | undefined;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  /**
   * @param limit pieces of work that run at once
   * @param queueMax pieces of work that may wait
   * @param refusal sentence of the error beyond that
   */
  constructor(limit: number, queueMax: number, refusal?: string) {
    this.#limit = limit;
    this.#queueMax = queueMax;
    this.#refusal = refusal;
  }

  /**
   * @param signal ends the wait
   * @throws CodedError overloaded when the queue is full; the reason of the signal when it aborts before the work begins
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running < this.#limit) this.#running++;
    else if (this.#queue.length >= this.#queueMax) throw new CodedError('overloaded', this.#refusal);
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#queue.splice(this.#queue.indexOf(begin), 1);
        reject(signal!.reason);
      };
      this.#queue.push(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}

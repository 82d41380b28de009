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

  /** @throws CodedError overloaded when the queue is full */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limit) this.#running++;
    else if (this.#queue.length >= this.#queueMax) throw new CodedError('overloaded', this.#refusal);
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}

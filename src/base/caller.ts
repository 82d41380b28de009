import { AsyncLocalStorage } from 'node:async_hooks';
import { abortable } from './abortable.ts';

const caller = new AsyncLocalStorage<AbortSignal | undefined>();

/** Runs work for a caller, or for none. @param left aborts when the caller has left */
export const forCaller = <T>(left: AbortSignal | undefined, work: () => T): T => caller.run(left, work);

/** Aborts when the caller of the running code has left; undefined where the process works for itself. */
export const callerLeft = (): AbortSignal | undefined => caller.getStore();

/** Work that several callers wait for. Once all of them have left it is abandoned, and nobody may join it any more. */
export class SharedWork<Value> {
  readonly #abandoned = new AbortController();
  readonly #value: Promise<Value>;
  #waiting = 0;

  /** @param work for one caller, who leaves with the last of those who wait */
  constructor(work: (abandoned: AbortSignal) => Promise<Value>) {
    const { signal } = this.#abandoned;
    this.#value = forCaller(signal, () => work(signal));
  }

  get isAbandoned(): boolean {
    return this.#abandoned.signal.aborted;
  }

  /** @throws what the work throws; the reason of the caller's signal when it aborts before */
  async join(): Promise<Value> {
    const left = callerLeft();
    this.#waiting++;
    try {
      return await abortable(this.#value, left);
    } finally {
      if (--this.#waiting === 0 && left?.aborted) this.#abandoned.abort(left.reason);
    }
  }
}

import { Piscina } from 'piscina';
import { CodedError } from '../base/errors.ts';
import { outcomeOf, type ThreadAnswer } from './thread-answers.ts';

export interface OneThreadOptions {
  /** Calls that may wait; one more is refused. */
  readonly waitingMax: number;
  /** The thread ends after this long without a call, milliseconds. */
  readonly idleMs: number;
  readonly workerData?: unknown;
}

/** Work of one kind in a thread of its own. */
export interface OneThread<Task, Outcome> {
  /**
   * @param options with a signal that aborts the thread is ended with the task, and the next call starts another
   * @throws CodedError overloaded
   */
  run(task: Task, options?: { readonly signal?: AbortSignal }): Promise<Outcome>;
  close(): Promise<void>;
}

/**
 * A thread that starts with the first call. In the derivation pool a call of milliseconds would wait for seconds behind a
 * pass over the market.
 *
 * @param url of the worker, whose function is one of `inThread`
 */
export function oneThread<Task, Outcome>(url: URL, options: OneThreadOptions): OneThread<Task, Outcome> {
  const { waitingMax, idleMs, workerData } = options;
  const pool = new Piscina<Task, ThreadAnswer<Outcome>>({
    filename: url.href,
    workerData,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
    maxQueue: waitingMax,
    concurrentTasksPerWorker: 1,
  });
  return {
    async run(task, { signal } = {}) {
      if (pool.queueSize >= waitingMax) throw new CodedError('overloaded');
      return outcomeOf(await (signal === undefined ? pool.run(task) : pool.run(task, { signal })));
    },
    close: () => pool.close(),
  };
}

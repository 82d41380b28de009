import { Piscina } from 'piscina';
import { CodedError } from '../base/errors.ts';
import { outcomeOf, type ThreadAnswer } from './thread-answers.ts';

interface PoolSettings {
  /** Threads at most. */
  readonly threads: number;
  /** Threads that start with the pool and stay; 0: the first task starts one. */
  readonly threadsMin: number;
  /** A further thread ends after this long without a task, milliseconds. */
  readonly idleMs: number;
  /** Tasks that may wait; one more is refused. Absent: no limit. */
  readonly waitingMax?: number;
  /** What the worker's function is made of, cloned into each thread. */
  readonly data?: unknown;
}

/** Threads that do work of one kind. */
export interface Pool<Task, Outcome> {
  /**
   * @param signal when it aborts, the thread ends with the task, and the next task starts another
   * @throws CodedError overloaded; what the worker refused with
   */
  run(task: Task, signal?: AbortSignal): Promise<Outcome>;
  /** @param how with `force` without waiting for tasks that run */
  close(how?: { readonly force?: boolean }): Promise<void>;
}

/** @param worker module whose default export is one of `threadEntry` */
export type OpenPool = <Task, Outcome>(worker: URL, settings: PoolSettings) => Pool<Task, Outcome>;

/** The pool of the service. Tests pass one that runs the same functions in their own thread. */
export const openThreadPool: OpenPool = <Task, Outcome>(
  worker: URL,
  settings: PoolSettings,
): Pool<Task, Outcome> => {
  const { threads, threadsMin, idleMs, waitingMax = Number.POSITIVE_INFINITY, data } = settings;
  const pool = new Piscina<Task, ThreadAnswer<Outcome>>({
    filename: worker.href,
    workerData: data,
    minThreads: threadsMin,
    maxThreads: threads,
    idleTimeout: idleMs,
    maxQueue: waitingMax,
    concurrentTasksPerWorker: 1,
  });
  return {
    async run(task, signal) {
      if (pool.queueSize >= waitingMax) throw new CodedError('overloaded');
      return outcomeOf<Outcome>(await (signal === undefined ? pool.run(task) : pool.run(task, { signal })));
    },
    close: ({ force = false } = {}) => pool.close({ force }),
  };
};

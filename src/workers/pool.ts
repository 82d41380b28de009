import { basename } from 'node:path';
import { Piscina } from 'piscina';
import { lateAnswer } from '../base/lateness.ts';
import { Semaphore } from '../base/semaphore.ts';
import { realTimers } from '../base/timers.ts';
import { heapLimit } from './limited-thread.ts';
import { outcomeOf, type ThreadAnswer } from './thread.ts';

interface PoolSettings {
  readonly threads: number;
  /** Threads that start with the pool and stay; 0: the first task starts one. */
  readonly threadsMin: number;
  /** A further thread ends after this long without a task, milliseconds. */
  readonly idleMs: number;
  /** Tasks that may wait; one more is refused. Absent: no limit. */
  readonly waitingMax?: number;
  /** Old objects of a thread; one that takes more ends. Absent: as many as the process itself. */
  readonly heapMegabytes?: number;
  /** Young objects of a thread, where old ones are limited. */
  readonly youngMegabytes?: number;
  /** Passed to the worker's `open` in each thread. */
  readonly data?: unknown;
}

export interface Pool<Task, Outcome> {
  /**
   * @param signal its abort takes a task that waits out of the queue. One that runs has a second to end, then its thread
   *   ends with it, and the next task starts another
   * @throws CodedError overloaded; the worker's refusal
   */
  run(task: Task, signal?: AbortSignal): Promise<Outcome>;
  /** @param how `force`: without waiting for running tasks */
  close(how?: { readonly force?: boolean }): Promise<void>;
}

/** A thread takes longer to start than most tasks take to end. */
const ABANDONED_GRACE_MS = 1_000;

/** @param worker module whose default export is one of `threadEntry` */
export type OpenPool = <Task, Outcome>(worker: URL, settings: PoolSettings) => Pool<Task, Outcome>;

/** The pool of the service. Tests pass one that runs the same functions in their own thread. */
export const openThreadPool: OpenPool = <Task, Outcome>(
  worker: URL,
  settings: PoolSettings,
): Pool<Task, Outcome> => {
  const {
    threads,
    threadsMin,
    idleMs,
    waitingMax = Number.POSITIVE_INFINITY,
    heapMegabytes,
    youngMegabytes,
    data,
  } = settings;
  const pool = new Piscina<Task, ThreadAnswer<Outcome>>({
    filename: worker.href,
    workerData: data,
    minThreads: threadsMin,
    maxThreads: threads,
    idleTimeout: idleMs,
    concurrentTasksPerWorker: 1,
    // Two histograms of 0.4 MB for each pool, which nobody reads.
    recordTiming: false,
    ...(heapMegabytes === undefined ? {} : { resourceLimits: heapLimit(heapMegabytes, youngMegabytes) }),
  });
  const line = new Semaphore(threads, waitingMax);

  async function onThread(task: Task, signal: AbortSignal | undefined): Promise<ThreadAnswer<Outcome>> {
    const thread = new AbortController();
    let callOff = (): void => {};
    const onAbort = (): void => {
      callOff = realTimers.after(ABANDONED_GRACE_MS, () => thread.abort());
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const answer = await pool.run(task, { signal: thread.signal });
      signal?.throwIfAborted();
      return answer;
    } finally {
      callOff();
      signal?.removeEventListener('abort', onAbort);
    }
  }

  return {
    async run(task, signal) {
      const answer = line.run(() => onThread(task, signal), signal);
      return outcomeOf<Outcome>(await lateAnswer(`thread ${basename(worker.pathname)}`, answer));
    },
    close: ({ force = false } = {}) => pool.close({ force }),
  };
};

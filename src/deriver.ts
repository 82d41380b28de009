import { Piscina } from 'piscina';
import type { DayOutcome, DeriveJob, Deriver } from './blocks/deriver.ts';
import type { DeriveWorkerData } from './derive-worker.ts';

/** Batches that may wait for a thread; a caller beyond that is refused rather than kept. */
const WAITING_MAX = 10_000;

/** A pool of derivation threads. Aborting a batch ends its thread; the pool starts another. */
export function createDeriver(data: DeriveWorkerData, threads: number): Deriver {
  const pool = new Piscina<readonly DeriveJob[], DayOutcome[]>({
    filename: new URL('./derive-worker.ts', import.meta.url).href,
    workerData: data,
    minThreads: 1,
    maxThreads: threads,
    maxQueue: WAITING_MAX,
    concurrentTasksPerWorker: 1,
  });
  return {
    derive: (jobs, { signal } = {}) => pool.run(jobs, signal === undefined ? {} : { signal }),
    close: () => pool.close(),
  };
}

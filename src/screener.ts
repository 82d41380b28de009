import { Piscina } from 'piscina';
import { CodedError } from './base/errors.ts';
import type { ScreenOutcome, Screener, ScreenTask } from './operations/screener/screener.ts';

/** A screen takes some milliseconds, so these wait a second at most; one more is refused. */
const WAITING_MAX = 64;
/** A thread takes longer to start than a screen takes, and whoever screens does so again. */
const IDLE_MS = 600_000;

/**
 * One thread of its own for screens: behind a pass over the market in the derivation pool one of milliseconds would wait
 * for seconds. It starts with the first screen; one that has not ended by its time is ended together with the thread, and
 * the next one starts another.
 */
export function createScreener(): Screener {
  const pool = new Piscina<ScreenTask, ScreenOutcome>({
    filename: new URL('./screen-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    maxQueue: WAITING_MAX,
    concurrentTasksPerWorker: 1,
  });
  return {
    async run(task, signal) {
      if (pool.queueSize >= WAITING_MAX) throw new CodedError('overloaded');
      return pool.run(task, { signal });
    },
    close: () => pool.close(),
  };
}

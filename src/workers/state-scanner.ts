import { type OpenPool, openThreadPool } from './pool.ts';
import type { NearestRows } from '../analysis/similarity/nearest.ts';
import type { NearestTask, StateScanner } from './state-scan-tasks.ts';

/** A scan takes some milliseconds, and those who ask take turns. */
const WAITING_MAX = 16;
/** A thread takes longer to start than a scan takes. */
const IDLE_MS = 600_000;

/** The thread that compares states. */
export function createStateScanner(openPool: OpenPool = openThreadPool): StateScanner {
  const thread = openPool<NearestTask, NearestRows>(new URL('./state-scan-worker.ts', import.meta.url), {
    threads: 1,
    threadsMin: 0,
    waitingMax: WAITING_MAX,
    idleMs: IDLE_MS,
  });
  return { nearest: (task) => thread.run(task), close: () => thread.close() };
}

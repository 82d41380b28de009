import { type OpenPool, openThreadPool } from './pool.ts';
import type { Screener, ScreenOutcome, ScreenTask } from './screen-tasks.ts';

/** A screen takes some milliseconds, so these wait a second at most. */
const WAITING_MAX = 64;
/** A thread takes longer to start than a screen takes, and whoever screens does so again. */
const IDLE_MS = 600_000;

/** The thread for screens. One that has not ended by its time is ended together with the thread. */
export function createScreener(openPool: OpenPool = openThreadPool): Screener {
  const thread = openPool<ScreenTask, ScreenOutcome>(new URL('./screen-worker.ts', import.meta.url), {
    threads: 1,
    threadsMin: 0,
    waitingMax: WAITING_MAX,
    idleMs: IDLE_MS,
  });
  return { run: (task, signal) => thread.run(task, signal), close: () => thread.close() };
}

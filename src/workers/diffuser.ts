import type { Diffuser, DiffuseTask, DiffusionScores } from './diffuse-tasks.ts';
import { type OpenPool, openThreadPool } from './pool.ts';

/** A call takes some milliseconds, so these wait a second at most. */
const WAITING_MAX = 64;
const IDLE_MS = 60_000;

/** The thread for diffusion. */
export function createDiffuser(openPool: OpenPool = openThreadPool): Diffuser {
  const thread = openPool<DiffuseTask, DiffusionScores>(new URL('./diffuse-worker.ts', import.meta.url), {
    threads: 1,
    threadsMin: 0,
    waitingMax: WAITING_MAX,
    idleMs: IDLE_MS,
  });
  return {
    scores: ({ topology: { digest, packed }, returns }) => thread.run({ digest, packed, returns }),
    close: () => thread.close(),
  };
}

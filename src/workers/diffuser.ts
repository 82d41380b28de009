import type { Diffuser, DiffuseTask, DiffusionScores } from './diffuse-tasks.ts';
import { oneThread } from './one-thread.ts';

/** A call takes some milliseconds, so these wait a second at most. */
const WAITING_MAX = 64;
const IDLE_MS = 60_000;

/** The thread for diffusion. */
export function createDiffuser(): Diffuser {
  const thread = oneThread<DiffuseTask, DiffusionScores>(new URL('./diffuse-worker.ts', import.meta.url), {
    waitingMax: WAITING_MAX,
    idleMs: IDLE_MS,
  });
  return {
    scores: ({ topology: { digest, packed }, returns }) => thread.run({ digest, packed, returns }),
    close: () => thread.close(),
  };
}

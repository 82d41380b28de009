import { Piscina } from 'piscina';
import { CodedError } from './base/errors.ts';
import type { DiffuseTask } from './diffuse-worker.ts';
import type { Diffuser, DiffusionScores } from './operations/diffuser.ts';

/** A call takes some milliseconds, so these wait a second at most; one more is refused. */
const WAITING_MAX = 64;
const IDLE_MS = 60_000;

/**
 * One thread of its own for diffusion: behind a pass over the market in the derivation pool a call of milliseconds would
 * wait for seconds. It starts with the first call and ends a minute after the last.
 */
export function createDiffuser(): Diffuser {
  const pool = new Piscina<DiffuseTask, DiffusionScores>({
    filename: new URL('./diffuse-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    maxQueue: WAITING_MAX,
    concurrentTasksPerWorker: 1,
  });
  return {
    async scores({ topology: { digest, packed }, returns }) {
      if (pool.queueSize >= WAITING_MAX) throw new CodedError('overloaded');
      return pool.run({ digest, packed, returns });
    },
    close: () => pool.close(),
  };
}

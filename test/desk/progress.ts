import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 200;
/** Work that has not advanced for this long will not end. */
const STUCK_MS = 3 * 60_000;

/**
 * Yields how far work has come whenever it has advanced, until it has come to its end. However slow the machine is, what
 * follows it sees the same steps.
 *
 * @param progress may fail while a fault lasts
 * @throws Error when the work is stuck
 */
export async function* advances(progress: () => Promise<number>, end: number): AsyncGenerator<number> {
  let reached = Number.NEGATIVE_INFINITY;
  for (let stuckAt = Date.now() + STUCK_MS; reached < end; ) {
    const now = await progress().catch(() => reached);
    if (now > reached) {
      reached = now;
      stuckAt = Date.now() + STUCK_MS;
      yield Math.min(reached, end);
    } else if (Date.now() > stuckAt) throw new Error(`the work is stuck at ${reached} of ${end}`);
    else await delay(LOOK_MS);
  }
}

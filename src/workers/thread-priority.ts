import { constants, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

const LEVELS = {
  /** Below the thread that answers, which then gets nine tenths of a core that both want. */
  behind_answers: constants.priority.PRIORITY_BELOW_NORMAL,
  /** Below derivations as well, since somebody may wait for one of them. */
  behind_derivations: constants.priority.PRIORITY_LOW,
};

/**
 * Lets the calling thread stand back where others want the same core. Only Linux knows priorities of threads; elsewhere
 * the call would change the whole process, and nothing is done.
 */
export function lowerPriority(level: keyof typeof LEVELS): void {
  if (process.platform !== 'linux' || isMainThread) return;
  try {
    setPriority(LEVELS[level]);
  } catch {
    // A machine that forbids it runs all threads alike.
  }
}

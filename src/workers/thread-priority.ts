import { constants, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

const LEVELS = {
  /** Below the event loop, which then gets nine tenths of a contended core. */
  behind_answers: constants.priority.PRIORITY_BELOW_NORMAL,
  /** Below derivations too, since callers may wait for them. */
  behind_derivations: constants.priority.PRIORITY_LOW,
};

/**
 * Lowers the priority of the calling thread. Only Linux has priorities of threads; elsewhere the call would change the
 * whole process, so nothing is done.
 */
export function lowerPriority(level: keyof typeof LEVELS): void {
  if (process.platform !== 'linux' || isMainThread) return;
  try {
    setPriority(LEVELS[level]);
  } catch {
    /** The system may forbid it. */
    // A machine that forbids it runs all threads alike.
  }
}

import { setTimeout as delay } from 'node:timers/promises';

/** Work of the desk whose steps its store counts, however long each of them takes. */
export interface Progress {
  /** Steps until it is done. */
  readonly steps: number;
  /** A step in words. */
  at(step: number): string;
  /**
   * Waits until the work has come to a step.
   *
   * @returns the step that it has come to
   * @throws Error when the work stands still; the reason of the signal
   */
  until(step: number, signal: AbortSignal): Promise<number>;
}

const POLL_MS = 100;
/** Far longer than a step takes on a slow machine, with any fault that strikes meanwhile. */
const STILL_MS = 180_000;

/**
 * @param what the work and its steps, for people
 * @param read counts the steps that are done; the store may be away
 */
export const progressOf = (
  what: { readonly work: string; readonly step: string },
  steps: number,
  read: () => Promise<number>,
): Progress => ({
  steps,
  at: (step) => `${what.step} ${step} of ${steps}`,
  async until(step, signal) {
    let reached = 0;
    for (let moved = performance.now(); performance.now() - moved < STILL_MS; ) {
      const now = await read().catch(() => reached);
      signal.throwIfAborted();
      if (now >= step) return now;
      if (now > reached) moved = performance.now();
      reached = now;
      await delay(POLL_MS, undefined, { signal });
    }
    throw new Error(`${what.work} stands at ${what.step} ${reached} of ${steps} for ${STILL_MS / 1_000} s`);
  },
});

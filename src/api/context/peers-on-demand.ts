import type { Scope } from '../../base/scope.ts';

/** A year and a little. Further requests are dropped; callers repeat them. */
const QUEUE_MAX = 300;
/** Sessions of one batch, which the end of the process waits for. */
const BATCH_MAX = 16;

/**
 * Measures requested sessions against their peers in the background, in batches.
 *
 * @param measure of completed sessions
 * @param onError called when a batch fails; its sessions may be requested again
 * @returns requests sessions
 */
export function peersOnDemand(
  scope: Scope,
  measure: (dates: readonly string[]) => Promise<void>,
  onError: (error: unknown) => void,
): (...tradeDates: readonly string[]) => void {
  /** Queued or being measured. */
  const requested = new Set<string>();
  let isRunning = false;

  async function run(signal: AbortSignal): Promise<void> {
    while (requested.size > 0 && !signal.aborted) {
      const batch = [...requested].slice(0, BATCH_MAX);
      try {
        await measure(batch);
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      for (const date of batch) requested.delete(date);
    }
    isRunning = false;
  }

  return (...tradeDates) => {
    if (scope.signal.aborted) return;
    for (const date of tradeDates) if (requested.size < QUEUE_MAX) requested.add(date);
    if (isRunning || requested.size === 0) return;
    isRunning = true;
    void scope.run('measuring peers', ({ signal }) => run(signal));
  };
}

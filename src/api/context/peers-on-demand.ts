import type { Scope } from '../../base/scope.ts';

/** Further requests are dropped; callers repeat them. */
const QUEUE_MAX = 16;

/**
 * Measures requested sessions against their peers in the background, in batches.
 *
 * @param measure of completed sessions
 * @param onError called when a batch fails; its sessions may be requested again
 * @returns requests a session
 */
export function peersOnDemand(
  scope: Scope,
  measure: (dates: readonly string[]) => Promise<void>,
  onError: (error: unknown) => void,
): (tradeDate: string) => void {
  /** Queued or being measured. */
  const requested = new Set<string>();
  let isRunning = false;

  async function run(signal: AbortSignal): Promise<void> {
    while (requested.size > 0 && !signal.aborted) {
      const batch = [...requested];
      try {
        await measure(batch);
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      for (const date of batch) requested.delete(date);
    }
    isRunning = false;
  }

  return (tradeDate) => {
    if (scope.signal.aborted || requested.size >= QUEUE_MAX) return;
    requested.add(tradeDate);
    if (isRunning) return;
    isRunning = true;
    void scope.run('measuring peers', ({ signal }) => run(signal));
  };
}

import type { Scope } from '../../base/scope.ts';

/** A year and a little. Further requests are dropped; callers repeat them. */
const QUEUE_MAX = 300;

/**
 * Measures requested sessions against their peers in the background, in batches.
 *
 * @param measure of completed sessions
 * @param onError called when a batch fails; its sessions may be requested again
 * @returns requests sessions; resolves once the queue is empty
 */
export function peersOnDemand(
  scope: Scope,
  measure: (dates: readonly string[]) => Promise<void>,
  onError: (error: unknown) => void,
): (...tradeDates: readonly string[]) => Promise<void> {
  /** Queued or being measured. */
  const requested = new Set<string>();
  let running: Promise<void> | null = null;

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
    running = null;
  }

  return async (...tradeDates) => {
    if (scope.signal.aborted || tradeDates.length === 0) return;
    for (const date of tradeDates) if (requested.size < QUEUE_MAX) requested.add(date);
    running ??= scope.run('measuring peers', ({ signal }) => run(signal));
    await running;
  };
}

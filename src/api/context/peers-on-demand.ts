import { abortable } from '../../base/abortable.ts';
import type { Scope } from '../../base/scope.ts';
import { atMost } from '../../base/timers.ts';

/** A year and a little. Further requests are dropped; callers repeat them. */
const QUEUE_MAX = 300;
/** Sessions of one batch, which the end of the process waits for. */
const BATCH_MAX = 16;

/**
 * Measures requested sessions against their peers in the background, in batches.
 *
 * @param measure of completed sessions
 * @param onError called when a batch fails; its sessions may be requested again
 * @param waitMs how long a request waits at most
 * @returns requests sessions; resolves once their measurement has ended, failed or was dropped, or the time is up
 */
export function peersOnDemand(
  scope: Scope,
  measure: (dates: readonly string[]) => Promise<unknown>,
  onError: (error: unknown) => void,
  waitMs: number,
): (tradeDates: readonly string[], signal?: AbortSignal) => Promise<void> {
  /** Queued or being measured. */
  const requested = new Map<string, PromiseWithResolvers<void>>();
  let isRunning = false;

  async function run(signal: AbortSignal): Promise<void> {
    while (requested.size > 0) {
      const batch = [...requested].slice(-BATCH_MAX);
      try {
        if (!signal.aborted) await measure(batch.map(([date]) => date));
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      for (const [date, { resolve }] of batch) {
        requested.delete(date);
        resolve();
      }
    }
    isRunning = false;
  }

  function request(tradeDate: string): Promise<void> {
    const known = requested.get(tradeDate);
    if (known !== undefined) return known.promise;
    if (scope.signal.aborted || requested.size >= QUEUE_MAX) return Promise.resolve();
    const measured = Promise.withResolvers<void>();
    requested.set(tradeDate, measured);
    if (!isRunning) {
      isRunning = true;
      void scope.run('measuring peers', ({ signal }) => run(signal));
    }
    return measured.promise;
  }

  return async (tradeDates, signal) => {
    const measured = Promise.all(tradeDates.map(request));
    await atMost(scope.timers, waitMs, abortable(measured, signal));
  };
}

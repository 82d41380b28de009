import { abortable } from '../../base/abortable.ts';
import type { Scope } from '../../base/scope.ts';
import { atMost } from '../../base/timers.ts';
import type { PeersWaiting } from '../../derive/peer-topology.ts';
import type { AppContext } from './app-context.ts';

/** A year and a little. Further requests are dropped; callers repeat them. */
const QUEUE_MAX = 300;
/** Sessions of one batch, which the end of the process waits for. */
const BATCH_MAX = 16;

/** By symbol the divergence as JSON text, of a session; null where the store has them, or nothing does. */
type Divergences = ReadonlyMap<string, string> | null;

/**
 * Measures requested sessions against their peers in the background, in batches.
 *
 * @param measure of completed sessions; says what it has found, ends once that is stored
 * @param onError called when a batch fails; its sessions may be requested again
 * @param waitMs how long a request waits at most
 * @returns requests sessions; resolves once they are measured, that has failed or was dropped, or the time is up, with
 *   the divergences by trade date of those that are measured but may not be stored yet
 */
export function peersOnDemand(
  scope: Scope,
  measure: (dates: readonly string[], waiting: PeersWaiting) => Promise<unknown>,
  onError: (error: unknown) => void,
  waitMs: number,
): AppContext['measurePeers'] {
  /** Waiting, being measured or stored. */
  const requested = new Map<string, PromiseWithResolvers<Divergences>>();
  const waiting: string[] = [];
  let isRunning = false;
  /** The batch before is: its divergences are in memory until then. */
  let stored = Promise.resolve();

  async function run(signal: AbortSignal): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(-BATCH_MAX);
      const measured = batch.map((date) => requested.get(date)!.promise);
      const before = stored;
      stored = measureAndStore(batch, signal);
      await Promise.all([before, ...measured]);
    }
    isRunning = false;
    await stored;
  }

  async function measureAndStore(batch: readonly string[], signal: AbortSignal): Promise<void> {
    try {
      const onMeasured: PeersWaiting['onMeasured'] = (date, found) => requested.get(date)!.resolve(found);
      if (!signal.aborted) await measure(batch, { signal, onMeasured });
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    for (const date of batch) {
      requested.get(date)!.resolve(null);
      requested.delete(date);
    }
  }

  function request(tradeDate: string): Promise<Divergences> {
    const known = requested.get(tradeDate);
    if (known !== undefined) return known.promise;
    if (scope.signal.aborted || requested.size >= QUEUE_MAX) return Promise.resolve(null);
    const measured = Promise.withResolvers<Divergences>();
    requested.set(tradeDate, measured);
    waiting.push(tradeDate);
    if (!isRunning) {
      isRunning = true;
      void scope.run('measuring peers', ({ signal }) => run(signal));
    }
    return measured.promise;
  }

  return async (tradeDates, signal) => {
    const found = new Map<string, ReadonlyMap<string, string>>();
    const measured = tradeDates.map(async (date) => {
      const ofDate = await request(date);
      if (ofDate !== null) found.set(date, ofDate);
    });
    await atMost(scope.timers, waitMs, abortable(Promise.all(measured), signal));
    return found;
  };
}

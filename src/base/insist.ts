import { realTimers, rest, type Timers } from './timers.ts';

export interface Insistence {
  /** Pauses after failures: the first, doubled up to the longest, milliseconds. */
  readonly firstMs: number;
  readonly maxMs: number;
  readonly signal: AbortSignal;
  /** The machine's unless set. */
  readonly timers?: Timers;
  /** Learns of each failure; what it throws ends the attempts. */
  readonly onFailure?: (error: unknown) => Promise<void> | void;
}

/**
 * Does work until it succeeds.
 *
 * @throws the signal's reason once it aborts; what `onFailure` throws
 */
export async function insist<T>(
  work: () => Promise<T>,
  { firstMs, maxMs, signal, timers = realTimers, onFailure }: Insistence,
): Promise<T> {
  for (let pauseMs = firstMs; ; pauseMs = Math.min(2 * pauseMs, maxMs)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      await onFailure?.(error);
    }
    await rest(timers, pauseMs, { signal });
  }
}

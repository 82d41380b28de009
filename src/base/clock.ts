import { NEVER, untilAborted } from './abortable.ts';
import { realTimers, type Timers } from './timers.ts';

/** The source of the time of day, an argument so that replays and tests can set it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** A clock that can also wait, which paces a running session at any speed. */
export interface PacedClock extends Clock {
  /** Waits until the clock shows `instant` (epoch milliseconds) or the signal aborts. */
  until(instant: number, signal?: AbortSignal): Promise<void>;
}

/** The time of day of some timers. */
export const clockOn = (timers: Timers): PacedClock => ({
  now: timers.now,
  until: (instant, signal) => wait(timers, () => instant - timers.now(), signal),
});

/** The machine's own clock. */
export const systemClock = clockOn(realTimers);

/** A clock that always shows `instant`, epoch milliseconds; waiting for a later one ends only with the signal. */
export function fixedClock(instant: number): PacedClock {
  return {
    now: () => instant,
    until: (later, signal) => (later <= instant ? Promise.resolve() : untilAborted(signal ?? NEVER)),
  };
}

/**
 * A clock that shows `from` (epoch milliseconds) now and runs `speed` times as fast as the machine's.
 *
 * @param speed above 0
 * @param since real instant at which it showed `from`, for processes that share it; now unless set
 */
export function replayClock({
  from,
  speed,
  timers = realTimers,
  since = timers.now(),
}: {
  readonly from: number;
  readonly speed: number;
  readonly timers?: Timers;
  readonly since?: number;
}): PacedClock {
  const { monotonic } = timers;
  const started = monotonic() - (timers.now() - since);
  const now = (): number => Math.floor(from + (monotonic() - started) * speed);
  return { now, until: (instant, signal) => wait(timers, () => (instant - now()) / speed, signal) };
}

/** A clock that starts at `from` and jumps to every instant that is waited for. */
export function steppingClock(from: number): PacedClock {
  let instant = from;
  return {
    now: () => instant,
    async until(later) {
      instant = Math.max(instant, later);
    },
  };
}

/** Timers take at most 2^31 milliseconds; this long after it, a corrected system clock is noticed too. */
const POLL_INTERVAL_MS = 60_000;

function wait(timers: Timers, remainingMs: () => number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let callOff = (): void => {};
  const check = (): void => {
    const ms = remainingMs();
    if (ms <= 0 || signal?.aborted) finish();
    else callOff = timers.after(Math.min(Math.ceil(ms), POLL_INTERVAL_MS), check);
  };
  const finish = (): void => {
    callOff();
    signal?.removeEventListener('abort', finish);
    resolve();
  };
  signal?.addEventListener('abort', finish, { once: true });
  check();
  return promise;
}

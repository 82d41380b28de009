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

/** The machine's own clock. */
export const systemClock: PacedClock = {
  now: () => Date.now(),
  until: (instant, signal) => wait(() => instant - Date.now(), signal),
};

/** A clock that always shows `instant`, epoch milliseconds; waiting for a later one ends only with the signal. */
export function fixedClock(instant: number): PacedClock {
  return { now: () => instant, until: (later, signal) => (later <= instant ? RIGHT_NOW : aborted(signal)) };
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
  since = Date.now(),
}: {
  readonly from: number;
  readonly speed: number;
  readonly since?: number;
}): PacedClock {
  const started = performance.now() - (Date.now() - since);
  const now = (): number => Math.floor(from + (performance.now() - started) * speed);
  return { now, until: (instant, signal) => wait(() => (instant - now()) / speed, signal) };
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

const RIGHT_NOW = Promise.resolve();
/** Timers take at most 2^31 milliseconds; this long after it, a corrected system clock is noticed too. */
const POLL_INTERVAL_MS = 60_000;

function wait(remainingMs: () => number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    const ms = remainingMs();
    if (ms <= 0 || signal?.aborted) finish();
    else timer = setTimeout(check, Math.min(Math.ceil(ms), POLL_INTERVAL_MS));
  };
  const finish = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', finish);
    resolve();
  };
  signal?.addEventListener('abort', finish, { once: true });
  check();
  return promise;
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return RIGHT_NOW;
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
}

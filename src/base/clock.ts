/**
 * Where the time of day comes from. Whoever needs the hour takes a clock, so that a replay and a test can set
 * it.
 */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** A clock by which one can also wait: what paces a running session, at whatever speed its time goes by. */
export interface PacedClock extends Clock {
  /**
   * Waits until the clock shows `instant` (epoch milliseconds), or until the signal aborts, whichever comes first; the
   * signal then says which.
   */
  until(instant: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: PacedClock = {
  now: () => Date.now(),
  until: (instant, signal) => wait(() => instant - Date.now(), signal),
};

/** A clock that stands still at `instant`, epoch milliseconds; what lies after it never comes. */
export function fixedClock(instant: number): PacedClock {
  return { now: () => instant, until: (later, signal) => (later <= instant ? RIGHT_NOW : aborted(signal)) };
}

/**
 * A clock that shows `from` (epoch milliseconds) now and runs `speed` times as fast as the machine's.
 *
 * @param speed above 0
 */
export function replayClock({ from, speed }: { readonly from: number; readonly speed: number }): PacedClock {
  const started = performance.now();
  const now = (): number => Math.floor(from + (performance.now() - started) * speed);
  return { now, until: (instant, signal) => wait(() => (instant - now()) / speed, signal) };
}

/** A clock that stands at `from` until somebody waits for a later instant, and is there at once: no waiting at all. */
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
/** Timers take at most 2^31 milliseconds; a clock that was set right meanwhile is noticed after this long too. */
const POLL_INTERVAL_MS = 60_000;

function wait(remainingMs: () => number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const ms = remainingMs();
    if (ms <= 0 || signal?.aborted) finish();
    else timer = setTimeout(look, Math.min(Math.ceil(ms), POLL_INTERVAL_MS));
  };
  const finish = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', finish);
    resolve();
  };
  signal?.addEventListener('abort', finish, { once: true });
  look();
  return promise;
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return RIGHT_NOW;
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
}

/**
 * Where the time of day comes from. Whoever needs the hour takes a clock, so that a replay and a test can set
 * it.
 */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still at `instant`, epoch milliseconds: the clock of a replay. */
export function fixedClock(instant: number): Clock {
  return { now: () => instant };
}

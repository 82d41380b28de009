import { createStream, type StreamKey } from './simulated-random.ts';

/** What is missing from one symbol's session, in minutes from the open; an empty stretch has `from === to`. */
export interface Interruptions {
  /** Trading was halted: nothing traded, and the minutes still sum to the day. */
  readonly haltFrom: number;
  readonly haltTo: number;
  /** The feed was down: trades happened, and their minutes are lost. */
  readonly lostFrom: number;
  readonly lostTo: number;
  /** No intraday row of the session arrived. */
  readonly dayLost: boolean;
  /** The daily bar did not arrive. */
  readonly dailyLost: boolean;
}

/** Chances of a halt, of lost minutes, of a lost day and of a lost daily bar, each added to those before. */
const HALT = 0.003;
const LOST_MINUTES = 0.007;
const LOST_DAY = 0.008;
const LOST_DAILY_BAR = 0.0081;
/** A halt lasts a multiple of the five minutes of a volatility pause. */
const HALT_STEP_MINUTES = 5;

const NONE: Interruptions = {
  haltFrom: 0,
  haltTo: 0,
  lostFrom: 0,
  lostTo: 0,
  dayLost: false,
  dailyLost: false,
};

const stream = createStream();

/** What is missing from a session of the symbol that the key names; most sessions are whole. */
export function interruptions(
  key: StreamKey,
  day: number,
  minutes: number,
  dependable: boolean,
): Interruptions {
  stream.restart(key, day);
  const chance = stream.uniform();
  if (chance >= LOST_DAILY_BAR || (dependable && chance >= HALT)) return NONE;
  const from = 5 + Math.floor(stream.uniform() * (minutes - 80));
  const length = stream.uniform();
  if (chance < HALT) {
    return { ...NONE, haltFrom: from, haltTo: from + HALT_STEP_MINUTES * (1 + Math.floor(length * 12)) };
  }
  if (chance < LOST_MINUTES) return { ...NONE, lostFrom: from, lostTo: from + 5 + Math.floor(length * 70) };
  return chance < LOST_DAY ? { ...NONE, dayLost: true } : { ...NONE, dailyLost: true };
}

import { minuteOfDay } from '../shared/instant.ts';

/** What became of a level in a session, by the barriers of the records: a quarter of an ATR back, or beyond. */

export interface SessionBars {
  /** Instants at which the bars begin. */
  readonly time: readonly string[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
}

export interface LevelToday {
  readonly state: 'untouched' | 'touched' | 'held' | 'broken';
  /** Begin of the bar that reached the level first, and of the one that decided; null where none did. */
  readonly touchedAt: string | null;
  readonly decidedAt: string | null;
}

const OPEN_MINUTE = 9 * 60 + 30;
const FIRST_HOUR = 60;

/** Minutes of the session that make a level; 0 where it stood before. */
const minutesOf = (name: string): number =>
  name.startsWith('ib_') ? FIRST_HOUR : Number(/^orb_(\d+)m_/.exec(name)?.[1] ?? 0);

/** The bars of a session after those that make a level; null until it is made. */
export function barsAfter(name: string, { time, high, low, close }: SessionBars): SessionBars | null {
  const made = OPEN_MINUTE + minutesOf(name);
  const from = made === OPEN_MINUTE ? 0 : time.findIndex((at) => minuteOfDay(Date.parse(at)) >= made);
  if (from === -1) return null;
  return { time: time.slice(from), high: high.slice(from), low: low.slice(from), close: close.slice(from) };
}

/** Away from the level before a touch counts, and back or beyond after it, in ATR. */
const AWAY = 0.15;
const BARRIER = 0.25;

/**
 * The first touch of a level by bars after it was made: it counts once a bar has closed away from the level, which
 * then holds if the price goes back before it goes as far beyond. A bar that does both breaks it.
 */
export function levelToday(price: number, atr: number, { time, high, low, close }: SessionBars): LevelToday {
  let side = 0;
  let touch: number | null = null;
  const after = (state: LevelToday['state'], row: number | null): LevelToday => ({
    state,
    touchedAt: touch === null ? null : time[touch]!,
    decidedAt: row === null ? null : time[row]!,
  });
  for (let row = 0; row < time.length; row++) {
    const isReached = side > 0 ? low[row]! <= price : high[row]! >= price;
    if (touch === null && side !== 0 && isReached) touch = row;
    if (touch === null) {
      if (side === 0 && Math.abs(close[row]! - price) >= AWAY * atr) side = Math.sign(close[row]! - price);
      continue;
    }
    const beyond = side > 0 ? price - low[row]! : high[row]! - price;
    const back = side > 0 ? high[row]! - price : price - low[row]!;
    if (beyond >= BARRIER * atr) return after('broken', row);
    if (row > touch && back >= BARRIER * atr) return after('held', row);
  }
  return after(touch === null ? 'untouched' : 'touched', null);
}

import { highestDownTo, isDownTo, isUpTo, lowestUpTo } from './records/barriers.ts';
import {
  ARMED_ATR,
  DECIDED_ATR,
  GAP_MINUTES,
  LAST_BEGIN_MINUTE,
  type SessionBars,
} from './records/level-events.ts';
import type { RowRange } from './sessions.ts';

/**
 * What became of a level in a session, by the bars of the session alone. The barriers are those of the records
 * (`records/level-events.ts`): where an event of the records has an outcome, the level has the same.
 *
 * Price comes to a level with the first bar that reaches it from the side on which price is, touching it exactly or
 * jumping over it included, however near price was before. That begins a test, and the level stays for it where it was
 * before the bar. The test ends
 * - broken, when a bar goes 0.25 ATR beyond;
 * - held, when a later bar goes 0.25 ATR back; a bar that does both breaks it;
 * - broken, when a bar closes 0.15 ATR beyond, unless price had closed as far away on its own side before it came: such a
 *   test is an event of the records, which wait for the barrier. It is none any more after a gap of the bars, and none that
 *   begins after 15:00 is one;
 * - with the session: broken when its last close is beyond, else held.
 * A level that is broken stays so: what comes back to it from the other side is no second life. One that held may be
 * tested again, and broken by that.
 */
export const LEVEL_STATES = ['untouched', 'touched', 'held', 'broken'] as const;
/** `touched`: the first test has not ended. */
type LevelState = (typeof LEVEL_STATES)[number];

/** A level on its way through a session; rows are those of the bars, -1 for none. */
export interface LevelTrack {
  /** Where price was at the end of the newest bar: 1 above the level, -1 below, 0 unknown. */
  side: 1 | -1 | 0;
  /** The same once price has closed 0.15 ATR away: from there the records see it come. */
  armed: 1 | -1 | 0;
  /** Where the level is held in the open test; NaN without one. */
  test: number;
  /** The side from which price came to the open test; 0 where the session began at the level and has not left it. */
  from: 1 | -1 | 0;
  begun: number;
  /** Whether the open test is an event of the records. */
  isEvent: boolean;
  touched: number;
  /** Tests that held, and the row that ended the newest of them. */
  holds: number;
  held: number;
  broken: number;
}

export const newTrack = (): LevelTrack => ({
  side: 0,
  armed: 0,
  test: Number.NaN,
  from: 0,
  begun: -1,
  isEvent: false,
  touched: -1,
  holds: 0,
  held: -1,
  broken: -1,
});

type Bars = Omit<SessionBars, 'range'>;

/** What tracks of one session share. */
export interface TrackedSession {
  readonly bars: Bars;
  /** Daily ATR of the session before, dollars, positive. */
  readonly atr: number;
  /** Minutes from one bar to the next from which on nobody saw what happened between them. */
  readonly gapMinutes: number;
}

/** A gap of the records in bars of a minute; longer bars lack none while they follow one another. */
export const gapMinutesOf = (barMinutes: number): number => Math.max(GAP_MINUTES, barMinutes);

/**
 * Takes a track over more bars, which follow those that it has seen: one by one or many at once, it becomes the same.
 *
 * @param level where it is at the end of each bar, dollars, NaN for nowhere; or the price of one that holds still
 * @param fromMinute minutes from the open on that price can come to it: bars before make it
 */
export function trackBars(
  track: LevelTrack,
  { bars, atr, gapMinutes }: TrackedSession,
  level: number | Float64Array,
  { from: first, to }: RowRange,
  fromMinute: number,
): void {
  const { minute, open, high, low, close } = bars;
  const price = typeof level === 'number' ? null : level;
  const far = ARMED_ATR * atr;
  const decided = DECIDED_ATR * atr;
  // Locals, since a track's fields would be read and written with every bar.
  let { side, armed, test, from, begun, isEvent, touched, holds, held, broken } = track;
  let after = typeof level === 'number' ? level : (level[first - 1] ?? Number.NaN);
  for (let row = first; row < to && broken < 0; row++) {
    // Most bars change nothing: they are passed over by the two comparisons that say so.
    if (isEvent) {
      const top = lowestUpTo(test + decided);
      const bottom = highestDownTo(test - decided);
      while (
        row < to &&
        high[row]! < top &&
        low[row]! > bottom &&
        !(minute[row]! - minute[row - 1]! > gapMinutes)
      )
        row++;
      if (price !== null) after = price[row - 1]!;
    } else if (price === null && side !== 0 && armed !== -side && Number.isNaN(test)) {
      const edge = side > 0 ? highestDownTo(after) : lowestUpTo(after);
      let farthest = 0;
      for (; row < to && (side > 0 ? low[row]! > edge : high[row]! < edge); row++) {
        const away = (close[row]! - after) * side;
        if (away > farthest) farthest = away;
      }
      if (farthest >= far) armed = side;
    } else if (price !== null && side !== 0 && armed === side && Number.isNaN(test)) {
      row = firstNear(bars, price, { from: row, to }, side);
      after = price[row - 1] ?? Number.NaN;
    }
    if (row === to) break;
    const at = minute[row]!;
    const wasEvent = isEvent;
    const before = after;
    if (price !== null) after = price[row]!;
    if (isEvent && at - minute[row - 1]! > gapMinutes) {
      isEvent = false;
      armed = 0;
    }
    if (!isEvent && at >= fromMinute) {
      const isDown = isDownTo(low[row]!, before);
      const isUp = isUpTo(high[row]!, before);
      const begins = armed > 0 ? isDown : armed < 0 && isUp;
      if (begins && at < LAST_BEGIN_MINUTE) {
        test = before;
        from = armed;
        begun = row;
        isEvent = true;
      } else if (Number.isNaN(test)) {
        const comesFrom = side === 0 ? sideOf(open[row]!, before) : side;
        // Where the session begins at the level, it has come to it from nowhere.
        if (comesFrom > 0 ? isDown : comesFrom < 0 ? isUp : isDown && isUp) {
          test = before;
          from = comesFrom;
          begun = row;
        }
      }
      if (touched < 0 && !Number.isNaN(test)) touched = row;
    }
    const end = close[row]!;
    if (!Number.isNaN(test)) {
      const isAbove = isUpTo(high[row]!, test + decided);
      const isBelow = isDownTo(low[row]!, test - decided);
      const beyond = (test - end) * from;
      if (from > 0 ? isBelow : from < 0 && isAbove) broken = row;
      else if (row > begun && (from > 0 ? isAbove : from < 0 && isBelow)) {
        holds++;
        held = row;
        // What the records saw come they see come again after another close away.
        if (isEvent) armed = 0;
        isEvent = false;
        // The bar that went back may have closed beyond: that is the next test.
        if (beyond > 0) begun = row;
        else test = Number.NaN;
      }
      if (!isEvent && beyond >= far) broken = row;
      if (from === 0) from = sideOf(end, test);
    }
    if (isEvent) continue;
    const away = end - after;
    if (Math.abs(away) >= far) armed = away > 0 ? 1 : -1;
    // As for the records: a level that moves past price, or ends, is one that price did not come to.
    else if (price !== null && !(away * armed > 0)) armed = 0;
    if (Number.isNaN(away)) side = 0;
    else
      side =
        sideOf(end, after) || (wasEvent ? sideAfterEvent(bars, level, { from: begun, to: row }, side) : side);
  }
  track.side = side;
  track.armed = armed;
  track.test = test;
  track.from = from;
  track.begun = begun;
  track.isEvent = isEvent;
  track.touched = touched;
  track.holds = holds;
  track.held = held;
  track.broken = broken;
}

/** On which side of a level price was once an event had ended at a row, where it closed at the level; `before` the event. */
function sideAfterEvent(
  { close }: Bars,
  price: number | Float64Array,
  { from, to }: RowRange,
  before: 1 | -1 | 0,
): 1 | -1 | 0 {
  for (let row = to - 1; row >= from; row--) {
    const level = typeof price === 'number' ? price : price[row]!;
    const side = sideOf(close[row]!, level);
    if (side !== 0 || Number.isNaN(level)) return side;
  }
  return before;
}

/** The first row in which price reaches a level that moves from its side, or closes at or beyond it; `to` for none. */
function firstNear(
  { high, low, close }: Bars,
  price: Float64Array,
  { from, to }: RowRange,
  side: 1 | -1,
): number {
  let before = price[from - 1] ?? Number.NaN;
  for (let row = from; row < to; row++) {
    const after = price[row]!;
    const isAway =
      side > 0
        ? low[row]! > highestDownTo(before) && close[row]! > after
        : high[row]! < lowestUpTo(before) && close[row]! < after;
    if (!isAway) return row;
    before = after;
  }
  return to;
}

/** On which side of a level a price is; 0 at it. */
const sideOf = (price: number, level: number): 1 | -1 | 0 =>
  price > level && !isDownTo(price, level) ? 1 : price < level && !isUpTo(price, level) ? -1 : 0;

/** What became of a level so far. Rows are -1 for none. */
export interface LevelOutcome {
  readonly state: LevelState;
  readonly touched: number;
  /** The bar of the break or of the newest hold. */
  readonly decided: number;
  readonly holds: number;
}

/** @param last row of the session's last bar once the session is over; -1 before */
export function outcomeOf(
  track: LevelTrack,
  { close }: Pick<SessionBars, 'close'>,
  last: number,
): LevelOutcome {
  const { test, from, touched, held, broken, holds } = track;
  if (broken < 0 && last >= 0 && !Number.isNaN(test)) {
    const isBroken = (test - close[last]!) * from > 0;
    return {
      state: isBroken ? 'broken' : 'held',
      touched,
      decided: last,
      holds: isBroken ? holds : holds + 1,
    };
  }
  const state = broken >= 0 ? 'broken' : held >= 0 ? 'held' : touched >= 0 ? 'touched' : 'untouched';
  return { state, touched, decided: broken >= 0 ? broken : held, holds };
}

import { mirrored, type SessionColumns } from './session-columns.ts';
import type { SignalType } from './spec.ts';

/** The long side of a signal: 1 for each bar at whose end it fires. The short side is that of the mirrored session. */
export type Setups = (day: SessionColumns) => Uint8Array;

/** Distance from a line, in daily ATR, at which price must have closed before it can return to the line. */
const LEFT_VWAP_ATR = 0.15;
const LEFT_RANGE_ATR = 0.1;
export const ZONE_DISTANCE_ATR = 0.15;
const LEFT_AVERAGE_ATR = 0.1;
/** Bars that must close above VWAP, and over which VWAP must rise. */
export const TREND_BARS = 30;
/** Closes beyond the opening range, from that of the retest on, after which it holds. */
const HOLD_BARS = 5;
export const SLOPE_BARS = 10;

/**
 * Bars on which price returns to a line from above and holds it: after a close at least `left` above the line, the
 * first bar whose low is at or below the line and whose close is above. The next return needs another such close. A
 * close at or below the line, or a row where it is NaN, starts over.
 *
 * @param line price at each bar as known at its end, or one price for all bars
 * @param left dollars
 * @param from the first row that counts
 * @param into adds to these setups
 */
export function returnsTo(
  line: Float64Array | number,
  left: number,
  { low, close }: Pick<SessionColumns, 'low' | 'close'>,
  from = 0,
  into = new Uint8Array(close.length),
): Uint8Array {
  let isAway = false;
  for (let bar = from; bar < close.length; bar++) {
    const at = typeof line === 'number' ? line : line[bar]!;
    if (!(close[bar]! > at)) isAway = false;
    else if (isAway && low[bar]! <= at) {
      into[bar] = 1;
      isAway = false;
    } else if (close[bar]! >= at + left) isAway = true;
  }
  return into;
}

/** Clears the setups of bars that fail a condition. */
function where(setups: Uint8Array, holds: (bar: number) => boolean): Uint8Array {
  for (let bar = 0; bar < setups.length; bar++) if (setups[bar] === 1 && !holds(bar)) setups[bar] = 0;
  return setups;
}

/**
 * Return to VWAP in an established trend: each of the last 30 bars closes above VWAP, VWAP is higher than 30 bars ago,
 * price has closed 0.15 daily ATR above it, and now dips to it and closes above.
 */
function vwapTouch(day: SessionColumns): Uint8Array {
  const { close, vwap } = day;
  const above = new Uint32Array(close.length);
  for (let bar = 0; bar < close.length; bar++) {
    above[bar] = close[bar]! > vwap[bar]! ? (above[bar - 1] ?? 0) + 1 : 0;
  }
  return where(
    returnsTo(vwap, LEFT_VWAP_ATR * day.dailyAtr, day),
    (bar) => above[bar]! >= TREND_BARS && vwap[bar]! > vwap[bar - TREND_BARS]!,
  );
}

/** The session's first close above the high of its first hour. */
function ibBreakout({ close, initialBalance }: SessionColumns): Uint8Array {
  const setups = new Uint8Array(close.length);
  for (let bar = initialBalance.knownFrom; bar < close.length; bar++) {
    if (!(close[bar]! > initialBalance.high)) continue;
    setups[bar] = 1;
    break;
  }
  return setups;
}

/** After a break that goes 0.1 daily ATR beyond the initial balance, price dips to its high and closes above. */
function ibRetest(day: SessionColumns): Uint8Array {
  const { high, knownFrom } = day.initialBalance;
  return returnsTo(high, LEFT_RANGE_ATR * day.dailyAtr, day, knownFrom);
}

/**
 * The high of the 15-minute opening range holds: after a break that goes 0.1 daily ATR beyond it, price dips to it, and
 * five closes in a row, from that of the dip on, stay above. Fires with the fifth.
 */
function orHold(day: SessionColumns): Uint8Array {
  const { high, knownFrom } = day.openingRange;
  const retests = returnsTo(high, LEFT_RANGE_ATR * day.dailyAtr, day, knownFrom);
  const setups = new Uint8Array(retests.length);
  for (let bar = 0; bar + HOLD_BARS <= retests.length; bar++) {
    if (retests[bar] === 0) continue;
    const closes = day.close.subarray(bar, bar + HOLD_BARS);
    if (closes.every((close) => close > high)) setups[bar + HOLD_BARS - 1] = 1;
  }
  return setups;
}

/** Price falls at least 0.15 daily ATR to a zone of levels known before the open, dips into it and closes above it. */
function levelConfluence(day: SessionColumns): Uint8Array {
  const setups = new Uint8Array(day.close.length);
  for (const { high } of day.zones) {
    returnsTo(high, ZONE_DISTANCE_ATR * day.dailyAtr, day, 0, setups);
  }
  return setups;
}

/**
 * Pullback in a stacked trend: EMA 9 above EMA 20 above EMA 50, EMA 50 higher than 10 bars ago, price above VWAP; after
 * a close 0.1 daily ATR above EMA 20, price dips to it and closes above.
 */
function trendContinuation(day: SessionColumns): Uint8Array {
  const { close, vwap, ema9, ema20, ema50 } = day;
  return where(
    returnsTo(ema20, LEFT_AVERAGE_ATR * day.dailyAtr, day),
    (bar) =>
      ema9[bar]! > ema20[bar]! &&
      ema20[bar]! > ema50[bar]! &&
      ema50[bar]! > ema50[bar - SLOPE_BARS]! &&
      close[bar]! > vwap[bar]!,
  );
}

export const SETUPS: Readonly<Record<SignalType, Setups>> = {
  vwap_touch: vwapTouch,
  ib_breakout: ibBreakout,
  ib_retest: ibRetest,
  or_hold: orHold,
  level_confluence: levelConfluence,
  trend_continuation: trendContinuation,
};

/**
 * Side of a signal at each bar of a session: 1 long, -1 short, 0 for none or for both at once.
 *
 * @param shorts `mirrored(day)`, shared by the signals of the session
 */
export function signalSides(type: SignalType, day: SessionColumns, shorts = mirrored(day)): Int8Array {
  const setups = SETUPS[type];
  const long = setups(day);
  const short = setups(shorts);
  const sides = new Int8Array(long.length);
  for (let bar = 0; bar < sides.length; bar++) sides[bar] = long[bar]! - short[bar]!;
  return sides;
}

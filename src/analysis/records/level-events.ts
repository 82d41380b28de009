import type { BarColumns } from '../../market/observations.ts';
import { MINUTE_MS, priceRange } from '../sessions.ts';
import { isDownTo, isUpTo } from './barriers.ts';

/**
 * What became of levels in one session: when price came to each, and whether it turned away from it or went through.
 * Distances are in ATR of the session before, the same both ways, so that chance is near one half.
 */

/** One-minute bars of a regular session, oldest first; a minute without trades has no bar. */
export interface SessionBars {
  /** Minutes from the open to the beginning of the bar. */
  readonly minute: Int32Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
}

/** @param openedAt epoch milliseconds */
export function sessionBars(bars: BarColumns, openedAt: number): SessionBars {
  const { time, open, high, low, close } = bars;
  const minute = new Int32Array(time.length);
  for (let bar = 0; bar < time.length; bar++) minute[bar] = Math.round((time[bar]! - openedAt) / MINUTE_MS);
  return { minute, open, high, low, close };
}

/** So far a close must have been before price can come to the level. */
export const ARMED_ATR = 0.15;
/** So far back, or beyond, price must go to decide. */
export const DECIDED_ATR = 0.25;
/** From 15:00 on no event begins: it would have no time to end. */
export const LAST_BEGIN_MINUTE = 330;
/** Minutes without a bar in which nobody saw what happened. */
export const GAP_MINUTES = 5;

type Outcome = 'true' | 'false' | 'undecided' | 'gap';

/** A level that price came to, and what became of it. */
export interface LevelEvent {
  /** Row of the level among those given. */
  readonly level: number;
  /** What it was when price came to it. */
  readonly price: number;
  /** Minutes from the open to the beginning of the bar that reached it. */
  readonly minute: number;
  /** 1: price came from above; -1: from below. */
  readonly side: 1 | -1;
  readonly outcome: Outcome;
  /** Whether one bar went both back and beyond; it counts as false. */
  readonly isAmbiguous: boolean;
  /** Minutes from the open to the beginning of the bar that decided; NaN of what stayed undecided. */
  readonly decidedAt: number;
}

/** Events of each level in their order; a level may have several, of which one is open at a time. */
export function levelEvents(
  bars: SessionBars,
  { price, fromMinute }: { readonly price: Float64Array; readonly fromMinute: Int32Array },
  atr: number,
): LevelEvent[] {
  const events: LevelEvent[] = [];
  const { low, high } = priceRange(bars, { from: 0, to: bars.minute.length });
  for (let level = 0; level < price.length; level++) {
    const isReached = price[level]! > 0 && isDownTo(low, price[level]!) && isUpTo(high, price[level]!);
    if (isReached)
      eventsOfLevel(bars, { of: price, first: level, step: 0 }, fromMinute[level]!, atr, level, events);
  }
  return events;
}

/**
 * As `levelEvents`, of one level that moves.
 *
 * @param path what it is at the end of each bar, NaN where there is none
 */
export function movingLevelEvents(bars: SessionBars, path: Float64Array, atr: number): LevelEvent[] {
  const events: LevelEvent[] = [];
  eventsOfLevel(bars, { of: path, first: 0, step: 1 }, 0, atr, 0, events);
  return events;
}

/** Where a level's price at each bar stands in a column: at one place, or from there on one after the other. */
interface PricePlace {
  readonly of: Float64Array;
  readonly first: number;
  readonly step: 0 | 1;
}

function eventsOfLevel(
  { minute, high, low, close }: SessionBars,
  { of, first, step }: PricePlace,
  from: number,
  atr: number,
  level: number,
  into: LevelEvent[],
): void {
  if (!(atr > 0)) return;
  let price = of[first]!;
  const armed = ARMED_ATR * atr;
  const decided = DECIDED_ATR * atr;
  let side: 1 | -1 | 0 = 0;
  let begun = -1;
  // The price is an argument: a number that a closure shares is boxed with every bar.
  const end = (met: number, outcome: Outcome, isAmbiguous: boolean, decidedAt: number): void => {
    into.push({
      level,
      price: met,
      minute: minute[begun]!,
      side: side as 1 | -1,
      outcome,
      isAmbiguous,
      decidedAt,
    });
    begun = -1;
    side = 0;
  };
  for (let bar = 0; bar < minute.length; bar++) {
    const at = minute[bar]!;
    if (begun >= 0 && at - minute[bar - 1]! > GAP_MINUTES) end(price, 'gap', false, Number.NaN);
    if (begun < 0 && side !== 0 && at >= from && at < LAST_BEGIN_MINUTE) {
      // What a bar meets is what was known before it; from then on it stays where it was met.
      price = of[first + step * (bar - 1)]!;
      if (side > 0 ? isDownTo(low[bar]!, price) : isUpTo(high[bar]!, price)) begun = bar;
    }
    if (begun >= 0) {
      const [above, below] = [isUpTo(high[bar]!, price + decided), isDownTo(low[bar]!, price - decided)];
      const isBeyond = side > 0 ? below : above;
      const isBack = bar > begun && (side > 0 ? above : below);
      if (isBeyond) end(price, 'false', isBack, at);
      else if (isBack) end(price, 'true', false, at);
    }
    // Only a close tells on which side the next event begins.
    if (begun < 0) {
      const away = close[bar]! - of[first + step * bar]!;
      if (Math.abs(away) >= armed) side = away > 0 ? 1 : -1;
      // A level that moves past price, or ends, is one that price did not come to.
      else if (step === 1 && !(away * side > 0)) side = 0;
    }
  }
  if (begun >= 0) end(price, 'undecided', false, Number.NaN);
}

/** Distances from the open, in ATR, that part the strata. */
const DISTANCES = [0.2, 0.4, 0.7];
const HOURS = Math.ceil(LAST_BEGIN_MINUTE / 60);
/** Hour of the session, distance of the level from the open, and whether price moved away from the open to it. */
export const STRATA = 2 * (DISTANCES.length + 1) * HOURS;

/** Strata that stand together: of the hours of a distance, of the distances of a direction, of both directions. */
export const STRATA_WIDTHS = [HOURS, STRATA / 2, STRATA] as const;

/** The stratum within which an event is compared with placebo levels. */
export function stratumOf(
  { minute, side }: Pick<LevelEvent, 'minute' | 'side'>,
  price: number,
  open: number,
  atr: number,
): number {
  const far = (price - open) / atr;
  const place = DISTANCES.filter((distance) => Math.abs(far) >= distance).length;
  const isAway = Math.sign(far) === -side ? 1 : 0;
  return (isAway * (DISTANCES.length + 1) + place) * HOURS + Math.floor(minute / 60);
}

/** A placebo this near to a real level would be one. */
const PLACEBO_APART_ATR = 0.15;

/**
 * Levels where none was: the distances, in ATR, that levels of earlier dates had from the close before their session, put
 * to today's close. None lies within 0.15 ATR of a real level.
 *
 * @param distances of the levels of earlier dates
 */
export function placeboLevels(
  distances: ArrayLike<number>,
  priorClose: number,
  atr: number,
  real: Float64Array,
): Float64Array {
  const placebos: number[] = [];
  for (let place = 0; place < distances.length; place++) {
    const price = priorClose + distances[place]! * atr;
    let isPlacebo = price > 0;
    for (let at = 0; at < real.length && isPlacebo; at++)
      isPlacebo = !(Math.abs(real[at]! - price) < PLACEBO_APART_ATR * atr);
    if (isPlacebo) placebos.push(price);
  }
  return Float64Array.from(placebos);
}

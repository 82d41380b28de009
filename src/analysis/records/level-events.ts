import type { BarColumns } from '../../market/observations.ts';
import { extremesSoFar, MINUTE_MS, priceRange } from '../sessions.ts';
import { ticksPerDollar } from '../volume-profile.ts';
import { highestDownTo, isDownTo, isUpTo, lowestUpTo } from './barriers.ts';

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
  /** Of the session up to the end of each bar, see `rangeSoFar`. */
  readonly range: Float64Array;
}

/** From the lowest to the highest price up to the end of each bar. */
export function rangeSoFar(bars: Pick<SessionBars, 'high' | 'low'>): Float64Array {
  const { high, low } = extremesSoFar(bars);
  return high.map((top, bar) => top - low[bar]!);
}

/** @param openedAt epoch milliseconds */
export function sessionBars(bars: BarColumns, openedAt: number): SessionBars {
  const { open, high, low, close } = bars;
  return { minute: minutesFrom(bars, openedAt), open, high, low, close, range: rangeSoFar(bars) };
}

/** Minutes from the open to the beginning of each bar. */
export function minutesFrom({ time }: Pick<BarColumns, 'time'>, openedAt: number): Int32Array {
  const minute = new Int32Array(time.length);
  for (let bar = 0; bar < time.length; bar++) minute[bar] = Math.round((time[bar]! - openedAt) / MINUTE_MS);
  return minute;
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
  /** Range of the session before that bar. */
  readonly range: number;
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
  const blocks = blocksOf(bars);
  for (let level = 0; level < price.length; level++) {
    const isReached = price[level]! > 0 && isDownTo(low, price[level]!) && isUpTo(high, price[level]!);
    if (isReached)
      eventsOfLevel(
        bars,
        { of: price, first: level, step: 0, blocks },
        fromMinute[level]!,
        atr,
        level,
        events,
      );
  }
  return events;
}

/** Bars of a block. */
const BLOCK = 16;

/** Lowest and highest prices of blocks of bars: most are passed over by all levels that stay where they are. */
function blocksOf({ low, high }: SessionBars): Pick<SessionBars, 'low' | 'high'> {
  const count = Math.ceil(low.length / BLOCK);
  const blocks = { low: new Float64Array(count), high: new Float64Array(count) };
  for (let block = 0; block < count; block++) {
    const rows = { from: block * BLOCK, to: Math.min(low.length, (block + 1) * BLOCK) };
    const range = priceRange({ low, high }, rows);
    blocks.low[block] = range.low;
    blocks.high[block] = range.high;
  }
  return blocks;
}

/**
 * As `levelEvents`, of one level that moves.
 *
 * @param path what it is at the end of each bar, NaN where there is none
 */
export function movingLevelEvents(bars: SessionBars, path: Float64Array, atr: number): LevelEvent[] {
  const events: LevelEvent[] = [];
  eventsOfLevel(bars, { of: path, first: 0, step: 1, blocks: null }, 0, atr, 0, events);
  return events;
}

/** Where a level's price at each bar stands in a column: at one place, or from there on one after the other. */
interface PricePlace {
  readonly of: Float64Array;
  readonly first: number;
  readonly step: 0 | 1;
  /** Of a level that stays at its place. */
  readonly blocks: ReturnType<typeof blocksOf> | null;
}

function eventsOfLevel(
  { minute, high, low, close, range }: SessionBars,
  { of, first, step, blocks }: PricePlace,
  from: number,
  atr: number,
  level: number,
  into: LevelEvent[],
): void {
  if (!(atr > 0)) return;
  let price = of[first]!;
  let upTo = lowestUpTo(price);
  let downTo = highestDownTo(price);
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
      range: range[begun - 1]!,
      outcome,
      isAmbiguous,
      decidedAt,
    });
    begun = -1;
    side = 0;
  };
  for (let bar = 0; bar < minute.length; bar++) {
    const at = minute[bar]!;
    if (begun < 0 && at >= LAST_BEGIN_MINUTE) return;
    if (blocks !== null && begun < 0 && side !== 0 && at >= from && bar % BLOCK === 0) {
      const block = bar / BLOCK;
      // While no bar comes to it every close stays on its side.
      if (side > 0 ? blocks.low[block]! > downTo : blocks.high[block]! < upTo) {
        bar += BLOCK - 1;
        continue;
      }
    }
    if (begun >= 0 && at - minute[bar - 1]! > GAP_MINUTES) end(price, 'gap', false, Number.NaN);
    if (begun < 0 && side !== 0 && at >= from && at < LAST_BEGIN_MINUTE) {
      if (step === 1) {
        // What a bar meets is what was known before it; from then on it stays where it was met.
        price = of[first + bar - 1]!;
        upTo = lowestUpTo(price);
        downTo = highestDownTo(price);
      }
      if (side > 0 ? low[bar]! <= downTo : high[bar]! >= upTo) begun = bar;
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

/** Distances from the open, and ranges of the session so far, in ATR, that part the strata. */
const DISTANCES = [0.2, 0.4, 0.7];
const RANGES = [0.5, 0.8, 1.25];
const HOURS = Math.ceil(LAST_BEGIN_MINUTE / 60);
const OF_HOUR = RANGES.length + 1;
const OF_DISTANCE = HOURS * OF_HOUR;
const OF_DIRECTION = (DISTANCES.length + 1) * OF_DISTANCE;
/**
 * Whether price moved away from the open to the level, the distance of the level from the open, the hour, and how far the
 * session had ranged: on wide days a bar that reaches a level more often goes on through it.
 */
export const STRATA = 2 * OF_DIRECTION;

/** Strata that stand together: of an hour, of the hours of a distance, of the distances of a direction, of both. */
export const STRATA_WIDTHS = [OF_HOUR, OF_DISTANCE, OF_DIRECTION, STRATA] as const;

const placeAmong = (value: number, limits: readonly number[]): number =>
  limits.filter((limit) => value >= limit).length;

/** The stratum within which an event is compared with placebo levels. */
export function stratumOf(
  { minute, side, range }: Pick<LevelEvent, 'minute' | 'side' | 'range'>,
  price: number,
  open: number,
  atr: number,
): number {
  const far = (price - open) / atr;
  const isAway = Math.sign(far) === -side ? 1 : 0;
  return (
    isAway * OF_DIRECTION +
    placeAmong(Math.abs(far), DISTANCES) * OF_DISTANCE +
    Math.floor(minute / 60) * OF_HOUR +
    placeAmong(range / atr, RANGES)
  );
}

/** Digits of a price that computing it may lose, in ticks. */
const TICK_DUST = 1e-6;

/** Whether a price is one at which shares are quoted. */
function isOnTick(price: number): boolean {
  const ticks = price * ticksPerDollar(price);
  return Math.abs(ticks - Math.round(ticks)) < TICK_DUST;
}

/** What the levels of a session are measured from: the close before it, and ATR then. */
interface LevelScale {
  readonly priorClose: number;
  readonly atr: number;
}

/**
 * Where a level of an earlier session would lie in another: as far from the prior close, in ATR, and on a tick if it was on
 * one.
 */
export const placeboPrice = (level: number, was: LevelScale, is: LevelScale): number =>
  priceAtDistance(distanceOf(level, was), isOnTick(level), is);

const distanceOf = (level: number, { priorClose, atr }: LevelScale): number => (level - priorClose) / atr;

function priceAtDistance(distance: number, onTick: boolean, { priorClose, atr }: LevelScale): number {
  const price = priorClose + distance * atr;
  if (!(price > 0) || !onTick) return price;
  const ticks = ticksPerDollar(price);
  return Math.round(price * ticks) / ticks;
}

/** The `placeboPrice` of each price of a path, in sessions that ask for it by its place. */
export function placeboPath(path: Float64Array, was: LevelScale): (at: number, is: LevelScale) => number {
  const distance = new Float64Array(path.length);
  const onTick = new Uint8Array(path.length);
  for (let at = 0; at < path.length; at++) {
    distance[at] = distanceOf(path[at]!, was);
    onTick[at] = isOnTick(path[at]!) ? 1 : 0;
  }
  return (at, is) => priceAtDistance(distance[at]!, onTick[at] === 1, is);
}

/** A placebo this near to a level would be one. */
const PLACEBO_APART_ATR = 0.15;
/** So many placebos one stands for at most. */
const WEIGHT_MAX = 10;

/**
 * How many each of some placebos of a family stands for. Those beside a level of the family are none, and the others stand
 * for them: left out without that, families would be compared on other stocks and dates than they were touched on, such as
 * have few levels, and lie far out, where price comes to on wide days alone.
 *
 * @param standing levels of the family that were known before the open
 */
export function placeboWeights(
  placebos: readonly number[],
  standing: readonly number[],
  atr: number,
): Float64Array {
  const apart = PLACEBO_APART_ATR * atr;
  const isPlacebo = placebos.map((price) => !standing.some((level) => Math.abs(level - price) < apart));
  const weight = Math.min(WEIGHT_MAX, placebos.length / isPlacebo.filter(Boolean).length);
  return Float64Array.from(isPlacebo, (is) => (is ? Math.round(100 * weight) / 100 : 0));
}

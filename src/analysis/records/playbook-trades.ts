import { type EntryTables, entryTables, firstTouches, NEVER, SAME_PRICE } from '../backtest/first-touch.ts';
import type { SessionColumns } from '../backtest/session-columns.ts';

/** What became of trades by the walk of the backtest, with its costs. */

/** Half a cent on fifty dollars: what a fill that is not a target's gives away, in basis points of the entry. */
export const SLIPPAGE_BPS = 1;

/** Distances from the entry, in daily ATR of the session before. */
export interface TradeDistances {
  readonly stop: number;
  readonly target: number;
}

/** A trade of a session, entered at the open of a bar. */
interface SessionTrade {
  /** After costs, in daily ATR; where it was not decided, that of leaving at the last close. */
  readonly gain: number;
  /** Bar at which stop or target was reached; null for neither. */
  readonly decidedBar: number | null;
  /** Whether that bar reached both, which counts as the stop. */
  readonly isAmbiguous: boolean;
}

/** A session and the same upside down, `mirrored(day)`. */
export interface BothSides {
  readonly columns: SessionColumns;
  readonly shorts: SessionColumns;
}

const SCRATCH: EntryTables = entryTables({ stops: [1], targets: [1] });

/** The trade of a session that enters at the open after a bar, which is not the last. */
export function sessionTrade(
  day: BothSides,
  signalBar: number,
  side: 1 | -1,
  distances: TradeDistances,
): SessionTrade {
  enter(day, signalBar, signalBar + 1, side, distances);
  const [stopped, reached] = [SCRATCH.stopBar[0]!, SCRATCH.targetBar[0]!];
  const isStopped = stopped !== NEVER && stopped <= reached;
  return {
    gain: gainAt(0),
    decidedBar: isStopped ? stopped : reached === NEVER ? null : reached,
    isAmbiguous: isStopped && stopped === reached,
  };
}

/** What some trades came to that are compared with one. */
export interface ComparedTrades {
  count: number;
  /** Those that made money after costs. */
  won: number;
  /** Sum of their gains after costs, in daily ATR. */
  gain: number;
}

/** Adds the trades of a session that enter at the opens after some bars in a row. */
export function addTrades(
  into: ComparedTrades,
  day: BothSides,
  from: number,
  to: number,
  side: 1 | -1,
  distances: TradeDistances,
): void {
  enter(day, from, to, side, distances);
  for (let at = 0; at < SCRATCH.count; at++) {
    const gain = gainAt(at);
    into.count++;
    into.gain += gain;
    if (gain > 0) into.won++;
  }
}

function enter(
  { columns, shorts }: BothSides,
  from: number,
  to: number,
  side: 1 | -1,
  { stop, target }: TradeDistances,
): void {
  const terms = { stops: [stop], targets: [target], commissionPerShare: 0, slippageBps: SLIPPAGE_BPS };
  const day = side > 0 ? columns : shorts;
  SCRATCH.count = Math.max(0, Math.min(to, columns.close.length - 1) - from);
  for (let at = 0; at < SCRATCH.count; at++) firstTouches(day, from + at + 1, terms, SCRATCH, at);
}

function gainAt(at: number): number {
  const { stopBar, stopGain, targetBar, targetGain, endGain } = SCRATCH;
  if (targetBar[at]! < stopBar[at]!) return targetGain[at]!;
  return stopBar[at] === NEVER ? endGain[at]! : stopGain[at]!;
}

/**
 * The chance of a trade by those that it is compared with; nothing without any.
 *
 * @param risk one R in daily ATR; null where nobody asks for it
 */
export function compared({ count, won, gain }: ComparedTrades, risk: number | null) {
  if (count === 0) return {};
  const chance = { controls: count, chance: won / count };
  return risk === null ? chance : { ...chance, chanceGain: gain / risk / count };
}

/** A trade over days: gain as above, and the row that decided; null for neither stop nor target up to the last row. */
export interface DaysTrade {
  readonly gain: number;
  /** Whether the target decided. */
  readonly isReached: boolean;
  readonly decidedRow: number | null;
  readonly isAmbiguous: boolean;
}

/** Daily bars of a trade that is entered at the open of the first. */
export interface DaysHeld {
  readonly bars: Readonly<Record<'open' | 'high' | 'low' | 'close', Float64Array>>;
  /** Row of the entry. */
  readonly from: number;
  /** Row behind the last of the horizon, after `from`. */
  readonly to: number;
  /** ATR, dollars in the shares of the bars. */
  readonly range: number;
}

/** A trade by daily bars. */
export function daysTrade(
  bars: DaysHeld['bars'],
  from: number,
  to: number,
  side: 1 | -1,
  range: number,
  distances: TradeDistances,
): DaysTrade {
  const held = { bars, from, to, range };
  const rows = new Uint8Array(2);
  touchedAfter(held, side, [distances.stop], 'stop', rows, 0, 1);
  touchedAfter(held, side, [distances.target], 'target', rows, 1, 1);
  const [stopped, reached] = [rows[0]!, rows[1]!];
  const isDecided = Math.min(stopped, reached) !== UNTOUCHED;
  return {
    gain: daysGain(held, side, distances, stopped, reached),
    isReached: reached < stopped,
    decidedRow: isDecided ? held.from + Math.min(stopped, reached) : null,
    isAmbiguous: isDecided && stopped === reached,
  };
}

/** Of a distance that is not touched within the horizon: after every row. */
export const UNTOUCHED = 0xff;

/**
 * Rows after the entry at which a trade touches each of some distances, in one walk.
 *
 * @param distances ascending
 * @param into room for the rows: that of the first distance is at `at`, that of the next `step` behind it
 */
export function touchedAfter(
  { bars, from, to, range }: DaysHeld,
  side: 1 | -1,
  distances: readonly number[],
  way: keyof TradeDistances,
  into: Uint8Array,
  at: number,
  step: number,
): void {
  const entry = bars.open[from]!;
  const dust = entry * SAME_PRICE;
  const towards = way === 'target' ? side : -side;
  const prices = towards > 0 ? bars.high : bars.low;
  let next = 0;
  // Dollars: a division each would be half of the work.
  let aim = distances[0]! * range - dust;
  for (let row = from; row < to && next < distances.length; row++) {
    const move = towards * (prices[row]! - entry);
    while (next < distances.length && move >= aim) {
      into[at + step * next++] = row - from;
      aim = distances[next]! * range - dust;
    }
  }
  for (; next < distances.length; next++) into[at + step * next] = UNTOUCHED;
}

/** The gain of a trade by the rows after its entry at which it touched stop and target; of both at once the stop's. */
export function daysGain(
  { bars, from, to, range }: DaysHeld,
  side: 1 | -1,
  { stop, target }: TradeDistances,
  stopped: number,
  reached: number,
): number {
  const entry = bars.open[from]!;
  const slippage = (entry * SLIPPAGE_BPS * 1e-4) / range;
  const gainAt = (price: number): number => (side * (price - entry)) / range;
  if (reached < stopped) return Math.max(gainAt(bars.open[from + reached]!), target) - slippage;
  if (stopped === UNTOUCHED) return gainAt(bars.close[to - 1]!) - 2 * slippage;
  return Math.min(gainAt(bars.open[from + stopped]!), -stop) - 2 * slippage;
}

import { type EntryTables, enterSession, entryTables, NEVER, SAME_PRICE } from '../backtest/first-touch.ts';
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
  const sides = new Int8Array(columns.close.length).fill(side, from, to);
  const terms = { stops: [stop], targets: [target], commissionPerShare: 0, slippageBps: SLIPPAGE_BPS };
  enterSession(sides, columns, shorts, terms, SCRATCH);
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

/**
 * A trade by daily bars, entered at the open of the first.
 *
 * @param from row of the entry
 * @param to row behind the last of the horizon, after `from`
 * @param atr dollars in the shares of the bars
 */
export function daysTrade(
  { open, high, low, close }: Readonly<Record<'open' | 'high' | 'low' | 'close', Float64Array>>,
  from: number,
  to: number,
  side: 1 | -1,
  atr: number,
  { stop, target }: TradeDistances,
): DaysTrade {
  const entry = open[from]!;
  const slippage = (entry * SLIPPAGE_BPS * 1e-4) / atr;
  const gainAt = (price: number): number => (side * (price - entry)) / atr;
  const dust = entry * SAME_PRICE;
  const [worst, best] = side > 0 ? [low, high] : [high, low];
  // Dollars: a division each would be half of the work.
  const [wrong, aim] = [dust - stop * atr, target * atr - dust];
  for (let row = from; row < to; row++) {
    const isStopped = side * (worst[row]! - entry) <= wrong;
    const isReached = side * (best[row]! - entry) >= aim;
    if (!isStopped && !isReached) continue;
    const first = gainAt(open[row]!);
    return {
      gain: isStopped ? Math.min(first, -stop) - 2 * slippage : Math.max(first, target) - slippage,
      isReached: !isStopped,
      decidedRow: row,
      isAmbiguous: isStopped && isReached,
    };
  }
  return {
    gain: gainAt(close[to - 1]!) - 2 * slippage,
    isReached: false,
    decidedRow: null,
    isAmbiguous: false,
  };
}

import { type EntryTables, enterSession, entryTables, NEVER } from '../backtest/first-touch.ts';
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
export interface SessionTrade {
  readonly entryBar: number;
  /** After costs, in daily ATR; where it was not decided, that of leaving at the last close. */
  readonly gain: number;
  /** Bar at which stop or target was reached; null for neither. */
  readonly decidedBar: number | null;
  /** Whether that bar reached both, which counts as the stop. */
  readonly isAmbiguous: boolean;
}

const SCRATCH: EntryTables = entryTables({ stops: [1], targets: [1] });

/**
 * Trades of a session that enter at the open after each of some bars.
 *
 * @param signalBars ascending
 * @param shorts `mirrored(day)`
 */
export function sessionTrades(
  day: SessionColumns,
  shorts: SessionColumns,
  signalBars: Iterable<number>,
  side: 1 | -1,
  { stop, target }: TradeDistances,
): SessionTrade[] {
  const sides = new Int8Array(day.close.length);
  for (const bar of signalBars) sides[bar] = side;
  const terms = { stops: [stop], targets: [target], commissionPerShare: 0, slippageBps: SLIPPAGE_BPS };
  enterSession(sides, day, shorts, terms, SCRATCH);
  const { count, signalBar, stopBar, stopGain, targetBar, targetGain, endGain } = SCRATCH;
  return Array.from({ length: count }, (_, at) => {
    const [stopped, reached] = [stopBar[at]!, targetBar[at]!];
    const isTarget = reached < stopped;
    return {
      entryBar: signalBar[at]! + 1,
      gain: isTarget ? targetGain[at]! : stopped === NEVER ? endGain[at]! : stopGain[at]!,
      decidedBar: isTarget ? reached : stopped === NEVER ? null : stopped,
      isAmbiguous: stopped !== NEVER && stopped === reached,
    };
  });
}

/** A trade over days: gain as above, and the row that decided; null for neither stop nor target up to the last row. */
interface DaysTrade {
  readonly gain: number;
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
  for (let row = from; row < to; row++) {
    const [worst, best] = side > 0 ? [low[row]!, high[row]!] : [high[row]!, low[row]!];
    const isStopped = gainAt(worst) <= -stop;
    const isReached = gainAt(best) >= target;
    const first = gainAt(open[row]!);
    if (isStopped)
      return {
        gain: Math.min(first, -stop) - 2 * slippage,
        decidedRow: row,
        isAmbiguous: isReached,
      };
    if (isReached) return { gain: Math.max(first, target) - slippage, decidedRow: row, isAmbiguous: false };
  }
  return { gain: gainAt(close[to - 1]!) - 2 * slippage, decidedRow: null, isAmbiguous: false };
}

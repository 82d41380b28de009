import type { SessionColumns } from './session-columns.ts';
import type { TradeTerms } from './spec.ts';

/** Bar of a level that is never reached: after every bar of a session. */
export const NEVER = 0x3fffffff;
/**
 * Share of a price within which another is the same: a distance in ATR and back is off by some 1e-16, a tick is 1e-7 at
 * least. A price that is touched exactly is reached.
 */
export const SAME_PRICE = 1e-9;
/** One-minute bars of a session. */
const BARS_MAX = 390;

/**
 * The entries of one session and signal type, in order, with the bar at which each reaches every stop and target. A
 * table has one row for each entry and one column for each multiple. Gains are dollars a share after costs over the
 * daily ATR.
 */
export interface EntryTables {
  count: number;
  /** Bar at whose end the signal fired; the entry is at the open of the next. */
  readonly signalBar: Int32Array;
  readonly isLong: Uint8Array;
  readonly stopBar: Int32Array;
  readonly stopGain: Float64Array;
  readonly targetBar: Int32Array;
  readonly targetGain: Float64Array;
  readonly endGain: Float64Array;
}

/** Empty tables, which a caller may fill for one session after the other. */
export function entryTables({ stops, targets }: Pick<TradeTerms, 'stops' | 'targets'>): EntryTables {
  const entries = BARS_MAX;
  return {
    count: 0,
    signalBar: new Int32Array(entries),
    isLong: new Uint8Array(entries),
    stopBar: new Int32Array(entries * stops.length),
    stopGain: new Float64Array(entries * stops.length),
    targetBar: new Int32Array(entries * targets.length),
    targetGain: new Float64Array(entries * targets.length),
    endGain: new Float64Array(entries),
  };
}

/**
 * Fills the tables with the entries of a session: one for each signal, except on the last bar, which has no next open.
 *
 * @param sides by bar, 1 long, -1 short, 0 none
 * @param shorts `mirrored(day)`: a short is a long of the session upside down
 */
export function enterSession(
  sides: Int8Array,
  day: SessionColumns,
  shorts: SessionColumns,
  terms: TradeTerms,
  into: EntryTables,
): void {
  if (sides.length > BARS_MAX) throw new RangeError(`a session has at most ${BARS_MAX} one-minute bars`);
  into.count = 0;
  for (let bar = 0; bar < sides.length - 1; bar++) {
    const side = sides[bar]!;
    if (side === 0) continue;
    const at = into.count++;
    into.signalBar[at] = bar;
    into.isLong[at] = side > 0 ? 1 : 0;
    firstTouches(side > 0 ? day : shorts, bar + 1, terms, into, at);
  }
}

/**
 * One pass over the bars from the entry on. Stops and targets ascend, so each bar is compared with the next of each
 * only. The pass ends once the widest stop or the furthest target is reached, when no cell has a position.
 *
 * A stop fills at its price, or at the open of a bar that opens beyond it; a target, a limit order, at its price or
 * better.
 */
function firstTouches(
  { open, high, low, close, dailyAtr }: SessionColumns,
  entryBar: number,
  { stops, targets, commissionPerShare, slippageBps }: TradeTerms,
  { stopBar, stopGain, targetBar, targetGain, endGain }: EntryTables,
  at: number,
): void {
  const bars = close.length;
  const entry = open[entryBar]!;
  const slippage = Math.abs(entry) * slippageBps * 1e-4;
  const limitCost = (2 * commissionPerShare + slippage) / dailyAtr;
  const marketCost = (2 * commissionPerShare + 2 * slippage) / dailyAtr;
  const stopFrom = at * stops.length;
  const targetFrom = at * targets.length;
  let stop = 0;
  let target = 0;
  const dust = Math.abs(entry) * SAME_PRICE;
  let stopPrice = entry - stops[0]! * dailyAtr;
  let targetPrice = entry + targets[0]! * dailyAtr;
  let bar = entryBar;
  while (stop < stops.length && target < targets.length) {
    // Most bars reach no new level: this loop passes over them.
    while (bar < bars && low[bar]! > stopPrice + dust && high[bar]! < targetPrice - dust) bar++;
    if (bar >= bars) break;
    while (low[bar]! <= stopPrice + dust) {
      stopBar[stopFrom + stop] = bar;
      stopGain[stopFrom + stop] = (Math.min(open[bar]!, stopPrice) - entry) / dailyAtr - marketCost;
      stop++;
      stopPrice = stop < stops.length ? entry - stops[stop]! * dailyAtr : Number.NEGATIVE_INFINITY;
    }
    while (high[bar]! >= targetPrice - dust) {
      targetBar[targetFrom + target] = bar;
      targetGain[targetFrom + target] = (Math.max(open[bar]!, targetPrice) - entry) / dailyAtr - limitCost;
      target++;
      targetPrice = target < targets.length ? entry + targets[target]! * dailyAtr : Number.POSITIVE_INFINITY;
    }
    bar++;
  }
  for (; stop < stops.length; stop++) stopBar[stopFrom + stop] = NEVER;
  for (; target < targets.length; target++) targetBar[targetFrom + target] = NEVER;
  endGain[at] = (close[bars - 1]! - entry) / dailyAtr - marketCost;
}

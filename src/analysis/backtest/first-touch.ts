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
  /** Price of the fill; of a short upside down, as its session. */
  readonly stopFill: Float64Array;
  readonly targetBar: Int32Array;
  readonly targetGain: Float64Array;
  readonly targetFill: Float64Array;
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
    stopFill: new Float64Array(entries * stops.length),
    targetBar: new Int32Array(entries * targets.length),
    targetGain: new Float64Array(entries * targets.length),
    targetFill: new Float64Array(entries * targets.length),
    endGain: new Float64Array(entries),
  };
}

/** Dollars a share that a trade costs: a market order at entry, and another at exit unless a target is reached. */
export function costOf(
  entry: number,
  { commissionPerShare, slippageBps }: TradeTerms,
  marketOrders: 1 | 2,
  halfSpreads: number,
): number {
  const slippage = Math.abs(entry) * slippageBps * 1e-4;
  return 2 * commissionPerShare + marketOrders * slippage + halfSpreads;
}

/**
 * Fills the tables with the entries of a session: one for each signal, except on the last bar, which has no next open.
 *
 * @param sides by bar, 1 long, -1 short, 0 none
 * @param shorts `mirrored(day)`: a short is a long of the session upside down
 * @param lag bars from a side to its entry: 1 for signals of a bar, 0 for sides that name the bar of the entry
 */
export function enterSession(
  sides: Int8Array,
  day: SessionColumns,
  shorts: SessionColumns,
  terms: TradeTerms,
  into: EntryTables,
  lag: 0 | 1 = 1,
): void {
  if (sides.length > BARS_MAX) throw new RangeError(`a session has at most ${BARS_MAX} one-minute bars`);
  into.count = 0;
  for (let bar = 0; bar < sides.length - lag; bar++) {
    const side = sides[bar]!;
    if (side === 0) continue;
    const at = into.count++;
    into.signalBar[at] = bar + lag - 1;
    into.isLong[at] = side > 0 ? 1 : 0;
    firstTouches(side > 0 ? day : shorts, bar + lag, terms, into, at);
  }
}

/**
 * Fills a row of the tables: one pass over the bars from the entry on. Stops and targets ascend, so each bar is compared with the next of each
 * only. The pass ends once the widest stop or the furthest target is reached, when no cell has a position.
 *
 * A stop fills at its price, or at the open of a bar that opens beyond it; a target, a limit order, at its price or
 * better.
 */
export function firstTouches(
  { open, high, low, close, dailyAtr, spreads }: SessionColumns,
  entryBar: number,
  terms: TradeTerms,
  { stopBar, stopGain, stopFill, targetBar, targetGain, targetFill, endGain }: EntryTables,
  at: number,
): void {
  const bars = close.length;
  const entry = open[entryBar]!;
  const { stops, targets } = terms;
  const paid = spreads === undefined ? 0 : spreads.open[entryBar]!;
  const limitCost = costOf(entry, terms, 1, paid) / dailyAtr;
  const marketCost = costOf(entry, terms, 2, paid) / dailyAtr;
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
      const fill = Math.min(open[bar]!, stopPrice);
      const cost =
        spreads === undefined ? marketCost : costOf(entry, terms, 2, paid + spreads.open[bar]!) / dailyAtr;
      stopFill[stopFrom + stop] = fill;
      stopGain[stopFrom + stop] = (fill - entry) / dailyAtr - cost;
      stop++;
      stopPrice = stop < stops.length ? entry - stops[stop]! * dailyAtr : Number.NEGATIVE_INFINITY;
    }
    while (high[bar]! >= targetPrice - dust) {
      targetBar[targetFrom + target] = bar;
      const fill = Math.max(open[bar]!, targetPrice);
      targetFill[targetFrom + target] = fill;
      targetGain[targetFrom + target] = (fill - entry) / dailyAtr - limitCost;
      target++;
      targetPrice = target < targets.length ? entry + targets[target]! * dailyAtr : Number.POSITIVE_INFINITY;
    }
    bar++;
  }
  for (; stop < stops.length; stop++) stopBar[stopFrom + stop] = NEVER;
  for (; target < targets.length; target++) targetBar[targetFrom + target] = NEVER;
  const endCost = spreads === undefined ? marketCost : costOf(entry, terms, 2, paid + spreads.end) / dailyAtr;
  endGain[at] = (close[bars - 1]! - entry) / dailyAtr - endCost;
}

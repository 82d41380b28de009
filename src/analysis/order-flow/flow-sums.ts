import type { FlowMinuteColumns } from '../../market/observations.ts';
import { type RowRange, rowsBetween } from '../sessions.ts';

/** What a stretch of minutes traded, by place and by side. Shares, dollars, counts. */
export interface FlowSums {
  readonly trades: number;
  readonly volume: number;
  readonly notional: number;
  /** Through FINRA facilities: dark pools, but wholesalers as well. */
  readonly offExchange: number;
  readonly blockTrades: number;
  readonly blockVolume: number;
  readonly buy: number;
  readonly sell: number;
  /** Shares whose side follows from the quote, and from the tick rule. */
  readonly byQuote: number;
  readonly byTick: number;
  /** Shares without a side. */
  readonly unclassified: number;
  /** Shares that printed under a locked or crossed quote. */
  readonly locked: number;
}

/** Minutes that START in [start, end), epoch milliseconds. */
export function flowRows(flow: FlowMinuteColumns, start: number, end: number): RowRange {
  return rowsBetween(flow, start, end);
}

/** Sums of the rows; zeros for none. */
export function flowSums(flow: FlowMinuteColumns, rows: RowRange): FlowSums {
  const sum = (column: Float64Array): number => {
    let total = 0;
    for (let row = rows.from; row < rows.to; row++) total += column[row]!;
    return total;
  };
  const [buyByQuote, sellByQuote] = [sum(flow.buyByQuote), sum(flow.sellByQuote)];
  const [buyByTick, sellByTick] = [sum(flow.buyByTick), sum(flow.sellByTick)];
  const volume = sum(flow.volume);
  return {
    trades: sum(flow.trades),
    volume,
    notional: sum(flow.notional),
    offExchange: sum(flow.offExchangeVolume),
    blockTrades: sum(flow.blockTrades),
    blockVolume: sum(flow.blockVolume),
    buy: buyByQuote + buyByTick,
    sell: sellByQuote + sellByTick,
    byQuote: buyByQuote + sellByQuote,
    byTick: buyByTick + sellByTick,
    unclassified: volume - buyByQuote - sellByQuote - buyByTick - sellByTick,
    locked: sum(flow.lockedVolume),
  };
}

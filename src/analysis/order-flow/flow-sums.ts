import type { FlowMinuteColumns } from '../../market/observations.ts';
import type { RowRange } from '../sessions.ts';

/** What a stretch of minutes traded, by place and by side. Shares, dollars, counts. */
export type FlowSums = Readonly<ReturnType<typeof flowSums>>;

/** Sums of the rows; zeros for none. */
export function flowSums(flow: FlowMinuteColumns, rows: RowRange) {
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
    /** Through FINRA facilities: dark pools, but wholesalers as well. */
    offExchange: sum(flow.offExchangeVolume),
    blockTrades: sum(flow.blockTrades),
    blockVolume: sum(flow.blockVolume),
    buy: buyByQuote + buyByTick,
    sell: sellByQuote + sellByTick,
    /** Shares whose side follows from the quote, and from the tick rule. */
    byQuote: buyByQuote + sellByQuote,
    byTick: buyByTick + sellByTick,
    /** Without a side. */
    unclassified: volume - buyByQuote - sellByQuote - buyByTick - sellByTick,
    /** Printed under a locked or crossed quote. */
    locked: sum(flow.lockedVolume),
  };
}

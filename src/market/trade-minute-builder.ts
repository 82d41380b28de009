import type { TradeMinuteColumns } from './observations.ts';

const MINUTE_MS = 60_000;
const MINUTES_A_DAY = 1440;
/** A block print as NYSE Rule 127 defines a block: 10,000 shares or 200,000 dollars at least. */
const BLOCK_SHARES = 10_000;
const BLOCK_DOLLARS = 200_000;

/** Sums the trade prints of one day by minute. Within a day the order of the prints does not matter. */
export interface TradeMinuteBuilder {
  /** @param sinceMidnightMs milliseconds since local midnight, 0 to 86,399,999 */
  add(sinceMidnightMs: number, price: number, size: number, offExchange: boolean): void;
  /** One row per minute with a print, in ascending time. */
  columns(): TradeMinuteColumns;
}

/** @param midnight epoch milliseconds of local midnight of the day */
export function tradeMinuteBuilder(midnight: number): TradeMinuteBuilder {
  const trades = new Float64Array(MINUTES_A_DAY);
  const volume = new Float64Array(MINUTES_A_DAY);
  const notional = new Float64Array(MINUTES_A_DAY);
  const offExchangeVolume = new Float64Array(MINUTES_A_DAY);
  const blockTrades = new Float64Array(MINUTES_A_DAY);
  return {
    add(sinceMidnightMs, price, size, offExchange) {
      const minute = Math.floor(sinceMidnightMs / MINUTE_MS);
      const dollars = price * size;
      trades[minute]! += 1;
      volume[minute]! += size;
      notional[minute]! += dollars;
      if (offExchange) offExchangeVolume[minute]! += size;
      if (size >= BLOCK_SHARES || dollars >= BLOCK_DOLLARS) blockTrades[minute]! += 1;
    },
    columns() {
      const minutes: number[] = [];
      for (let minute = 0; minute < MINUTES_A_DAY; minute++) if (trades[minute]! > 0) minutes.push(minute);
      const picked = (column: Float64Array): Float64Array =>
        Float64Array.from(minutes, (minute) => column[minute]!);
      return {
        time: Float64Array.from(minutes, (minute) => midnight + minute * MINUTE_MS),
        trades: picked(trades),
        volume: picked(volume),
        notional: picked(notional),
        offExchangeVolume: picked(offExchangeVolume),
        blockTrades: picked(blockTrades),
      };
    },
  };
}

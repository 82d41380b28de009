import { LeeReady, SIDE } from './lee-ready.ts';
import { type BarColumns, FLOW_SUMS, type FlowMinuteColumns } from './observations.ts';
import { PRINT } from './sale-conditions.ts';

const MINUTE_MS = 60_000;
const MINUTES_A_DAY = 1440;
/** A block print as NYSE Rule 127 defines a block: 10,000 shares or 200,000 dollars at least. */
const BLOCK_SHARES = 10_000;
const BLOCK_DOLLARS = 200_000;

/**
 * Classifies the prints of one symbol and day as they come and sums them by minute. Quotes and prints are given in the
 * order in which they happened; a print meets the newest quote given before it. Prints that are no trades pass it by.
 */
export class FlowMinuteBuilder {
  readonly #midnight: number;
  readonly #rule = new LeeReady();
  readonly #sums = Object.fromEntries(
    FLOW_SUMS.map((name) => [name, new Float64Array(MINUTES_A_DAY)]),
  ) as unknown as Record<(typeof FLOW_SUMS)[number], Float64Array>;
  /** Shares of each minute by how their side was told, in the order of `SIDE`; what is untold follows from the volume. */
  readonly #bySide: readonly Float64Array[];
  /** Prices of each minute that were eligible to be its bar; NaN where none was. */
  readonly #open = new Float64Array(MINUTES_A_DAY).fill(Number.NaN);
  readonly #high = new Float64Array(MINUTES_A_DAY).fill(Number.NaN);
  readonly #low = new Float64Array(MINUTES_A_DAY).fill(Number.NaN);
  readonly #close = new Float64Array(MINUTES_A_DAY).fill(Number.NaN);

  /** @param midnight epoch milliseconds of local midnight of the day */
  constructor(midnight: number) {
    this.#midnight = midnight;
    const { buyByQuote, sellByQuote, buyByTick, sellByTick } = this.#sums;
    this.#bySide = [buyByQuote, sellByQuote, buyByTick, sellByTick];
  }

  /** The best bid and ask that stand from now on, dollars; NaN for a side without one. */
  quote(bid: number, ask: number): void {
    this.#rule.quote(bid, ask);
  }

  /**
   * @param sinceMidnightMs milliseconds since local midnight, from 0 up to a day
   * @param print bits of `PRINT`
   */
  trade(sinceMidnightMs: number, price: number, size: number, print: number): void {
    if ((print & PRINT.noTrade) !== 0) return;
    const minute = Math.floor(sinceMidnightMs / MINUTE_MS);
    const dollars = price * size;
    const sums = this.#sums;
    sums.trades[minute]! += 1;
    sums.volume[minute]! += size;
    sums.notional[minute]! += dollars;
    if ((print & PRINT.offExchange) !== 0) sums.offExchangeVolume[minute]! += size;
    if (size >= BLOCK_SHARES || dollars >= BLOCK_DOLLARS) {
      sums.blockTrades[minute]! += 1;
      sums.blockVolume[minute]! += size;
    }
    if (this.#rule.isLocked) sums.lockedVolume[minute]! += size;
    const side = (print & PRINT.hasNoSide) !== 0 ? SIDE.unclassified : this.#rule.side(price);
    if (side !== SIDE.unclassified) this.#bySide[side]![minute]! += size;
    if ((print & PRINT.setsNoPrice) === 0) this.#price(minute, price);
  }

  #price(minute: number, price: number): void {
    this.#rule.moveTo(price);
    this.#close[minute] = price;
    if (Number.isNaN(this.#open[minute]!)) {
      this.#open[minute] = price;
      this.#high[minute] = price;
      this.#low[minute] = price;
    } else if (price > this.#high[minute]!) this.#high[minute] = price;
    else if (price < this.#low[minute]!) this.#low[minute] = price;
  }

  /** One row per minute with a print, in ascending time. */
  columns(): FlowMinuteColumns {
    const minutes = minutesWhere((minute) => this.#sums.trades[minute]! > 0);
    const picked = Object.fromEntries(FLOW_SUMS.map((name) => [name, pick(this.#sums[name], minutes)]));
    return { time: this.#times(minutes), ...(picked as Record<(typeof FLOW_SUMS)[number], Float64Array>) };
  }

  /** Minute bars of the prints that set a price, with the volume of all prints of their minutes. */
  bars(): BarColumns {
    const minutes = minutesWhere((minute) => !Number.isNaN(this.#open[minute]!));
    return {
      time: this.#times(minutes),
      open: pick(this.#open, minutes),
      high: pick(this.#high, minutes),
      low: pick(this.#low, minutes),
      close: pick(this.#close, minutes),
      volume: pick(this.#sums.volume, minutes),
    };
  }

  #times(minutes: readonly number[]): Float64Array {
    return Float64Array.from(minutes, (minute) => this.#midnight + minute * MINUTE_MS);
  }
}

function minutesWhere(holds: (minute: number) => boolean): number[] {
  const minutes: number[] = [];
  for (let minute = 0; minute < MINUTES_A_DAY; minute++) if (holds(minute)) minutes.push(minute);
  return minutes;
}

const pick = (column: Float64Array, minutes: readonly number[]): Float64Array =>
  Float64Array.from(minutes, (minute) => column[minute]!);

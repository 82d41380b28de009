import type { Session } from '../base/calendar.ts';
import { MINUTE_MS } from '../base/dates.ts';
import { AuctionPrints } from './auction-prints.ts';
import { type BarColumns, FLOW_SUMS, type FlowMinuteColumns, namedColumns } from './observations.ts';
import type { RefusalReason } from './refusals.ts';
import { PRINT } from './sale-conditions.ts';

const MINUTES_A_DAY = 1440;
/** A block print as NYSE Rule 127 defines a block: 10,000 shares or 200,000 dollars at least. */
export const BLOCK_SHARES = 10_000;
export const BLOCK_DOLLARS = 200_000;

/** A minute of the day, for prints and for sums; see `FlowSums.minuteOf`. */
type Day = Pick<Session, 'midnight' | 'open' | 'close'>;

/** Classified prints of one symbol and day, summed by minute. */
export class FlowSums {
  readonly #midnight: number;
  /** The first minute after the close. */
  readonly #closeMinute: number;
  readonly #sums = namedColumns(FLOW_SUMS, () => new Float64Array(MINUTES_A_DAY));
  /** Shares of each minute by their classification, in the order of `SIDE`; the rest of the volume is unclassified. */
  readonly #bySide: readonly Float64Array[];

  constructor({ midnight, close }: Day) {
    this.#midnight = midnight;
    this.#closeMinute = (close - midnight) / MINUTE_MS;
    const { buyByQuote, sellByQuote, buyByTick, sellByTick } = this.#sums;
    this.#bySide = [buyByQuote, sellByQuote, buyByTick, sellByTick];
  }

  get volume(): Float64Array {
    return this.#sums.volume;
  }

  /**
   * The minute of the day that a print counts in. The closing auction is printed seconds or minutes after the close, and is
   * the session's last trade: it counts in the last regular minute, as in vendors' bars.
   */
  minuteOf(sinceMidnightMs: number, print: number): number {
    const minute = Math.floor(sinceMidnightMs / MINUTE_MS);
    const isLate = (print & PRINT.closing) !== 0 && minute >= this.#closeMinute;
    return isLate ? this.#closeMinute - 1 : minute;
  }

  add(minute: number, price: number, size: number, print: number, side: PrintSide, isLocked: boolean): void {
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
    if (isLocked) sums.lockedVolume[minute]! += size;
    if (side !== SIDE.unclassified) this.#bySide[side]![minute]! += size;
  }

  clear(minute: number): void {
    for (const name of FLOW_SUMS) this.#sums[name][minute] = 0;
  }

  /** A row of each of the minutes, or of every minute with a print, in ascending time. */
  columns(
    minutes: readonly number[] = minutesWhere((minute) => this.#sums.trades[minute]! > 0),
  ): FlowMinuteColumns {
    return {
      time: Float64Array.from(minutes, (minute) => this.#midnight + minute * MINUTE_MS),
      ...namedColumns(FLOW_SUMS, (name) => pick(this.#sums[name], minutes)),
    };
  }
}

/**
 * Classifies the prints of one symbol and day and sums them by minute. Quotes and prints come in the order of time;
 * a print is classified by the newest quote before it. Prints that are no trades are ignored.
 */
export class FlowMinuteBuilder {
  readonly #midnight: number;
  /** The first regular minute of the day, and the first after the close. */
  readonly #openMinute: number;
  readonly #closeMinute: number;
  readonly #rule = new LeeReady();
  readonly #sums: FlowSums;
  /** Prices of each minute that were eligible to be its bar; NaN where none was. */
  readonly #open = new Float64Array(MINUTES_A_DAY).fill(Number.NaN);
  readonly #high = new Float64Array(MINUTES_A_DAY).fill(Number.NaN);
  readonly #low = new Float64Array(MINUTES_A_DAY).fill(Number.NaN);
  readonly #close = new Float64Array(MINUTES_A_DAY).fill(Number.NaN);

  constructor(day: Day) {
    const { midnight, open, close } = day;
    this.#midnight = midnight;
    this.#openMinute = (open - midnight) / MINUTE_MS;
    this.#closeMinute = (close - midnight) / MINUTE_MS;
    this.#sums = new FlowSums(day);
  }

  /** The best bid and ask from now on, dollars; NaN for a side without one. */
  quote(bid: number, ask: number): void {
    this.#rule.quote(bid, ask);
  }

  /**
   * @param sinceMidnightMs milliseconds since local midnight, from 0 up to a day
   * @param print bits of `PRINT`
   */
  trade(sinceMidnightMs: number, price: number, size: number, print: number): void {
    if ((print & PRINT.noTrade) !== 0) return;
    const minute = this.#sums.minuteOf(sinceMidnightMs, print);
    const side = this.#rule.sideOf(price, print);
    this.#sums.add(minute, price, size, print, side, this.#rule.isLocked);
    if ((print & PRINT.setsNoPrice) === 0) this.#price(minute, price, (print & PRINT.setsNoLast) === 0);
  }

  #price(minute: number, price: number, isLast: boolean): void {
    if (isLast) {
      this.#rule.moveTo(price);
      this.#close[minute] = price;
      if (Number.isNaN(this.#open[minute]!)) this.#open[minute] = price;
    }
    this.#reach(minute, price);
  }

  /** One row per minute with a print, in ascending time. */
  columns(): FlowMinuteColumns {
    return this.#sums.columns();
  }

  /**
   * Minute bars of the prints that set a price, with the volume of all prints of their minutes. The last regular one closes at
   * the official price of the closing auction; the first opens at that of the opening auction, if it was held within it.
   */
  bars(auctions: Pick<AuctionPrints, 'open' | 'close'>): BarColumns {
    const { open, close } = auctions;
    if (open !== null && Math.floor(open.time / MINUTE_MS) === this.#openMinute) {
      this.#open[this.#openMinute] = open.price;
      this.#reach(this.#openMinute, open.price);
    }
    if (close !== null) {
      this.#close[this.#closeMinute - 1] = close.price;
      this.#reach(this.#closeMinute - 1, close.price);
    }
    const minutes = minutesWhere((minute) => !Number.isNaN(this.#open[minute]!));
    return {
      time: Float64Array.from(minutes, (minute) => this.#midnight + minute * MINUTE_MS),
      open: pick(this.#open, minutes),
      high: pick(this.#high, minutes),
      low: pick(this.#low, minutes),
      close: pick(this.#close, minutes),
      volume: pick(this.#sums.volume, minutes),
    };
  }

  #reach(minute: number, price: number): void {
    // Written so that a price takes the place of NaN.
    if (!(price <= this.#high[minute]!)) this.#high[minute] = price;
    if (!(price >= this.#low[minute]!)) this.#low[minute] = price;
  }
}

function minutesWhere(holds: (minute: number) => boolean): number[] {
  const minutes: number[] = [];
  for (let minute = 0; minute < MINUTES_A_DAY; minute++) if (holds(minute)) minutes.push(minute);
  return minutes;
}

const pick = (column: Float64Array, minutes: readonly number[]): Float64Array =>
  Float64Array.from(minutes, (minute) => column[minute]!);

/** Pending prints of one day and symbol: 25 bytes each, some 200 MB. The busiest stocks print a few million. */
const PENDING_MAX = 8_000_000;

/**
 * A session's prints as columns, for quotes that are read later from another file: prints are few where quotes are
 * many. A quote of the same instant as a print does not count for it: within a millisecond it is the print that moves
 * the quote (C. Holden and S. Jacobsen, Journal of Finance 69, 2014, and far more often than not in recorded sessions).
 */
export class PendingTrades {
  #rows = 0;
  #added = 0;
  #time = new Float64Array(4096);
  #price = new Float64Array(4096);
  #size = new Float64Array(4096);
  #print = new Uint8Array(4096);
  readonly auctions = new AuctionPrints();

  /**
   * Validates and keeps a print, or returns the reason of its refusal; official opening and closing values are no trades:
   * they are noted with the auctions.
   *
   * @param sinceMidnightMs milliseconds since midnight, ascending
   * @param print bits of `PRINT`
   * @param venue the letter of the exchange as a byte
   */
  push(
    sinceMidnightMs: number,
    price: number,
    size: number,
    print: number,
    venue: number,
  ): RefusalReason | null {
    if ((print & PRINT.noTrade) !== 0) {
      this.auctions.add(venue, sinceMidnightMs, price, size, print);
      return null;
    }
    if (!Number.isFinite(price * size)) return 'not_finite';
    if (price <= 0) return 'price_not_positive';
    if (size < 0) return 'volume_negative';
    if (size === 0) return 'no_shares';
    if (this.#rows >= PENDING_MAX) return 'too_large';
    this.auctions.add(venue, sinceMidnightMs, price, size, print);
    if (this.#rows === this.#time.length) this.#grow();
    const row = this.#rows++;
    this.#time[row] = sinceMidnightMs;
    this.#price[row] = price;
    this.#size[row] = size;
    this.#print[row] = print;
    return null;
  }

  /** Adds every further print up to and including an instant to the builder. */
  addTo(flow: FlowMinuteBuilder, untilMs: number): void {
    while (this.#added < this.#rows && this.#time[this.#added]! <= untilMs) {
      const row = this.#added++;
      flow.trade(this.#time[row]!, this.#price[row]!, this.#size[row]!, this.#print[row]!);
    }
  }

  #grow(): void {
    const grown = <Column extends Float64Array | Uint8Array>(column: Column): Column => {
      const larger = new (column.constructor as new (length: number) => Column)(column.length * 2);
      larger.set(column);
      return larger;
    };
    this.#time = grown(this.#time);
    this.#price = grown(this.#price);
    this.#size = grown(this.#size);
    this.#print = grown(this.#print);
  }
}

/**
 * The aggressor of a print, after C. Lee and M. Ready, "Inferring Trade Direction from Intraday Data", Journal of
 * Finance 46 (1991): above the midpoint of the quote before it a print is a buy, below it a sale; at the midpoint,
 * or without a usable quote, the tick rule decides. The paper's lag of five seconds allowed for clerks who typed;
 * quotes and prints share a clock today and none is applied.
 */

/** How the side of a print was classified: the first two by quote, the next two by tick. */
export const SIDE = { buyByQuote: 0, sellByQuote: 1, buyByTick: 2, sellByTick: 3, unclassified: 4 } as const;

export type PrintSide = (typeof SIDE)[keyof typeof SIDE];

/** Dollars by which two sums of prices must differ to be two prices: a hundredth of the finest that is printed. */
const DUST = 1e-6;

export class LeeReady {
  /** Best bid and ask, dollars; NaN for a side without one. */
  #bid = Number.NaN;
  #ask = Number.NaN;
  #last = Number.NaN;
  /** 1 after an uptick, -1 after a downtick, 0 before the price has moved at all. */
  #direction = 0;

  /** The quote from now on; NaN for a side without one. */
  quote(bid: number, ask: number): void {
    this.#bid = bid;
    this.#ask = ask;
  }

  /** True while bid and ask are the same (locked) or the wrong way round (crossed): their midpoint means nothing. */
  get isLocked(): boolean {
    return this.#ask - this.#bid <= DUST;
  }

  /** Of a print, which may have no aggressor. */
  sideOf(price: number, print: number): PrintSide {
    return (print & PRINT.hasNoSide) !== 0 ? SIDE.unclassified : this.side(price);
  }

  side(price: number): PrintSide {
    // Without either side the difference is NaN and neither comparison holds.
    if (this.#ask - this.#bid > DUST) {
      const beyond = 2 * price - this.#bid - this.#ask;
      if (beyond > DUST) return SIDE.buyByQuote;
      if (beyond < -DUST) return SIDE.sellByQuote;
    }
    const direction = this.#tick(price);
    return direction > 0 ? SIDE.buyByTick : direction < 0 ? SIDE.sellByTick : SIDE.unclassified;
  }

  /** The print set the last price, against which the next tick is measured. */
  moveTo(price: number): void {
    this.#direction = this.#tick(price);
    this.#last = price;
  }

  /** A zero tick is what the last other price made it. */
  #tick(price: number): number {
    const moved = price - this.#last;
    return moved > DUST ? 1 : moved < -DUST ? -1 : this.#direction;
  }
}

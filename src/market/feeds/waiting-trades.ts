import type { FlowMinuteBuilder } from '../flow-minute-builder.ts';

/** Prints of one day and symbol that may wait: 25 bytes each, some 200 MB. The busiest stocks print a few million. */
const WAITING_MAX = 8_000_000;

/**
 * Prints of a session that wait, as columns, for quotes that are read after them from another file: a session's prints
 * are few where its quotes are many, so the quotes stream past them and are never held.
 *
 * A quote of the same instant as a print does not count for it. Stamps are of the millisecond, and within one it is the
 * print that moves the quote: on recorded sessions prints lie on the quote before their own instant far more often than
 * on the newest one (C. Holden and S. Jacobsen, Journal of Finance 69, 2014, come to the same rule).
 */
export class WaitingTrades {
  #rows = 0;
  #poured = 0;
  #time = new Float64Array(4096);
  #price = new Float64Array(4096);
  #size = new Float64Array(4096);
  #print = new Uint8Array(4096);

  get isFull(): boolean {
    return this.#rows >= WAITING_MAX;
  }

  /** Prints come in ascending time, as milliseconds since midnight. */
  push(sinceMidnightMs: number, price: number, size: number, print: number): void {
    if (this.#rows === this.#time.length) this.#grow();
    const row = this.#rows++;
    this.#time[row] = sinceMidnightMs;
    this.#price[row] = price;
    this.#size[row] = size;
    this.#print[row] = print;
  }

  /** Gives the builder every print up to and including the instant that it does not have yet. */
  pour(untilMs: number, into: FlowMinuteBuilder): void {
    while (this.#poured < this.#rows && this.#time[this.#poured]! <= untilMs) {
      const row = this.#poured++;
      into.trade(this.#time[row]!, this.#price[row]!, this.#size[row]!, this.#print[row]!);
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

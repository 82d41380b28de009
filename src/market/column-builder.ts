import type { BarColumns } from './observations.ts';
import { type RefusalReason, validateBar } from './refusals.ts';

/** Bars gathered row by row and validated by `validateBar`; grows by doubling, hands out exact-length columns. */
export class BarColumnBuilder {
  #rows = 0;
  #capacity: number;
  #time: Float64Array;
  #open: Float64Array;
  #high: Float64Array;
  #low: Float64Array;
  #close: Float64Array;
  #volume: Float64Array;
  #previousTime = Number.NEGATIVE_INFINITY;

  constructor(capacity = 512) {
    this.#capacity = capacity;
    this.#time = new Float64Array(capacity);
    this.#open = new Float64Array(capacity);
    this.#high = new Float64Array(capacity);
    this.#low = new Float64Array(capacity);
    this.#close = new Float64Array(capacity);
    this.#volume = new Float64Array(capacity);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Takes the bar and answers null, or leaves it and answers why. */
  push(
    time: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): RefusalReason | null {
    const reason = validateBar(this.#previousTime, time, open, high, low, close, volume);
    if (reason !== null) return reason;
    if (this.#rows === this.#capacity) this.#grow();
    const row = this.#rows++;
    this.#time[row] = time;
    this.#open[row] = open;
    this.#high[row] = high;
    this.#low[row] = low;
    this.#close[row] = close;
    this.#volume[row] = volume;
    this.#previousTime = time;
    return null;
  }

  /** The bars so far as fresh columns; the builder is empty afterwards but still refuses what is not newer. */
  take(): BarColumns {
    const rows = this.#rows;
    this.#rows = 0;
    return {
      time: this.#time.slice(0, rows),
      open: this.#open.slice(0, rows),
      high: this.#high.slice(0, rows),
      low: this.#low.slice(0, rows),
      close: this.#close.slice(0, rows),
      volume: this.#volume.slice(0, rows),
    };
  }

  #grow(): void {
    this.#capacity *= 2;
    const grown = (column: Float64Array): Float64Array => {
      const larger = new Float64Array(this.#capacity);
      larger.set(column);
      return larger;
    };
    this.#time = grown(this.#time);
    this.#open = grown(this.#open);
    this.#high = grown(this.#high);
    this.#low = grown(this.#low);
    this.#close = grown(this.#close);
    this.#volume = grown(this.#volume);
  }
}

/**
 * Which side of a print pressed, after C. Lee and M. Ready, "Inferring Trade Direction from Intraday Data", Journal of
 * Finance 46 (1991): above the midpoint of the quote that stood before it a print was a buy, below it a sale; at the
 * midpoint, or without a usable quote, the tick rule decides. The paper's lag of five seconds answered to clerks who
 * typed; quotes and prints share a clock today and none is applied.
 */

/** How the side of a print was told. The first two are by quote, the next two by tick. */
export const SIDE = { buyByQuote: 0, sellByQuote: 1, buyByTick: 2, sellByTick: 3, unclassified: 4 } as const;

export type Side = (typeof SIDE)[keyof typeof SIDE];

/** Dollars by which two sums of prices must differ to be two prices: a hundredth of the finest that is printed. */
const DUST = 1e-6;

export class LeeReady {
  /** Best bid and ask that stand, dollars; NaN for a side without one. */
  #bid = Number.NaN;
  #ask = Number.NaN;
  #last = Number.NaN;
  /** 1 after an uptick, -1 after a downtick, 0 before the price has moved at all. */
  #direction = 0;

  /** The quote that stands from now on; NaN for a side without one. */
  quote(bid: number, ask: number): void {
    this.#bid = bid;
    this.#ask = ask;
  }

  /** True while bid and ask are the same (locked) or the wrong way round (crossed): their midpoint means nothing. */
  get isLocked(): boolean {
    return this.#ask - this.#bid <= DUST;
  }

  side(price: number): Side {
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

/** Letters of exchanges are single bytes. */
const VENUES = 256;

/**
 * The best bid and ask of the market out of what each exchange quotes. An exchange may not lock or cross a protected
 * quote of another (SEC Regulation NMS, Rule 610(d)); so where a newer quote does, the older side is one whose
 * withdrawal was not recorded, and it no longer counts until its exchange speaks again.
 */
export class VenueQuotes {
  /** Best bid and ask, dollars; NaN while no exchange has one. Never locked and never crossed. */
  bid = Number.NaN;
  ask = Number.NaN;
  readonly #bids = new Float64Array(VENUES).fill(Number.NaN);
  readonly #asks = new Float64Array(VENUES).fill(Number.NaN);
  readonly #seen: number[] = [];

  /**
   * @param venue the letter of the exchange as a byte
   * @param bid dollars; NaN for a side without a quote
   */
  set(venue: number, bid: number, ask: number): void {
    if (!this.#seen.includes(venue)) this.#seen.push(venue);
    this.#bids[venue] = bid;
    this.#asks[venue] = ask;
    let bestBid = bid;
    let bestAsk = ask;
    for (const other of this.#seen) {
      if (other === venue) continue;
      if (this.#asks[other]! <= bid) this.#asks[other] = Number.NaN;
      if (this.#bids[other]! >= ask) this.#bids[other] = Number.NaN;
      // Written so that a NaN on either side yields to a price on the other.
      if (!(this.#bids[other]! <= bestBid || Number.isNaN(this.#bids[other]!))) bestBid = this.#bids[other]!;
      if (!(this.#asks[other]! >= bestAsk || Number.isNaN(this.#asks[other]!))) bestAsk = this.#asks[other]!;
    }
    this.bid = bestBid;
    this.ask = bestAsk;
  }
}

import { PRINT } from './sale-conditions.ts';

interface VenueAuction {
  shares: number;
  /** Of its last print, dollars; NaN before the first. */
  price: number;
  /** Milliseconds since midnight of that print. */
  time: number;
  /** Official price that the venue states, dollars; NaN when it states none. */
  stated: number;
}

/** The official price of an auction, dollars, and when it was printed, milliseconds since midnight. */
export interface OfficialPrice {
  readonly price: number;
  readonly time: number;
}

/**
 * The opening and closing auctions of a session, by venue. The venue that crosses most shares is where the stock is listed:
 * others hold small ones of their own, and state as official what they last traded.
 */
export class AuctionPrints {
  readonly #opening = new Map<number, VenueAuction>();
  readonly #closing = new Map<number, VenueAuction>();

  /**
   * @param venue the letter of the exchange as a byte
   * @param print bits of `PRINT`; prints of no auction are passed over
   */
  add(venue: number, time: number, price: number, size: number, print: number): void {
    if (!(price > 0 && Number.isFinite(price))) return;
    if ((print & PRINT.opening) !== 0) addTo(this.#opening, venue, time, price, size, print);
    if ((print & PRINT.closing) !== 0) addTo(this.#closing, venue, time, price, size, print);
  }

  /** Null without an opening print. */
  get open(): OfficialPrice | null {
    return officialOf(this.#opening);
  }

  /** Null without a closing print. */
  get close(): OfficialPrice | null {
    return officialOf(this.#closing);
  }
}

function addTo(
  auctions: Map<number, VenueAuction>,
  venue: number,
  time: number,
  price: number,
  size: number,
  print: number,
): void {
  const own = auctions.getOrInsertComputed(venue, () => {
    return { shares: 0, price: Number.NaN, time: Number.NaN, stated: Number.NaN };
  });
  if ((print & PRINT.noTrade) !== 0) own.stated = price;
  else Object.assign(own, { shares: own.shares + size, price, time });
}

function officialOf(auctions: ReadonlyMap<number, VenueAuction>): OfficialPrice | null {
  const [first] = [...auctions.values()].toSorted((one, other) => other.shares - one.shares);
  if (first === undefined || first.shares === 0) return null;
  return { price: Number.isNaN(first.stated) ? first.price : first.stated, time: first.time };
}

/** Conditions of a print in one neutral set, as bits of one number. */
export const PRINT = {
  /** Reported through a FINRA facility: dark pools, wholesalers, everything that no exchange executed. */
  offExchange: 1,
  /** Counts as volume and sets no high, low or last: its price is of another moment, or its size under a round lot. */
  setsNoPrice: 2,
  /** Has no aggressor: an auction, or a price of another moment. */
  hasNoSide: 4,
  /** A stated price and no trade; another print already has its volume. */
  noTrade: 8,
  /** Of the opening or the closing auction, or with `noTrade` its official price. */
  opening: 16,
  closing: 32,
  /** Sets a high or a low, and neither open nor last. */
  setsNoLast: 64,
} as const;

/** Late, out of sequence, averaged, derived, contingent, or settled otherwise: agreed at another time or on other terms. */
const ELSEWHERE = PRINT.setsNoPrice | PRINT.hasNoSide;
/** Opening, reopening, closing and crossing: one price for all orders, without an aggressor. */
const AUCTION = PRINT.hasNoSide;
const ODD_LOT = PRINT.setsNoPrice;
const OPENING = AUCTION | PRINT.opening;
const CLOSING = AUCTION | PRINT.closing;
const OFFICIAL_OPEN = PRINT.noTrade | PRINT.opening;
const OFFICIAL_CLOSE = PRINT.noTrade | PRINT.closing;

/**
 * Bits of Lean's sale condition that are not plain trading. Source: QuantConnect Lean, `TradeConditionFlags`; what sets
 * a price: the sale condition matrices of the Consolidated Tape Association and the UTP plan.
 */
const LEAN_BITS: readonly (readonly [bit: number, print: number])[] = [
  [1, ELSEWHERE], // cash
  [2, ELSEWHERE], // next day
  [3, ELSEWHERE], // seller's option
  [6, OPENING], // opening print
  [7, CLOSING], // closing print
  [8, AUCTION], // reopening print
  [9, ELSEWHERE], // derivatively priced
  [11, ELSEWHERE], // sold last: reported late
  [14, ELSEWHERE], // out of sequence
  [18, ELSEWHERE], // one leg of a stock-option trade
  [20, ELSEWHERE], // average price
  [21, AUCTION], // crossing session
  [22, ELSEWHERE], // price variation
  [24, OFFICIAL_CLOSE], // official close
  [25, ELSEWHERE], // prior reference price
  [26, OFFICIAL_OPEN], // official open
  [31, ODD_LOT],
];

const LEAN_UNUSUAL = LEAN_BITS.reduce((mask, [bit]) => mask | (1 << bit), 0);

/** The print of a Lean sale condition, a whole number of which the lowest 32 bits count. */
export function leanPrint(condition: number): number {
  if ((condition & LEAN_UNUSUAL) === 0) return 0;
  let print = 0;
  for (const [bit, meaning] of LEAN_BITS) if ((condition & (1 << bit)) !== 0) print |= meaning;
  return print;
}

/**
 * Letters of a TAQ sale condition that are not plain trading. `B` is an average price on tapes A and B and a bunch of
 * trades on tape C, and neither tells of this moment. Source: NYSE Daily TAQ client specification, field `Sale
 * Condition`; the matrices as above.
 */
const TAQ_LETTERS: Readonly<Record<string, number>> = {
  B: ELSEWHERE, // average price, bunched
  C: ELSEWHERE, // cash
  G: ELSEWHERE, // bunched, sold out of sequence
  H: ELSEWHERE, // price variation
  L: ELSEWHERE, // sold last: reported late
  N: ELSEWHERE, // next day
  P: ELSEWHERE, // prior reference price
  R: ELSEWHERE, // seller's option
  U: ELSEWHERE, // extended hours, out of sequence
  V: ELSEWHERE, // contingent: one leg of a stock-option trade
  W: ELSEWHERE, // average price
  Z: ELSEWHERE, // out of sequence
  4: ELSEWHERE, // derivatively priced
  7: ELSEWHERE, // qualified contingent trade
  I: ODD_LOT,
  O: OPENING, // opening print
  5: AUCTION, // reopening print
  6: CLOSING, // closing print
  X: AUCTION, // crossing session
  M: OFFICIAL_CLOSE, // official close
  Q: OFFICIAL_OPEN, // official open
  9: OFFICIAL_CLOSE, // corrected consolidated close
};

const TAQ_PRINT = Uint8Array.from({ length: 256 }, (_, byte) => TAQ_LETTERS[String.fromCharCode(byte)] ?? 0);

/** The print of a TAQ condition field: letters in any order, blanks between them or not. */
export function taqPrint(bytes: Uint8Array, start: number, end: number): number {
  let print = 0;
  for (let at = start; at < end; at++) print |= TAQ_PRINT[bytes[at]!]!;
  return print;
}

/** The print of TAQ's letters, one in each text. */
export function printOfLetters(letters: readonly unknown[]): number {
  let print = 0;
  for (const letter of letters) {
    if (typeof letter !== 'string') continue;
    for (let at = 0; at < letter.length; at++) print |= TAQ_PRINT[letter.charCodeAt(at)] ?? 0;
  }
  return print;
}

import { QUOTE_BAR_COLUMNS, type QuoteBarColumns } from '../observations.ts';
import type { Interruptions } from './simulated-interruptions.ts';
import { MINUTE_MS } from './simulated-intraday-shape.ts';
import type { SessionMinutes } from './simulated-minutes.ts';
import type { Stream } from './simulated-random.ts';

/**
 * The best bid of each minute that traded, in cents, row for row with the session's minutes; the ask stands
 * one spread above it throughout the minute. The session's highest trade of a minute is at the ask, its
 * lowest at the bid.
 */
export interface SessionQuotes {
  readonly spread: Float64Array;
  readonly bidOpen: Float64Array;
  readonly bidHigh: Float64Array;
  readonly bidLow: Float64Array;
  readonly bidClose: Float64Array;
}

/** Outside the regular session few make markets. */
const EXTENDED_SPREAD = 4;
/** Buyers lift the ask more often in a minute that rises. */
const CHASE = 0.28;

export function createSessionQuotes(): SessionQuotes {
  const column = (): Float64Array => new Float64Array(960);
  return { spread: column(), bidOpen: column(), bidHigh: column(), bidLow: column(), bidClose: column() };
}

/** Share of trades at the ask in a minute from one price to another. */
export function buyChance(open: number, close: number): number {
  return close > open ? 0.5 + CHASE : close < open ? 0.5 - CHASE : 0.5;
}

/** Fills `out` with the quotes around the trades of the minutes. `spread` is a fraction of the price. */
export function fillSessionQuotes(
  out: SessionQuotes,
  minutes: SessionMinutes,
  spread: number,
  stream: Stream,
): void {
  for (let row = 0; row < minutes.rows; row++) {
    const open = minutes.open[row]!;
    const close = minutes.close[row]!;
    const regular = row >= minutes.regularFrom && row < minutes.regularTo;
    const width = Math.max(1, Math.round(close * spread * (regular ? 1 : EXTENDED_SPREAD)));
    const chance = buyChance(open, close);
    const bidOpen = stream.uniform() < chance ? bidUnder(open, width) : open;
    const bidClose = stream.uniform() < chance ? bidUnder(close, width) : close;
    let bidHigh = Math.max(bidOpen, bidClose);
    let bidLow = Math.min(bidOpen, bidClose);
    if (hasUpperWick(minutes, row)) {
      bidHigh = Math.max(bidHigh, bidUnder(minutes.high[row]!, width));
      bidLow = Math.min(bidLow, bidUnder(minutes.high[row]!, width));
    }
    if (hasLowerWick(minutes, row)) {
      bidHigh = Math.max(bidHigh, minutes.low[row]!);
      bidLow = Math.min(bidLow, minutes.low[row]!);
    }
    out.spread[row] = width;
    out.bidOpen[row] = bidOpen;
    out.bidHigh[row] = bidHigh;
    out.bidLow[row] = bidLow;
    out.bidClose[row] = bidClose;
  }
}

export const hasUpperWick = (minutes: SessionMinutes, row: number): boolean =>
  minutes.high[row]! > Math.max(minutes.open[row]!, minutes.close[row]!);

export const hasLowerWick = (minutes: SessionMinutes, row: number): boolean =>
  minutes.low[row]! < Math.min(minutes.open[row]!, minutes.close[row]!);

/** The bid when a trade is at the ask; no bid is under one cent. */
export const bidUnder = (price: number, width: number): number => Math.max(1, price - width);

/** Quote bars gathered row by row; hands out exact-length columns. */
export interface QuoteRows {
  rows: number;
  readonly columns: Record<keyof QuoteBarColumns, Float64Array>;
}

export function createQuoteRows(capacity: number): QuoteRows {
  const columns = Object.fromEntries(QUOTE_BAR_COLUMNS.map((name) => [name, new Float64Array(capacity)]));
  return { rows: 0, columns: columns as QuoteRows['columns'] };
}

/** The rows so far as columns of their own; the rows start over. */
export function takeQuotes(from: QuoteRows): QuoteBarColumns {
  const taken = Object.fromEntries(
    QUOTE_BAR_COLUMNS.map((name) => [name, from.columns[name].slice(0, from.rows)]),
  );
  from.rows = 0;
  return taken as unknown as QuoteBarColumns;
}

/**
 * Appends the quote bars of a session: one for each minute that traded, and in the regular session also for
 * minutes without a trade, in which the quote stands where it was. None during a halt or an outage.
 */
export function pushQuoteBars(
  into: QuoteRows,
  quotes: SessionQuotes,
  minutes: SessionMinutes,
  preOpen: number,
  regular: { readonly from: number; readonly to: number },
  missing: Interruptions,
  stream: Stream,
): void {
  const silent = (k: number): boolean =>
    (k >= missing.haltFrom && k < missing.haltTo) || (k >= missing.lostFrom && k < missing.lostTo);
  const standStill = (bid: number, spread: number, from: number, until: number): void => {
    for (let quiet = Math.max(regular.from, from); quiet < Math.min(until, regular.to); quiet++) {
      if (silent(quiet - regular.from)) continue;
      pushQuote(into, preOpen + quiet * MINUTE_MS, bid, bid, bid, bid, spread, stream);
    }
  };
  const { bidOpen, bidHigh, bidLow, bidClose, spread } = quotes;
  // Until something trades, the quote stands where the first trade will find it.
  let stands = bidOpen[0]!;
  let width = spread[0]!;
  let next = 0;
  for (let row = 0; row < minutes.rows; row++) {
    const minute = minutes.minute[row]!;
    standStill(stands, width, next, minute);
    const time = preOpen + minute * MINUTE_MS;
    pushQuote(into, time, bidOpen[row]!, bidHigh[row]!, bidLow[row]!, bidClose[row]!, spread[row]!, stream);
    stands = bidClose[row]!;
    width = spread[row]!;
    next = minute + 1;
  }
  if (minutes.rows > 0) standStill(stands, width, next, regular.to);
}

function pushQuote(
  into: QuoteRows,
  time: number,
  bidOpen: number,
  bidHigh: number,
  bidLow: number,
  bidClose: number,
  spread: number,
  stream: Stream,
): void {
  const { columns } = into;
  const row = into.rows++;
  columns.time[row] = time;
  columns.bidOpen[row] = bidOpen / 100;
  columns.bidHigh[row] = bidHigh / 100;
  columns.bidLow[row] = bidLow / 100;
  columns.bidClose[row] = bidClose / 100;
  columns.bidSize[row] = quoteSize(stream);
  columns.askOpen[row] = (bidOpen + spread) / 100;
  columns.askHigh[row] = (bidHigh + spread) / 100;
  columns.askLow[row] = (bidLow + spread) / 100;
  columns.askClose[row] = (bidClose + spread) / 100;
  columns.askSize[row] = quoteSize(stream);
}

/** Shares in round lots, a few hundred in the mean. */
export const quoteSize = (stream: Stream): number => 100 * (1 + Math.floor(-3 * Math.log(stream.uniform())));

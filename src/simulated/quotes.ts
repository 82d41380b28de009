import { MINUTE_MS } from '../base/dates.ts';
import type { QuoteColumnBuilder } from '../market/column-builder.ts';
import { FLOW_SUMS, type FlowMinuteColumns, namedColumns } from '../market/observations.ts';
import type { FilledSession } from './market.ts';
import { EXTENDED_SPREAD, MINUTE_VOLUME_MIN, type SessionMinutes } from './minutes.ts';
import { clamp, type Stream } from './random.ts';

/** Buyers lift the ask more often in a minute that rises. */
const CHASE = 0.28;

/** Share of trades at the ask in a minute from one price to another. */
const buyChance = (open: number, close: number): number => 0.5 + CHASE * Math.sign(close - open);

/** The bid when a trade is at the ask; no bid is under one cent. */
const bidUnder = (price: number, width: number): number => Math.max(1, price - width);

/** Shares in round lots, a few hundred in the mean. */
const quoteSize = (stream: Stream): number => 100 * (1 + Math.floor(-3 * Math.log(stream.uniform())));

/**
 * Appends the quote bars of a session: one for each minute that traded, whose highest trade is at the ask and whose
 * lowest is at the bid, and an unchanged quote for the other regular minutes. None during a halt or an outage.
 *
 * @param spread bid-ask spread of the regular session as a fraction of the price
 */
export function pushQuoteBars(
  into: QuoteColumnBuilder,
  { minutes, missing, frame, start }: FilledSession,
  spread: number,
  stream: Stream,
): void {
  const { preMinutes, postMinutes, priorClose } = frame;
  const regularMinutes = frame.common.length;
  const { haltFrom, haltTo, lostFrom, lostTo } = missing;
  const isSilent = (k: number): boolean => (k >= haltFrom && k < haltTo) || (k >= lostFrom && k < lostTo);
  const bar = new Float64Array(11);
  let width = Math.max(1, Math.round(priorClose * spread));
  let bid = bidUnder(priorClose, width);
  let row = 0;
  for (let minute = 0; minute < preMinutes + regularMinutes + postMinutes; minute++) {
    const k = minute - preMinutes;
    const isRegular = k >= 0 && k < regularMinutes;
    let bids = [bid, bid, bid, bid];
    if (row < minutes.rows && minutes.minute[row] === minute) {
      const [open, close] = [minutes.open[row]!, minutes.close[row]!];
      const [high, low] = [minutes.high[row]!, minutes.low[row]!];
      width = Math.max(1, Math.round(close * spread * (isRegular ? 1 : EXTENDED_SPREAD)));
      const chance = buyChance(open, close);
      const bidAt = (price: number): number => (stream.uniform() < chance ? bidUnder(price, width) : price);
      const bidOpen = bidAt(open);
      bid = bidAt(close);
      const reached = [bidOpen, bid];
      if (high > Math.max(open, close)) reached.push(bidUnder(high, width));
      if (low < Math.min(open, close)) reached.push(low);
      bids = [bidOpen, Math.max(...reached), Math.min(...reached), bid];
      row++;
    } else if (!isRegular || isSilent(k)) continue;
    bar[0] = start + minute * MINUTE_MS;
    for (let at = 0; at < 4; at++) {
      bar[1 + at] = bids[at]! / 100;
      bar[6 + at] = (bids[at]! + width) / 100;
    }
    bar[5] = quoteSize(stream);
    bar[10] = quoteSize(stream);
    const reason = into.push(bar);
    if (reason !== null) throw new Error(`the simulated market made a quote that is refused: ${reason}`);
  }
}

const OFF_EXCHANGE = 0.34;
/** Part of the volume that sets no price and has no side: average-price, late and odd prints. */
const SIDELESS = 0.03;
/** Chance that a print is a block, and its size in ordinary prints and at least in shares. */
const BLOCK_CHANCE = 0.0006;
const BLOCK_PRINTS = 60;
const BLOCK_SHARES = 10_000;

/**
 * The order flow of a session's minutes, as the sums of their prints; buys outweigh in a minute that rises. Sides
 * follow from quotes, or from the tick rule where there are none.
 *
 * @param printSize shares of an ordinary print
 */
export function flowMinutes(
  minutes: SessionMinutes,
  start: number,
  printSize: number,
  hasQuotes: boolean,
  stream: Stream,
): FlowMinuteColumns {
  const column = (): Float64Array => new Float64Array(minutes.rows);
  const flow = { time: column(), ...namedColumns(FLOW_SUMS, column) };
  for (let row = 0; row < minutes.rows; row++) {
    const volume = minutes.volume[row]!;
    const [open, close] = [minutes.open[row]!, minutes.close[row]!];
    const price = (open + minutes.high[row]! + minutes.low[row]! + close) / 400;
    const trades = clamp(Math.round(volume / printSize), MINUTE_VOLUME_MIN, volume);
    /** Shares of a part that each print belongs to by chance. */
    const part = (shares: number, chance: number): number => {
      const share = chance + Math.sqrt((chance * (1 - chance)) / trades) * stream.normal();
      return Math.round(shares * clamp(share, 0, 1));
    };
    flow.time[row] = start + minutes.minute[row]! * MINUTE_MS;
    flow.trades[row] = trades;
    flow.volume[row] = volume;
    flow.notional[row] = volume * price;
    flow.offExchangeVolume[row] = part(volume, OFF_EXCHANGE);
    const sided = volume - part(volume, SIDELESS);
    const bought = part(sided, buyChance(open, close));
    flow[hasQuotes ? 'buyByQuote' : 'buyByTick'][row] = bought;
    flow[hasQuotes ? 'sellByQuote' : 'sellByTick'][row] = sided - bought;
    const block = Math.max(BLOCK_SHARES, Math.round(BLOCK_PRINTS * printSize));
    if (stream.uniform() < trades * BLOCK_CHANCE && block < volume) {
      flow.blockTrades[row] = 1;
      flow.blockVolume[row] = block;
    }
  }
  return flow;
}

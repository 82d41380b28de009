import type { Quote, Trade } from '../observations.ts';
import { MINUTE_MS } from './simulated-intraday-shape.ts';
import type { SessionMinutes } from './simulated-minutes.ts';
import {
  bidUnder,
  buyChance,
  hasLowerWick,
  hasUpperWick,
  quoteSize,
  type SessionQuotes,
} from './simulated-quotes.ts';
import type { Stream } from './simulated-random.ts';

/** One trade print or one change of the best quote. */
export type SimulatedTick =
  | { readonly kind: 'trade'; readonly trade: Trade }
  | { readonly kind: 'quote'; readonly quote: Quote };

/**
 * The prints of one minute in the order of time, prices in cents; scratch that grows with the busiest minute.
 */
export interface MinuteTrades {
  rows: number;
  /** Milliseconds from the start of the minute. */
  offsetMs: Float64Array;
  price: Float64Array;
  size: Float64Array;
  offExchange: Uint8Array;
  eligible: Uint8Array;
  /** The best bid under which the print happened; the ask stands one spread above it. */
  bid: Float64Array;
}

export function createMinuteTrades(capacity = 4096): MinuteTrades {
  return {
    rows: 0,
    offsetMs: new Float64Array(capacity),
    price: new Float64Array(capacity),
    size: new Float64Array(capacity),
    offExchange: new Uint8Array(capacity),
    eligible: new Uint8Array(capacity),
    bid: new Float64Array(capacity),
  };
}

const OFF_EXCHANGE = 0.34;
/** Average-price, late and odd prints: they count as volume and set no price. */
const INELIGIBLE = 0.03;
const BLOCK_CHANCE = 0.0006;
const BLOCK_FACTOR = 60;
const TRADES_MAX = 30_000;

/**
 * Fills `out` with the prints of one minute: the first eligible one at its open, the last at its close, none
 * beyond high and low and at least one at each, and all sizes summing to its volume.
 */
export function fillMinuteTrades(
  out: MinuteTrades,
  minutes: SessionMinutes,
  quotes: SessionQuotes,
  row: number,
  printSize: number,
  stream: Stream,
): void {
  const anchors = anchorsOf(minutes, quotes, row);
  const volume = minutes.volume[row]!;
  const wanted = Math.min(TRADES_MAX, Math.round(volume / printSize));
  const single = wanted <= 1 && anchors.length === 2 && anchors[0]!.price === anchors[1]!.price;
  const rows = single ? 1 : Math.min(volume, Math.max(anchors.length, wanted));
  if (rows > out.price.length) Object.assign(out, createMinuteTrades(2 * rows));
  out.rows = rows;
  fillSizes(out, volume, stream);
  for (let i = 0; i < rows; i++) {
    out.offsetMs[i] = Math.floor((MINUTE_MS * (i + stream.uniform())) / rows);
    out.offExchange[i] = stream.uniform() < OFF_EXCHANGE ? 1 : 0;
    out.eligible[i] = 1;
  }
  if (single) {
    out.price[0] = anchors[0]!.price;
    out.bid[0] = anchors[0]!.bid;
    return;
  }
  for (let a = 0; a < anchors.length - 1; a++) fillStretch(out, minutes, quotes, row, anchors, a, stream);
}

/** A print that the minute's bar demands, and the bid under it. */
interface Anchor {
  readonly price: number;
  readonly bid: number;
}

/** Open, the wicks in the order in which a minute of that direction meets them, and close. */
function anchorsOf(minutes: SessionMinutes, quotes: SessionQuotes, row: number): Anchor[] {
  const open = { price: minutes.open[row]!, bid: quotes.bidOpen[row]! };
  const close = { price: minutes.close[row]!, bid: quotes.bidClose[row]! };
  const wicks: Anchor[] = [];
  if (hasLowerWick(minutes, row)) wicks.push({ price: minutes.low[row]!, bid: minutes.low[row]! });
  if (hasUpperWick(minutes, row)) {
    const price = minutes.high[row]!;
    wicks.push({ price, bid: bidUnder(price, quotes.spread[row]!) });
  }
  if (close.price < open.price) wicks.reverse();
  return [open, ...wicks, close];
}

/** Prints from one anchor up to, and for the last stretch including, the next. */
function fillStretch(
  out: MinuteTrades,
  minutes: SessionMinutes,
  quotes: SessionQuotes,
  row: number,
  anchors: readonly Anchor[],
  a: number,
  stream: Stream,
): void {
  const from = anchorPlace(a, anchors.length, out.rows);
  const to = anchorPlace(a + 1, anchors.length, out.rows);
  const { price: start, bid } = anchors[a]!;
  const { price: end, bid: lastBid } = anchors[a + 1]!;
  const low = minutes.low[row]!;
  const high = minutes.high[row]!;
  const spread = quotes.spread[row]!;
  const chance = buyChance(minutes.open[row]!, minutes.close[row]!);
  out.price[from] = start;
  out.bid[from] = bid;
  for (let i = from + 1; i < to; i++) {
    const rough = start + ((end - start) * (i - from)) / (to - from) + (stream.uniform() - 0.5) * 2 * spread;
    const price = Math.min(high, Math.max(low, Math.round(rough)));
    const wantedBid = stream.uniform() < chance ? price - spread : price;
    out.bid[i] = Math.min(quotes.bidHigh[row]!, Math.max(quotes.bidLow[row]!, wantedBid));
    const odd = stream.uniform();
    out.eligible[i] = odd < INELIGIBLE ? 0 : 1;
    // Half of the prints that set no price are at one that the minute never saw.
    out.price[i] = odd < INELIGIBLE / 2 ? high + 1 + Math.floor(3 * stream.uniform()) : price;
  }
  out.price[to] = end;
  out.bid[to] = lastBid;
}

const anchorPlace = (anchor: number, anchors: number, rows: number): number =>
  Math.round((anchor * (rows - 1)) / (anchors - 1));

/** Whole sizes of at least one share that sum to the volume; a few are blocks. */
function fillSizes(out: MinuteTrades, volume: number, stream: Stream): void {
  const { rows, size } = out;
  let sum = 0;
  for (let i = 0; i < rows; i++) {
    const ordinary = 0.15 - Math.log(stream.uniform());
    const weight = stream.uniform() < BLOCK_CHANCE ? BLOCK_FACTOR * ordinary : ordinary;
    sum += weight;
    size[i] = weight;
  }
  let soFar = 0;
  let given = 0;
  for (let i = 0; i < rows; i++) {
    soFar += size[i]!;
    const upTo = i === rows - 1 ? volume : i + 1 + Math.floor(((volume - rows) * soFar) / sum);
    size[i] = upTo - given;
    given = upTo;
  }
}

/** Milliseconds by which a change of the quote precedes the print at it. */
const QUOTE_LEAD_MS = 4;

/**
 * The prints and quotes of one minute in the order of time; the newest quote before a print is the one it
 * met.
 */
export function* minuteTicks(
  trades: MinuteTrades,
  quotes: SessionQuotes,
  row: number,
  start: number,
  stream: Stream,
): Generator<SimulatedTick> {
  const spread = quotes.spread[row]!;
  let bid = Number.NaN;
  let last = start;
  for (let i = 0; i < trades.rows; i++) {
    const time = start + trades.offsetMs[i]!;
    if (trades.bid[i]! !== bid) {
      bid = trades.bid[i]!;
      yield quoteTick(Math.max(last, time - QUOTE_LEAD_MS), bid, spread, stream);
    }
    yield {
      kind: 'trade',
      trade: {
        time,
        price: trades.price[i]! / 100,
        size: trades.size[i]!,
        offExchange: trades.offExchange[i] === 1,
        eligible: trades.eligible[i] === 1,
      },
    };
    last = time;
  }
  // A minute of one print can end at another quote than it began with.
  if (quotes.bidClose[row]! !== bid) yield quoteTick(last, quotes.bidClose[row]!, spread, stream);
}

const quoteTick = (time: number, bid: number, spread: number, stream: Stream): SimulatedTick => ({
  kind: 'quote',
  quote: {
    time,
    bid: bid / 100,
    bidSize: quoteSize(stream),
    ask: (bid + spread) / 100,
    askSize: quoteSize(stream),
  },
});

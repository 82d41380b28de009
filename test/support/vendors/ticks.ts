import { newYorkCalendar } from '../../../src/base/calendar.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { FlowMinuteBuilder, PendingTrades } from '../../../src/market/flow-minute-builder.ts';
import type { Bar } from '../../../src/market/observations.ts';
import { PRINT, printOfLetters } from '../../../src/market/sale-conditions.ts';

/** A trade as a vendor knows it, on tape C. */
export interface TradeOfDouble {
  /** Beyond 2^53. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
  /** Letter of the exchange; D for FINRA's facilities. */
  readonly venue: string;
  readonly price: number;
  readonly size: number;
  readonly letters: readonly string[];
}

export interface QuoteOfDouble {
  readonly time: number;
  readonly bid: number;
  readonly ask: number;
}

export interface TicksOfDouble {
  readonly trades: readonly TradeOfDouble[];
  readonly quotes: readonly QuoteOfDouble[];
}

/** Numbers from 0 to 1, the same in every run. */
export function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const LETTERS = [['@'], ['@'], ['@', 'I'], ['@', 'F'], ['@', '4'], ['W']];

/** Trades and quotes that move within minute bars. */
export function ticksOf(bars: readonly Bar[], seed: number): TicksOfDouble {
  const draw = draws(seed + 1);
  const trades: TradeOfDouble[] = [];
  const quotes: QuoteOfDouble[] = [];
  for (const { time, low, high } of bars) {
    for (let part = 0; part < 6; part++) {
      const at = time + part * 10_000 + Math.floor(draw() * 9_000);
      const price = Math.round(100 * (low + draw() * (high - low))) / 100;
      const spread = Math.round(draw() * 4) / 100;
      quotes.push({ time: at, bid: price - spread, ask: price + 0.02 });
      const venue = draw() < 0.4 ? 'D' : 'V';
      const letters = LETTERS[Math.floor(draw() * LETTERS.length)]!;
      const size = draw() < 0.05 ? 12_000 : Math.ceil(draw() * 400);
      // Some come in the instant of their quote, which then does not count for them.
      const after = Math.floor(draw() * 3) * 200;
      const id = String(9_007_199_254_740_993n + BigInt(trades.length));
      trades.push({
        id,
        time: at + after,
        venue,
        price: price + Math.round(draw() * 2) / 100,
        size,
        letters,
      });
    }
  }
  return { trades, quotes };
}

const calendar = newYorkCalendar();

/** What an import makes of the ticks of a session. */
export function flowColumnsOf({ trades, quotes }: TicksOfDouble, date: string): FlowColumns {
  const session = calendar.session(date)!;
  const flow = new FlowMinuteBuilder(session);
  const pending = new PendingTrades();
  for (const { time, price, size, letters, venue } of trades.toSorted((a, b) => a.time - b.time)) {
    const print = printOfLetters(letters) | (venue === 'D' ? PRINT.offExchange : 0);
    pending.push(time - session.midnight, price, size, print, venue.charCodeAt(0));
  }
  for (const { time, bid, ask } of quotes) {
    pending.addTo(flow, time - session.midnight);
    flow.quote(bid, ask);
  }
  pending.addTo(flow, Number.POSITIVE_INFINITY);
  return flow.columns();
}

/** The same in rows. */
export const flowOf = (ticks: TicksOfDouble, date: string) => rowsOfFlow(flowColumnsOf(ticks, date));

export type FlowColumns = Extract<Delivery, { readonly kind: 'flow-minutes' }>['columns'];

export const rowsOfFlow = (columns: FlowColumns): Record<string, number>[] =>
  Array.from(columns.time, (_, row) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[row]!])),
  );

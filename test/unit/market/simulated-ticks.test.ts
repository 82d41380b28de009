import { beforeAll, describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import {
  companySymbols,
  type SimulatedTick,
  simulatedMarket,
  simulatedTicks,
} from '../../../src/market/feeds/simulated.ts';
import { FlowMinuteBuilder } from '../../../src/market/flow-minute-builder.ts';
import type {
  BarColumns,
  FlowMinuteColumns,
  QuoteBarColumns,
  Trade,
} from '../../../src/market/observations.ts';
import { PRINT } from '../../../src/market/sale-conditions.ts';
import { type Delivered, deliveredBySymbol, END } from './simulated-probe.ts';

const MINUTE_MS = 60_000;
const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS) * MINUTE_MS;

/** A mid-sized and a small company: minutes with hundreds of prints, and minutes with one or none. */
const [LIVELY, QUIET] = [companySymbols(40)[39]!, companySymbols(3000)[2999]!];

describe.each([LIVELY, QUIET])('ticks of %s', (symbol) => {
  let ticks: SimulatedTick[];
  let bars: BarColumns;
  let quoteBars: QuoteBarColumns;
  let flowMinutes: FlowMinuteColumns;
  let byMinute: Map<number, Trade[]>;

  beforeAll(async () => {
    const delivered = await deliveredOf(symbol);
    bars = delivered.minutes[0]!;
    quoteBars = delivered.quotes[0]!;
    flowMinutes = delivered.flowMinutes[0]!;
    ticks = [...simulatedTicks(simulatedMarket(7, END, newYorkCalendar()), symbol, END)];
    byMinute = new Map();
    for (const tick of ticks) {
      if (tick.kind !== 'trade') continue;
      const minute = minuteOf(tick.trade.time);
      byMinute.set(minute, [...(byMinute.get(minute) ?? []), tick.trade]);
    }
  });

  it('come in the order of time', () => {
    const times = ticks.map((tick) => (tick.kind === 'trade' ? tick.trade.time : tick.quote.time));
    expect(times.every((time, i) => i === 0 || time >= times[i - 1]!)).toBe(true);
  });

  it('make the minute bars: eligible prints the prices, all prints the volume', () => {
    expect([...byMinute.keys()]).toEqual([...bars.time]);
    for (const [row, time] of bars.time.entries()) {
      const trades = byMinute.get(time)!;
      const prices = trades.filter(({ eligible }) => eligible).map(({ price }) => price);
      const made = [prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1)];
      expect(made).toEqual([bars.open[row], bars.high[row], bars.low[row], bars.close[row]]);
      expect(trades.reduce((sum, { size }) => sum + size, 0)).toBe(bars.volume[row]);
      expect(trades.every(({ size }) => Number.isInteger(size) && size >= 1)).toBe(true);
    }
  });

  it('make the flow minutes', () => {
    expect([...flowMinutes.time]).toEqual([...bars.time]);
    for (const [row, time] of flowMinutes.time.entries()) {
      const trades = byMinute.get(time)!;
      const sum = (of: (trade: Trade) => number): number =>
        trades.reduce((total, trade) => total + of(trade), 0);
      expect(flowMinutes.trades[row]).toBe(trades.length);
      expect(flowMinutes.volume[row]).toBe(sum(({ size }) => size));
      expect(flowMinutes.notional[row]).toBeCloseTo(
        sum(({ size, price }) => size * price),
        4,
      );
      expect(flowMinutes.offExchangeVolume[row]).toBe(
        sum(({ size, offExchange }) => (offExchange ? size : 0)),
      );
      const blocks = sum(({ size, price }) => (size >= 10_000 || size * price >= 200_000 ? 1 : 0));
      expect(flowMinutes.blockTrades[row]).toBe(blocks);
    }
  });

  it('make the flow: each print classified by the quote that came before it', () => {
    const flow = new FlowMinuteBuilder(newYorkCalendar().session(END)!.midnight);
    for (const tick of ticks) {
      if (tick.kind === 'quote') flow.quote(tick.quote.bid!, tick.quote.ask!);
      else {
        const { time, price, size, offExchange, eligible } = tick.trade;
        const elsewhere = eligible ? 0 : PRINT.setsNoPrice | PRINT.hasNoSide;
        const print = offExchange ? elsewhere | PRINT.offExchange : elsewhere;
        flow.trade(time - newYorkCalendar().session(END)!.midnight, price, size, print);
      }
    }
    const made = flow.columns();
    const { notional, ...exact } = made;
    for (const name of Object.keys(exact) as (keyof typeof exact)[]) {
      expect([...flowMinutes[name]], name).toEqual([...made[name]]);
    }
    for (const [row, dollars] of notional.entries())
      expect(flowMinutes.notional[row]).toBeCloseTo(dollars, 4);
    const classified = made.buyByQuote.reduce((sum, shares) => sum + shares, 0);
    expect(classified).toBeGreaterThan(0);
  });

  it('print inside an uncrossed quote, at bid or ask in most cases', () => {
    let quote: { bid: number; ask: number } | null = null;
    let eligible = 0;
    let outside = 0;
    let atSides = 0;
    for (const tick of ticks) {
      if (tick.kind === 'quote') {
        quote = { bid: tick.quote.bid!, ask: tick.quote.ask! };
        if (quote.bid >= quote.ask) outside++;
      } else if (tick.trade.eligible) {
        const { price } = tick.trade;
        eligible++;
        if (quote === null || price < quote.bid || price > quote.ask) outside++;
        else if (price === quote.bid || price === quote.ask) atSides++;
      }
    }
    expect(outside).toBe(0);
    expect(atSides / eligible).toBeGreaterThan(0.6);
  });

  it('have quotes whose range in a minute is that of the quote bar', () => {
    const seen = new Map<number, { bids: number[]; asks: number[] }>();
    for (const tick of ticks) {
      if (tick.kind !== 'quote') continue;
      const minute = minuteOf(tick.quote.time);
      const sides = seen.get(minute) ?? { bids: [], asks: [] };
      sides.bids.push(tick.quote.bid!);
      sides.asks.push(tick.quote.ask!);
      seen.set(minute, sides);
    }
    const rowAt = new Map([...quoteBars.time].map((time, row) => [time, row]));
    for (const [minute, { bids, asks }] of seen) {
      const row = rowAt.get(minute)!;
      const ofBids = [bids[0], Math.max(...bids), Math.min(...bids), bids.at(-1)];
      const ofAsks = [asks[0], Math.max(...asks), Math.min(...asks), asks.at(-1)];
      const { bidOpen, bidHigh, bidLow, bidClose, askOpen, askHigh, askLow, askClose } = quoteBars;
      expect(ofBids).toEqual([bidOpen[row], bidHigh[row], bidLow[row], bidClose[row]]);
      expect(ofAsks).toEqual([askOpen[row], askHigh[row], askLow[row], askClose[row]]);
    }
  });

  it('have prints off exchange, prints that set no price, and a quote bar in every regular minute', () => {
    const trades = [...byMinute.values()].flat();
    const off = trades.filter(({ offExchange }) => offExchange).length / trades.length;
    expect(off).toBeGreaterThan(0.25);
    expect(off).toBeLessThan(0.43);
    if (symbol === LIVELY) expect(trades.some(({ eligible }) => !eligible)).toBe(true);
    const { open, close } = newYorkCalendar().session(END)!;
    expect([...quoteBars.time].filter((time) => time >= open && time < close)).toHaveLength(390);
  });
});

async function deliveredOf(symbol: string): Promise<Delivered> {
  const options = {
    symbols: symbol === QUIET ? 3000 : 40,
    days: 1,
    minuteSessions: 1,
    quoteSessions: 1,
    tickSessions: 1,
  };
  const found = (await deliveredBySymbol(options, symbol)).get(symbol);
  if (found === undefined) throw new Error(`${symbol} is not in this market`);
  return found;
}

describe('ticks', () => {
  it('are none where the market has nothing', () => {
    const market = simulatedMarket(7, END, newYorkCalendar());
    expect([...simulatedTicks(market, 'SPY', END)]).toEqual([]);
    expect([...simulatedTicks(market, '^SIMVIX', END)]).toEqual([]);
    expect([...simulatedTicks(market, LIVELY, '2025-12-06')]).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { HOUR_MS } from '../../../src/base/dates.ts';
import { AuctionPrints } from '../../../src/market/auction-prints.ts';
import { FlowMinuteBuilder, LeeReady, SIDE } from '../../../src/market/flow-minute-builder.ts';
import { leanPrint, PRINT, taqPrint } from '../../../src/market/sale-conditions.ts';
import type { Columns } from '../../../src/market/series.ts';
import { readStockView } from '../../../src/tape/read-view.ts';
import { at, barsOf, handMadeTape } from '../../support/tape.ts';

const HOURS = { midnight: 0, open: 9.5 * HOUR_MS, close: 16 * HOUR_MS };

describe('Lee and Ready', () => {
  /** Sides of prices that each become the last price. */
  const sides = (rule: LeeReady, prices: readonly number[]): number[] =>
    prices.map((price) => {
      const side = rule.side(price);
      rule.moveTo(price);
      return side;
    });

  it('uses the midpoint first: above is a buy, below a sale', () => {
    const rule = new LeeReady();
    rule.quote(100.04, 100.06);
    expect(sides(rule, [100.06, 100.04, 100.0501, 100.0499, 100.07, 100.03])).toEqual([
      SIDE.buyByQuote,
      SIDE.sellByQuote,
      SIDE.buyByQuote,
      SIDE.sellByQuote,
      SIDE.buyByQuote,
      SIDE.sellByQuote,
    ]);
  });

  it('uses the tick rule at the midpoint, despite rounding of doubles', () => {
    // 100.04 + 100.06 is not 2 x 100.05 to the last bit for every such triple; the price is at the midpoint all the same.
    for (let cents = 1; cents < 5000; cents++) {
      const rule = new LeeReady();
      rule.quote(cents / 100, (cents + 2) / 100);
      rule.moveTo(cents / 100);
      expect(rule.side((cents + 1) / 100)).toBe(SIDE.buyByTick);
    }
  });

  it('gives a zero tick what the last other price gave', () => {
    expect(sides(new LeeReady(), [10, 10, 10.01, 10.01, 10.01, 10, 10])).toEqual([
      SIDE.unclassified,
      SIDE.unclassified,
      SIDE.buyByTick,
      SIDE.buyByTick,
      SIDE.buyByTick,
      SIDE.sellByTick,
      SIDE.sellByTick,
    ]);
  });

  it('has no midpoint while a side is missing, or the two are locked or crossed', () => {
    for (const [bid, ask, locked] of [
      [10, Number.NaN, false],
      [Number.NaN, 10, false],
      [10, 10, true],
      [10.01, 10, true],
      [9.9999, 10, false],
    ] as const) {
      const rule = new LeeReady();
      rule.quote(bid, ask);
      rule.moveTo(11);
      expect(rule.isLocked).toBe(locked);
      expect(rule.side(10.5)).toBe(ask - bid > 0 ? SIDE.buyByQuote : SIDE.sellByTick);
    }
  });
});

describe('sale conditions', () => {
  const ELSEWHERE = PRINT.setsNoPrice | PRINT.hasNoSide;
  const letters = (text: string): number => taqPrint(Buffer.from(text), 0, text.length);

  it('of Lean and TAQ yield the same prints', () => {
    const pairs: [number, string, number][] = [
      [0x1, '', 0], // regular
      [0x20, 'F', 0], // intermarket sweep
      [0x20000020, 'F', 0],
      [0x2000, 'T', 0], // extended hours
      [0x40, 'O', PRINT.hasNoSide | PRINT.opening], // opening print
      [0x80, '6', PRINT.hasNoSide | PRINT.closing], // closing print
      [0x100, '5', PRINT.hasNoSide], // reopening print
      [0x200000, 'X', PRINT.hasNoSide], // cross
      [0x2, 'C', ELSEWHERE], // cash
      [0x4, 'N', ELSEWHERE], // next day
      [0x8, 'R', ELSEWHERE], // seller
      [0x200, '4', ELSEWHERE], // derivatively priced
      [0x800, 'L', ELSEWHERE], // sold last
      [0x4000, 'Z', ELSEWHERE], // out of sequence
      [0x40000, 'V', ELSEWHERE], // stock-option trade
      [0x100000, 'W', ELSEWHERE], // average price
      [0x400000, 'H', ELSEWHERE], // price variation
      [0x2000000, 'P', ELSEWHERE], // prior reference price
      [0x80000000, 'I', PRINT.setsNoPrice], // odd lot
      [0x1000000, 'M', PRINT.noTrade | PRINT.closing], // official close
      [0x4000000, 'Q', PRINT.noTrade | PRINT.opening], // official open
    ];
    for (const [bits, text, print] of pairs) expect([leanPrint(bits), letters(text)]).toEqual([print, print]);
  });

  it('add up', () => {
    expect(letters('F I')).toBe(PRINT.setsNoPrice);
    expect(letters('TB')).toBe(ELSEWHERE);
    expect(letters('4 B')).toBe(ELSEWHERE);
    expect(leanPrint(0x102000)).toBe(ELSEWHERE);
    expect(leanPrint(0x4800)).toBe(ELSEWHERE);
    expect(leanPrint(0x1000001)).toBe(PRINT.noTrade | PRINT.closing);
  });
});

describe('minutes of prints', () => {
  const tick = fc.record({
    gapMs: fc.nat(30_000),
    price: fc.integer({ min: 990, max: 1010 }),
    size: fc.integer({ min: 1, max: 12_000 }),
    print: fc.integer({ min: 0, max: 15 }),
    isQuote: fc.boolean(),
    width: fc.integer({ min: -1, max: 4 }),
  });
  type Tick = typeof tick extends fc.Arbitrary<infer One> ? One : never;

  function built(ticks: readonly Tick[]): { flow: FlowMinuteBuilder; minutes: number[] } {
    const flow = new FlowMinuteBuilder(HOURS);
    const minutes: number[] = [];
    let time = 0;
    for (const { gapMs, price, size, print, isQuote, width } of ticks) {
      time += gapMs;
      minutes.push(Math.floor(time / 60_000));
      if (isQuote) flow.quote(price / 100, (price + width) / 100);
      else flow.trade(time, price / 100, size, print);
    }
    return { flow, minutes };
  }

  it('of a prefix are the prefix of the minutes: nothing later moves a minute that is over', () => {
    fc.assert(
      fc.property(fc.array(tick, { maxLength: 120 }), fc.nat(), (ticks, cut) => {
        const prefix = ticks.slice(0, cut % (ticks.length + 1));
        const before = built(prefix);
        const running = before.minutes.at(-1) ?? 0;
        const [early, late] = [before.flow.columns(), built(ticks).flow.columns()];
        const rows = [...early.time].filter((time) => time < running * 60_000).length;
        for (const name of Object.keys(early) as (keyof typeof early)[]) {
          expect(late[name].slice(0, rows)).toEqual(early[name].slice(0, rows));
        }
      }),
    );
  });

  it('give every share to a side or to none, and no more', () => {
    fc.assert(
      fc.property(fc.array(tick, { maxLength: 120 }), (ticks) => {
        const { flow } = built(ticks);
        const {
          volume,
          buyByQuote,
          sellByQuote,
          buyByTick,
          sellByTick,
          offExchangeVolume,
          blockVolume,
          lockedVolume,
        } = flow.columns();
        for (const row of volume.keys()) {
          const sided = buyByQuote[row]! + sellByQuote[row]! + buyByTick[row]! + sellByTick[row]!;
          expect(sided).toBeLessThanOrEqual(volume[row]!);
          for (const part of [offExchangeVolume, blockVolume, lockedVolume]) {
            expect(part[row]!).toBeLessThanOrEqual(volume[row]!);
          }
        }
        const counted = ticks.filter(({ isQuote, print }) => !isQuote && (print & PRINT.noTrade) === 0);
        const all = counted.reduce((sum, { size }) => sum + size, 0);
        expect(volume.reduce((sum, shares) => sum + shares, 0)).toBe(all);
      }),
    );
  });

  it('have bars that prints without a price do not touch', () => {
    const flow = new FlowMinuteBuilder(HOURS);
    flow.trade(0, 10, 100, 0);
    flow.trade(1, 12, 100, PRINT.setsNoPrice);
    flow.trade(2, 8, 100, PRINT.setsNoPrice | PRINT.hasNoSide);
    flow.trade(3, 11, 100, PRINT.hasNoSide);
    flow.trade(4, 9, 100, 0);
    flow.trade(60_000, 8, 100, PRINT.setsNoPrice);
    const bars = flow.bars(new AuctionPrints());
    expect(Object.values(bars).map((column) => [...column])).toEqual([[0], [10], [11], [9], [9], [500]]);
    expect([...flow.columns().volume]).toEqual([500, 100]);
  });
});

describe('flow in a view', () => {
  it('is of the trade date alone, from 04:00, in minutes that are over', () => {
    const calendar = newYorkCalendar();
    const clocks = ['03:59', '04:00', '09:30', '19:59', '20:00'];
    const built = (date: string): Columns => {
      const flow = new FlowMinuteBuilder(calendar.session(date)!);
      for (const clock of clocks) flow.trade(at(date, clock) - calendar.session(date)!.midnight, 10, 100, 0);
      return flow.columns() as unknown as Columns;
    };
    const dates = ['2024-07-01', '2024-07-02', '2024-07-03'] as const;
    const { tape, reader } = handMadeTape('XYZ', [
      { kind: 'bars-1m', columns: barsOf('bars-1m', [[at(dates[1], '04:00'), 10, 10, 10, 10, 100]]) },
      ...dates.map((date) => ({ kind: 'flow-minutes' as const, columns: built(date) })),
    ]);
    const seen = (asOf: number): number[] => [
      ...readStockView(reader, tape, calendar, dates[1], asOf)!.flow.time,
    ];
    const times = clocks.map((clock) => at(dates[1], clock));
    expect(seen(at(dates[1], '20:00') + 3_600_000)).toEqual(times.slice(1, 4));
    expect(seen(at(dates[1], '09:31') - 1)).toEqual(times.slice(1, 2));
    expect(seen(at(dates[1], '09:31'))).toEqual(times.slice(1, 3));
  });
});

import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { orderFlow } from '../../../src/blocks/order-flow.ts';
import { price } from '../../../src/blocks/price.ts';
import { leanFeed } from '../../../src/files/lean/feed.ts';
import { taqFeed } from '../../../src/files/taq.ts';
import type { Feed } from '../../../src/market/feed.ts';
import type { Columns } from '../../../src/market/series.ts';
import { readStockView } from '../../../src/tape/read-view.ts';
import { derived } from '../../support/derived.ts';
import { flowReference } from '../../support/flow-reference.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import { clockOf } from '../../support/session-path.ts';
import { handMadeTape } from '../../support/tape.ts';
import { type FlowRow, flatMinutes, type IntradayRow, viewOf } from '../../support/views.ts';

/** Minutes of prints from a clock on, every one with the same sums. */
const flowMinutes = (from: number, minutes: number, sums: FlowRow[1]): FlowRow[] =>
  Array.from({ length: minutes }, (_, after) => [clockOf(from + after), sums]);

const OPEN = 570;
const bars = (minutes: number): IntradayRow[] => flatMinutes('9:30', minutes, 100);

describe('order flow', () => {
  const flow: FlowRow[] = [
    ['8:00', { trades: 1, volume: 1000, offExchangeVolume: 400, buyByTick: 1000, blockTrades: 1 }],
    ...flowMinutes(OPEN, 40, {
      trades: 10,
      volume: 1100,
      notional: 110_000,
      offExchangeVolume: 300,
      buyByQuote: 500,
      sellByQuote: 300,
      buyByTick: 100,
      sellByTick: 100,
      lockedVolume: 20,
    }),
    // The closing auction prints after the bell.
    ['16:00', { trades: 1, volume: 5000, blockTrades: 1, blockVolume: 5000 }],
  ];
  const running = viewOf({ at: '10:10', intraday: bars(40), flow });

  it('counts sides from 09:30 on, places and blocks over the whole day', () => {
    // 40 x (600 - 400), of 40 x 1,000 with a side; every minute alike, so the drift is sqrt(40).
    // Dark: (400 + 40 x 300) / (1,000 + 40 x 1,100).
    expect(derived(orderFlow, running).flat).toEqual({
      cvd: 8000,
      cvd_pct: 20,
      cvd_divergence: 'none',
      cvd_trend: 'accumulating',
      dark_pool_pct_1d: 12_400 / 45_000,
      block_trade_count: 1,
      buy_sell_ratio: 1.5,
      net_buy_volume: 8000,
      dark_volume_1d: 12400,
      lit_volume_1d: 32600,
    });
  });

  it('shows how much was classified, and how', () => {
    expect(derived(price, running).nested!.order_flow).toEqual({
      method: 'lee_ready',
      trades: 400,
      volume: 44000,
      vwap: 100,
      buy_volume: 24000,
      sell_volume: 16000,
      by_quote: 32000,
      by_tick: 8000,
      unclassified: 4000,
      classified_pct: (40_000 / 44_000) * 100,
      locked_volume: 800,
      off_exchange_share: 300 / 1100,
      block_volume: 0,
    });
  });

  it('knows nothing newer than the instant', () => {
    const early = viewOf({ at: '10:00', intraday: bars(40), flow });
    const cut = viewOf({ at: '10:00', intraday: bars(30), flow: flow.slice(0, 31) });
    expect(derived(orderFlow, early).flat).toEqual(derived(orderFlow, cut).flat);
    expect(derived(orderFlow, early).flat.cvd).toBe(6000);
  });

  it('has the closing auction in the day, not in the sides', () => {
    const whole = viewOf({
      intraday: bars(390),
      flow: [...flowMinutes(OPEN, 390, { buyByQuote: 30, sellByQuote: 10 }), flow.at(-1)!],
    });
    const { cvd, lit_volume_1d, block_trade_count } = derived(orderFlow, whole).flat;
    expect([cvd, lit_volume_1d, block_trade_count]).toEqual([390 * 20, 390 * 40 + 5000, 1]);
    expect(derived(price, whole).nested!.order_flow!.volume).toBe(390 * 40);
  });

  it('before the open has places, and no sides', () => {
    const intraday: IntradayRow[] = [['8:00', 10, 10, 10, 10, 1000]];
    const {
      dark_pool_pct_1d,
      block_trade_count,
      dark_volume_1d: _,
      lit_volume_1d: __,
      ...sides
    } = derived(orderFlow, viewOf({ at: '9:00', intraday, flow })).flat;
    expect([dark_pool_pct_1d, block_trade_count]).toEqual([0.4, 1]);
    expect(new Set(Object.values(sides))).toEqual(new Set([null]));
  });

  it('is null without prints, and for a fragment of a session', () => {
    const nothing = Object.values(derived(orderFlow, viewOf({ at: '16:00', intraday: bars(390) })).flat);
    expect(nothing.every((value) => value === null)).toBe(true);
    const part = (from: number, minutes: number) => {
      const flow = flowMinutes(OPEN + from, minutes, { buyByTick: 1 });
      return derived(orderFlow, viewOf({ at: '16:00', intraday: bars(390), flow })).flat;
    };
    expect(part(30, 360).cvd).toBe(360);
    expect(part(31, 359)).toMatchObject({ cvd: null, lit_volume_1d: null, block_trade_count: null });
    expect(part(0, 360).cvd).toBe(360);
    expect(part(0, 359)).toMatchObject({ cvd: null, lit_volume_1d: null, block_trade_count: null });
  });

  it('has no ratio when nobody sold, and says when no quotes were there', () => {
    const view = viewOf({ at: '10:10', intraday: bars(40), flow: flowMinutes(OPEN, 40, { buyByTick: 7 }) });
    expect(derived(orderFlow, view).flat).toMatchObject({ buy_sell_ratio: null, cvd: 280, cvd_pct: 100 });
    expect(derived(price, view).nested!.order_flow!.method).toBe('tick_rule');
  });

  it('sees a divergence between the bars and the prints', () => {
    // Lows at 09:50 and 10:30, the second lower; sellers pressed only before the first.
    const low = (minute: number): number => 100 + Math.abs((minute % 40) - 20) / 20 - (minute > 40 ? 0.5 : 0);
    const intraday = Array.from({ length: 80 }, (_, minute): IntradayRow => {
      const at = low(minute);
      return [clockOf(OPEN + minute), at, at, at, at, 100];
    });
    const divergenceWith = (sellers: (minute: number) => number) => {
      const prints = (minute: number) => ({ buyByQuote: 100, sellByQuote: sellers(minute) });
      const flow = intraday.map(([clock], minute): FlowRow => [clock, prints(minute)]);
      return derived(orderFlow, viewOf({ at: '10:50', intraday, flow })).flat.cvd_divergence;
    };
    expect(divergenceWith((minute) => (minute < 30 ? 200 : 0))).toBe('bullish_div');
    expect(divergenceWith(() => 200)).toBe('none');
  });
});

describe.skipIf(realDataDirectory === null)('order flow of recorded sessions', () => {
  const calendar = newYorkCalendar();

  /** The minute bars and the flow of one session, as the tape keeps them. */
  async function tapeOf(name: string) {
    const [symbol, date] = name.split(' ') as [string, string];
    const folder = `${realDataDirectory}`;
    const taq = ['trades', 'quotes'].map((side) => `${folder}/taq/xxx_2018-01-02_${side}.csv.gz`);
    const feed: Feed =
      symbol === 'XXX' ? taqFeed({ paths: taq, calendar }) : leanFeed(`${folder}/lean`, calendar);
    const isOfSymbol = new RegExp(
      `(minute|tick)/${symbol.toLowerCase()}/${date.replaceAll('-', '')}_trade|^xxx`,
    );
    const parts: { kind: 'bars-1m' | 'flow-minutes'; columns: Columns }[] = [];
    for (const unit of (await feed.units()).filter(({ key }) => isOfSymbol.test(key))) {
      for await (const delivery of unit.read()) {
        if (delivery.kind === 'bars')
          parts.push({ kind: 'bars-1m', columns: delivery.columns as unknown as Columns });
        if (delivery.kind === 'flow-minutes')
          parts.push({ kind: 'flow-minutes', columns: delivery.columns as unknown as Columns });
      }
    }
    return { ...handMadeTape(symbol, parts), date, session: calendar.session(date)! };
  }

  it.for(Object.keys(flowReference))(
    'of %s: CVD at every half hour as the reference has it',
    async (name) => {
      const { tape, reader, date, session } = await tapeOf(name);
      const { cvdEveryHalfHour, regular, day } = flowReference[name]!;
      const served = cvdEveryHalfHour.map((_, half) => {
        const view = readStockView(reader, tape, calendar, date, session.open + (half + 1) * 1_800_000)!;
        return derived(orderFlow, view).flat.cvd;
      });
      expect(served).toEqual(cvdEveryHalfHour);
      const view = readStockView(reader, tape, calendar, date, session.postClose)!;
      const { flat } = derived(orderFlow, view);
      expect(flat.dark_pool_pct_1d).toBeCloseTo(day.offExchangeVolume! / day.volume!, 12);
      expect(flat.block_trade_count).toBe(day.blockTrades);
      const buy = regular.buyByQuote! + regular.buyByTick!;
      const sell = regular.sellByQuote! + regular.sellByTick!;
      expect(flat.buy_sell_ratio).toBeCloseTo(buy / sell, 12);
      expect(flat.cvd_pct).toBeCloseTo(((buy - sell) / (buy + sell)) * 100, 12);
      expect(derived(price, view).nested!.order_flow).toMatchObject({
        method: name.startsWith('SPY') ? 'tick_rule' : 'lee_ready',
        by_quote: regular.buyByQuote! + regular.sellByQuote!,
        by_tick: regular.buyByTick! + regular.sellByTick!,
        unclassified: regular.volume! - buy - sell,
        locked_volume: regular.lockedVolume,
      });
    },
  );
});

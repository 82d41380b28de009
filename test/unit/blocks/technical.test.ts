import { describe, expect, it } from 'vitest';
import { technicalColumns } from '../../../src/analysis/indicators/technical-columns.ts';
import { momentum } from '../../../src/blocks/momentum.ts';
import { technical } from '../../../src/blocks/technical.ts';
import { dailyRecipe } from '../../support/daily-recipe.ts';
import { derived } from '../../support/derived.ts';
import {
  type DailyRow,
  dailyFromCloses,
  flatMinutes,
  type IntradayRow,
  viewOf,
} from '../../support/views.ts';

const flat = (sessions: number): DailyRow[] => dailyFromCloses(Array(sessions).fill(100));

describe('technical', () => {
  it('has the last row of each column under its name', () => {
    const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();
    const view = viewOf({ at: '9:00', daily: dailyFromCloses(Array.from(dailyRecipe(3, 260).close)) });
    const { high, low, close } = view.dailyNow;
    const fields = new Map(
      Object.entries(derived(technical, view).nested!).map(([name, value]) => [plain(name), value]),
    );
    const named = Object.entries(technicalColumns(high, low, close))
      .map(([name, column]) => [plain(name), column.at(-1)] as const)
      .filter(([name]) => fields.has(name));
    expect(named.map(([name]) => fields.get(name))).toEqual(named.map(([, value]) => value));
    expect(named.length).toBeGreaterThan(4);
  });

  it('gives the documented answers of a flat price in a range of 2', () => {
    expect(derived(technical, viewOf({ at: '9:00', daily: flat(200) })).nested).toMatchObject({
      // TA-Lib writes 0 for both.
      rsi_14: null,
      macd: 0,
      macd_signal: 0,
      adx_14: null,
      atr_14: expect.closeTo(2, 12),
      moving_averages: { ema_9: 100, ema_20: 100, sma_20: 100, sma_50: 100, sma_200: 100 },
      bollinger: { upper: 100, middle: 100, lower: 100, bandwidth: 0, percent_b: null },
      trend_stack_valid: false,
      atr_1m_14: null,
      daily_atr: { '14': expect.closeTo(2, 12), '20': expect.closeTo(2, 12) },
      daily_atr_live: expect.closeTo(2, 12),
      range_vs_atr_14: null,
    });
  });

  it('freezes the daily ATR at the last completed session while the live one runs', () => {
    const intraday: IntradayRow[] = [['9:30', 100, 110, 90, 100, 10]];
    const running = derived(technical, viewOf({ at: '12:00', daily: flat(30), intraday })).nested!;
    expect(running.daily_atr['14']).toBeCloseTo(2, 12);
    // Wilder: (13 x 2 + 20) / 14
    expect(running.daily_atr_live).toBeCloseTo(46 / 14, 12);
    expect(running.atr_14).toBe(running.daily_atr_live);
    expect(running.range_vs_atr_14).toBeCloseTo(10, 12);
  });

  it('measures the minutes of the regular session alone, where there are minutes', () => {
    const minutes = (count: number): IntradayRow[] =>
      flatMinutes('9:30', count, 50).map(([clock]) => [clock, 50, 50.25, 49.75, 50, 10]);
    const before: IntradayRow[] = [['8:00', 40, 60, 30, 40, 10]];
    const at = (intraday: IntradayRow[], interval: '1m' | '5m') =>
      derived(technical, viewOf({ at: '12:00', daily: flat(1), intraday, interval })).nested!.atr_1m_14;
    expect(at([...before, ...minutes(15)], '1m')).toBeCloseTo(0.5, 12);
    expect(at([...before, ...minutes(14)], '1m')).toBeNull();
    expect(at([...before, ...minutes(15)], '5m')).toBeNull();
  });

  it('sees the stack of averages in a steady rise, not in a fall', () => {
    const closes = Array.from({ length: 200 }, (_, row) => 100 + row);
    const stack = (daily: DailyRow[]) => derived(technical, viewOf({ daily })).nested!.trend_stack_valid;
    expect(stack(dailyFromCloses(closes))).toBe(true);
    expect(stack(dailyFromCloses(closes.slice(1)))).toBe(false);
    expect(stack(dailyFromCloses(closes.toReversed()))).toBe(false);
  });

  it('leaves everything null before warm-up', () => {
    const { trend_stack_valid, daily_atr, ...rest } = derived(technical, viewOf({ daily: flat(8) })).nested!;
    expect(trend_stack_valid).toBe(false);
    expect(daily_atr).toEqual({ '14': null, '20': null });
    expect(Object.values(rest).every((value) => value === null)).toBe(true);
  });
});

describe('momentum', () => {
  it('blends the returns and fits the slope as the contract states them', () => {
    // A tenth of a percent a session, continuously: every return is known in closed form.
    const closes = Array.from({ length: 91 }, (_, row) => 50 * Math.exp(0.001 * row));
    const { momentum_blend, momentum_slope_60d } = derived(
      momentum,
      viewOf({ at: '9:00', daily: dailyFromCloses(closes) }),
    ).flat;
    const ret = (days: number) => (Math.exp(0.001 * days) - 1) * 100;
    expect(momentum_blend).toBeCloseTo(0.5 * ret(60) + 0.3 * ret(90) + 0.2 * ret(20), 9);
    expect(momentum_slope_60d).toBeCloseTo(0.001 * 252 * 100, 9);
  });

  it('measures the day from the prior close', () => {
    const view = viewOf({ at: '9:40', daily: flat(1), intraday: flatMinutes('9:30', 5, 97) });
    expect(derived(momentum, view).flat.intraday_return_pct).toBe(-3);
  });

  it('calls a price overextended beyond 2 ATR from SMA20, on either side', () => {
    const at = (price: number) =>
      derived(momentum, viewOf({ at: '9:00', daily: flat(40), intraday: flatMinutes('8:0', 1, price) })).flat
        .is_overextended;
    expect([95.9, 96.1, 103.9, 104.1].map(at)).toEqual([true, false, false, true]);
  });

  it('warns of an RSI above 85 and below 15, not at them', () => {
    // RSI of the first 14 changes: 50 + 50 x (gains - losses) / (gains + losses).
    const warning = (gains: number, losses: number) => {
      const closes = [100, 100 + gains, 100 + gains - losses, ...Array(12).fill(100 + gains - losses)];
      return derived(momentum, viewOf({ at: '9:00', daily: dailyFromCloses(closes) })).flat
        .extreme_rsi_warning;
    };
    expect(warning(17, 3)).toBe(false); // 85
    expect(warning(18, 3)).toBe(true); // 85.7
    expect(warning(3, 17)).toBe(false); // 15
    expect(warning(3, 18)).toBe(true); // 14.3
  });

  it('calls it distribution when a falling price meets elevated volume', () => {
    const distribution = (daily: DailyRow[], lastWeek: number) => {
      const rows = daily.map(
        (row, at): DailyRow => [row[0], row[1], row[2], row[3], row[4], at < 15 ? 1000 : lastWeek],
      );
      return derived(momentum, viewOf({ at: '9:00', daily: rows })).flat.is_distribution;
    };
    const falling = dailyFromCloses(Array.from({ length: 20 }, (_, row) => 100 - row));
    const rising = dailyFromCloses(Array.from({ length: 20 }, (_, row) => 100 + row));
    // Last five of V, fifteen of 1,000: V / ((15,000 + 5 V) / 20) reaches 1.2 at V = 18,000 / 14 = 1,285.7.
    expect(distribution(falling, 1286)).toBe(true);
    expect(distribution(falling, 1285)).toBe(false);
    expect(distribution(rising, 1286)).toBe(false);
  });
});

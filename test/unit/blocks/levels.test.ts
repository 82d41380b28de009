import { describe, expect, it } from 'vitest';
import { dayContext } from '../../../src/blocks/day-context.ts';
import { levelLadder } from '../../../src/blocks/level-ladder.ts';
import { levels } from '../../../src/blocks/levels.ts';
import { volumeProfile } from '../../../src/blocks/volume-profile.ts';
import { derived } from '../../support/derived.ts';
import { absent, figures } from '../../support/tables.ts';
import {
  type DailyRow,
  dailyFromCloses,
  flatMinutes,
  type IntradayRow,
  viewOf,
} from '../../support/views.ts';

describe('volume_profile', () => {
  const three = [
    ...flatMinutes('9:30', 1, 10, 100),
    ...flatMinutes('9:31', 1, 10.01, 300),
    ...flatMinutes('9:32', 1, 10.02, 100),
  ];

  it('has no profile, VWAP or day type of a fragment of a session that is over', () => {
    const fragment = {
      intraday: flatMinutes('9:30', 60, 10, 100),
      priorIntraday: flatMinutes('9:30', 60, 9, 50),
    };
    const view = viewOf({ ...fragment, intradayWhole: false, priorIntradayWhole: false });
    expect(derived(volumeProfile, view).nested).toBeNull();
    expect(derived(dayContext, view).nested).toBeNull();
    expect(derived(levels, view).nested).toMatchObject({
      ib_high: 10,
      vwap: null,
      vwap_upper_1: null,
      prior_poc: null,
    });
  });

  it('has no more of a session whose feed stopped than its closed windows', () => {
    const cut = (minutes: number, cutAt: string) =>
      derived(levels, viewOf({ intraday: flatMinutes('9:30', minutes, 10, 100), cutAt }));
    const [at1035, at0940] = [cut(65, '10:35'), cut(10, '9:40')];
    expect(at1035.nested).toMatchObject({ ib_high: 10, orb_30m_high: 10, orb_5m_status: null });
    expect(at1035.flat.orb_directional_bias).toBeNull();
    expect(at0940.nested).toMatchObject({
      ib_high: null,
      ib_developing: false,
      orb_5m_high: 10,
      orb_15m_high: null,
      orb_15m_status: null,
    });
  });

  it('shows both sessions with their rows', () => {
    const view = viewOf({ at: '9:33', intraday: three, priorIntraday: flatMinutes('10:0', 1, 9, 50) });
    expect(derived(volumeProfile, view).nested).toEqual({
      prior: {
        trade_date: '2024-03-12',
        developing: false,
        poc: 9,
        vah: 9,
        val: 9,
        value_area_pct: 100,
        row_size: 0.01,
        method: 'bar_range_even',
        total_volume: 50,
        high_volume_nodes: [{ price: 9, volume: 50 }],
        low_volume_nodes: [],
        base_price: 9,
        rows: [50],
      },
      developing: {
        trade_date: '2024-03-13',
        developing: true,
        poc: 10.01,
        // 300 of 500 lie at the POC; the pairs above and below hold 100 each, and of equals the upper joins.
        vah: 10.02,
        val: 10.01,
        value_area_pct: 80,
        row_size: 0.01,
        method: 'bar_range_even',
        total_volume: 500,
        high_volume_nodes: [{ price: 10.01, volume: 300 }],
        low_volume_nodes: [],
        base_price: 10,
        rows: [100, 300, 100],
      },
    });
  });

  it('is complete at the close and null without intraday volume', () => {
    expect(derived(volumeProfile, viewOf({ intraday: three })).nested!.developing!.developing).toBe(false);
    expect(derived(volumeProfile, viewOf({ intraday: three })).nested!.prior).toBeNull();
    expect(derived(volumeProfile, viewOf({ daily: dailyFromCloses([10]) })).nested).toBeNull();
  });
});

describe('levels', () => {
  const prior: DailyRow = ['2024-03-12', 105, 112, 100, 109, 1000];
  const intraday: IntradayRow[] = [
    ['8:00', 109.5, 111, 109, 110, 100],
    ['9:30', 107, 108, 106, 107, 100],
    ['9:36', 108, 109.5, 108, 109, 100],
  ];
  const priorIntraday: IntradayRow[] = [['17:00', 109, 110, 108.5, 109.5, 100]];

  it('has no level further than 25 ATR from the last price', () => {
    // An ATR of 2: 50 dollars are the most.
    const daily = dailyFromCloses(Array(30).fill(100));
    const at = (high: number) => {
      const view = viewOf({
        at: '9:31',
        daily,
        intraday: [
          ['7:59', 100, 100, 100, 100, 100],
          ['8:00', 100, high, 100, 100, 100],
          ...flatMinutes('9:30', 1, 100),
        ],
      });
      return [derived(levels, view).nested!, derived(levelLadder, view).nested!] as const;
    };
    expect(at(149.9)[0]).toMatchObject({ overnight_high: 149.9, overnight_low: 100, ib_range: 0 });
    const [far, ladder] = at(150.1);
    expect(far).toMatchObject({ overnight_high: null, overnight_low: 100, pdh: 101 });
    expect(ladder.levels.map(({ name }) => name)).not.toContain('overnight_high');
  });

  it('has every family as of 09:40', () => {
    const { nested, flat } = derived(levels, viewOf({ at: '9:40', daily: [prior], intraday, priorIntraday }));
    const profile = derived(volumeProfile, viewOf({ at: '9:40', intraday })).nested!.developing!;
    // P = (112 + 100 + 109) / 3 = 107. Typical prices 107 and 326.5 / 3 of equal volume: mean 647.5 / 6, deviation 5.5 / 6.
    const oneBar = derived(
      levels,
      viewOf({ at: '9:40', daily: [prior], intraday: intraday.slice(1), priorIntraday }),
    );
    expect(oneBar.nested).toMatchObject({ overnight_high: null, overnight_low: null });
    expect(nested).toEqual({
      ...figures`
        pdh 112, pdl 100, pdc 109, cpr_tc 108, cpr_bc 106, pivot_pp 107, pivot_r1 114, pivot_r2 119,
        pivot_r3 126, pivot_s1 102, pivot_s2 95, pivot_s3 90, ib_high 109.5, ib_low 106, ib_range 3.5,
        ib_1_5x_high 111.25, ib_2x_high 113, ib_1_5x_low 104.25, ib_2x_low 102.5, orb_5m_high 108,
        orb_5m_low 106, orb_15m_high 109.5, orb_15m_low 106, orb_30m_high 109.5, orb_30m_low 106,
        overnight_high 111, overnight_low 108.5`,
      ...absent`
        opening_from orb_15m_status orb_30m_status prior_week_high prior_week_low prior_month_high
        prior_month_low prior_poc prior_vah prior_val`,
      prior_date: '2024-03-12',
      ib_developing: true,
      orb_5m_status: 'breakout_up',
      vwap: expect.closeTo(647.5 / 6, 9),
      vwap_upper_1: expect.closeTo(653 / 6, 9),
      vwap_lower_1: expect.closeTo(642 / 6, 9),
      vwap_upper_2: expect.closeTo(658.5 / 6, 9),
      vwap_lower_2: expect.closeTo(636.5 / 6, 9),
      developing_poc: profile.poc,
      developing_vah: profile.vah,
      developing_val: profile.val,
    });
    expect(flat).toEqual({ orb_directional_bias: 'bullish' });
  });

  it('leans to the side that most opening ranges speak for', () => {
    const bias = (...closes: [string, number][]) => {
      const opening: IntradayRow = ['9:30', 100, 101, 99, 100, 10];
      const bars = closes.map(([clock, close]): IntradayRow => [clock, close, close, close, close, 10]);
      return derived(levels, viewOf({ at: '10:30', intraday: [opening, ...bars] })).flat.orb_directional_bias;
    };
    expect(bias(['10:05', 100])).toBe('neutral');
    expect(bias(['10:05', 102])).toBe('bullish');
    expect(bias(['10:05', 98])).toBe('bearish');
    // A break down that is thrown back is a trap for sellers.
    expect(bias(['10:05', 98], ['10:06', 100])).toBe('bullish');
    expect(derived(levels, viewOf({ at: '9:34', intraday })).flat.orb_directional_bias).toBeNull();
  });

  it('has the pivots before the open, and null where nothing traded yet', () => {
    const { nested, flat } = derived(levels, viewOf({ at: '7:00', daily: [prior] }));
    expect(nested).toMatchObject({
      pivot_pp: 107,
      ib_high: null,
      ib_developing: false,
      vwap: null,
      orb_5m_status: null,
    });
    expect(flat).toEqual({ orb_directional_bias: null });
  });
});

describe('day_context', () => {
  // One-way traffic: a cent a minute from 100 for two hours, every bar from its low to its high.
  const upward = flatMinutes('9:30', 120, 100).map(([clock], minute): IntradayRow => {
    const open = 100 + minute / 100;
    const close = 100 + (minute + 1) / 100;
    return [clock, open, close, open, close, 100];
  });

  it('knows a trend day', () => {
    // Trend: all four parts at 1. Rotation without a prior value area: one crossing of the middle in 24 five-minute
    // steps, weight 0.3 of 0.6, and no close below VWAP: 1 / sqrt(24) / 2.
    const rotation = 1 / Math.sqrt(24) / 2;
    expect(derived(dayContext, viewOf({ at: '11:30', intraday: upward })).nested).toEqual({
      day_type: 'trending',
      day_type_detail: 'strong_trend',
      trend_score: expect.closeTo(1, 9),
      rotation_score: expect.closeTo(rotation, 9),
      strategy_bias: 'follow_trend_long',
      size_modifier: expect.closeTo(0.5 + 1.5 * (1 - rotation), 9),
    });
  });

  it('is null in the first half hour and without intraday bars', () => {
    expect(derived(dayContext, viewOf({ at: '9:50', intraday: upward })).nested).toBeNull();
    expect(derived(dayContext, viewOf({ daily: dailyFromCloses([10, 11]) })).nested).toBeNull();
  });
});

describe('level_ladder', () => {
  const month = dailyFromCloses(Array(30).fill(100));

  it('finds the nearest level on either side, in ATR of the completed sessions', () => {
    const intraday: IntradayRow[] = [['9:30', 100.5, 100.9, 100.5, 100.6, 410]];
    const { nested, flat } = derived(levelLadder, viewOf({ at: '9:31', daily: month, intraday }));
    expect(nested!.last_price).toBe(100.6);
    expect(nested!.atr).toBeCloseTo(2, 12);
    // The minute's volume lies evenly on 41 rows of a cent; its value area reaches from the top down to 100.62.
    expect(nested!.nearest_resistance).toMatchObject({
      name: 'developing_val',
      family: 'developing_profile',
      side: 'resistance',
      price: expect.closeTo(100.62, 9),
      distance: expect.closeTo(0.02, 9),
      distance_atr: expect.closeTo(0.01, 9),
      distance_pct: expect.closeTo((0.02 / 100.6) * 100, 9),
    });
    expect(nested!.nearest_support).toMatchObject({ family: 'opening', side: 'support', price: 100.5 });
    expect(flat).toEqual({ nearest_level_type: 'resistance' });
  });

  it('lists the highest first and forms zones', () => {
    const { nested } = derived(levelLadder, viewOf({ at: '9:00', daily: month }));
    const prices = nested!.levels.map((level) => level.price);
    expect(prices).toEqual(prices.toSorted((a, b) => b - a));
    // The range of the quiet month: yesterday's and the three-day high, last week's, last month's and R1 are all at 101.
    const top = nested!.zones.find((zone) => zone.high === 101)!;
    expect(top.low).toBe(101);
    expect(top.side).toBe('resistance');
    expect(top.levels).toEqual(
      expect.arrayContaining(['pdh', 'prior_week_high', 'prior_month_high', 'pivot_r1']),
    );
  });

  it('has distances in dollars alone without an ATR', () => {
    const { nested, flat } = derived(levelLadder, viewOf({ at: '9:00', daily: month.slice(-1) }));
    expect(nested).toMatchObject({ atr: null, zones: [] });
    expect(nested!.levels.every((level) => level.distance_atr === null)).toBe(true);
    expect(flat.nearest_level_type).toBeNull();
  });
});

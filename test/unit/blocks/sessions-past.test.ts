import { describe, expect, it } from 'vitest';
import { compression } from '../../../src/blocks/compression.ts';
import { priceEvents } from '../../../src/blocks/price-events.ts';
import { range3d } from '../../../src/blocks/range-3d.ts';
import { derived } from '../../support/derived.ts';
import {
  type DailyRow,
  dailyFromCloses,
  flatMinutes,
  type IntradayRow,
  viewOf,
} from '../../support/views.ts';

const month = dailyFromCloses(Array(30).fill(100));

describe('range_3d', () => {
  const three: DailyRow[] = [
    ['2024-03-07', 11, 99, 1, 11, 100],
    ['2024-03-08', 10, 12, 9, 11, 100],
    ['2024-03-11', 11, 11.5, 10, 11, 100],
    ['2024-03-12', 11, 11.75, 8.5, 11, 100],
  ];
  const range = (at: string, intraday: IntradayRow[], daily = three) =>
    derived(range3d, viewOf({ at, daily, intraday })).nested;

  it('spans the three sessions before the trade date', () => {
    expect(range('9:00', [])).toEqual({ high: 12, low: 8.5, break_high: false, break_low: false });
  });

  it.each([
    ['nothing at the edges', '9:31', ['9:30', 9, 12, 8.5, 9, 5], false, false],
    ['the high', '9:31', ['9:30', 12, 12.01, 8.5, 12, 5], true, false],
    ['the low', '9:31', ['9:30', 9, 12, 8.49, 9, 5], false, true],
    ['both', '9:31', ['9:30', 9, 13, 8, 9, 5], true, true],
    ['nothing before the open', '9:00', ['8:00', 13, 13, 7, 13, 5], false, false],
  ] as const)('breaks %s', (_, at, bar, break_high, break_low) => {
    expect(range(at, [bar])).toEqual({ high: 12, low: 8.5, break_high, break_low });
  });

  it('keeps the three sessions when the trade date itself is complete', () => {
    const complete: DailyRow[] = [...three, ['2024-03-13', 9, 9.5, 8, 9, 100]];
    expect(range('20:00', [], complete)).toEqual({ high: 12, low: 8.5, break_high: false, break_low: true });
  });

  it('is null with fewer', () => {
    expect(range('9:00', [], three.slice(2))).toBeNull();
    expect(range('9:00', [], [])).toBeNull();
  });
});

describe('compression', () => {
  const narrow = (daily: DailyRow[], half: number): DailyRow[] => {
    const [date] = daily.at(-1)!;
    return [...daily.slice(0, -1), [date, 100, 100 + half, 100 - half, 100, 1000]];
  };

  it('sees a narrow inside day that has closed', () => {
    // 29 true ranges of 2, then one of 1: Wilder's ATR(3) = (2 x 2 + 1) / 3, ATR(14) = (13 x 2 + 1) / 14.
    expect(derived(compression, viewOf({ at: '9:00', daily: narrow(month, 0.5) })).nested).toEqual({
      is_nr7: true,
      is_inside_day: true,
      atr_compression_ratio: expect.closeTo(5 / 3 / (27 / 14), 9),
      range_vs_atr_14: null,
      vcp_contraction_count: 0,
    });
  });

  it('does not take the morning of a running day for a narrow day', () => {
    const morning = viewOf({ at: '9:35', daily: month, intraday: flatMinutes('9:30', 3, 100) });
    expect(derived(compression, morning).nested).toEqual({
      is_nr7: false,
      is_inside_day: false,
      atr_compression_ratio: expect.closeTo(1, 9),
      range_vs_atr_14: 0,
      vcp_contraction_count: 0,
    });
  });

  it('measures the day so far against the ATR of the completed ones', () => {
    const wide: IntradayRow[] = [['9:30', 100, 103, 97, 100, 10]];
    const { nested } = derived(compression, viewOf({ at: '9:31', daily: month, intraday: wide }));
    expect(nested!.range_vs_atr_14).toBeCloseTo(3, 9);
  });
});

describe('price_events', () => {
  // The month closes at 100 in a range of 99 to 101 with an ATR of 2; the trade date opens at 104.
  const opening: IntradayRow[] = [['9:30', 104, 105, 103, 104.5, 9000]];
  const day: DailyRow = ['2024-03-13', 104, 106, 102, 105, 3000];
  const events = (at: string) =>
    derived(priceEvents, viewOf({ at, daily: [...month, day], intraday: opening })).nested!;

  it('knows a gap from the open', () => {
    expect(events('9:31')).toEqual([
      {
        type: 'gap_up',
        direction: 'bullish',
        date: '2024-03-13',
        known_at: '2024-03-13T13:30:00.000Z',
        price: 104,
        level: 100,
        size_pct: 4,
        size_atr: expect.closeTo(2, 9),
        volume_ratio: null,
        filled: false,
        filled_date: null,
      },
    ]);
  });

  it('reports what depends on the close after it', () => {
    const closed = events('16:00');
    expect(closed.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['gap_up', 'breakout_20d_high', 'close_above_sma_20', 'volume_spike']),
    );
    expect(closed.find(({ type }) => type === 'breakout_20d_high')).toEqual({
      type: 'breakout_20d_high',
      direction: 'bullish',
      date: '2024-03-13',
      known_at: '2024-03-13T20:00:00.000Z',
      price: 105,
      level: 101,
      size_pct: expect.closeTo(400 / 101, 9),
      size_atr: expect.closeTo(2, 9),
      volume_ratio: 3,
      filled: null,
      filled_date: null,
    });
  });

  it('dates the session that filled a gap', () => {
    const before: DailyRow = ['2024-03-12', 104, 105, 103, 104, 1000];
    const back: DailyRow = ['2024-03-13', 103, 104, 99.5, 101, 1000];
    const found = derived(priceEvents, viewOf({ daily: [...month.slice(0, -1), before, back] })).nested!;
    expect(found.find(({ type }) => type === 'gap_up')).toMatchObject({
      date: '2024-03-12',
      filled: true,
      filled_date: '2024-03-13',
    });
  });

  it('reports no events for a quiet month, and null without history', () => {
    expect(derived(priceEvents, viewOf({ at: '9:00', daily: month })).nested).toEqual([]);
    expect(derived(priceEvents, viewOf()).nested).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atr } from '../../../src/analysis/indicators/true-range.ts';
import {
  EVENT_SESSIONS,
  type PriceEvent,
  priceEvents,
  withRunningSession,
} from '../../../src/analysis/price-events.ts';
import type { BarColumns } from '../../../src/market/observations.ts';
import { prefix } from '../../support/bar-columns.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import { barsOf, type Candle, pathThrough, randomWalk } from '../../support/price-paths.ts';
import { numbers } from '../../support/tables.ts';

function candle(open: number, close: number, wick = 0.5, volume = 1_000_000): Candle {
  return { open, close, high: Math.max(open, close) + wick, low: Math.min(open, close) - wick, volume };
}

/** Days that open and close at 100 with a range of 99 to 101: a true range of 2. */
function quiet(days: number): Candle[] {
  return Array.from({ length: days }, () => candle(100, 100, 1));
}

function at(bars: BarColumns, row: number): PriceEvent[] {
  return priceEvents(bars).filter((event) => event.row === row);
}

/** The event of a kind on a day after so many quiet ones. */
const eventAfter = (days: number, day: Candle, type: string): PriceEvent | undefined =>
  at(barsOf([...quiet(days), day]), days).find((event) => event.type.startsWith(type));

function typesAt(bars: BarColumns, row: number): string[] {
  return at(bars, row).map((event) => event.type);
}

describe('gaps', () => {
  it('measures an open beyond the prior high from the prior close', () => {
    // 4 dollars on 100 and on an ATR(14) of 2.
    expect(eventAfter(30, candle(104, 105), 'gap_up')).toMatchObject({
      direction: 'bullish',
      price: 104,
      level: 100,
      sizePct: 4,
      sizeAtr: expect.closeTo(2, 10),
      filled: false,
      filledRow: null,
    });
  });

  it('is filled on the first row that trades at the prior close again', () => {
    const path = [...quiet(30), candle(104, 105), candle(105, 102), candle(102, 100.5), candle(101, 99)];
    const gapUp = (rows: number) =>
      at(prefix(barsOf(path), rows), 30).find((event) => event.type === 'gap_up');
    expect(gapUp(32)).toMatchObject({ filled: false, filledRow: null });
    // Row 32 has its low at 100.
    expect(gapUp(33)).toMatchObject({ filled: true, filledRow: 32 });
    expect(gapUp(34)).toMatchObject({ filled: true, filledRow: 32 });
  });

  it('can fill on its own day, downward as well', () => {
    expect(eventAfter(30, candle(97, 101), 'gap_down')).toMatchObject({
      direction: 'bearish',
      sizePct: -3,
      sizeAtr: expect.closeTo(-1.5, 10),
      filled: true,
      filledRow: 30,
    });
  });

  it('is none inside the prior range, and none when it is small against the ATR', () => {
    expect(eventAfter(30, candle(101, 101), 'gap_up')).toBeUndefined();
    // The last day before has hardly a range: 0.4 beyond its high is less than a quarter of an ATR of some 1.9.
    const small = barsOf([...quiet(30), candle(100, 100, 0.05), candle(100.4, 100.4)]);
    expect(typesAt(small, 31)).not.toContain('gap_up');
  });
});

describe('breakouts', () => {
  it('names the longest range that a close has left, against its highs', () => {
    const event = eventAfter(60, candle(100, 103), 'breakout');
    // Sixty days of history know the 55-day high (101) and no 252-day high.
    expect(event).toMatchObject({
      type: 'breakout_55d_high',
      direction: 'bullish',
      price: 103,
      level: 101,
      sizeAtr: expect.closeTo(1, 10),
    });
    expect(event?.sizePct).toBeCloseTo(200 / 101, 12);
    expect(eventAfter(60, candle(100, 101), 'breakout_55d_high')).toBeUndefined();
    expect(eventAfter(253, candle(100, 103), 'breakout_252d_high')).toBeDefined();
    expect(eventAfter(60, candle(100, 97), 'breakdown_55d_low')).toBeDefined();
  });

  it('stops at the first range that holds', () => {
    // A high of 106 thirty rows before bars the 55-day breakout, one of 120 sixty rows before the 252-day one.
    const far = [...quiet(230), candle(119, 119, 1), ...quiet(29), candle(105, 105, 1)];
    const types = typesAt(barsOf([...far, ...quiet(30), candle(100, 103)]), 291);
    expect(types.filter((type) => type.startsWith('breakout'))).toEqual(['breakout_20d_high']);
  });

  it('counts a run of new highs once', () => {
    const bars = barsOf([...quiet(60), candle(100, 103), candle(103, 105), candle(105, 107)]);
    const breakouts = priceEvents(bars).filter((event) => event.type.startsWith('breakout'));
    expect(breakouts.map((event) => event.row)).toEqual([60]);
  });
});

describe('moving averages', () => {
  it('sees the close go through its averages', () => {
    // Row 29 closes 1 below twenty closes of 100, row 30 a dollar above: SMA 20 = (18 x 100 + 99 + 101) / 20 = 100.
    const bars = barsOf([...quiet(29), candle(100, 99), candle(99, 101)]);
    expect(typesAt(bars, 29)).toContain('close_below_sma_20');
    expect(at(bars, 30).find((event) => event.type === 'close_above_sma_20')).toMatchObject({
      direction: 'bullish',
      price: 101,
      level: 100,
      sizePct: 1,
    });
    expect(typesAt(bars, 30)).not.toContain('close_above_sma_50');
  });

  it('takes a close at the average for neither side', () => {
    expect(typesAt(barsOf([...quiet(40)]), 39)).toEqual([]);
  });

  it('sees the golden and the death cross', () => {
    // Fifty closes of x against the two hundred that hold them: after 150 of 100 the fast average is the higher as
    // soon as one close is above 100, because it weighs that close four times as much.
    const event = eventAfter(210, candle(100, 102), 'golden_cross');
    // SMA 50 = 100.04, SMA 200 = 100.01.
    expect(event?.level).toBeCloseTo(100.01, 10);
    expect(event?.sizePct).toBeCloseTo((0.03 / 100.01) * 100, 8);
    expect(eventAfter(210, candle(100, 98), 'death_cross')).toBeDefined();
    expect(eventAfter(190, candle(100, 102), 'golden_cross')).toBeUndefined();
  });

  it('sees EMA 9 go through EMA 20', () => {
    // EMA 9 = 100 + 10 x 2/10 = 102; EMA 20 = 100 + 10 x 2/21.
    const event = eventAfter(30, candle(100, 110), 'ema_9_above_ema_20');
    expect(event?.level).toBeCloseTo(100 + 20 / 21, 10);
    expect(event?.sizePct).toBeCloseTo(((2 - 20 / 21) / (100 + 20 / 21)) * 100, 10);
    expect(eventAfter(30, candle(100, 90), 'ema_9_below_ema_20')).toBeDefined();
  });
});

describe('volume', () => {
  const traded = (volume: number, days = 30) => eventAfter(days, candle(100, 100.5, 0.5, volume), 'volume');

  it.each([
    [3_000_000, 'volume_spike'],
    [2_990_000, 'volume_surge'],
    [2_000_000, 'volume_surge'],
    [500_000, 'volume_dry_up'],
  ])('%i shares against a mean of a million: %s', (volume, type) => {
    expect(traded(volume)).toMatchObject({
      type,
      volumeRatio: volume / 1_000_000,
      direction: type === 'volume_dry_up' ? 'neutral' : 'bullish',
    });
  });

  it('has nothing to say in between, or without twenty days to compare with', () => {
    for (const volume of [1_990_000, 510_000]) expect(traded(volume)).toBeUndefined();
    expect(traded(5_000_000, 19)?.type).not.toBe('volume_spike');
  });

  const climax = (close: number, volume: number) =>
    eventAfter(30, { open: 100, high: 108, low: 99, close, volume }, 'buying_climax');

  it('sees a buying climax where a wild high on three times the volume is sold', () => {
    // Range 9 on an ATR of 2; the close gives up 3 of it at 105, a third.
    expect(climax(105, 3_000_000)).toBeDefined();
    expect(climax(105.5, 3_000_000)).toBeUndefined();
    expect(climax(105, 2_900_000)).toBeUndefined();
  });

  it('sees a selling climax upside down', () => {
    const day: Candle = { open: 100, high: 101, low: 92, close: 95, volume: 3_000_000 };
    expect(eventAfter(30, day, 'selling_climax')).toMatchObject({ direction: 'bullish' });
  });
});

describe('laws', () => {
  const walks = fc
    .record({ seed: fc.nat(1_000_000), rows: wholeBetween(2, 330) })
    .map(({ seed, rows }) => randomWalk(seed, rows));

  it('lists an event from its own row until it ages out, changing nothing but the fill of a gap', () => {
    forAll([walks], { numRuns: 300 }, (bars) => {
      const last = bars.close.length - 1;
      const before = priceEvents(prefix(bars, last));
      const now = priceEvents(bars);
      const lasting = ({ filled: _, filledRow: __, ...event }: PriceEvent) => event;
      expect(now.filter((event) => event.row < last).map(lasting)).toEqual(
        before.filter((event) => last - event.row < EVENT_SESSIONS).map(lasting),
      );
      for (const event of before.filter((one) => one.filled === true && last - one.row < EVENT_SESSIONS)) {
        expect(now).toContainEqual(event);
      }
    });
  });

  it('goes on from completed sessions to a running one with its gap and the fills by it', () => {
    forAll([walks], { numRuns: 300 }, (bars) => {
      const last = bars.close.length - 1;
      const completed = priceEvents(prefix(bars, last), EVENT_SESSIONS - 1);
      const before = atr(bars.high, bars.low, bars.close)[last - 1]!;
      const decided = priceEvents(bars)
        .filter(({ row, type }) => row < last || type.startsWith('gap'))
        .map((event) => (event.row < last ? event : { ...event, volumeRatio: Number.NaN }));
      expect(withRunningSession(completed, bars, before)).toEqual(decided);
    });
  });

  it('is newest first and stays within its sessions', () => {
    forAll([walks], (bars) => {
      const rows = priceEvents(bars).map((event) => event.row);
      expect(rows).toEqual([...rows].sort((a, b) => b - a));
      for (const row of rows) expect(row).toBeGreaterThan(bars.close.length - 1 - EVENT_SESSIONS);
    });
  });

  it('says nothing of a history without rows or movement', () => {
    expect(priceEvents(barsOf([]))).toEqual([]);
    expect(priceEvents(pathThrough(numbers`0 50, 300 50`, 0))).toEqual([]);
  });
});

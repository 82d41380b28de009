import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { developingProfile } from '../../../src/analysis/developing-profile.ts';
import { intradayBars, regularRows, sliceBars } from '../../../src/analysis/sessions.ts';
import {
  pointOfControl,
  profileRowSize,
  ticksPerDollar,
  type VolumeProfile,
  valueAreaRows,
  volumeNodes,
  volumeProfile,
} from '../../../src/analysis/volume-profile.ts';
import { Kept } from '../../../src/blocks/kept.ts';
import type { BarColumns } from '../../../src/market/observations.ts';
import { between, forAll, wholeBetween } from '../../support/for-all.ts';
import { ABSENT } from '../../support/real-data.ts';
import { numbers } from '../../support/tables.ts';
import {
  barDay,
  barsFrom,
  DAY,
  leanMinuteFile,
  leanMinutes,
  mapColumns,
  type Row,
  summerSession,
} from './made-up-days.ts';

const day = Date.UTC(2013, 9, 10);
const session = summerSession(day);

const whole = (columns: BarColumns): { from: number; to: number } => ({ from: 0, to: columns.time.length });
const profileOf = (columns: BarColumns, rowSize?: number): VolumeProfile | null =>
  volumeProfile(columns, whole(columns), rowSize);

/** Bars of one price each. */
const prints = (base: number, volumes: readonly number[]): BarColumns =>
  barsFrom(
    session.open,
    volumes.map((volume, at): Row => {
      const price = (base + at) / 100;
      return [at, price, price, price, price, volume];
    }),
  );

describe('prices of a profile', () => {
  it('lie within what traded where that is off the tick grid', () => {
    // 85.004 and 85.0951 are nearest to the ticks of 85.00 and 85.10.
    const profile = profileOf(barsFrom(session.open, [[0, 85.01, 85.0951, 85.004, 85.05, 1000]]))!;
    expect(profile.val).toBeGreaterThanOrEqual(85.004);
    expect(profile.vah).toBeLessThanOrEqual(85.0951);
    expect(profile.poc).toBeLessThanOrEqual(85.0951);
    const one = profileOf(barsFrom(session.open, [[0, 85.0951, 85.0951, 85.0951, 85.0951, 1000]]))!;
    expect([one.val, one.poc, one.vah]).toEqual([85.0951, 85.0951, 85.0951]);
  });
});

describe('row size', () => {
  it.each([
    // Cents where a basis point is less than one and the range is short.
    [14, 14.3, 0.01],
    // One basis point of 165 is 1.65 cents: two.
    [165, 167, 0.02],
    // 6.40 cents: ten; 4.5 cents: five.
    [640, 647, 0.1],
    [450, 456, 0.05],
    // 40 dollars on 498 rows are 8.03 cents: ten.
    [20, 60, 0.1],
    // Below a dollar ticks are hundredths of a cent: 0.1 on 498 rows is 2.008 of them, so five.
    [0.8, 0.9, 0.0005],
    // Exactly one basis point and exactly 498 rows are enough.
    [100, 104.98, 0.01],
    [100, 104.99, 0.02],
  ])('from %d to %d dollars: %d', (low, high, size) => {
    expect(profileRowSize(low, high)).toBe(size);
  });

  it('never leaves more than 500 rows', () => {
    const edges = fc.tuple(between(0.01, 5000), between(1, 3));
    forAll([edges], ([low, times]) => {
      const high = low * times;
      const profile = profileOf(barsFrom(session.open, [[0, low, high, low, high, 1000]]));
      expect(profile!.rows.length).toBeLessThanOrEqual(500);
      expect(profile!.rowSize * ticksPerDollar(low)).toBeCloseTo(
        Math.round(profile!.rowSize * ticksPerDollar(low)),
        6,
      );
    });
  });
});

describe('volume by price', () => {
  it('spreads each bar evenly over the rows between its low and high', () => {
    // 400 shares on 10.00-10.03 are 100 a row, 100 more on 10.02-10.03 are 50 a row.
    const bars = barsFrom(session.open, numbers`0 10 10.03 10 10.01 400, 1 10.02 10.03 10.02 10.03 100`);
    const profile = profileOf(bars)!;
    expect([...profile.rows]).toEqual([100, 100, 150, 150]);
    expect(profile).toMatchObject({ method: 'bar_range_even', rowSize: 0.01, base: 10, totalVolume: 500 });
    // Both upper rows are equal and equally the maximum; 10.02 lies nearer the middle 10.015.
    expect(profile.poc).toBe(10.02);
  });

  it('counts rows of several ticks from zero dollars, and reports no price that did not trade', () => {
    // Rows of five cents: 10.00-10.04 and 10.05-10.09. The bar trades 10.03 to 10.06.
    const profile = profileOf(barsFrom(session.open, [[0, 10.03, 10.06, 10.03, 10.06, 80]]), 0.05)!;
    expect([...profile.rows]).toEqual([40, 40]);
    expect(profile).toMatchObject({ base: 10, rowSize: 0.05, val: 10.03, vah: 10.06, poc: 10.03 });
  });

  it('is null without volume, and leaves bars without volume out of its range', () => {
    expect(profileOf(prints(1000, [0, 0]))).toBeNull();
    expect(volumeProfile(prints(1000, [5]), null)).toBeNull();
    expect(volumeProfile(prints(1000, [5]), { from: 1, to: 1 })).toBeNull();
    const profile = profileOf(prints(1000, [0, 7, 0]))!;
    expect(profile).toMatchObject({ poc: 10.01, val: 10.01, vah: 10.01, totalVolume: 7, valueAreaVolume: 7 });
  });

  it('of the developing session knows only the bars that have ended', () => {
    const bars = prints(1000, [10, 20, 500]);
    const at = (minutes: number) => {
      const intraday = intradayBars(bars, '1m', session.open + minutes * 60_000);
      return volumeProfile(bars, regularRows(intraday, session));
    };
    expect(at(0)).toBeNull();
    expect(at(2)).toMatchObject({ totalVolume: 30, poc: 10.01, vah: 10.01 });
    expect(at(3)).toMatchObject({ totalVolume: 530, poc: 10.02 });
  });
});

describe('point of control', () => {
  it.each([
    [[1, 5, 2], 1],
    // Two equal rows: the middle of seven rows is row 3, so row 2 beats row 5 and row 4 beats row 0.
    [[1, 1, 9, 1, 1, 9, 1], 2],
    [[9, 1, 1, 1, 9, 1, 1], 4],
    // Equally far from the middle: the lower.
    [[1, 9, 1, 9, 1], 1],
    // A difference of rounding dust is none.
    [[0, 0, 0, 0.3, 0, 0.1 + 0.2, 0], 3],
  ])('of %j is row %i', (rows, row) => {
    expect(pointOfControl(Float64Array.from(rows))).toBe(row);
  });
});

describe('value area', () => {
  it('grows by the larger pair until 70 percent, by hand', () => {
    // 200 shares, 140 needed. From 60 at 10.04: above 30 + 25 = 55, below 40 + 20 = 60: below, 120.
    // Then above 55 against 10 + 5 = 15: above, 175. It holds 10.02 to 10.06.
    const profile = profileOf(prints(1000, [5, 10, 20, 40, 60, 30, 25, 5, 3, 2]))!;
    expect(profile).toMatchObject({
      poc: 10.04,
      val: 10.02,
      vah: 10.06,
      valueAreaVolume: 175,
      totalVolume: 200,
    });
  });

  it('follows the steps of "Mind over Markets", appendix 1', () => {
    // The book's figures: 22,168 at the point of control, the pair above 34,491, the pair below 43,773, so below
    // joins; the next pair below beats 34,491 again. How a pair divides and the tail are made up: 143,487 in all, of
    // which 22,168 + 43,773 + 34,500 = 100,441 are just 70 percent.
    const rows = Float64Array.of(17_200, 17_300, 21_873, 21_900, 22_168, 17_000, 17_491, 8_555);
    expect(pointOfControl(rows)).toBe(4);
    expect(valueAreaRows(rows, 4, 143_487)).toEqual({ from: 0, to: 4, volume: 100_441 });
  });

  it('takes the upper of two equal pairs', () => {
    expect(valueAreaRows(Float64Array.of(1, 2, 6, 1, 2), 2, 12)).toEqual({ from: 2, to: 4, volume: 9 });
  });

  it('counts empty rows as rows', () => {
    // Above: 0 + 9; below: 4 + 4. The 9 is reached through the empty row between.
    expect(valueAreaRows(Float64Array.of(4, 4, 10, 0, 9), 2, 27)).toEqual({ from: 2, to: 4, volume: 19 });
  });

  it('at an edge takes what is left, then the other side', () => {
    expect(valueAreaRows(Float64Array.of(1, 1, 1, 5, 1.5), 3, 9.5)).toEqual({ from: 1, to: 3, volume: 7 });
    expect(valueAreaRows(Float64Array.of(1, 1, 1, 1, 2), 4, 6)).toEqual({ from: 0, to: 4, volume: 6 });
    expect(valueAreaRows(Float64Array.of(5), 0, 5)).toEqual({ from: 0, to: 0, volume: 5 });
  });
});

describe('volume nodes', () => {
  const triangle = (row: number, top: number, height: number): number =>
    Math.max(0, height - 10 * Math.abs(row - top));
  const profile = (shape: (row: number) => number): Float64Array =>
    Float64Array.from({ length: 41 }, (_, row) => shape(row));

  it('are the two humps of a double distribution and the thin row between', () => {
    const rows = profile((row) => 5 + triangle(row, 10, 90) + triangle(row, 30, 60));
    // Between the humps rows 19 to 24 hold 5 alone; two passes over three rows leave 21 and 22 lowest: 21.
    expect(volumeNodes(rows)).toEqual({ high: [10, 30], low: [21] });
  });

  it('of a single hump are one', () => {
    expect(volumeNodes(profile((row) => triangle(row, 17, 150)))).toEqual({ high: [17], low: [] });
  });

  it('do not count a bump that stands out by less than 15 percent of the highest', () => {
    const bump = (height: number) =>
      profile((row) => 20 + triangle(row, 12, 100) + (row === 33 ? height : 0));
    // A single row is smoothed to a third of itself at its peak; the highest is (120*3 + 110*4 + 100*2) / 9 = 111.1.
    expect(volumeNodes(bump(45)).high).toEqual([12]);
    expect(volumeNodes(bump(55)).high).toEqual([12, 33]);
  });

  it('of a flat profile are its middle', () => {
    expect(volumeNodes(new Float64Array(9).fill(3))).toEqual({ high: [4], low: [] });
  });

  it('alternate: between two high ones lies exactly one low one, with less volume after smoothing', () => {
    forAll([fc.array(wholeBetween(0, 100), { minLength: 1, maxLength: 120, size: 'max' })], (volumes) => {
      fc.pre(volumes.some((volume) => volume > 0));
      const { high, low } = volumeNodes(Float64Array.from(volumes));
      expect(high.length).toBe(low.length + 1);
      for (const [at, row] of low.entries()) {
        expect(row).toBeGreaterThan(high[at]!);
        expect(row).toBeLessThan(high[at + 1]!);
      }
    });
  });
});

describe('laws', () => {
  const anyDay = barDay(session.open).filter((bars) => bars.volume.some((volume) => volume > 0));

  it('the rows hold what the bars traded, and the value area at least 70 percent of it', () => {
    forAll([anyDay], (bars) => {
      const profile = profileOf(bars)!;
      const traded = bars.volume.reduce((sum, volume) => sum + volume, 0);
      const held = profile.rows.reduce((sum, volume) => sum + volume, 0);
      expect(Math.abs(held - traded)).toBeLessThanOrEqual(1e-9 * traded);
      expect(profile.totalVolume).toBe(traded);
      expect(profile.valueAreaVolume).toBeGreaterThanOrEqual(0.7 * traded * (1 - 1e-9));
      expect(profile.valueAreaVolume).toBeLessThanOrEqual(traded * (1 + 1e-9));
    });
  });

  const atEachBar = (bars: BarColumns) =>
    Array.from(bars.time, (_, bar) => {
      const profile = volumeProfile(bars, { from: 0, to: bar + 1 });
      return [profile?.poc ?? Number.NaN, profile?.vah ?? Number.NaN, profile?.val ?? Number.NaN];
    });
  const developing = (bars: BarColumns) => {
    const { poc, vah, val } = developingProfile(bars, whole(bars));
    return Array.from(poc, (price, bar) => [price, vah[bar], val[bar]]);
  };

  it.each([
    ['in dollars', (price: number) => price],
    ['across a dollar, below which ticks are finer', (price: number) => price / 300],
    // A per cent is a third: the rows have to grow with the range.
    ['on a wild day', (price: number) => 300 * (price / 300) ** 30],
  ])('the developing profile is at each bar the profile of the bars so far: %s', (_, priced) => {
    forAll([barDay(session.open, 120), fc.boolean()], (cents, isEven) => {
      const bars = mapColumns(cents, (column) => {
        if (column === cents.time) return column;
        // Rows with equal volumes have to be told apart as well.
        if (column === cents.volume) return isEven ? column.map((shares) => Math.min(shares, 60)) : column;
        return column.map(priced);
      });
      expect(developing(bars)).toEqual(atEachBar(bars));
    });
  });

  it('a developing profile that is kept is that of the bars, in whatever order they are asked for', () => {
    const counts = fc.array(wholeBetween(1, 120), { minLength: 2, maxLength: 12 });
    forAll([barDay(session.open, 120), counts, fc.boolean()], (bars, asked, isCorrected) => {
      const kept = new Kept();
      for (const [at, count] of asked.entries()) {
        const soFar = sliceBars(bars, { from: 0, to: Math.min(count, bars.time.length) });
        // What was corrected meanwhile is not what is kept.
        const volume = isCorrected && at === 1 ? soFar.volume.map((shares) => shares + 7) : soFar.volume;
        const now = { ...soFar, volume };
        const profile = kept.developingProfile('A 2024-06-28', now);
        // A part first, as a level that breaks early asks for it.
        for (const part of [now.time.length >> 1, now.time.length]) profile.fill(part);
        const rows = [...now.time.keys()];
        expect(rows.map((row) => [profile.poc[row], profile.vah[row], profile.val[row]])).toEqual(
          developing(now),
        );
      }
    });
  });

  it('the developing profile ends with a bar whose volume is not known', () => {
    const bars = prints(1000, [0, 10, 20, Number.NaN, 500]);
    expect(developing(bars)).toEqual(atEachBar(bars));
    expect(developing(bars).map(([poc]) => poc)).toEqual([Number.NaN, 10.01, 10.02, Number.NaN, Number.NaN]);
  });

  it('val <= poc <= vah, all within the prices traded', () => {
    forAll([anyDay], (bars) => {
      const profile = profileOf(bars)!;
      const prices = [Math.min(...bars.low), profile.val, profile.poc, profile.vah, Math.max(...bars.high)];
      expect(prices).toEqual(prices.toSorted((one, other) => one - other));
    });
  });

  it('prices moved by whole rows move the answer by as much', () => {
    forAll([anyDay, fc.constantFrom(1, 2, 5, 10), wholeBetween(-300, 900)], (bars, cents, count) => {
      const moved = mapColumns(bars, (column) =>
        column === bars.time || column === bars.volume
          ? column
          : column.map((price) => (Math.round(price * 100) + count * cents) / 100),
      );
      fc.pre(Math.min(...moved.low) >= 1);
      const before = profileOf(bars, cents / 100)!;
      const after = profileOf(moved, cents / 100)!;
      const shift = (count * cents) / 100;
      expect(after.rows).toEqual(before.rows);
      for (const key of ['poc', 'val', 'vah', 'base'] as const)
        expect(after[key]).toBeCloseTo(before[key] + shift, 9);
      expect(after.highVolumeNodes.length).toBe(before.highVolumeNodes.length);
    });
  });

  it('the order of the bars does not matter', () => {
    forAll([anyDay, wholeBetween(1, 400)], (bars, by) => {
      const order = [...bars.time.keys()].reverse();
      const turned = [...order.slice(by % order.length), ...order.slice(0, by % order.length)];
      const other = mapColumns(bars, (column) => Float64Array.from(turned, (row) => column[row]!));
      const before = profileOf(bars)!;
      const after = profileOf(other)!;
      expect([after.poc, after.val, after.vah]).toEqual([before.poc, before.val, before.vah]);
      for (const [row, volume] of before.rows.entries()) expect(after.rows[row]).toBeCloseTo(volume, 5);
    });
  });
});

describe('recorded SPY sessions of 2013', () => {
  // Exact fractions in a separate program. On the 10th the highest row reaches to 169.25, the session to 169.24.
  it.for([
    ['20131007', 61, 81_489_219, 168.185, 167.7, 168.27, 0.7006003747300259],
    ['20131008', 114, 153_859_703, 166.105, 165.46, 166.67, 0.7008110781564507],
    ['20131009', 85, 143_898_404, 165.685, 165.24, 166.05, 0.715552847230775],
    ['20131010', 102, 157_839_488, 168.945, 167.9, 169.24, 0.7034691440624734],
  ] as const)('%s: %i rows', async ([date, rows, totalVolume, poc, val, vah, share], { skip }) => {
    const path = leanMinuteFile('spy', date);
    if (path === null) return skip(ABSENT);
    const at = day - (10 - Number(date.slice(6))) * DAY;
    const columns = await leanMinutes(path, at);
    const bars = intradayBars(columns, '1m', day + DAY);
    const profile = volumeProfile(columns, regularRows(bars, summerSession(at)))!;
    expect(profile).toMatchObject({ rowSize: 0.02, totalVolume, poc, val, vah });
    expect(profile.rows.length).toBe(rows);
    expect(profile.valueAreaVolume / totalVolume).toBeCloseTo(share, 9);
  });
});

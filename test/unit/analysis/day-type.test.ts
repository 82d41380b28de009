import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  classifyDay,
  dayType,
  fiveMinuteCloses,
  midRangeCrossings,
  valueAreaOverlap,
  vwapBalance,
} from '../../../src/analysis/day-type.ts';
import { initialBalance } from '../../../src/analysis/levels.ts';
import {
  Framing,
  openToClosePosition,
  rangeExtension,
  StepPath,
} from '../../../src/analysis/session-trend.ts';
import { intradayBars, priceRange, regularRows } from '../../../src/analysis/sessions.ts';
import { type ValueArea, volumeProfile } from '../../../src/analysis/volume-profile.ts';
import type { BarColumns } from '../../../src/market/observations.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import { ABSENT } from '../../support/real-data.ts';
import { numbers } from '../../support/tables.ts';
import {
  barDay,
  barsFrom,
  closesFrom,
  cutAt,
  DAY,
  leanMinuteFile,
  leanMinutes,
  MINUTE,
  mapColumns,
  type Row,
  summerSession,
} from './made-up-days.ts';

const day = Date.UTC(2013, 9, 10);
const session = summerSession(day);
const { open, close } = session;
const whole = (columns: BarColumns): { from: number; to: number } => ({ from: 0, to: columns.time.length });

/** Five-minute bars of one dollar each way, from 100 on. */
const fives = (moves: readonly number[]): BarColumns => {
  let price = 100;
  const rows = moves.map((move, at): Row => {
    const from = price;
    price += move;
    return [at, from, Math.max(from, price), Math.min(from, price), price, 100];
  });
  return barsFrom(open, rows, 5);
};

const UP = [1, 1, 1, 1, 1, 1, 1];
const priorValue = { val: 100, vah: 102 };
const developingValue = { val: 101, vah: 105 };

const classify = (
  columns: BarColumns,
  interval: '1m' | '5m',
  prior: ValueArea | null,
  value: ValueArea | null,
  asOf = close,
) =>
  dayType({
    bars: intradayBars(columns, interval, asOf),
    session,
    priorValue: prior,
    developingValue: value,
  });

const directionalEfficiency = (start: number, closes: Float64Array): number => {
  const path = new StepPath();
  path.begin(start);
  closes.forEach((each, step) => {
    path.add(step, each);
  });
  return path.efficiency;
};

describe('parts of the trend score', () => {
  it('directional efficiency is the net move over the path, times the root of the steps over four', () => {
    // Seven dollars up on a path of seven: 1 * sqrt(7) / 4. Eight steps, net 4, path 8: 0.5 * sqrt(8) / 4.
    expect(directionalEfficiency(100, Float64Array.of(101, 102, 103, 104, 105, 106, 107))).toBeCloseTo(
      0.661438,
      6,
    );
    expect(directionalEfficiency(100, Float64Array.of(99, 98, 99, 100, 101, 102, 103, 104))).toBeCloseTo(
      0.353553,
      6,
    );
    expect(directionalEfficiency(100, Float64Array.of(99, 98, 97, 96, 95))).toBeNaN();
    expect(directionalEfficiency(5, new Float64Array(9).fill(5))).toBeNaN();
    const straight = Float64Array.from({ length: 78 }, (_, step) => 100 - step - 1);
    expect(directionalEfficiency(100, straight)).toBe(-1);
  });

  it('reads the last close of every five minutes that traded', () => {
    const bars = barsFrom(open, numbers`0 1 1 1 1 1, 4 2 2 2 2 1, 5 3 3 3 3 1, 19 4 4 4 4 1, 21 5 5 5 5 1`);
    expect([...fiveMinuteCloses(bars, whole(bars), open)]).toEqual([2, 3, 4, 5]);
  });

  it('open-to-close position is the move over the range', () => {
    const bars = barsFrom(open, numbers`0 10 12 9 11 1, 1 11 13 10 12 1`);
    expect(openToClosePosition(bars, whole(bars), priceRange(bars, whole(bars)))).toBe(0.5);
    expect(openToClosePosition(bars, whole(bars), { high: 5, low: 5 })).toBeNaN();
  });

  it('one-time framing compares finished half hours', () => {
    // Highs and lows of four half hours: up, inside, outside, and a fifth that is not over at 11:45.
    const periods: Row[] = numbers`0 10 12 9 10 1, 30 10 13 10 10 1, 60 11 12.5 11 11 1, 90 11 14 8 11 1, 120 11 20 11 11 1`;
    const at = (minute: number) => {
      const framing = new Framing();
      for (const [begin, , high, low] of periods.filter(([start]) => start < minute)) {
        framing.add(open + (begin + 30) * MINUTE, high, low);
      }
      return framing.meanAt(open + minute * MINUTE);
    };
    expect(at(60)).toBeNaN();
    expect(at(90)).toBe(0.5);
    expect(at(135)).toBeCloseTo(1 / 3, 12);
    // The fifth, above the low of the outside one and beyond its high, counts from 12:00 on.
    expect(at(150)).toBe(0.5);
  });

  it('range extension is in initial-balance ranges, above minus below', () => {
    const bars = (high: number, low: number) =>
      intradayBars(
        barsFrom(open, [
          [0, 101, 102, 100, 101, 1],
          [61, 101, high, low, 101, 1],
        ]),
        '1m',
        close,
      );
    const extension = (high: number, low: number) =>
      rangeExtension(initialBalance(bars(high, low), session), {
        high: Math.max(102, high),
        low: Math.min(100, low),
      });
    expect(extension(103, 100.5)).toBe(0.5);
    expect(extension(103, 99.5)).toBe(0.25);
    expect(extension(110, 100)).toBe(1);
    expect(extension(101, 97)).toBe(-1);
    const early = { ...bars(110, 100), asOf: open + 59 * MINUTE };
    expect(rangeExtension(initialBalance(early, session), { high: 110, low: 100 })).toBeNaN();
  });
});

describe('parts of the rotation score', () => {
  it('value-area overlap is the common part of the narrower', () => {
    expect(valueAreaOverlap(priorValue, developingValue)).toBe(0.5);
    expect(valueAreaOverlap({ val: 100, vah: 110 }, { val: 104, vah: 105 })).toBe(1);
    expect(valueAreaOverlap({ val: 100, vah: 101 }, { val: 102, vah: 103 })).toBe(0);
    expect(valueAreaOverlap({ val: 100, vah: 101 }, { val: 100.5, vah: 100.5 })).toBe(1);
    expect(valueAreaOverlap(null, developingValue)).toBeNaN();
  });

  it('mid-range crossings count changes of side, over the root of the steps', () => {
    const range = { high: 12, low: 8 };
    // Around 10: above, below, on it, below, above, above: two changes in six steps.
    expect(midRangeCrossings(Float64Array.of(11, 9, 10, 9, 11, 12), range)).toBeCloseTo(2 / Math.sqrt(6), 12);
    expect(midRangeCrossings(Float64Array.of(11, 9, 11, 9, 11, 9), range)).toBe(1);
    expect(midRangeCrossings(Float64Array.of(11, 9, 11), range)).toBeNaN();
    expect(midRangeCrossings(new Float64Array(9).fill(5), { high: 5, low: 5 })).toBeNaN();
  });

  it('VWAP balance is twice the smaller side', () => {
    // A first bar of much volume holds the VWAP at 100; then ten closes above it and five below.
    const heavy = closesFrom(open, [100, ...Array(10).fill(101), ...Array(5).fill(99)]);
    heavy.volume[0] = 1e9;
    const bars = mapColumns(heavy, (column) => column);
    expect(vwapBalance(bars, whole(bars), 5 * MINUTE)).toBeCloseTo(10 / 15, 12);
    expect(vwapBalance(bars, whole(bars), MINUTE)).toBeNaN();
    const flat = closesFrom(open, Array(40).fill(50));
    expect(vwapBalance(flat, whole(flat), MINUTE)).toBeNaN();
  });
});

describe('day type', () => {
  it('weighs what is there, by hand on a session of 35 minutes', () => {
    const found = classify(fives(UP), '5m', priorValue, developingValue, open + 35 * MINUTE)!;
    // Trend: efficiency 0.661438 and position 1; framing and extension do not exist yet.
    // (0.35 * 0.661438 + 0.25 * 1) / 0.6 = 0.802505.
    expect(found.trendScore).toBeCloseTo(0.802505, 6);
    // Rotation: overlap 0.5, one crossing of 103.5 in seven steps, every close above the VWAP.
    // 0.4 * 0.5 + 0.3 / sqrt(7) + 0 = 0.313389.
    expect(found.rotationScore).toBeCloseTo(0.313389, 6);
    expect(found).toMatchObject({
      dayType: 'trending',
      dayTypeDetail: 'strong_trend',
      strategyBias: 'follow_trend_long',
    });
    // 0.5 + 1.5 * (0.802505 - 0.313389).
    expect(found.sizeModifier).toBeCloseTo(1.233674, 6);
  });

  it('keeps a ledger whose contributions sum to the scores', () => {
    const found = classify(fives(UP), '5m', priorValue, developingValue)!;
    const sum = (parts: typeof found.trendParts) =>
      parts.reduce((total, part) => total + (Number.isNaN(part.value) ? 0 : part.contribution), 0);
    expect(sum(found.trendParts)).toBeCloseTo(found.trendScore, 12);
    expect(sum(found.rotationParts)).toBeCloseTo(found.rotationScore, 12);
    expect(found.trendParts.map((part) => part.weight)).toEqual([0.35, 0.25, 0.2, 0.2]);
    expect(found.rotationParts.map((part) => part.weight)).toEqual([0.4, 0.3, 0.3]);
  });

  it('reweighs the rotation without a prior profile', () => {
    const found = classify(fives(UP), '5m', null, developingValue)!;
    // (0.3 / sqrt(7) + 0.3 * 0) / 0.6.
    expect(found.rotationScore).toBeCloseTo(0.188982, 6);
    expect(found.rotationParts[0]).toMatchObject({ name: 'value_area_overlap', value: Number.NaN });
  });

  it('is null while less than half of a score is known', () => {
    expect(classify(fives(UP), '5m', priorValue, developingValue, open + 25 * MINUTE)).toBeNull();
    expect(classify(fives(UP), '5m', priorValue, developingValue, open + 30 * MINUTE)).not.toBeNull();
    expect(classify(fives(UP), '5m', priorValue, developingValue, open)).toBeNull();
    // One price all day: no range, no path.
    expect(classify(closesFrom(open, Array(390).fill(50)), '1m', priorValue, developingValue)).toBeNull();
  });

  it('is null for bars too coarse for it', () => {
    const bars = intradayBars(barsFrom(open, [[0, 1, 2, 1, 2, 1]]), '1h', close);
    expect(dayType({ bars, session, priorValue, developingValue })).toBeNull();
  });

  it.each([
    [0.6, 0.2, 'trending', 'strong_trend', 'follow_trend_long', 1.1],
    [-0.6, 0.2, 'trending', 'strong_trend', 'follow_trend_short', 1.1],
    [0.59, 0, 'trending', 'trending', 'follow_trend_long', 1.385],
    [0.75, 0.36, 'trending', 'trending', 'follow_trend_long', 1.085],
    [0.35, 0.25, 'trending', 'trending', 'follow_trend_long', 0.65],
    [0.34, 0, 'uncertain', 'mixed', 'wait', 1.01],
    [0.7, 0.65, 'uncertain', 'mixed', 'wait', 0.575],
    [0, 0, 'uncertain', 'mixed', 'wait', 0.5],
    [0.2, 0.34, 'uncertain', 'mixed', 'wait', 0.71],
    [0.25, 0.35, 'rotational', 'rotational', 'fade_extremes', 0.65],
    [-0.3, 0.65, 'rotational', 'rotational', 'fade_extremes', 1.025],
    [0.2, 0.6, 'rotational', 'strong_rotational', 'fade_extremes', 1.1],
    [0, 1, 'rotational', 'strong_rotational', 'fade_extremes', 2],
    [1, 0, 'trending', 'strong_trend', 'follow_trend_long', 2],
  ])('trend %d and rotation %d: %s, %s, %s', (trend, rotation, type, detail, bias, size) => {
    const found = classifyDay(trend, rotation);
    expect(found).toMatchObject({ dayType: type, dayTypeDetail: detail, strategyBias: bias });
    expect(found.sizeModifier).toBeCloseTo(size, 9);
  });
});

describe('laws', () => {
  // Whole dollars instead of cents, so that the mirrored day is exact.
  const wholePrices = (columns: BarColumns, change: (price: number) => number): BarColumns =>
    mapColumns(columns, (column) =>
      column === columns.time || column === columns.volume
        ? column
        : column.map((price) => change(Math.round(price * 100))),
    );
  const part = (found: ReturnType<typeof classify>, name: string) =>
    [...found!.trendParts, ...found!.rotationParts].find((each) => each.name === name)!.value;

  it('a day mirrored about its start has the opposite trend and the same rotation through its middle', () => {
    forAll([barDay(open, 390)], (bars) => {
      const day = wholePrices(bars, (price) => price);
      const start = day.open[0]!;
      const flipped = wholePrices(bars, (price) => 2 * start - price);
      const mirrored = { ...flipped, high: flipped.low, low: flipped.high };
      const found = classify(day, '1m', null, null);
      const other = classify(mirrored, '1m', null, null);
      fc.pre(found !== null);
      expect(other!.trendScore).toBeCloseTo(-found!.trendScore, 12);
      expect(part(other, 'mid_range_crossings')).toBe(part(found, 'mid_range_crossings'));
      expect(part(other, 'vwap_balance')).toBeCloseTo(part(found, 'vwap_balance'), 12);
    });
  });

  it('scores keep their bounds', () => {
    forAll([barDay(open, 390)], (bars) => {
      const value = volumeProfile(bars, whole(bars));
      const found = classify(bars, '1m', { val: bars.low[0]!, vah: bars.high[0]! }, value);
      fc.pre(found !== null);
      expect(Math.abs(found!.trendScore)).toBeLessThanOrEqual(1);
      expect(found!.rotationScore).toBeGreaterThanOrEqual(0);
      expect(found!.rotationScore).toBeLessThanOrEqual(1);
      expect(found!.sizeModifier).toBeGreaterThanOrEqual(0.5);
      expect(found!.sizeModifier).toBeLessThanOrEqual(2);
    });
  });

  it('knows nothing of later bars', () => {
    forAll([barDay(open, 390), wholeBetween(0, 400)], (bars, minute) => {
      const asOf = open + minute * MINUTE;
      const known = cutAt(bars, asOf - MINUTE + 1);
      expect(classify(bars, '1m', priorValue, developingValue, asOf)).toEqual(
        classify(known, '1m', priorValue, developingValue, asOf),
      );
    });
  });

  it('five-minute bars give the trend score of the minutes they are made of', () => {
    forAll([barDay(open, 390)], (bars) => {
      const minutes = classify(bars, '1m', null, null);
      const fives = classify(toFives(bars), '5m', null, null);
      fc.pre(minutes !== null && fives !== null);
      expect(fives!.trendScore).toBeCloseTo(minutes!.trendScore, 12);
    });
  });

  function toFives(bars: BarColumns): BarColumns {
    const rows: Row[] = [];
    for (let row = 0; row < bars.time.length; row++) {
      const at = Math.floor((bars.time[row]! - open) / (5 * MINUTE));
      const last = rows.at(-1);
      const same = last?.[0] === at;
      const merged: Row = [
        at,
        same ? last[1] : bars.open[row]!,
        Math.max(same ? last[2] : 0, bars.high[row]!),
        Math.min(same ? last[3] : Number.POSITIVE_INFINITY, bars.low[row]!),
        bars.close[row]!,
        (same ? last[5] : 0) + bars.volume[row]!,
      ];
      if (same) rows.pop();
      rows.push(merged);
    }
    return barsFrom(open, rows, 5);
  }
});

describe('recorded SPY sessions of 2013', () => {
  // A day that rose and gave it all back, a decline, a day around its middle, a rise. Scores from a separate program.
  it.for([
    ['20131007', '20131004', 0.014706090117307037, 0.24154126029168344, 'mixed'],
    ['20131008', '20131007', -0.6756379690262027, 0.15882800999609054, 'strong_trend'],
    ['20131009', '20131008', -0.11069866549855681, 0.7643986600681554, 'strong_rotational'],
    ['20131010', '20131009', 0.7297323287504827, 0.19143538545587957, 'strong_trend'],
  ] as const)('%s', async ([date, priorDate, trend, rotation, detail], { skip }) => {
    const path = leanMinuteFile('spy', date);
    const priorPath = leanMinuteFile('spy', priorDate);
    if (path === null || priorPath === null) return skip(ABSENT);
    const read = async (file: string, of: string) => {
      const at = day - (10 - Number(of.slice(6))) * DAY;
      const columns = await leanMinutes(file, at);
      const bars = intradayBars(columns, '1m', day + DAY);
      const itsSession = summerSession(at);
      return { bars, session: itsSession, value: volumeProfile(columns, regularRows(bars, itsSession)) };
    };
    const today = await read(path, date);
    const prior = await read(priorPath, priorDate);
    const found = dayType({
      bars: today.bars,
      session: today.session,
      priorValue: prior.value,
      developingValue: today.value,
    })!;
    expect(found.trendScore).toBeCloseTo(trend, 9);
    expect(found.rotationScore).toBeCloseTo(rotation, 9);
    expect(found.dayTypeDetail).toBe(detail);
  });
});

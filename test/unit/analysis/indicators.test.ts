import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ema, lastEma, lastSma, sma } from '../../../src/analysis/indicators/averages.ts';
import { bollinger } from '../../../src/analysis/indicators/bollinger.ts';
import { adx } from '../../../src/analysis/indicators/directional.ts';
import { macd } from '../../../src/analysis/indicators/macd.ts';
import { rsi } from '../../../src/analysis/indicators/rsi.ts';
import {
  nextTechnical,
  type TechnicalColumns,
  technicalColumns,
  technicalEnd,
  technicalRoom,
  technicalValues,
} from '../../../src/analysis/indicators/technical-columns.ts';
import { atr, lastAtr } from '../../../src/analysis/indicators/true-range.ts';
import { FIRST_ROW } from '../../../src/analysis/indicators/warm-up.ts';
import type { BarColumns } from '../../../src/market/observations.ts';
import { dailyRecipe, standingBars } from '../../support/daily-recipe.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import { type Series, seriesContract } from '../../support/series-contract.ts';

const itself = (price: number): number => price;
const nothing = (): number => 0;
const undefinedThere = (): number => Number.NaN;
const technical =
  (name: keyof TechnicalColumns) =>
  ({ high, low, close }: BarColumns): Float64Array =>
    technicalColumns(high, low, close)[name];

const band =
  (name: keyof ReturnType<typeof bollinger>) =>
  ({ close }: BarColumns): Float64Array =>
    bollinger(close)[name];

const SERIES: Series[] = [
  { name: 'sma(20)', compute: ({ close }) => sma(close, 20), firstRow: 19, whenStill: itself },
  { name: 'sma(1)', compute: ({ close }) => sma(close, 1), firstRow: 0, whenStill: itself },
  { name: 'ema(9)', compute: ({ close }) => ema(close, 9), firstRow: 8, whenStill: itself },
  { name: 'rsi(14)', compute: ({ close }) => rsi(close), firstRow: 14, whenStill: undefinedThere },
  { name: 'rsi(2)', compute: ({ close }) => rsi(close, 2), firstRow: 2, whenStill: undefinedThere },
  { name: 'macd line', compute: ({ close }) => macd(close).line, firstRow: 33, whenStill: nothing },
  { name: 'macd signal', compute: ({ close }) => macd(close).signal, firstRow: 33, whenStill: nothing },
  { name: 'macd histogram', compute: ({ close }) => macd(close).histogram, firstRow: 33, whenStill: nothing },
  { name: 'bollinger upper', compute: band('upper'), firstRow: 19, whenStill: itself },
  { name: 'bollinger middle', compute: band('middle'), firstRow: 19, whenStill: itself },
  { name: 'bollinger lower', compute: band('lower'), firstRow: 19, whenStill: itself },
  { name: 'atr(14)', compute: (b) => atr(b.high, b.low, b.close), firstRow: 14, whenStill: nothing },
  { name: 'atr(3)', compute: (b) => atr(b.high, b.low, b.close, 3), firstRow: 3, whenStill: nothing },
  { name: 'adx(14)', compute: (b) => adx(b.high, b.low, b.close), firstRow: 27, whenStill: undefinedThere },
  { name: 'adx(5)', compute: (b) => adx(b.high, b.low, b.close, 5), firstRow: 9, whenStill: undefinedThere },
  { name: 'technical rsi14', compute: technical('rsi14'), firstRow: 14, whenStill: undefinedThere },
  { name: 'technical macdSignal', compute: technical('macdSignal'), firstRow: 33, whenStill: nothing },
  { name: 'technical adx14', compute: technical('adx14'), firstRow: 27, whenStill: undefinedThere },
  { name: 'technical bollingerUpper', compute: technical('bollingerUpper'), firstRow: 19, whenStill: itself },
  { name: 'technical ema20', compute: technical('ema20'), firstRow: 19, whenStill: itself },
  { name: 'technical sma200', compute: technical('sma200'), firstRow: 199, whenStill: itself },
];

for (const series of SERIES) seriesContract(series);

describe('the declared first rows', () => {
  it('are those that TA-Lib calls lookback', () => {
    // TA_*_Lookback of the library: SMA/EMA/BBANDS(20) 19, RSI/ATR/PLUS_DI(14) 14, ADX(14) 27, MACD(12, 26,
    // 9) 33.
    expect(FIRST_ROW.sma(20)).toBe(19);
    expect(FIRST_ROW.ema(20)).toBe(19);
    expect(FIRST_ROW.bollinger(20)).toBe(19);
    expect(FIRST_ROW.rsi(14)).toBe(14);
    expect(FIRST_ROW.atr(14)).toBe(14);
    expect(FIRST_ROW.adx(14)).toBe(27);
    expect(FIRST_ROW.macd(26, 9)).toBe(33);
  });
});

describe('rsi', () => {
  it('is 100 while price only rises and 0 while it only falls', () => {
    const rising = Float64Array.from({ length: 40 }, (_, row) => 50 + row * 0.37);
    expect([...rsi(rising).subarray(14)].every((value) => value === 100)).toBe(true);
    expect([...rsi(rising.map((price) => 200 - price)).subarray(14)].every((value) => value === 0)).toBe(
      true,
    );
  });

  it('stays within 0 and 100', () => {
    forAll([fc.integer()], { numRuns: 30 }, (seed) => {
      const column = rsi(dailyRecipe(seed, 80).close, 3).subarray(3);
      expect(column.every((value) => value >= 0 && value <= 100)).toBe(true);
    });
  });
});

describe('a price that stops', () => {
  // Moves by a dollar on each of the first rows, then stands: Wilder's averages of moves die out within some 600 rows.
  const standing = (moving: number, rows: number): BarColumns => {
    const bars = standingBars(10, rows);
    for (let row = 0; row < moving; row++) {
      for (const name of ['high', 'low', 'close'] as const) bars[name][row] = 10 + (row % 3);
    }
    return bars;
  };

  it('keeps its last share of movement until none is left, and has one again when it moves', () => {
    forAll([wholeBetween(20, 60), wholeBetween(0, 200)], { numRuns: 20 }, (moving, after) => {
      const bars = standing(moving, moving + 700 + after);
      bars.close[moving + 650] = 11;
      bars.high[moving + 650] = 11;
      const { rsi14, adx14 } = technicalColumns(bars.high, bars.low, bars.close);
      for (const column of [rsi14, adx14]) {
        expect(column[moving + 50]).toBeGreaterThanOrEqual(0);
        expect(column[moving + 649]).toBeNaN();
        expect(column[moving + 650]).toBeGreaterThanOrEqual(0);
        expect(column.every((value) => !(value < 0 || value > 100))).toBe(true);
      }
    });
  });
});

describe('directional movement', () => {
  it('counts a bar for neither side when both ends went equally far', () => {
    // Bars widen by 1 at both ends: rise = fall = 1, so Wilder gives 0 to both and DX has nothing to divide.
    const rows = 40;
    const close = new Float64Array(rows).fill(100);
    const high = Float64Array.from({ length: rows }, (_, row) => 101 + row);
    const low = Float64Array.from({ length: rows }, (_, row) => 99 - row);
    expect(adx(high, low, close)[30]).toBeNaN();
  });

  it('is one-sided when every bar steps up', () => {
    // H and L rise by 1 a bar, range 2: +DM = 1, TR = max(2, H - C') = 2, so +DI = 50, -DI = 0, DX = 100.
    const rows = 60;
    const close = Float64Array.from({ length: rows }, (_, row) => 100 + row);
    const high = close.map((price) => price + 1);
    const low = close.map((price) => price - 1);
    expect(adx(high, low, close)[40]).toBeCloseTo(100, 10);
    expect(atr(high, low, close)[40]).toBeCloseTo(2, 12);
  });
});

describe('bollinger', () => {
  it('closes on the price once it has not moved for a window', () => {
    const close = dailyRecipe(5, 200).close.map((price, row) => (row < 100 ? price : 321.09));
    const { upper, middle, lower } = bollinger(close);
    expect(Math.abs(upper[150]! - 321.09)).toBeLessThan(1e-9);
    expect(upper[150]).toBe(middle[150]);
    expect(lower[150]).toBe(middle[150]);
  });

  it('keeps its digits for a price far above its own movement', () => {
    // 1,000,000.0, .1, .2, .3 and again: mean 1,000,000.15 and population variance (.15^2 + .05^2) / 2 =
    // .0125.
    const close = Float64Array.from({ length: 400 }, (_, row) => 1e6 + (row % 4) / 10);
    const { upper, middle } = bollinger(close, 20, 2);
    expect(upper[399]! - middle[399]!).toBeCloseTo(2 * Math.sqrt(0.0125), 8);
  });
});

describe('technicalColumns', () => {
  const single = ({ high, low, close }: BarColumns): TechnicalColumns => {
    const lines = macd(close);
    const bands = bollinger(close);
    return {
      rsi14: rsi(close),
      macd: lines.line,
      macdSignal: lines.signal,
      macdHistogram: lines.histogram,
      adx14: adx(high, low, close),
      atr14: atr(high, low, close),
      bollingerUpper: bands.upper,
      bollingerLower: bands.lower,
      ema9: ema(close, 9),
      ema20: ema(close, 20),
      sma20: sma(close, 20),
      sma50: sma(close, 50),
      sma200: sma(close, 200),
    };
  };

  it('gives the single functions bit for bit, whatever the length', () => {
    for (const rows of [0, 1, 8, 20, 33, 34, 35, 60, 199, 200, 201, 520]) {
      const bars = dailyRecipe(rows, rows);
      expect(technicalColumns(bars.high, bars.low, bars.close)).toEqual(single(bars));
    }
  });

  it('gives them bit for bit through stretches in which price hardly moves', () => {
    const bars = dailyRecipe(17, 520);
    for (let row = 90; row < 400; row++) {
      // Still, then lively, then within a cent, on both sides of the row where the walks join.
      if (row % 100 < 40) bars.close[row] = 123.45;
      else if (row % 100 > 60) bars.close[row] = 123.45 + (row % 2) / 100;
    }
    expect(technicalColumns(bars.high, bars.low, bars.close)).toEqual(single(bars));
  });

  it('has the last ATR and averages of some rows alone, bit for bit', () => {
    const bars = dailyRecipe(17, 60);
    for (let to = 5; to <= 60; to++) {
      const of = (column: Float64Array) => column.subarray(5, to);
      const column = atr(of(bars.high), of(bars.low), of(bars.close), 14);
      expect(lastAtr(bars, { from: 5, to })).toBe(column.at(-1) ?? Number.NaN);
      for (const [last, columnOf] of [
        [lastSma, sma],
        [lastEma, ema],
      ] as const)
        expect(last(bars.close, { from: 5, to }, 20)).toBe(columnOf(of(bars.close), 20).at(-1) ?? Number.NaN);
    }
  });

  it('goes on from the end of all but the last bar, bit for bit, whatever the length', () => {
    const bars = dailyRecipe(17, 520);
    for (let row = 230; row < 400; row++) {
      // The squares of the bands are taken anew where price stands still.
      if (row % 100 < 40) bars.close[row] = 123.45;
      else if (row % 100 > 60) bars.close[row] = 123.45 + (row % 2) / 100;
    }
    const columns = technicalColumns(bars.high, bars.low, bars.close);
    const upTo = (rows: number) => ({
      high: bars.high.subarray(0, rows),
      low: bars.low.subarray(0, rows),
      close: bars.close.subarray(0, rows),
    });
    for (let rows = 1; rows <= 520; rows++) {
      const end = technicalEnd(upTo(rows - 1));
      expect(nextTechnical(end, upTo(rows))).toEqual(technicalValues(columns, rows - 1));
      expect(technicalEnd(upTo(rows)).beforeLast).toEqual(end.last);
    }
  });

  it('overwrites every row of the room that it is given', () => {
    for (const rows of [12, 250]) {
      const room = technicalRoom(rows);
      const first = dailyRecipe(1, rows);
      technicalColumns(first.high, first.low, first.close, room);
      const { high, low, close } = dailyRecipe(2, rows);
      expect(technicalColumns(high, low, close, room)).toBe(room);
      expect(room).toEqual(technicalColumns(high, low, close));
    }
  });

  it('refuses a room of another length', () => {
    const { high, low, close } = standingBars(10, 30);
    expect(() => technicalColumns(high, low, close, technicalRoom(31))).toThrow(RangeError);
  });

  it('hands out one row, and NaN for a row that is not there', () => {
    const { high, low, close } = dailyRecipe(3, 260);
    const columns = technicalColumns(high, low, close);
    const values = technicalValues(columns, 259);
    expect(Object.keys(values)).toEqual(Object.keys(columns));
    for (const name of Object.keys(columns) as (keyof TechnicalColumns)[]) {
      expect(values[name]).toBe(columns[name][259]);
    }
    expect(Object.values(technicalValues(columns, -1)).every(Number.isNaN)).toBe(true);
  });
});

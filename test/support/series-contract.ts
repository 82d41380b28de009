import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BarColumns } from '../../src/market/observations.ts';
import { prefix } from './bar-columns.ts';
import { dailyRecipe, mulberry32, standingBars } from './daily-recipe.ts';

/** A column function as the contract sees it. */
export interface Series {
  readonly name: string;
  readonly compute: (bars: BarColumns) => Float64Array;
  /** The first row that holds a figure; every row from it on does. */
  readonly firstRow: number;
  /** What the function answers, from `firstRow` on, while every bar is the same price; NaN for a share of no movement. */
  readonly whenStill: (price: number) => number;
}

/**
 * The laws of every function from bars to a column, registered as one suite per function: as long as the
 * input, defined from the declared row on and not before, the same on a prefix, the documented answer to a
 * price that stands still, nothing but NaN for too few bars, and the input untouched.
 */
export function seriesContract({ name, compute, firstRow, whenStill }: Series): void {
  const enough = firstRow + 60;

  describe(`${name} as a series`, () => {
    it('is as long as its input and first defined at its declared row', () => {
      const bars = dailyRecipe(7, enough);
      const column = compute(bars);
      expect(column.length).toBe(enough);
      const undefinedRows = [...column.keys()].filter((row) => Number.isNaN(column[row]!));
      expect(undefinedRows).toEqual([...Array(firstRow).keys()]);
      expect(column.subarray(firstRow).every(Number.isFinite)).toBe(true);
    });

    it('answers on a prefix with the prefix of its answer', () => {
      const history = fc.record({
        seed: fc.integer(),
        rows: fc.integer({ min: 0, max: enough + 60 }),
        coarse: fc.boolean(),
      });
      fc.assert(
        fc.property(history, fc.nat(), ({ seed, rows, coarse }, cut) => {
          const bars = coarse ? coarseBars(seed, rows) : dailyRecipe(seed, rows);
          const cutRows = cut % (rows + 1);
          assert.deepEqual(compute(prefix(bars, cutRows)), compute(bars).slice(0, cutRows));
        }),
        { numRuns: 60 },
      );
    });

    it('gives its documented answer while the price stands still', () => {
      for (const price of [1, 72.19, 500.37]) {
        const column = compute(standingBars(price, enough));
        for (let row = firstRow; row < enough; row++) {
          const expected = whenStill(price);
          if (Number.isNaN(expected)) assert(Number.isNaN(column[row]!));
          else assert(Math.abs(column[row]! - expected) < 1e-9);
        }
      }
    });

    it('is not defined anywhere on fewer bars than it needs', () => {
      for (const rows of new Set([0, 1, firstRow >> 1, firstRow])) {
        if (rows > firstRow) continue;
        const column = compute(dailyRecipe(11, rows));
        expect(column.length).toBe(rows);
        expect(column.every(Number.isNaN)).toBe(true);
      }
    });

    it('leaves its input as it was', () => {
      const bars = dailyRecipe(13, enough);
      const before = prefix(bars, enough);
      compute(bars);
      expect(bars).toEqual(before);
    });
  });
}

/** Bars on whole dollars, where equal moves, inside bars and unchanged prices happen all the time. */
function coarseBars(seed: number, rows: number): BarColumns {
  const draw = mulberry32(seed);
  const bars = standingBars(50, rows);
  let close = 50;
  for (let row = 0; row < rows; row++) {
    const open = Math.max(3, close + Math.floor(3 * draw()) - 1);
    close = Math.max(3, open + Math.floor(3 * draw()) - 1);
    bars.open[row] = open;
    bars.close[row] = close;
    bars.high[row] = Math.max(open, close) + Math.floor(2 * draw());
    bars.low[row] = Math.min(open, close) - Math.floor(2 * draw());
    bars.volume[row] = Math.floor(1000 * draw());
  }
  return bars;
}

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestRows, type StateBlock, YEAR_ROWS } from '../../../../src/analysis/similarity/nearest.ts';
import { STATE_WIDTH } from '../../../../src/analysis/similarity/states.ts';

/** A state of a stock on a day; few numbers, so that distances are often equal. */
interface Row {
  readonly rank: number;
  readonly day: number;
  readonly state: readonly number[];
}

/** Blocks of two years each, a row of a stock in the year of its stock. */
function blocksOf(rows: readonly Row[], order: readonly number[]): StateBlock[] {
  const blocks = Array.from({ length: Math.ceil(order.length / 2) }, (): StateBlock => {
    return {
      states: new Int16Array(2 * YEAR_ROWS * STATE_WIDTH),
      days: new Int32Array(2 * YEAR_ROWS),
      ranks: new Int32Array(2),
    };
  });
  for (const [place, rank] of order.entries()) {
    const { states, days, ranks } = blocks[place >> 1]!;
    ranks[place & 1] = rank;
    for (const [at, row] of rows.filter((one) => one.rank === rank).entries()) {
      const to = (place & 1) * YEAR_ROWS + at;
      days[to] = row.day;
      states.set(row.state, to * STATE_WIDTH);
    }
  }
  return blocks;
}

const square = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, place) => sum + (value - other[place]!) ** 2, 0);

const state = fc.array(fc.constantFrom(-10_000, 0, 10_000), {
  minLength: STATE_WIDTH,
  maxLength: STATE_WIDTH,
});
const row = fc.record({ rank: fc.nat(4), day: fc.integer({ min: 1, max: 12 }), state });

describe('the nearest rows', () => {
  it('are those of a comparison with every one, in the same order wherever they lie', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(row, { maxLength: 60, selector: ({ rank, day }) => `${rank} ${day}` }),
        state,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 20 }),
        fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
        (rows, own, until, count, order) => {
          const blocks = blocksOf(rows, order);
          const known = rows.filter(({ day }) => day <= until);
          const expected = known
            .map((one) => ({ ...one, square: square(one.state, own) }))
            .sort((a, b) => a.square - b.square || a.day - b.day || a.rank - b.rank)
            .slice(0, count);
          const found = nearestRows(blocks, Int16Array.from(own), until, count);
          expect(found.candidates).toBe(known.length);
          expect([...found.squares]).toEqual(expected.map((one) => one.square));
          const names = Array.from(found.rows, (at) => {
            const { days, ranks } = blocks[Math.floor(at / (2 * YEAR_ROWS))]!;
            const within = at % (2 * YEAR_ROWS);
            return [ranks[Math.floor(within / YEAR_ROWS)], days[within]];
          });
          expect(names).toEqual(expected.map(({ rank, day }) => [rank, day]));
        },
      ),
    );
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addBlock,
  BLOCK_ROWS,
  BLOCK_YEARS,
  blockAt,
  nearestRows,
  openStateMemory,
  YEAR_ROWS,
} from '../../../../src/analysis/similarity/nearest.ts';
import { STATE_WIDTH } from '../../../../src/analysis/similarity/states.ts';
import { forAll, wholeBetween } from '../../../support/for-all.ts';

/** A state of a stock on a day; few numbers, so that distances are often equal. */
interface Row {
  readonly rank: number;
  readonly day: number;
  readonly state: readonly number[];
}

const PLACES = [0, 7, BLOCK_YEARS - 1, BLOCK_YEARS, BLOCK_YEARS + 3];
const memory = addBlock(addBlock(openStateMemory(2)));

/** Puts the rows of each stock into one of the places, of two blocks. */
function fill(rows: readonly Row[], order: readonly number[]): void {
  for (const [at, rank] of order.entries()) {
    const { states, days, ranks } = blockAt(memory, Math.floor(PLACES[at]! / BLOCK_YEARS));
    const year = PLACES[at]! % BLOCK_YEARS;
    ranks[year] = rank;
    days.fill(0, year * YEAR_ROWS, (year + 1) * YEAR_ROWS);
    for (const [of, row] of rows.filter((one) => one.rank === rank).entries()) {
      const to = year * YEAR_ROWS + of;
      days[to] = row.day;
      states.set(row.state, to * STATE_WIDTH);
    }
  }
}

const square = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, place) => sum + (value - other[place]!) ** 2, 0);

const state = fc.array(fc.constantFrom(-10_000, 0, 10_000), {
  minLength: STATE_WIDTH,
  maxLength: STATE_WIDTH,
});
const row = fc.record({ rank: fc.nat(4), day: wholeBetween(1, 12), state });

describe('the nearest rows', () => {
  it('are those of a comparison with every one, in the same order wherever they lie', () => {
    forAll(
      [
        fc.uniqueArray(row, { maxLength: 60, selector: ({ rank, day }) => `${rank} ${day}` }),
        state,
        wholeBetween(1, 12),
        wholeBetween(1, 20),
        fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
      ],
      (rows, own, until, count, order) => {
        fill(rows, order);
        const known = rows.filter(({ day }) => day <= until);
        const expected = known
          .map((one) => ({ ...one, square: square(one.state, own) }))
          .sort((a, b) => a.square - b.square || a.day - b.day || a.rank - b.rank)
          .slice(0, count);
        const found = nearestRows(memory, Int16Array.from(own), until, count);
        expect(found.candidates).toBe(known.length);
        expect([...found.squares]).toEqual(expected.map((one) => one.square));
        const names = Array.from(found.rows, (at) => {
          const { days, ranks } = blockAt(memory, Math.floor(at / BLOCK_ROWS));
          const within = at % BLOCK_ROWS;
          return [ranks[Math.floor(within / YEAR_ROWS)], days[within]];
        });
        expect(names).toEqual(expected.map(({ rank, day }) => [rank, day]));
      },
    );
  });
});

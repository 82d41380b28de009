import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { BLOCK_BYTES, StateCache } from '../../../src/api/context/state-cache.ts';
import type { StateYearDays } from '../../../src/derive/stock-state.ts';
import {
  putStateSources,
  putStateYears,
  readStateSources,
  readStateYears,
  readStateYearsAfter,
} from '../../../src/graph/stock-states.ts';
import { createStateScanner } from '../../../src/workers/task-threads.ts';
import { freshDatabase } from '../../support/app.ts';

const WIDTH = 32;

/** Days of a year that each lie `apart` from 0 in their first number. */
const yearOf = (symbol: string, year: number, days: Readonly<Record<number, number>>): StateYearDays => {
  const states = new Int16Array(Object.keys(days).length * WIDTH);
  Object.values(days).forEach((apart, row) => {
    states[row * WIDTH] = apart;
  });
  return {
    symbol,
    year,
    digest: JSON.stringify(days),
    days: Int32Array.from(Object.keys(days), Number),
    logReturns: Float64Array.from(Object.keys(days), (day) => Number(day) / 1_000),
    states,
  };
};
const scanner = createStateScanner();

afterAll(() => scanner.close());

beforeEach(async () => {
  await database.query('truncate stock_state_year, stock_state_source');
});

const database = await freshDatabase();

describe('years of states in the store', () => {
  it('come back as they were written, in the order of their versions', async () => {
    const [one, two] = [yearOf('A', 2023, { 10: 5, 11: -10_000 }), yearOf('B', 2023, { 10: 10_000 })];
    await putStateYears(database, [one, two]);
    const read = await readStateYearsAfter(database, false, 0, 10);
    expect(read.map(({ version: _, ...year }) => year)).toEqual([one, two]);
    expect((await readStateYearsAfter(database, false, 0, 1)).map(({ symbol }) => symbol)).toEqual(['A']);
    expect(await readStateYearsAfter(database, false, read[1]!.version, 10)).toEqual([]);
    const other = yearOf('A', 2023, {});
    await putStateYears(database, [other]);
    expect(await readStateYearsAfter(database, false, read[1]!.version, 10)).toMatchObject([other]);
    expect(await readStateYears(database, ['A', 'B', 'C'])).toEqual([
      { symbol: 'A', year: 2023, digest: '{}' },
      { symbol: 'B', year: 2023, digest: two.digest },
    ]);
  });

  it('have sources by symbol', async () => {
    await putStateSources(database, new Map([['A', 'one']]));
    await putStateSources(
      database,
      new Map([
        ['A', 'two'],
        ['B', 'three'],
      ]),
    );
    expect(await readStateSources(database, ['A', 'C'])).toEqual(new Map([['A', 'two']]));
  });
});

describe('states that are held', () => {
  const own = new Int16Array(WIDTH);
  const nearest = (memory: StateCache, until: number, count = 3) =>
    memory.use(async (states) => {
      const { candidates, near } = await states.nearest(own, until, count);
      return [candidates, near.map(({ symbol, day, distance }) => `${symbol}${day} ${distance}`)];
    });
  const memory = (bytes = BLOCK_BYTES) => new StateCache(database, scanner, bytes, false);

  it('are compared as they are in the store, whatever was read before', async () => {
    const held = memory();
    expect(await nearest(held, 99)).toEqual([0, []]);
    await putStateYears(database, [yearOf('B', 2023, { 10: 300, 11: 100, 12: 0 })]);
    await putStateYears(database, [yearOf('A', 2023, { 10: 300 }), yearOf('A', 2022, { 3: 2_000 })]);
    expect(await nearest(held, 11)).toEqual([4, ['B11 0.01', 'A10 0.03', 'B10 0.03']]);
    expect(await nearest(memory(), 11)).toEqual(await nearest(held, 11));
    await putStateYears(database, [yearOf('B', 2023, { 10: 9 })]);
    expect(await nearest(held, 99)).toEqual([3, ['B10 0.0009', 'A10 0.03', 'A3 0.2']]);
    await putStateYears(database, [yearOf('A', 2022, {})]);
    expect(await nearest(held, 99)).toEqual([2, ['B10 0.0009', 'A10 0.03']]);
  });

  it('know the newest of a symbol up to a day, and returns from one of its days to another', async () => {
    await putStateYears(database, [
      yearOf('A', 2023, { 20: 7, 21: 8, 23: 9 }),
      yearOf('A', 2022, { 10: 5, 11: 6 }),
    ]);
    await memory().use(async (states) => {
      const newest = (symbol: string, until: number) => {
        const found = states.newest(symbol, until);
        return found === null ? null : [found.day, found.state[0], found.state.length];
      };
      expect(newest('A', 99)).toEqual([23, 9, WIDTH]);
      expect(newest('A', 22)).toEqual([21, 8, WIDTH]);
      expect(newest('A', 19)).toEqual([11, 6, WIDTH]);
      expect(newest('A', 9)).toBeNull();
      expect(newest('B', 99)).toBeNull();
      expect(states.logReturn('A', 10, 21)).toBeCloseTo(0.011 + 0.02 + 0.021, 12);
      expect(states.logReturn('A', 10, 22)).toBeNull();
      expect(states.logReturn('B', 10, 21)).toBeNull();
    });
  });

  it('are refused where there is no room for all of them', async () => {
    await putStateYears(database, [yearOf('A', 2023, { 10: 1 })]);
    await expect(nearest(memory(BLOCK_BYTES - 1), 99)).rejects.toMatchObject({ code: 'feature_disabled' });
  });

  it('are left to those who ask next when the one who waits gives up', async () => {
    await putStateYears(database, [yearOf('A', 2023, { 10: 0 })]);
    const held = memory();
    await expect(held.use(async () => {}, AbortSignal.abort())).rejects.toThrow();
    expect(await nearest(held, 99)).toEqual([1, ['A10 0']]);
  });
});

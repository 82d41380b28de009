import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  marketPart,
  marketStates,
  STATE_FIRST_ROW,
  STATE_WIDTH,
} from '../../src/analysis/similarity/index.ts';
import { newYorkCalendar } from '../../src/base/calendar.ts';
import type { Database } from '../../src/base/database.ts';
import type { StateDay } from '../../src/base/stock-state.ts';
import {
  buildStateIndex,
  countStates,
  dropStateIndex,
  hasStateIndex,
  hasStatesAfter,
  logReturnsAfter,
  nearestByIndex,
  nearestExactly,
  newestState,
  putStates,
  readStateSources,
  readStateYears,
  settleStates,
} from '../../src/graph/stock-states.ts';
import { dailyRecipe } from '../support/daily-recipe.ts';
import { openTestDatabase } from '../support/database.ts';

const calendar = newYorkCalendar();
const dates = calendar.sessionsBetween('2021-01-04', '2022-12-30');

/** States of made-up stocks, as a pass would write them. */
function madeStates(symbols: number): StateDay[] {
  const market = marketPart([dailyRecipe(1, dates.length)], [dailyRecipe(2, dates.length)]);
  return Array.from({ length: symbols }, (_, at) => {
    const { states, logReturn } = marketStates(dailyRecipe(100 + at, dates.length), market);
    return dates.slice(STATE_FIRST_ROW).map((tradeDate, row): StateDay => {
      const from = (row + STATE_FIRST_ROW) * STATE_WIDTH;
      return {
        symbol: `S${String(at).padStart(3, '0')}`,
        tradeDate,
        logReturn: logReturn[row + STATE_FIRST_ROW]!,
        state: JSON.stringify(
          Array.from(states.subarray(from, from + STATE_WIDTH), (value) => Number(value.toFixed(4))),
        ),
      };
    });
  }).flat();
}

const distanceOf = (one: string, other: string): number =>
  Math.hypot(...(JSON.parse(one) as number[]).map((value, place) => value - JSON.parse(other)[place]));

let database: Database;
let remove: () => Promise<void>;

beforeAll(async () => {
  ({ database, remove } = await openTestDatabase());
});

afterAll(() => remove());

beforeEach(async () => {
  await database.query('truncate stock_state, stock_state_session, stock_state_year, stock_state_source');
});

describe('states in the store', () => {
  it('are written once, counted by session, and written again where they differ', async () => {
    const days = madeStates(2).slice(0, 260);
    expect(await putStates(database, days)).toBe(260);
    expect(await putStates(database, days)).toBe(0);
    expect(await countStates(database, days[0]!.tradeDate)).toBe(2);
    expect(await countStates(database, '2022-12-31')).toBe(260);
    expect(await countStates(database, '2020-12-31')).toBe(0);
    const changed = { ...days[3]!, logReturn: 0.5 };
    expect(await putStates(database, [...days.slice(0, 3), changed])).toBe(1);
    expect(await countStates(database, '2022-12-31')).toBe(260);
    expect(await newestState(database, 'S000', days[3]!.tradeDate)).toEqual({
      tradeDate: days[3]!.tradeDate,
      state: days[3]!.state,
    });
    expect(await newestState(database, 'S000', '2020-01-02')).toBeNull();
    expect(await hasStatesAfter(database, days[10]!.tradeDate)).toBe(true);
    expect(await hasStatesAfter(database, '2022-12-30')).toBe(false);
  });

  it('lose what a rewritten year no longer has, and keep the names of years and sources', async () => {
    const days = madeStates(1);
    await putStates(database, days);
    const year = {
      symbol: 'S000',
      year: 2022,
      through: '2022-12-30',
      digest: 'one',
      isRewritten: true,
      days,
    };
    await settleStates(database, [{ ...year, days: days.slice(1) }], new Map([['S000', 'tape']]));
    expect(await countStates(database, '2022-12-31')).toBe(days.length - 1);
    expect(await readStateYears(database, ['S000', 'S001'])).toEqual([
      { symbol: 'S000', year: 2022, through: '2022-12-30', digest: 'one' },
    ]);
    expect(await readStateSources(database, ['S000', 'S001'])).toEqual(new Map([['S000', 'tape']]));
    await settleStates(database, [{ ...year, digest: '', days: [] }], new Map());
    expect(await readStateYears(database, ['S000'])).toEqual([]);
    expect(await countStates(database, '2022-12-31')).toBe(0);
    expect(await hasStatesAfter(database, '2000-01-01')).toBe(false);
  });

  it('have returns after them, where the stock has a bar on the date', async () => {
    const days = madeStates(1).filter((_, at) => at !== 7);
    await putStates(database, days);
    const sum = (from: number, to: number): number =>
      days.slice(from, to + 1).reduce((total, { logReturn }) => total + logReturn, 0);
    const [first, last] = await logReturnsAfter(database, [
      {
        symbol: 'S000',
        tradeDate: days[2]!.tradeDate,
        until: [days[3]!.tradeDate, dates[STATE_FIRST_ROW + 7]!, days[9]!.tradeDate],
      },
      {
        symbol: 'S000',
        tradeDate: days.at(-2)!.tradeDate,
        until: [days.at(-1)!.tradeDate, '2023-01-03', null],
      },
    ]);
    expect(first).toEqual([expect.closeTo(sum(3, 3), 12), null, expect.closeTo(sum(3, 9), 12)]);
    expect(last).toEqual([expect.closeTo(days.at(-1)!.logReturn, 12), null, null]);
    expect(await logReturnsAfter(database, [])).toEqual([]);
  });
});

describe('the nearest states', () => {
  it('are the same found one by one, with many of them and with few', async () => {
    const days = madeStates(8);
    await putStates(database, days);
    const own = days[300]!;
    const until = '2022-09-30';
    const expected = days
      .filter(({ tradeDate }) => tradeDate <= until)
      .map(({ symbol, tradeDate, state }) => ({ symbol, tradeDate, distance: distanceOf(own.state, state) }))
      .sort((one, other) => one.distance - other.distance)
      .slice(0, 25);
    for (const candidates of [1_000, 1_000_000]) {
      const found = await nearestExactly(database, own.state, until, 25, candidates);
      expect(found.map(({ symbol, tradeDate }) => `${symbol} ${tradeDate}`)).toEqual(
        expected.map(({ symbol, tradeDate }) => `${symbol} ${tradeDate}`),
      );
      expect(found[24]!.distance).toBeCloseTo(expected[24]!.distance, 5);
    }
  });

  it('are found by the index too, whether it took the states one by one or was built over them', async () => {
    const days = madeStates(8);
    await putStates(database, days);
    const until = '2022-09-30';
    for (const how of ['one by one', 'built']) {
      if (how === 'built') {
        await dropStateIndex(database);
        expect(await hasStateIndex(database)).toBe(false);
        await buildStateIndex(database, days.length);
      }
      expect(await hasStateIndex(database)).toBe(true);
      let found = 0;
      for (let at = 0; at < 50; at++) {
        const own = days[at * 39]!;
        const exact = await nearestExactly(database, own.state, until, 20, days.length);
        const near = await nearestByIndex(database, own.state, until, 20);
        expect(near).toHaveLength(20);
        expect(near.every(({ tradeDate }) => tradeDate <= until)).toBe(true);
        expect(near.map(({ distance }) => distance)).toEqual(
          near.map(({ distance }) => distance).sort((a, b) => a - b),
        );
        const names = new Set(exact.map(({ symbol, tradeDate }) => `${symbol} ${tradeDate}`));
        found += near.filter(({ symbol, tradeDate }) => names.has(`${symbol} ${tradeDate}`)).length;
      }
      expect(found / 1_000).toBeGreaterThanOrEqual(0.95);
    }
  });
});

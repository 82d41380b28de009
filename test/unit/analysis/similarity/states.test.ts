import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MarketPart, marketPart } from '../../../../src/analysis/similarity/market-features.ts';
import {
  marketStates,
  STATE_FEATURES,
  STATE_FIRST_ROW,
  STATE_WIDTH,
} from '../../../../src/analysis/similarity/states.ts';
import type { BarColumns } from '../../../../src/market/observations.ts';
import { mapColumns, prefix } from '../../../support/bar-columns.ts';
import { dailyRecipe, standingBars } from '../../../support/daily-recipe.ts';
import { forAll, wholeBetween } from '../../../support/for-all.ts';
import { seriesContract } from '../../../support/series-contract.ts';

/**
 * Each feature worked out anew in Python with numpy, from its definition in docs/analogs.md, for the last of so many bars
 * of three made-up histories: recipe 7 is the stock, 8 the index, 9 the volatility index.
 */
const REFERENCE: ReadonlyMap<number, readonly number[]> = new Map([
  [
    300,
    [
      0.09937, 0.403117, -0.038883, 0.272386, 0.051312, -0.169309, 0.477728, 0.240906, 0.205691, -0.23637,
      -0.483696, -0.472, -0.462948, -0.905911, -0.274791, 1, 0.121674, 0.132387, -0.144555, -0.74269,
      -0.989321, 0.582783, -0.169359, -0.10701, 0.436585, -0.620597, -0.7028, -0.745956, 0.940762, 0.713147,
      0.071744, 0.142872,
    ],
  ],
  [
    253,
    [
      -0.319391, 0.618928, 0.322297, -0.084949, 0.409372, -0.233183, 0.83938, 0.669797, 0.784582, 0.21093,
      -0.685113, -0.6, -0.477908, 0.500572, 0.539789, -0.578947, 0.47429, 0.242998, 0.237153, -0.710704,
      -0.993899, -0.321513, -0.136288, 0.146677, -0.514846, -0.506023, -0.549904, -0.318103, 0.865876,
      0.378486, 0.178828, 0.233026,
    ],
  ],
]);

const ROWS = 300;
const stock = dailyRecipe(7, ROWS);
const market = marketPart([dailyRecipe(8, ROWS)], [dailyRecipe(9, ROWS)]);

const rowOf = (states: Float32Array, row: number): Float32Array =>
  states.subarray(row * STATE_WIDTH, (row + 1) * STATE_WIDTH);

/** What a price that never moved says; a feature that is not named says 0. */
const STILL: Readonly<Record<string, number>> = {
  adx_14: Math.tanh(-25 / 15),
  range_level: -1,
};

describe('the states of a history', () => {
  it.each([...REFERENCE])(
    'agree with the same features worked out elsewhere, after %i bars',
    (rows, figures) => {
      const { states } = marketStates(prefix(stock, rows), market);
      for (const [place, figure] of figures.entries()) {
        expect(rowOf(states, rows - 1)[place], STATE_FEATURES[place]!.name).toBeCloseTo(figure, 5);
      }
    },
  );

  it('are 32 numbers between -1 and 1', () => {
    expect(STATE_FEATURES.map(({ name }) => name)).toHaveLength(32);
    expect(new Set(STATE_FEATURES.map(({ name }) => name)).size).toBe(32);
    forAll([fc.integer(), wholeBetween(253, 320)], { numRuns: 40 }, (seed, rows) => {
      const bars = dailyRecipe(seed, rows);
      const { states } = marketStates(bars, market);
      const said = states.subarray(STATE_FIRST_ROW * STATE_WIDTH);
      expect(said.every((value) => value >= -1 && value <= 1)).toBe(true);
    });
  });

  it('are those of the list in docs/analogs.md, in its order', () => {
    const text = readFileSync(new URL('../../../../docs/analogs.md', import.meta.url), 'utf8');
    const rows = Array.from(
      text.matchAll(/^- `([a-z0-9_]+)` \([\d, -]+; ([\d.]+|-)\): ./gm),
      ([, name, scale]) => ({
        name,
        scale: scale === '-' ? null : Number(scale),
      }),
    );
    expect(rows).toEqual(STATE_FEATURES.map(({ name, scale }) => ({ name, scale })));
  });

  it('do not depend on the units of prices and volumes', () => {
    const { states } = marketStates(stock, market);
    for (const [price, volume] of [
      [1 / 7, 7],
      [20, 0.05],
      [0.001, 1e6],
    ] as const) {
      const scaled = marketStates(rescaled(stock, price, volume), market).states;
      for (let at = STATE_FIRST_ROW * STATE_WIDTH; at < states.length; at++) {
        assert(Math.abs(scaled[at]! - states[at]!) < 2e-6);
      }
    }
  });

  it('say 0 of a market of which nothing is known', () => {
    const none: MarketPart = new Map();
    const [with_, without] = [marketStates(stock, market), marketStates(stock, none)];
    const last = ROWS - 1;
    expect(rowOf(without.states, last).slice(0, 23)).toEqual(rowOf(with_.states, last).slice(0, 23));
    expect([...rowOf(without.states, last).slice(23)]).toEqual(Array(9).fill(0));
    const fear = marketStates(stock, marketPart([], [dailyRecipe(9, ROWS)])).states;
    expect([...rowOf(fear, last).slice(23, 29)]).toEqual(Array(6).fill(0));
    expect(rowOf(fear, last).slice(29)).toEqual(rowOf(with_.states, last).slice(29));
  });

  it('take the market of a date from the first series that has it', () => {
    const [whole, first] = [dailyRecipe(8, ROWS), prefix(dailyRecipe(10, ROWS), 280)];
    const both = marketPart([first, whole], []);
    const lastOf = (bars: BarColumns): number => bars.time.at(-1)!;
    expect(both.get(lastOf(first))).toEqual(marketPart([first], []).get(lastOf(first)));
    expect(both.get(lastOf(whole))).toEqual(marketPart([whole], []).get(lastOf(whole)));
  });

  it('come with the log return of each day', () => {
    const { logReturn } = marketStates(stock, market);
    expect(logReturn[0]).toBeNaN();
    expect(logReturn[100]).toBeCloseTo(Math.log(stock.close[100]! / stock.close[99]!), 14);
  });

  it('have none for too short a history', () => {
    const { states } = marketStates(standingBars(10, STATE_FIRST_ROW), market);
    expect(states.every(Number.isNaN)).toBe(true);
  });
});

/** The history serves as index and volatility index as well, so that the laws hold for every place. */
for (const [place, { name }] of STATE_FEATURES.entries()) {
  seriesContract({
    name: `state ${name}`,
    compute(bars) {
      const { states } = marketStates(bars, marketPart([bars], [bars]));
      return Float64Array.from(bars.time, (_, row) => states[row * STATE_WIDTH + place]!);
    },
    firstRow: STATE_FIRST_ROW,
    whenStill: () => Math.fround(STILL[name] ?? 0),
  });
}

const rescaled = (bars: BarColumns, price: number, volume: number): BarColumns =>
  mapColumns(bars, (column, name) => {
    if (name === 'time') return column;
    return column.map((value) => value * (name === 'volume' ? volume : price));
  });

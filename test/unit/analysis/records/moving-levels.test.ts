import { describe, expect, it } from 'vitest';
import { movingLevels, withoutTwinPaths } from '../../../../src/analysis/records/moving-levels.ts';
import { levels } from '../../../../src/blocks/levels.ts';
import { deriveWith } from '../../../../src/derive/compose.ts';
import { unknownMarket } from '../../../../src/market/market-view.ts';
import { stratifiedEdge } from '../../../../src/records/estimate/estimate.ts';
import { movingWorld } from '../../../support/claim-worlds.ts';
import { mulberry32 } from '../../../support/daily-recipe.ts';
import { FULL } from '../../../support/depth.ts';
import { words } from '../../../support/tables.ts';
import { dailyFromCloses, type IntradayRow, viewOf } from '../../../support/views.ts';

/** Minutes that walk, some without a trade, some without volume. */
function walk(seed: number): IntradayRow[] {
  const random = mulberry32(seed);
  let price = 50 + 200 * random();
  return Array.from({ length: 390 }, (_, minute): IntradayRow => {
    const open = price;
    price *= 1 + 0.004 * (random() - 0.5);
    const cents = (value: number): number => Math.round(100 * value) / 100;
    const [high, low] = [Math.max(open, price) + 0.1 * random(), Math.min(open, price) - 0.1 * random()];
    const clock = `${9 + Math.floor((minute + 30) / 60)}:${(minute + 30) % 60}`;
    const volume = random() < 0.03 ? 0 : Math.round(10_000 * random());
    return [clock, cents(open), cents(high), cents(low), cents(price), volume];
  }).filter(() => random() > 0.03);
}

describe('levels that move', () => {
  it.each([1, 2])('are at the end of each minute what is served then (walk %i)', (seed) => {
    const rows = walk(seed);
    const at = (clock: string | undefined) =>
      viewOf({ intraday: rows, at: clock!, daily: dailyFromCloses([100, 101, 102]) });
    const { intraday, asOf } = at('16:00');
    const moving = movingLevels(intraday);
    expect(moving.map(({ name }) => name)).toEqual(
      words`vwap vwap_upper_1 vwap_lower_1 vwap_upper_2 vwap_lower_2 developing_poc developing_vah developing_val`,
    );
    for (const [bar, time] of intraday.time.entries()) {
      const minute = Math.round((time - asOf) / 60_000) + 16 * 60 + 1;
      const view = at(`${Math.floor(minute / 60)}:${minute % 60}`);
      const served = deriveWith(levels, view, unknownMarket(view.tradeDate, view.asOf)).nested as never;
      expect(moving.map(({ name, path }) => [name, bar, path[bar]])).toEqual(
        moving.map(({ name }) => [name, bar, served[name] ?? Number.NaN]),
      );
    }
  });

  it('within a tenth of an ATR of one of their family are that one, minute by minute', () => {
    const level = (family: 'vwap' | 'developing_profile', name: string, ...path: number[]) => ({
      family,
      name,
      path: Float64Array.from(path),
    });
    const kept = withoutTwinPaths(
      [
        level('vwap', 'vwap', 100, 100, 100, Number.NaN),
        level('vwap', 'vwap_upper_1', 100.3, 100.5, 100.5, 100),
        // Near to the first band where that is one of its own alone.
        level('vwap', 'vwap_upper_2', 100.6, 100.8, 101, 100.1),
        level('developing_profile', 'developing_poc', 100, 100, 100, 100),
      ],
      4,
    );
    expect(kept.map(({ path }) => [...path])).toEqual([
      [100, 100, 100, Number.NaN],
      [Number.NaN, 100.5, 100.5, 100],
      [100.6, Number.NaN, 101, Number.NaN],
      [100, 100, 100, 100],
    ]);
  });

  it.skipIf(!FULL)('hold as often as chance has it where price walks at random', () => {
    const worlds = Array.from({ length: 40 }, (_, seed) => movingWorld(9_000 + seed, 10, 100));
    for (const family of ['vwap', 'developing_profile'] as const) {
      const edges = worlds.map((world) => stratifiedEdge(world[family].events, world[family].controls, 0));
      const mean = edges.reduce((total, { value }) => total + value, 0) / edges.length;
      const covering = edges.filter(({ low, high }) => low <= 0 && high >= 0).length / edges.length;
      expect(Math.abs(mean), family).toBeLessThan(0.01);
      expect(covering, family).toBeGreaterThanOrEqual(0.8);
    }
  });
});

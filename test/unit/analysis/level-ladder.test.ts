import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Level, type LevelFamily, levelLadder } from '../../../src/analysis/level-ladder.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import { expectClose, figures } from '../../support/tables.ts';

const level = (name: string, family: LevelFamily, price: number): Level => ({ name, family, price });

// Last price 100, daily ATR 4: levels within a dollar support one another.
/** Levels as name, family and price. */
const levelsOf = (text: string): Level[] =>
  text.split(', ').map((each) => {
    const [name, family, price] = each.split(' ');
    return level(name!, family as Level['family'], Number(price));
  });
const zonesOf = (text: string) => levelLadder(levelsOf(text), 20, 4).zones.map((zone) => zone.levels);

const six = levelsOf(
  's1 pivot 98, vwap vwap 99.5, r1 pivot 101, onl overnight 97.2, ibh opening 103, pdh prior_day 101.5',
);

describe('level ladder', () => {
  const ladder = levelLadder(six, 100, 4);

  it('lists the highest first, with distances to the last price', () => {
    expect(ladder.rungs.map((rung) => rung.name)).toEqual(['ibh', 'pdh', 'r1', 'vwap', 's1', 'onl']);
    const [, second, , , fifth] = ladder.rungs;
    expect(second).toMatchObject({ side: 'resistance', distance: 1.5, distancePct: 1.5, distanceAtr: 0.375 });
    expect(fifth).toMatchObject({ side: 'support', distance: -2, distancePct: -2, distanceAtr: -0.5 });
  });

  it('gives strength by the families in reach, by hand', () => {
    const strength = Object.fromEntries(ladder.rungs.map((rung) => [rung.name, rung.strength]));
    // Pivot 0.3 with prior day 0.4: 1 - 0.7 * 0.6. Pivot with overnight 0.3: 1 - 0.7 * 0.7.
    expectClose(strength, figures`r1 0.58, pdh 0.58, s1 0.51, vwap 0.35, ibh 0.3`, 12);
  });

  it('has no level further than 25 ATR away', () => {
    const far = [level('near', 'pivot', 200), level('far', 'pivot', 200.01), level('low', 'vwap', 0.01)];
    expect(levelLadder(far, 100, 4).rungs.map(({ name }) => name)).toEqual(['near', 'low']);
    expect(levelLadder(far, 100, 3).rungs).toEqual([]);
    expect(levelLadder(far, 100, Number.NaN).rungs).toHaveLength(3);
  });

  it('finds the zones of two families', () => {
    expect(ladder.zones).toHaveLength(2);
    expect(ladder.zones[0]).toMatchObject({
      low: 101,
      high: 101.5,
      side: 'resistance',
      distanceAtr: 0.25,
      families: ['prior_day', 'pivot'],
      levels: ['pdh', 'r1'],
    });
    expect(ladder.zones[1]).toMatchObject({ low: 97.2, high: 98, side: 'support', distanceAtr: -0.5 });
    expect(ladder.zones[1]!.strength).toBeCloseTo(0.51, 12);
  });

  it('names the nearest on both sides', () => {
    expect(ladder.nearestSupport?.name).toBe('vwap');
    expect(ladder.nearestResistance?.name).toBe('r1');
    expect(ladder.nearestLevelType).toBe('support');
  });

  it('makes no zone of one family, and an inside zone around the price', () => {
    const same = levelLadder([level('r1', 'pivot', 101), level('tc', 'pivot', 101.1)], 100, 4);
    expect(same.zones).toEqual([]);
    const around = levelLadder([level('pp', 'pivot', 100.2), level('vwap', 'vwap', 99.8)], 100, 4);
    expect(around.zones[0]).toMatchObject({ side: 'inside', distanceAtr: 0 });
  });

  it('prefers more families, then more levels, and uses no level twice', () => {
    // 10.0 to 10.9 could make a zone of two; 10.5 to 11.4 has three families and takes 10.5 to itself.
    expect(zonesOf('a pivot 10, b vwap 10.5, c overnight 11.1, d opening 11.4')).toEqual([['d', 'c', 'b']]);
  });

  it('prefers three families on three levels to two families on four', () => {
    const levels = 'p1 pivot 10, p2 pivot 10.1, p3 pivot 10.2, v vwap 10.9, n overnight 11.5, o opening 11.8';
    expect(zonesOf(levels)).toEqual([['o', 'n', 'v']]);
  });

  it('orders levels at one price by name, then family', () => {
    const tied = levelsOf('b pivot 5, a vwap 5, a options 5, B pivot 5');
    const names = levelLadder(tied, 4, 1).rungs.map((rung) => `${rung.name} ${rung.family}`);
    expect(names).toEqual(['B pivot', 'a options', 'a vwap', 'b pivot']);
    expect(levelLadder(tied, 4, 1).nearestResistance).toMatchObject({ name: 'B' });
    expect(levelLadder(tied, 6, 1).nearestSupport).toMatchObject({ name: 'B' });
  });

  it('leaves out levels that are not defined', () => {
    const found = levelLadder([level('x', 'pivot', Number.NaN), level('s3', 'pivot', -2), ...six], 100, 4);
    expect(found).toEqual(ladder);
  });

  it('without an ATR keeps the ladder and measures nothing in it', () => {
    for (const atr of [Number.NaN, 0]) {
      const found = levelLadder(six, 100, atr);
      expect(found.rungs.map((rung) => rung.distance)).toEqual(ladder.rungs.map((rung) => rung.distance));
      expect(found.rungs.every((rung) => Number.isNaN(rung.distanceAtr))).toBe(true);
      expect(found.rungs[2]!.strength).toBeCloseTo(0.3, 12);
      expect(found.zones).toEqual([]);
      expect(found.nearestLevelType).toBeNull();
      expect(found.nearestSupport?.name).toBe('vwap');
    }
  });
});

describe('nearest level type', () => {
  const type = (prices: readonly number[]) =>
    levelLadder(
      prices.map((price) => level(`at ${price}`, 'pivot', price)),
      100,
      4,
    ).nearestLevelType;

  it.each([
    [[100.9, 98], 'resistance'],
    [[100.9, 99.5], 'support'],
    // A quarter of the ATR is a dollar: at it still near, beyond it not.
    [[101], 'resistance'],
    [[99], 'support'],
    [[101.01], 'neutral'],
    [[98.99], 'neutral'],
    [[101.01, 98.99], 'neutral'],
    // Equally near on both sides.
    [[100.5, 99.5], 'neutral'],
    // At the price itself: support.
    [[100], 'support'],
    [[], null],
  ] as const)('of levels at %j around 100: %s', (prices, expected) => {
    expect(type(prices)).toBe(expected);
  });
});

describe('laws', () => {
  const families: LevelFamily[] = ['pivot', 'opening', 'vwap', 'prior_day', 'options', 'prior_profile'];
  const anyLevels = fc.array(
    fc.record({
      name: fc.string({ minLength: 1, maxLength: 3 }),
      family: fc.constantFrom(...families),
      price: wholeBetween(9_000, 11_000).map((cents) => cents / 100),
    }),
    { maxLength: 40 },
  );

  it('the order of the input does not matter', () => {
    forAll([anyLevels, fc.nat(39)], (levels, by) => {
      const turned = [...levels.slice(by), ...levels.slice(0, by)].reverse();
      expect(levelLadder(turned, 100, 6)).toEqual(levelLadder(levels, 100, 6));
    });
  });

  it('zones are narrow, of two families at least, apart from each other, and what is left makes none', () => {
    forAll([anyLevels, wholeBetween(1, 20)], (levels, atr) => {
      const unique = levels.map((each, at) => ({ ...each, name: `${each.name}#${at}` }));
      const { zones, rungs } = levelLadder(unique, 100, atr);
      for (const [at, zone] of zones.entries()) {
        expect(zone.high - zone.low).toBeLessThanOrEqual(0.25 * atr);
        expect(zone.families.length).toBeGreaterThanOrEqual(2);
        if (at > 0) expect(zone.high).toBeLessThan(zones[at - 1]!.low);
      }
      const used = new Set(zones.flatMap((zone) => zone.levels));
      const left = rungs.filter((rung) => !used.has(rung.name));
      for (const one of left) {
        for (const other of left) {
          const near = Math.abs(one.price - other.price) <= 0.25 * atr;
          expect(near && one.family !== other.family).toBe(false);
        }
      }
    });
  });

  it('strength lies between the own family and one, and another family in reach never lowers it', () => {
    forAll([anyLevels, fc.constantFrom(...families)], (levels, family) => {
      const before = levelLadder([level('own', 'pivot', 100), ...levels], 100, 6);
      const after = levelLadder(
        [level('own', 'pivot', 100), level('more', family, 100.5), ...levels],
        100,
        6,
      );
      const strength = (found: typeof before) => found.rungs.find((rung) => rung.name === 'own')!.strength;
      expect(strength(before)).toBeGreaterThanOrEqual(0.3 - 1e-12);
      expect(strength(after)).toBeGreaterThanOrEqual(strength(before));
      expect(strength(after)).toBeLessThan(1);
    });
  });
});

import { expect, it } from 'vitest';
import { recordsOf } from '../../../../src/analysis/records/record.ts';
import { type BounceRecipe, countedWorld } from '../../../support/bounce-worlds.ts';
import { inFull } from '../../../support/depth.ts';

const recordsIn = (seed: number, recipe: BounceRecipe) =>
  recordsOf('level', countedWorld(seed, recipe), () => true, false).records.filter(
    ({ edge }) => edge !== null,
  );
/** No bounce, and up to 10 basis points to either side. */
const bounceOf = (seed: number): number => 2 * (seed % 6);

it('levels worth nothing hold as often as chance has it, however prints bounce', () => {
  const worlds = inFull(60, 2);
  const sums = { n: 0, excess: 0 };
  for (let seed = 0; seed < worlds; seed++) {
    const recipe = { symbols: 10, dates: 60, bounceBps: bounceOf(3 * seed + 2), common: 0 };
    for (const { n, edge } of recordsIn(100 + seed, recipe)) {
      sums.n += n;
      sums.excess += n * edge!.value;
    }
  }
  // Chance was 3 to 5 points too low with placebos that kept clear of levels.
  expect(Math.abs(sums.excess / sums.n)).toBeLessThan(inFull(0.005, 0.012));
});

it('calls next to no level that is worth nothing, on either side, and finds the planted one', () => {
  const worlds = inFull(200, 2);
  const [called, found] = [[] as string[], [] as boolean[]];
  for (let seed = 0; seed < worlds; seed++) {
    const recipe = { symbols: 10, dates: 80, bounceBps: bounceOf(seed), common: 0.3 };
    const useless = recordsIn(300 + seed, recipe).filter(
      ({ verdict }) => verdict === 'edge_shown' || verdict === 'worse_than_chance',
    );
    if (useless.length > 0) called.push(`${seed}: ${useless.map(({ key }) => key).join()}`);
    const planted = { family: 'options', share: 0.7 } as const;
    const own = recordsIn(700 + seed, { ...recipe, planted, families: ['options', 'prior_month'] });
    found.push(own.find(({ key }) => key === 'options')?.verdict === 'edge_shown');
  }
  expect(called.length).toBeLessThanOrEqual(worlds / 20);
  expect(found.filter(Boolean).length).toBeGreaterThanOrEqual(0.8 * worlds);
});

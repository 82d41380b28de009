/**
 * Records of simulated worlds of one-minute bars whose prints bounce between bid and ask: how far rate and chance of
 * useless levels are apart, and how often edges are called that are none, and those that are there.
 *
 *   npm run test:records -- 40
 *
 * The number is that of worlds with 20 stocks and 250 dates; 40 take some ten minutes.
 */
import { LEVEL_FAMILIES } from '../src/analysis/level-ladder.ts';
import { recordsOf } from '../src/records/estimate/record.ts';
import { level } from '../src/records/level.ts';
import { type BounceRecipe, countedWorld } from './support/bounce-worlds.ts';

const BOUNCES = [0, 2, 4, 6, 8, 10];
const SIZE = { symbols: 20, dates: 250 };
const PLANTED = { family: 'prior_day', share: 0.25 } as const;
const worlds = Number(process.argv[2] ?? 40);

const recordsIn = (seed: number, recipe: BounceRecipe) =>
  recordsOf(level, countedWorld(seed, recipe), () => true, false).records.filter(({ n }) => n > 0);

console.log('Rate less chance of useless levels, points, by bounce in basis points:');
const sums = new Map<string, { n: number; excess: number; error: number }>();
for (const [at, bounceBps] of BOUNCES.entries()) {
  for (let seed = 0; seed < worlds / BOUNCES.length; seed++) {
    for (const { key, n, edge } of recordsIn(1_000 * at + seed, { ...SIZE, bounceBps, common: 0 })) {
      const sum = sums.getOrInsertComputed(`${key} ${bounceBps}`, () => ({ n: 0, excess: 0, error: 0 }));
      sum.n += n;
      sum.excess += n * edge!.value;
      sum.error += (n * (edge!.high - edge!.low)) ** 2;
    }
  }
}
console.log(`| key | ${BOUNCES.join(' | ')} |`);
console.log(`|---|${BOUNCES.map(() => '---|').join('')}`);
for (const key of LEVEL_FAMILIES) {
  const cells = BOUNCES.map((bounce) => {
    const sum = sums.get(`${key} ${bounce}`);
    if (sum === undefined) return '';
    const points = (value: number): string => (100 * value).toFixed(2);
    return `${points(sum.excess / sum.n)} ± ${points(Math.sqrt(sum.error) / sum.n / 4)}`;
  });
  if (cells[0] !== '') console.log(`| ${key.replaceAll('_', ' ')} | ${cells.join(' | ')} |`);
}

const planted = { n: 0, rate: 0, chance: 0 };
const counts = { called: 0, found: 0, covered: 0, tested: 0, others: 0 };
for (let seed = 0; seed < worlds; seed++) {
  const recipe = { ...SIZE, bounceBps: BOUNCES[seed % BOUNCES.length]!, common: 0.3 };
  const isCalled = ({ verdict }: { verdict: string }) =>
    verdict === 'edge_shown' || verdict === 'worse_than_chance';
  const useless = recordsIn(50_000 + seed, recipe);
  const calls = useless.filter(isCalled);
  if (calls.length > 0) counts.called++;
  for (const { key, edge } of calls)
    console.log(`false: world ${seed}, ${key}, ${edge!.low} to ${edge!.high}`);
  counts.tested += useless.length;
  counts.covered += useless.filter(({ edge }) => edge!.low <= 0 && edge!.high >= 0).length;
  const own = recordsIn(90_000 + seed, { ...recipe, planted: PLANTED });
  const { rate, chance, verdict } = own.find(({ key }) => key === PLANTED.family)!;
  if (verdict === 'edge_shown') counts.found++;
  if (seed < 3)
    console.log(`planted: rate ${rate!.value.toFixed(3)}, chance ${chance!.toFixed(3)}, ${verdict}`);
}
console.log(
  `Of ${worlds} worlds without any edge ${counts.called} have one called; intervals cover 0 in ${((100 * counts.covered) / counts.tested).toFixed(1)} % of ${counts.tested}.`,
);
const meanOf = (sum: number): string => `${((100 * sum) / planted.n).toFixed(1)} %`;
console.log(
  `Of ${worlds} worlds with a planted edge of ${PLANTED.family} it is found in ${counts.found}: rate ${meanOf(planted.rate)}, chance ${meanOf(planted.chance)} on average.`,
);

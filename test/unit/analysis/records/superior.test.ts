import { describe, expect, it } from 'vitest';
import { meanEdge } from '../../../../src/records/estimate/estimate.ts';
import { normalDeviate, studentQuantile } from '../../../../src/records/estimate/student.ts';
import {
  type JudgedEdge,
  mulberry32,
  stationaryDraws,
  superiorOf,
} from '../../../../src/records/estimate/superior.ts';
import { recordAnswers } from '../../../support/record-answers.ts';

/** Edges by date that move together and depend on the dates before. */
function edgesOf(seed: number, dates: number, edges: readonly number[], horizon = 0): JudgedEdge[] {
  const random = mulberry32(seed);
  const noise = (): number => random() + random() + random() - 1.5;
  const market = Float64Array.from({ length: dates }, noise);
  return edges.map((edge) => {
    let own = 0;
    const series = market.map((shared) => {
      own = 0.4 * own + noise();
      return shared + own + edge;
    });
    return meanEdge(new Float64Array(dates).fill(1), series, horizon);
  });
}

const CASES = [
  { edges: edgesOf(1, 120, [0, 0.05, -0.1, 0]), block: 5 },
  { edges: edgesOf(2, 250, [0.02, -0.3, 0.1], 20), block: 40 },
  { edges: edgesOf(8, 90, [0.1, -0.4]), block: 10 },
  { edges: edgesOf(4, 60, [0.12, 0.1, -2]), block: 5 },
];

/** Row of the best and its p, of `test/support/record-answers.py`. */
const ANSWERS = [
  [1, 0.451],
  [0, 0.655],
  [0, 0.198],
  [0, 0.007],
];

describe('the best of several', () => {
  const own = CASES.map(({ edges, block }) => superiorOf(edges, block)).map(({ best, p }) => [best, p]);

  it('is as good as the script says, by the same draws', () => {
    expect(own).toEqual(ANSWERS);
  });

  it('is as good as the script answers here, where Python has numpy', ({ skip }) => {
    const cases = CASES.map(({ edges, block }) => ({
      kind: 'best',
      series: edges.map(({ byDate }) => [...byDate]),
      deviates: edges.map(({ deviate }) => deviate),
      draws: Array.from(stationaryDraws(edges[0]!.byDate.length, block), (blocks) =>
        datesOf(blocks, edges[0]!.byDate.length),
      ),
    }));
    const answers = recordAnswers<readonly [best: number, p: number]>(cases);
    if (answers === null) return skip('Python without numpy and scipy');
    for (const [at, [best, p]] of own.entries()) {
      expect(best).toBe(answers[at]![0]);
      expect(p).toBeCloseTo(answers[at]![1], 9);
    }
  });

  it('is never better than chance below it', () => {
    expect(superiorOf(edgesOf(5, 200, [-1, -2]), 5).p).toBe(1);
  });

  it('does not look better for company that nobody would take for it', () => {
    const [good, ...poor] = edgesOf(6, 250, [0.2, -5, -6, -7]);
    expect(superiorOf([good!, ...poor], 5).p).toBeLessThan(1.5 * superiorOf([good!], 5).p);
  });
});

/** The dates of the blocks of a draw, in their order. */
const datesOf = (blocks: Int32Array, dates: number): number[] =>
  Array.from({ length: blocks.length / 2 }, (_, at) =>
    Array.from({ length: blocks[2 * at + 1]! }, (_, day) => (blocks[2 * at]! + day) % dates),
  ).flat();

describe('draws of dates', () => {
  it('are as many dates each, in blocks of the mean length, from every date alike', () => {
    const counts = new Float64Array(100);
    let blocks = 0;
    for (const draw of stationaryDraws(100, 5)) {
      const dates = datesOf(draw, 100);
      expect(dates.length).toBe(100);
      blocks += draw.length / 2;
      for (const date of dates) counts[date]!++;
    }
    // One begins with the draw, and one at each of the 99 dates after it once in five.
    expect(blocks / 999).toBeCloseTo(1 + 99 / 5, 0);
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1_200);
  });
});

it.each([2, 3, 10, 250])(
  'puts the quantiles of Student with %s degrees of freedom onto the normal ones',
  (freedom) => {
    // `scipy.stats.norm.ppf` of scipy 1.17.
    for (const [share, deviate] of [
      [0.8, 0.8416212335729143],
      [0.975, 1.959963984540054],
      [0.999, 3.090232306167813],
    ] as const) {
      const found = normalDeviate(studentQuantile(share, freedom), freedom);
      expect(Math.abs(found / deviate - 1)).toBeLessThan(0.05);
      expect(normalDeviate(-studentQuantile(share, freedom), freedom)).toBe(-found);
    }
  },
);

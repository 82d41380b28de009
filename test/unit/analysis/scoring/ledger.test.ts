import { describe, expect, it } from 'vitest';
import {
  COMPONENT_NAMES,
  type ComponentName,
  type ScoreTable,
  scoreTable,
} from '../../../../src/analysis/scoring/components.ts';
import { netScore, twoSided } from '../../../../src/analysis/scoring/ledger.ts';
import type { Pair } from '../../../../src/analysis/scoring/ramps.ts';
import {
  V3_WEIGHTS,
  V5_WEIGHTS,
  V45_WEIGHTS,
  type Weights,
} from '../../../../src/analysis/scoring/weights.ts';
import { forAll } from '../../../support/for-all.ts';
import { numbers } from '../../../support/tables.ts';
import { ALL_INPUTS, anyInputs, expectSound } from './known-inputs.ts';

const ALL_WEIGHTS = [
  ['v3', V3_WEIGHTS],
  ['v4.5', V45_WEIGHTS],
  ['v5', V5_WEIGHTS],
] as const;

const tableOf = (pairs: Partial<Record<ComponentName, Pair>>): ScoreTable =>
  Object.fromEntries(COMPONENT_NAMES.map((name) => [name, pairs[name] ?? null])) as Record<
    ComponentName,
    Pair | null
  >;

describe.each(ALL_WEIGHTS)('%s', (_, weights) => {
  it('has weights that sum to 1 and name no component twice', () => {
    expect(weights.reduce((sum, [, weight]) => sum + weight, 0)).toBeCloseTo(1, 12);
    expect(new Set(weights.map(([name]) => name)).size).toBe(weights.length);
  });

  it('sums its contributions to the score to 1e-9, whatever is missing', () => {
    forAll([anyInputs(30)], (inputs) => {
      const scores = twoSided(scoreTable(inputs), weights);
      expectSound(scores);
      for (const { score, lines } of [scores.bull, scores.bear]) {
        const share = lines.reduce((total, line) => total + line.weight, 0);
        expect(share).toBeCloseTo(scores.weightAvailable === 0 ? 0 : 1, 12);
        if (Number.isNaN(score)) expect(lines.every((line) => line.contribution === 0)).toBe(true);
      }
    });
  });

  it('gives the net score of both ledgers', () => {
    forAll([anyInputs(20)], (inputs) => {
      const table = scoreTable(inputs);
      const { bull, bear } = twoSided(table, weights);
      const net = netScore(table, weights);
      if (Number.isNaN(bull.score)) expect(net).toBeNaN();
      else expect(net).toBeCloseTo(bull.score - bear.score, 9);
    });
  });
});

describe('twoSided', () => {
  const HALVES: Weights = [
    ['volume', 0.5],
    ['pattern', 0.3],
    ['technical', 0.2],
  ];

  it('rescales over what is there', () => {
    // 0.5 and 0.2 of 0.7: 8 x 5/7 + 1 x 2/7 = 6 of 10.
    const scores = twoSided(
      tableOf({ volume: { bull: 8, bear: 0 }, technical: { bull: 1, bear: 7 } }),
      HALVES,
    );
    expect(scores.bull.score).toBeCloseTo(60, 12);
    expect(scores.bear.score).toBeCloseTo(20, 12);
    expect(scores.weightAvailable).toBeCloseTo(0.7, 12);
    expect(scores.bull.lines.map(({ weight }) => weight)).toEqual([0.5 / 0.7, 0, 0.2 / 0.7]);
    expect(scores.bull.lines[1]).toEqual({
      component: 'pattern',
      score: Number.NaN,
      weight: 0,
      contribution: 0,
    });
  });

  it('has a score at half of the weights and none below', () => {
    const pair = { bull: 4, bear: 2 };
    expect(twoSided(tableOf({ volume: pair }), HALVES).bull.score).toBeCloseTo(40, 12);
    // 0.3 + 0.2 is a half in tenths and a hair off in binary.
    expect(twoSided(tableOf({ pattern: pair, technical: pair }), HALVES).bear.score).toBeCloseTo(20, 12);
    const under: Weights = [
      ['volume', 0.501],
      ['pattern', 0.499],
    ];
    const scores = twoSided(tableOf({ pattern: pair }), under);
    expect(scores.bull.score).toBeNaN();
    expect(scores.bull.lines[1]).toEqual({ component: 'pattern', score: 4, weight: 1, contribution: 0 });
  });

  it('weighs the canonical score of a known stock by hand', () => {
    // Scores of components.test.ts times the weights of v5.
    const weighed = numbers`
      6 12, 3.75 7, 3.75 11, 5 10, 6 5, 5 8, 5 6, 3.75 6, 3.75 14, 6 3, 5 3, 5 6, 8 3, 4 6`;
    const points = weighed.reduce((sum, [score, percent]) => sum + (score! * percent!) / 100, 0);
    const { bull } = twoSided(scoreTable(ALL_INPUTS), V5_WEIGHTS);
    expect(bull.score).toBeCloseTo(points * 10, 9);
    expect(bull.score).toBeCloseTo(47.55, 9);
  });
});

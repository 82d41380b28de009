import fc from 'fast-check';
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
import { ALL_INPUTS, anyInputs } from './known-inputs.ts';

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
    fc.assert(
      fc.property(anyInputs(30), (inputs) => {
        const table = scoreTable(inputs);
        const scores = twoSided(table, weights);
        for (const { score, lines } of [scores.bull, scores.bear]) {
          const sum = lines.reduce((total, line) => total + line.contribution, 0);
          const share = lines.reduce((total, line) => total + line.weight, 0);
          if (scores.weightAvailable < 0.5 - 1e-9) {
            expect(score).toBeNaN();
            expect(sum).toBe(0);
          } else {
            expect(Math.abs(sum - score)).toBeLessThan(1e-9);
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(100);
          }
          expect(share).toBeCloseTo(scores.weightAvailable === 0 ? 0 : 1, 12);
        }
      }),
    );
  });

  it('gives the net score of both ledgers', () => {
    fc.assert(
      fc.property(anyInputs(20), (inputs) => {
        const table = scoreTable(inputs);
        const { bull, bear } = twoSided(table, weights);
        const net = netScore(table, weights);
        if (Number.isNaN(bull.score)) expect(net).toBeNaN();
        else expect(net).toBeCloseTo(bull.score - bear.score, 9);
      }),
    );
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
    const points =
      6 * 0.12 +
      3.75 * 0.07 +
      3.75 * 0.11 +
      5 * 0.1 +
      6 * 0.05 +
      5 * 0.08 +
      5 * 0.06 +
      3.75 * 0.06 +
      3.75 * 0.14 +
      6 * 0.03 +
      5 * 0.03 +
      5 * 0.06 +
      8 * 0.03 +
      4 * 0.06;
    const { bull } = twoSided(scoreTable(ALL_INPUTS), V5_WEIGHTS);
    expect(bull.score).toBeCloseTo(points * 10, 9);
    expect(bull.score).toBeCloseTo(47.55, 9);
  });
});

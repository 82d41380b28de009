import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { scoreTable } from '../../../../src/analysis/scoring/components.ts';
import { type Flip, nearestFlip } from '../../../../src/analysis/scoring/flip.ts';
import { INPUT_NAMES, SCALES, type ScoreInputs } from '../../../../src/analysis/scoring/inputs.ts';
import { twoSided } from '../../../../src/analysis/scoring/ledger.ts';
import { bias, tier, V5_TIERS } from '../../../../src/analysis/scoring/tiers.ts';
import { V5_WEIGHTS, type Weights } from '../../../../src/analysis/scoring/weights.ts';
import { forAll } from '../../../support/for-all.ts';
import { ALL_INPUTS, anyInputs, onlyInputs } from './known-inputs.ts';

const flipOf = (inputs: ScoreInputs): Flip | null => {
  const table = scoreTable(inputs);
  return nearestFlip(inputs, table, V5_WEIGHTS, twoSided(table, V5_WEIGHTS));
};

const labels = (inputs: ScoreInputs) => {
  const { bull, bear, net } = twoSided(scoreTable(inputs), V5_WEIGHTS);
  return {
    directional_bias: bias(net),
    bullish_tier: tier(bull.score, V5_TIERS),
    bearish_tier: tier(bear.score, V5_TIERS),
  };
};

const differ = (one: ScoreInputs, other: ScoreInputs): boolean =>
  JSON.stringify(labels(one)) !== JSON.stringify(labels(other));

describe('nearestFlip', () => {
  it('names a change that flips, from what it is to what it says', () => {
    forAll([anyInputs(15)], (inputs) => {
      const flip = flipOf(inputs);
      if (flip === null) return;
      expect(flip.from).toBe(inputs[flip.input]);
      expect(labels(inputs)[flip.flips]).toBe(flip.labelFrom);
      expect(labels({ ...inputs, [flip.input]: flip.to })[flip.flips]).toBe(flip.labelTo);
      expect(flip.labelTo).not.toBe(flip.labelFrom);
      expect(flip.distance).toBeCloseTo(Math.abs(flip.to - flip.from) / SCALES[flip.input].unit, 12);
    });
  });

  it('finds none nearer by trying every input on its way there', () => {
    const searched = INPUT_NAMES.filter((name) => !('steps' in SCALES[name]));
    forAll([anyInputs(15)], { numRuns: 60 }, (inputs) => {
      const flip = flipOf(inputs);
      // Less what the flip goes beyond the edge.
      const reach = Math.max(0, (flip?.distance ?? 40) - 1e-8) * (1 - 1e-6);
      for (const name of searched) {
        const { unit, low, high } = SCALES[name];
        for (let step = -8; step <= 8; step++) {
          const value = Math.min(high, Math.max(low, inputs[name] + (step / 8) * reach * unit));
          assert(!differ(inputs, { ...inputs, [name]: value }), `${name} ${value}`);
        }
      }
    });
  });

  it('is the one by hand: a bull score of 47.55 lacks 2.445 points of what rounds to MODERATE', () => {
    // A unit (0.5) of trend score is 10 x 0.5 / 0.6 x 0.8 = 6.67 points, so it is 0.37 units away; bullish patterns 5
    // points a unit: 0.49; %b 5.25: 0.47; VWAP 4.12: 0.59. A unit of the support's distance is 9.6 points, but at the
    // support itself only 2.4 of them are gained.
    const flip = flipOf(ALL_INPUTS)!;
    expect(flip).toMatchObject({
      input: 'trend_score',
      from: 0.3,
      flips: 'bullish_tier',
      labelFrom: 'WEAK',
      labelTo: 'MODERATE',
    });
    expect(flip.to).toBeCloseTo(0.3 + (49.995 - 47.55) / ((10 / 0.6) * 0.8), 7);
    expect(flip.distance).toBeCloseTo(0.3668, 4);
  });

  it('does not search an input that takes few values only', () => {
    expect(SCALES.orb_lean).toHaveProperty('steps', true);
    forAll([anyInputs(5)], (inputs) => {
      expect(flipOf(inputs)?.input).not.toBe('orb_lean');
    });
  });

  it('is null without a score', () => {
    expect(flipOf(onlyInputs(['vix', 'percent_b', 'atr_compression_ratio']))).toBeNull();
  });

  it('is null when no change of one input reaches an edge', () => {
    const stepsOnly: Weights = [['orb_structure', 1]];
    const table = scoreTable(ALL_INPUTS);
    expect(nearestFlip(ALL_INPUTS, table, stepsOnly, twoSided(table, stepsOnly))).toBeNull();
  });
});

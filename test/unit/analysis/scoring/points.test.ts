import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hundredths, roundedParts } from '../../../../src/analysis/scoring/ledger.ts';
import { between, forAll } from '../../../support/for-all.ts';

const sum = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, 0);

describe('roundedParts', () => {
  it('gives the missing hundredths to the parts that lost most', () => {
    expect(roundedParts([1.006, 2.002, 3.004])).toEqual([1.01, 2, 3]);
    expect(roundedParts([1 / 3, 1 / 3, 1 / 3])).toEqual([0.34, 0.33, 0.33]);
    expect(roundedParts([0, 7.35, 0])).toEqual([0, 7.35, 0]);
  });

  it('keeps the sum, and every part within a hundredth', () => {
    forAll([fc.array(between(0, 30), { maxLength: 20 })], (exact) => {
      const parts = roundedParts(exact);
      expect(Math.abs(sum(parts) - hundredths(sum(exact)))).toBeLessThan(1e-9);
      for (const [at, part] of parts.entries()) {
        expect(Math.abs(part - exact[at]!)).toBeLessThan(0.01 + 1e-9);
        expect(part).toBe(hundredths(part));
        if (exact[at] === 0) expect(part).toBe(0);
      }
    });
  });
});

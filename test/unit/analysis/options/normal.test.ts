import { describe, expect, it } from 'vitest';
import {
  cdfOverDensity,
  inverseNormalCdf,
  normalCdf,
  normalDensity,
  scaledErfc,
} from '../../../../src/analysis/options/normal.ts';
import { reference } from './reference.ts';

describe('the normal distribution', () => {
  it('has the probabilities of mpmath, in the tail relative to their own size', () => {
    for (const [z, probability] of reference.cdf) {
      expect(Math.abs(normalCdf(z!) / probability! - 1), `z = ${z}`).toBeLessThan(1e-13);
    }
  });

  it('has the scaled error function of mpmath on both sides of every seam', () => {
    for (const [x, value] of reference.scaledErfc) {
      expect(Math.abs(scaledErfc(x!) / value! - 1), `x = ${x}`).toBeLessThan(2e-15);
    }
  });

  it('has the quantiles of mpmath', () => {
    for (const [p, z] of reference.quantile) {
      expect(Math.abs(inverseNormalCdf(p!) / z! - 1), `p = ${p}`).toBeLessThan(2e-15);
      if (p! > 1e-8) expect(inverseNormalCdf(1 - p!)).toBeCloseTo(-z!, 7);
    }
    expect(inverseNormalCdf(0.5)).toBe(0);
  });

  it('ends where probabilities end', () => {
    expect(inverseNormalCdf(0)).toBe(Number.NEGATIVE_INFINITY);
    expect(inverseNormalCdf(1)).toBe(Number.POSITIVE_INFINITY);
    for (const p of [-0.1, 1.1, Number.NaN]) expect(inverseNormalCdf(p)).toBeNaN();
    expect(normalCdf(Number.NEGATIVE_INFINITY)).toBe(0);
    expect(normalCdf(Number.NaN)).toBeNaN();
  });

  it('keeps the ratio of probability and density where both are small', () => {
    for (const z of [-30, -5, -0.4, 0, 0.4, 5]) {
      expect(cdfOverDensity(z) * normalDensity(z)).toBeCloseTo(normalCdf(z), 14);
    }
    // Mills' ratio: 1 / 1000 less its third power.
    expect(cdfOverDensity(-1000)).toBeCloseTo(0.001 - 1e-9, 13);
  });
});

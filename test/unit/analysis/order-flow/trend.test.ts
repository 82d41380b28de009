import { describe, expect, it } from 'vitest';
import { cvdDrift, cvdTrend } from '../../../../src/analysis/order-flow/cvd.ts';
import { mulberry32 } from '../../../support/daily-recipe.ts';

/** `ups` minutes of +size and `downs` of -size. */
const minutes = (ups: number, downs: number, size = 100): Float64Array =>
  Float64Array.from({ length: ups + downs }, (_, at) => (at < ups ? size : -size));

describe('trend of CVD', () => {
  it('is the net over the root of the sum of squares', () => {
    // 64 minutes of one size: (40 - 24) x 100 / (100 x 8) = 2
    expect(cvdDrift(minutes(40, 24))).toBe(2);
    // The sign test's z for 20 of 30: (20 - 15) / (sqrt(30) / 2)
    expect(cvdDrift(minutes(20, 10))).toBeCloseTo(5 / (Math.sqrt(30) / 2), 12);
  });

  it('accumulates from two deviations on, and distributes as the mirror of it', () => {
    expect(cvdTrend(minutes(40, 24))).toBe('accumulating');
    expect(cvdTrend(minutes(39, 25))).toBe('neutral');
    expect(cvdTrend(minutes(24, 40))).toBe('distributing');
    expect(cvdTrend(minutes(25, 39))).toBe('neutral');
  });

  it('is unknown before the thirtieth minute, and without a side', () => {
    expect(cvdTrend(minutes(29, 0))).toBeNull();
    expect(cvdTrend(minutes(30, 0))).toBe('accumulating');
    expect(cvdTrend(new Float64Array(100))).toBeNull();
  });

  it('is not made by one big minute', () => {
    const one = minutes(50, 50);
    one[10] = 1_000_000;
    expect(cvdTrend(one)).toBe('neutral');
  });

  it('is neutral in nineteen of twenty sessions in which chance alone signs the minutes', () => {
    const draw = mulberry32(7);
    let trends = 0;
    for (let session = 0; session < 2000; session++) {
      const delta = Float64Array.from(
        { length: 390 },
        () => (draw() < 0.5 ? -1 : 1) * (0.1 + draw() ** -0.4),
      );
      if (cvdTrend(delta) !== 'neutral') trends++;
    }
    // 4.55 % of a standard normal lies beyond two deviations: 91 of 2,000, give or take three times 9.3.
    expect(Math.abs(trends - 91)).toBeLessThan(28);
  });
});

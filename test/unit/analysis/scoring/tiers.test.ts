import { describe, expect, it } from 'vitest';
import { bias, dominance, tier, V3_TIERS, V5_TIERS } from '../../../../src/analysis/scoring/tiers.ts';

const BELOW = 1e-9;

describe('tier', () => {
  it.each([
    [90, 85, 'EXCELLENT', 'GOOD'],
    [80, 70, 'GOOD', 'MODERATE'],
    [70, 50, 'MODERATE', 'WEAK'],
    [60, 25, 'WEAK', 'POOR'],
  ])('from %d of v3 and %d of v5 on is %s, and %s below', (v3, v5, at, below) => {
    for (const [bound, bounds] of [
      [v3, V3_TIERS],
      [v5, V5_TIERS],
    ] as const) {
      expect([bound, bound - BELOW].map((score) => tier(score, bounds))).toEqual([at, below]);
    }
  });

  it('reaches from 0 to 100, and has no word for what does not exist', () => {
    for (const bounds of [V3_TIERS, V5_TIERS]) {
      expect(tier(0, bounds)).toBe('POOR');
      expect(tier(100, bounds)).toBe('EXCELLENT');
      expect(tier(Number.NaN, bounds)).toBeNull();
    }
  });
});

describe('bias and dominance', () => {
  it.each([
    [10, 'bullish', 'BULL_DOMINANT'],
    [10 - BELOW, 'neutral', 'MIXED'],
    [0, 'neutral', 'MIXED'],
    [-10 + BELOW, 'neutral', 'MIXED'],
    [-10, 'bearish', 'BEAR_DOMINANT'],
    [Number.NaN, null, null],
  ])('of a net score of %d', (net, side, word) => {
    expect(bias(net)).toBe(side);
    expect(dominance(net)).toBe(word);
  });
});

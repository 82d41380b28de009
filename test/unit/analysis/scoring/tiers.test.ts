import { describe, expect, it } from 'vitest';
import { bias, dominance, tier, V3_TIERS, V5_TIERS } from '../../../../src/analysis/scoring/tiers.ts';

const BELOW = 1e-9;

describe('tier', () => {
  it.each([
    ['EXCELLENT', 90, 'GOOD'],
    ['GOOD', 80, 'MODERATE'],
    ['MODERATE', 70, 'WEAK'],
    ['WEAK', 60, 'POOR'],
  ])('v3 is %s from %d on and %s below', (at, bound, below) => {
    expect(tier(bound, V3_TIERS)).toBe(at);
    expect(tier(bound - BELOW, V3_TIERS)).toBe(below);
  });

  it.each([
    ['EXCELLENT', 85, 'GOOD'],
    ['GOOD', 70, 'MODERATE'],
    ['MODERATE', 50, 'WEAK'],
    ['WEAK', 25, 'POOR'],
  ])('v5 is %s from %d on and %s below', (at, bound, below) => {
    expect(tier(bound, V5_TIERS)).toBe(at);
    expect(tier(bound - BELOW, V5_TIERS)).toBe(below);
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

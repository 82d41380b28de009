export const TIERS = ['EXCELLENT', 'GOOD', 'MODERATE', 'WEAK', 'POOR'] as const;
export type Tier = (typeof TIERS)[number];

/** Where each tier above POOR begins, by the interface. */
export type TierBounds = Readonly<Record<Exclude<Tier, 'POOR'>, number>>;

export const V3_TIERS: TierBounds = { EXCELLENT: 90, GOOD: 80, MODERATE: 70, WEAK: 60 };
export const V5_TIERS: TierBounds = { EXCELLENT: 85, GOOD: 70, MODERATE: 50, WEAK: 25 };

/** The tier of a score, its bound included; null for NaN. */
export function tier(score: number, bounds: TierBounds): Tier | null {
  if (Number.isNaN(score)) return null;
  if (score >= bounds.EXCELLENT) return 'EXCELLENT';
  if (score >= bounds.GOOD) return 'GOOD';
  if (score >= bounds.MODERATE) return 'MODERATE';
  return score >= bounds.WEAK ? 'WEAK' : 'POOR';
}

/** Points by which a side must lead to be named. */
export const BIAS_MARGIN = 10;

export type Bias = 'bullish' | 'bearish' | 'neutral';

/** The side that leads by the margin, the margin itself included; null for NaN. */
export function bias(net: number): Bias | null {
  if (Number.isNaN(net)) return null;
  if (net >= BIAS_MARGIN) return 'bullish';
  return net <= -BIAS_MARGIN ? 'bearish' : 'neutral';
}

export type Dominance = 'BULL_DOMINANT' | 'BEAR_DOMINANT' | 'MIXED';

const DOMINANCE: Readonly<Record<Bias, Dominance>> = {
  bullish: 'BULL_DOMINANT',
  bearish: 'BEAR_DOMINANT',
  neutral: 'MIXED',
};

/** The bias in the words of v5. */
export function dominance(net: number): Dominance | null {
  const side = bias(net);
  return side === null ? null : DOMINANCE[side];
}

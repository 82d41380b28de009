import { clamp } from '../statistics.ts';

/** Shapes of which scores are made. NaN in is NaN out: a missing input is never a neutral one. */

/** Where a ramp begins and where it is full, in the unit of its input. */
export interface Ramp {
  readonly from: number;
  readonly to: number;
}

/** 0 up to `from`, 1 from `to` on, straight between. */
export function ramp(value: number, { from, to }: Ramp): number {
  return clamp((value - from) / (to - from), 0, 1);
}

/** 1 up to `from`, 0 from `to` on, straight between. */
export function fall(value: number, over: Ramp): number {
  return 1 - ramp(value, over);
}

/** What supports a reading without being one (volume behind a move) takes away half of it at most. */
export const LIFT_MIN = 0.5;

/** A factor of `LIFT_MIN` to 1 for a support of 0 to 1. */
export function lift(support: number): number {
  return LIFT_MIN + (1 - LIFT_MIN) * support;
}

/** Weighted mean of the parts that are there; NaN without any. */
export function meanOfPresent(parts: readonly (readonly [value: number, weight: number])[]): number {
  let sum = 0;
  let present = 0;
  for (const [value, weight] of parts) {
    if (Number.isNaN(value)) continue;
    sum += value * weight;
    present += weight;
  }
  return sum / present;
}

/** The mean of two parts, or the one that is there; NaN without either. */
export function meanOfTwo(one: number, other: number): number {
  if (Number.isNaN(one)) return other;
  return Number.isNaN(other) ? one : (one + other) / 2;
}

/** Combined evidence of independent witnesses, each 0 to 1: one minus the product of (1 - share); 0 without any. */
export function evidence(shares: readonly number[]): number {
  return 1 - shares.reduce((doubt, share) => doubt * (1 - share), 1);
}

/** A component's score for longs and for shorts, each 0 to 10; NaN: an input is missing. */
export interface Pair {
  readonly bull: number;
  readonly bear: number;
}

export type ScoreSide = keyof Pair;

/** The same formula for both sides: `of` gets 1 for longs and -1 for shorts. */
export function bothSides(of: (sign: number) => number): Pair {
  return { bull: of(1), bear: of(-1) };
}

/**
 * Where each input of a component begins to count and where it counts in full. Signed inputs are turned to the scored
 * side first, so one ramp serves longs and shorts. Reasons: docs/scoring-scores.md.
 */
export const RAMPS = {
  level_distance: { from: 0, to: 1 },
  band_position: { from: 0, to: 0.5 },
  compression: { from: 0.7, to: 1.3 },
  up_volume: { from: 0, to: 0.2 },
  relative_volume: { from: 0.7, to: 1.5 },
  vwap_distance: { from: 0, to: 0.5 },
  day_trend: { from: 0, to: 0.6 },
  iv_rank: { from: 0, to: 100 },
  iv_skew: { from: -0.05, to: 0.1 },
  vix: { from: 13, to: 30 },
  earnings_clear: { from: 0, to: 5 },
  earnings_surprise: { from: 0, to: 10 },
  earnings_drift: { from: 20, to: 90 },
  news_tone: { from: 0, to: 0.5 },
  momentum_blend: { from: 0, to: 20 },
  momentum_slope: { from: 0, to: 60 },
  ema_spread: { from: 0, to: 2 },
  adx: { from: 15, to: 30 },
  rsi: { from: 0, to: 20 },
  macd_gap: { from: 0, to: 0.3 },
  sma20_distance: { from: 0, to: 2 },
  greek_lean: { from: 0, to: 0.5 },
  orb_distance: { from: 0, to: 0.5 },
  intraday_return: { from: 0, to: 1 },
} as const satisfies Readonly<Record<string, Ramp>>;

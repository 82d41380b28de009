import type { Ramp } from './pieces.ts';

/**
 * Where each input of a component begins to count and where it counts in full. Inputs that speak for a side are
 * turned to that side first, so one ramp serves longs and shorts. The reasons stand in docs/scoring-scores.md.
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

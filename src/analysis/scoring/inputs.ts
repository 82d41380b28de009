/**
 * The named inputs of the scores. A unit is how far an input moves when something has happened to it: distances
 * between values of different inputs are compared in it. `low` and `high` bound what a search may try. A `steps` input
 * takes few values only and is not searched.
 */
export interface InputScale {
  readonly unit: number;
  readonly low: number;
  readonly high: number;
  readonly steps?: true;
}

export const SCALES = {
  support_atr: { unit: 1, low: 0, high: 2 },
  support_strength: { unit: 1, low: 0, high: 1 },
  resistance_atr: { unit: 1, low: 0, high: 2 },
  resistance_strength: { unit: 1, low: 0, high: 1 },
  percent_b: { unit: 0.5, low: -1, high: 2 },
  atr_compression_ratio: { unit: 0.3, low: 0, high: 3 },
  up_volume_share: { unit: 0.2, low: 0, high: 1 },
  rel_vol_5d: { unit: 0.5, low: 0, high: 4 },
  vwap_atr: { unit: 0.5, low: -5, high: 5 },
  volume_pace: { unit: 0.5, low: 0, high: 20 },
  bullish_patterns: { unit: 0.5, low: 0, high: 1 },
  bearish_patterns: { unit: 0.5, low: 0, high: 1 },
  iv_rank: { unit: 25, low: 0, high: 100 },
  iv_skew: { unit: 0.05, low: -1, high: 1 },
  trend_score: { unit: 0.5, low: -1, high: 1 },
  vix: { unit: 5, low: 5, high: 90 },
  days_to_earnings: { unit: 5, low: 0, high: 100 },
  days_since_earnings: { unit: 20, low: 0, high: 400 },
  surprise_pct: { unit: 10, low: -100, high: 100 },
  news_sentiment: { unit: 0.5, low: -1, high: 1 },
  momentum_blend: { unit: 10, low: -99, high: 500 },
  momentum_slope_60d: { unit: 30, low: -500, high: 500 },
  ema_spread_atr: { unit: 1, low: -10, high: 10 },
  adx_14: { unit: 10, low: 0, high: 100 },
  pricing_edge_bull: { unit: 5, low: 0, high: 10 },
  pricing_edge_bear: { unit: 5, low: 0, high: 10 },
  greek_lean: { unit: 0.5, low: -1, high: 1 },
  orb_lean: { unit: 1, low: -1, high: 1, steps: true },
  orb_high_atr: { unit: 0.5, low: 0, high: 10 },
  orb_low_atr: { unit: 0.5, low: 0, high: 10 },
  intraday_return_atr: { unit: 0.5, low: -10, high: 10 },
  rsi_14: { unit: 10, low: 0, high: 100 },
  macd_gap_atr: { unit: 0.3, low: -5, high: 5 },
  sma20_atr: { unit: 1, low: -15, high: 15 },
} as const satisfies Readonly<Record<string, InputScale>>;

export type InputName = keyof typeof SCALES;

export const INPUT_NAMES = Object.keys(SCALES) as InputName[];

/** NaN: not known. */
export type ScoreInputs = Readonly<Record<InputName, number>>;

/** The inputs that move with every bar of the session; the others are fixed between two closes. */
export const FAST_INPUTS = [
  'support_atr',
  'support_strength',
  'resistance_atr',
  'resistance_strength',
  'vwap_atr',
  'volume_pace',
  'trend_score',
  'orb_lean',
  'orb_high_atr',
  'orb_low_atr',
  'intraday_return_atr',
] as const satisfies readonly InputName[];

export type FastInputs = Readonly<Record<(typeof FAST_INPUTS)[number], number>>;

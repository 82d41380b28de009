import type { Ramp } from '../scoring/ramps.ts';

/** What the evaluator of expirations weighs, and how much. The reasons are in docs/scoring-options.md. */

export const DTE_FORMULA_VERSION = 'dte-evaluator-v1';

export const TIMEFRAMES = ['intraday', 'swing', 'position'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];
export const DIRECTIONS = ['bullish', 'bearish'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Sessions for which a trade of a timeframe is held: a day, a week, a month. */
export const HOLDING_SESSIONS: Readonly<Record<Timeframe, number>> = { intraday: 1, swing: 5, position: 20 };
/**
 * Sessions that an expiration must live to come first: a week's trade wants an option that is there for all of it. A
 * day's trade ends with the day whenever it begins, so today's options serve it while half of the session is left.
 */
export const LIFE_MIN: Readonly<Record<Timeframe, number>> = { intraday: 0.5, swing: 5, position: 20 };

export const AXES = ['edge_ratio', 'iv_fitness', 'dealer_flow', 'liquidity'] as const;
export type Axis = (typeof AXES)[number];

/** What each axis weighs in the composite. */
export const AXIS_WEIGHTS: Readonly<Record<Axis, number>> = {
  edge_ratio: 0.35,
  iv_fitness: 0.25,
  dealer_flow: 0.15,
  liquidity: 0.25,
};
/** Below this share of the weights there is no composite. */
export const COMPOSITE_WEIGHT_MIN = 0.5;

/** Where the inputs of the axes begin and end to count. */
export const DTE_RAMPS = {
  edge: { from: 0.3, to: 1.2 },
  /** Implied over realised volatility, where no history says how high a volatility is. */
  iv_over_realised: { from: 0.8, to: 1.6 },
  /** The expiration's volatility over the 30-day one, less 1. */
  iv_over_30_days: { from: -0.15, to: 0.15 },
  /** The wing that the direction buys over the volatility at the money, less 1. */
  wing_premium: { from: -0.05, to: 0.2 },
  /** From spot back to the flip, in reaches. */
  flip_side: { from: -1, to: 1 },
  /** From spot to the wall in the way, in reaches. */
  wall: { from: 0, to: 1 },
  /** Spread over the middle. */
  spread: { from: 0.02, to: 0.2 },
  /** Decimal logarithm of contracts. */
  open_interest: { from: 2, to: 4.3 },
  volume: { from: 1, to: 3.7 },
} as const satisfies Readonly<Record<string, Ramp>>;

/** Weights of level, term and skew: a day does not feel the level, a month pays for it. */
export const IV_WEIGHTS: Readonly<Record<Timeframe, readonly [level: number, term: number, skew: number]>> = {
  intraday: [0.3, 0.4, 0.3],
  swing: [0.4, 0.35, 0.25],
  position: [0.5, 0.3, 0.2],
};
/** Weights of the expiration's own gamma, the side of the flip, and the wall in the way. */
export const DEALER_WEIGHTS = [0.4, 0.3, 0.3] as const;
/** Weights of spread, open interest, volume and coverage of quotes. */
export const LIQUIDITY_WEIGHTS = [0.4, 0.25, 0.2, 0.15] as const;

/** What bars an expiration from being recommended. */
export const LIQUIDITY_GATES = { contracts: 4, spread: 0.25, openInterest: 50, score: 20 } as const;

/** Shares of quotes and open interest needed for each confidence. */
export const CONFIDENCE_COVERAGE = {
  high: { quotes: 0.9, openInterest: 0.8 },
  medium: { quotes: 0.5, openInterest: 0.5 },
} as const;

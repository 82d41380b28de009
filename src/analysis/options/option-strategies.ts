import { onceFor } from '../../base/once-for.ts';
import { type Ramp, ramp } from '../scoring/ramps.ts';
import { clamp } from '../statistics.ts';

/** Option strategies that suit a stock, each with the reasons for its score. */

/** What stays while the price moves; NaN: not known. */
export interface StrategyConditions {
  /** How dear volatility is, 0 to 1: its percentile of a year. */
  readonly iv_level: number;
  /** Net over gross dealer gamma, -1 to 1: long gamma steadies the price. */
  readonly gamma_lean: number;
  /** 25-delta put less call volatility over the volatility at the money. */
  readonly skew: number;
  /** How well the chain can be traded near the money, 0 to 1. */
  readonly liquidity: number;
  readonly days_to_earnings: number;
}

interface Strategy {
  readonly name: string;
  /** 1 wants a rise, -1 a fall, 0 a price that stays or, bought, one that moves either way. */
  readonly direction: 1 | 0 | -1;
  /** 1 pays premium, -1 takes it; a spread does half of either. */
  readonly premium: 1 | 0.5 | -0.5 | -1;
}

export const STRATEGIES: readonly Strategy[] = [
  { name: 'long_call', direction: 1, premium: 1 },
  { name: 'long_put', direction: -1, premium: 1 },
  { name: 'bull_call_spread', direction: 1, premium: 0.5 },
  { name: 'bear_put_spread', direction: -1, premium: 0.5 },
  { name: 'bull_put_spread', direction: 1, premium: -0.5 },
  { name: 'bear_call_spread', direction: -1, premium: -0.5 },
  { name: 'long_straddle', direction: 0, premium: 1 },
  { name: 'iron_condor', direction: 0, premium: -1 },
];

/** What each condition weighs. */
export const STRATEGY_WEIGHTS = {
  direction: 0.4,
  volatility: 0.3,
  dealer_gamma: 0.15,
  skew: 0.05,
  liquidity: 0.1,
} as const;
/** Below this share of the weights nothing is said of a strategy. */
const STRATEGY_WEIGHT_MIN = 0.5;
/** A best strategy with a lower score is none. */
const VIABLE_FROM = 50;
/** The usual skew of single stocks, from flat to steep. */
const STRATEGY_SKEW: Ramp = { from: 0, to: 0.3 };
/** Days to results within which the score of a premium seller is halved: the premium pays for a jump. */
const EARNINGS_DAYS = 30;

export interface StrategyScore {
  readonly strategy: string;
  /** 0 to 100; NaN when too little is known. */
  readonly score: number;
  /** What the trend has to do with it, and what all else has, which stays while the price moves. */
  readonly trendReason: string;
  readonly reasons: readonly string[];
}

/**
 * Every strategy in the order of the list.
 *
 * @param trend -1 falling to 1 rising
 */
export function strategyScores(conditions: StrategyConditions, trend: number): StrategyScore[] {
  const towards = [(1 - trend) / 2, 1 - Math.abs(trend), (1 + trend) / 2];
  const trends = towards.map((fit) => reasonOf('direction', fit, 'trend', trend));
  return fitsIn(conditions).map(({ name, direction, fits, jump, reasons }) => {
    const towardsOwn = towards[1 + direction]!;
    let weight = Number.isNaN(towardsOwn) ? 0 : STRATEGY_WEIGHTS.direction;
    let sum = Number.isNaN(towardsOwn) ? 0 : towardsOwn * weight;
    for (const [value, own] of fits) {
      if (Number.isNaN(value)) continue;
      sum += value * own;
      weight += own;
    }
    const mean = 100 * (sum / weight);
    const score = weight < STRATEGY_WEIGHT_MIN ? Number.NaN : jump ? mean / 2 : mean;
    return { strategy: name, score, trendReason: trends[1 + direction]!, reasons };
  });
}

/** The highest score of all that are viable, the first of equals; null when none is. */
export function bestStrategy(scores: readonly StrategyScore[]): StrategyScore | null {
  let best: StrategyScore | null = null;
  for (const one of scores) {
    if (one.score >= VIABLE_FROM && (best === null || one.score > best.score)) best = one;
  }
  return best;
}

/** How well each condition but the direction is met, 0 to 1, with its weight, and the reasons. */
const fitsIn = onceFor((conditions: StrategyConditions) => {
  const { iv_level: level, gamma_lean: lean, skew, liquidity, days_to_earnings: days } = conditions;
  const steep = ramp(skew, STRATEGY_SKEW);
  return STRATEGIES.map(({ name, direction, premium }) => {
    const jump = premium < 0 && days <= EARNINGS_DAYS;
    // A buyer of premium wants it low, a seller high.
    const volatility = 0.5 + premium * (0.5 - level);
    const gamma = 0.5 - (premium * lean) / 2;
    // Expensive puts favour selling them or buying calls instead, not buying them.
    const wantsSteep = direction === 0 ? premium < 0 : direction > 0;
    const skewed = wantsSteep ? steep : 1 - steep;
    const fits: readonly (readonly [fit: number, weight: number])[] = [
      [volatility, STRATEGY_WEIGHTS.volatility],
      [gamma, STRATEGY_WEIGHTS.dealer_gamma],
      [skewed, STRATEGY_WEIGHTS.skew],
      [liquidity, STRATEGY_WEIGHTS.liquidity],
    ];
    const reasons = [
      reasonOf('volatility', volatility, 'IV level', level),
      reasonOf('dealer gamma', gamma, 'lean', lean),
      reasonOf('skew', skewed, 'skew', skew, 3),
      reasonOf('liquidity', liquidity, 'liquidity', liquidity),
      ...(jump ? [`halved: results in ${days} days`] : []),
    ];
    return { name, direction, fits, jump, reasons };
  });
});

/** E.g. `volatility 0.80 (IV level 0.20)`. */
function reasonOf(condition: string, fit: number, input: string, value: number, digits = 2): string {
  return Number.isNaN(fit)
    ? `${condition} not known`
    : `${condition} ${fit.toFixed(2)} (${input} ${value.toFixed(digits)})`;
}

/** Distances in daily ATR at which a trend is as clear as it gets. */
const TREND_REACH_ATR = 2;

/** Where a stock is going, -1 to 1: price over its 20-session mean, and that over the 50-session one, in daily ATR. */
export function trendLean(price: number, sma20: number, sma50: number, atr: number): number {
  const lean = (distance: number): number => clamp(distance / (TREND_REACH_ATR * atr), -1, 1);
  return (lean(price - sma20) + lean(sma20 - sma50)) / 2;
}

import { onceFor } from '../../base/once-for.ts';
import {
  all,
  bothSides,
  type Condition,
  inputsOf,
  known,
  type MirrorOf,
  named,
  verdict,
} from '../conditions.ts';
import type { VixRegime } from '../market-state.ts';

export type Trend = 'up' | 'down' | 'sideways';
export type VolatilityRegime = 'low' | 'normal' | 'high' | 'extreme';
export type Regime = 'trend_up' | 'trend_down' | 'range' | 'volatile' | 'transition';

/** Slope of ln(close) beyond which it is a trend, percent a year: about what a year of the index brings. */
export const TREND_SLOPE_PCT = 10;
/** Wilder's own line under which nothing trends. */
export const WEAK_ADX = 20;
/** Where the percentile of ATR over close makes volatility normal, high, extreme. */
export const VOLATILITY_FROM = { normal: 25, high: 75, extreme: 95 } as const;
/** Shares of stocks above their 50-session mean that make breadth strong and weak. */
export const STRONG_BREADTH = 0.6;
export const WEAK_BREADTH = 0.4;
/** Rows whose ATR over close the last is ranked among, and the fewest of them. */
export const VOLATILITY_ROWS = 252;
const FEWEST_ROWS = 60;

/** NaN: not known. */
export interface TrendInputs {
  readonly price: number;
  readonly sma50: number;
  readonly sma200: number;
  /** Percent a year. */
  readonly slopePct: number;
}

export interface RegimeInputs {
  readonly stock: TrendInputs & { readonly adx: number };
  readonly index: TrendInputs;
  /** See `volatilityPercentile`. */
  readonly volatilityPercentile: number;
  readonly vix: VixRegime | null;
  /** Share of stocks above their 50-session mean, 0 to 1. */
  readonly breadth: number;
}

/** A condition that supports some regimes; the rule fires when it is met. */
export interface RegimeRule {
  readonly name: string;
  readonly supports: readonly Regime[];
  readonly when: Condition;
}

/** A rule as it is written under its name: one with two sides as the long, with `[long|short]` in its name and its regimes. */
export type Written<Of extends RegimeRule> = Omit<Of, 'name' | 'supports'> & {
  readonly supports: readonly (Regime | 'trend_[up|down]')[];
};

const TREND = ['trend_[up|down]'] as const;
const NO_TREND = ['range', 'transition'] as const;
const QUIET = ['trend_up', 'trend_down', 'range'] as const;

const WRITTEN: Readonly<Record<string, Written<RegimeRule>>> = {
  'price_[above|below]_sma_50': { supports: TREND, when: ['price', '>', 'sma50'] },
  'sma_50_[above|below]_sma_200': { supports: TREND, when: ['sma50', '>', 'sma200'] },
  'slope_[rising|falling]': { supports: TREND, when: ['slopePct', '>', TREND_SLOPE_PCT] },
  slope_flat: {
    supports: NO_TREND,
    when: all(['slopePct', '>=', -TREND_SLOPE_PCT], ['slopePct', '<=', TREND_SLOPE_PCT]),
  },
  adx_trending: { supports: ['trend_up', 'trend_down'], when: ['adx', '>=', WEAK_ADX] },
  adx_weak: { supports: NO_TREND, when: ['adx', '<', WEAK_ADX] },
  volatility_low: { supports: QUIET, when: ['volatility', 'is', 'low'] },
  volatility_normal: { supports: QUIET, when: ['volatility', 'is', 'normal'] },
  volatility_high: { supports: ['transition', 'volatile'], when: ['volatility', 'is', 'high'] },
  volatility_extreme: { supports: ['volatile'], when: ['volatility', 'is', 'extreme'] },
  vix_complacent: { supports: ['trend_up', 'range'], when: ['vix', 'is', 'COMPLACENT'] },
  vix_normal: { supports: ['trend_up', 'range'], when: ['vix', 'is', 'NORMAL'] },
  vix_elevated: { supports: ['trend_down', 'transition'], when: ['vix', 'is', 'ELEVATED'] },
  vix_extreme_fear: { supports: ['volatile'], when: ['vix', 'is', 'EXTREME_FEAR'] },
  'index_[up|down]': { supports: TREND, when: ['indexTrend', 'is', '[up|down]'] },
  index_sideways: { supports: NO_TREND, when: ['indexTrend', 'is', 'sideways'] },
  'breadth_[strong|weak]': { supports: TREND, when: ['breadth', '>=', STRONG_BREADTH] },
  breadth_mixed: {
    supports: NO_TREND,
    when: all(['breadth', '>', WEAK_BREADTH], ['breadth', '<', STRONG_BREADTH]),
  },
};

/** Of what has two sides only breadth, a share, mirrors about a half. */
const mirrorOf: MirrorOf = (as) => ({ as, sign: -1, about: as === 'breadth' ? 1 : 0 });

export const RULES = bothSides(named(WRITTEN), mirrorOf) as readonly RegimeRule[];

const OF_MARKET = ['vix', 'indexTrend', 'breadth'];
/** They follow those of the stock. */
const MARKET_RULES = RULES.filter(({ when }) => inputsOf(when).every((input) => OF_MARKET.includes(input)));
const STOCK_RULES = RULES.filter((rule) => !MARKET_RULES.includes(rule));

/** The first whose condition is met is the regime of the stock. */
const REGIMES: readonly { readonly regime: Regime; readonly when: Condition }[] = [
  { regime: 'volatile', when: ['volatility', 'is', 'extreme'] },
  { regime: 'volatile', when: ['vix', 'is', 'EXTREME_FEAR'] },
  { regime: 'trend_up', when: ['trend', 'is', 'up'] },
  { regime: 'trend_down', when: ['trend', 'is', 'down'] },
  { regime: 'transition', when: all(['trend', 'is', 'sideways'], ['volatility', 'is', 'high']) },
  { regime: 'range', when: all(['trend', 'is', 'sideways'], known('volatility')) },
];

/**
 * The regime of a stock: `volatile` when its own volatility is extreme or the VIX is in EXTREME_FEAR; else the trend
 * where there is one; a stock that goes sideways is in `range` when its volatility is low or normal and in
 * `transition` when it is high. Null when the trend is not known and nothing is volatile, or when a sideways stock's
 * volatility is not known.
 */
export function regime({ stock, index, vix, breadth, ...inputs }: RegimeInputs) {
  const trend = stock.adx < WEAK_ADX ? 'sideways' : trendOf(stock);
  const volatility = volatilityRegime(inputs.volatilityPercentile);
  const market = marketOf(index, vix, breadth);
  const isMet = metBy({ ...stock, trend, volatility, vix });
  const fired = [...STOCK_RULES.filter(isMet), ...market.fired];
  const regime = REGIMES.find(isMet)?.regime ?? null;
  const rulesFired = fired.map(({ name }) => name);
  const confidence = confidenceIn(regime, fired);
  return { regime, trend, volatility, indexTrend: market.indexTrend, rulesFired, confidence };
}

const metBy = (values: Readonly<Record<string, string | number | null>>) => {
  const valueFor = (input: string) => values[input];
  return ({ when }: { readonly when: Condition }): boolean => verdict(when, valueFor) === 'met';
};

/** The same for all stocks of a minute. */
const marketOf = onceFor((index: TrendInputs, vix: VixRegime | null, breadth: number) => {
  const indexTrend = trendOf(index);
  return { indexTrend, fired: MARKET_RULES.filter(metBy({ vix, indexTrend, breadth })) };
});

/** Share of the fired rules that support a regime, 0 to 1; NaN without one. */
export function confidenceIn(regime: Regime | null, fired: readonly Pick<RegimeRule, 'supports'>[]): number {
  if (regime === null) return Number.NaN;
  return fired.filter(({ supports }) => supports.includes(regime)).length / fired.length;
}

/**
 * Two of three votes: price against its 50-session mean, that against the 200-session mean, the slope beyond 10 % a
 * year; else sideways. Null with fewer than two votes known.
 */
export function trendOf({ price, sma50, sma200, slopePct }: TrendInputs): Trend | null {
  let known = 0;
  let sum = 0;
  for (const vote of [Math.sign(price - sma50), Math.sign(sma50 - sma200), slopeVote(slopePct)]) {
    if (Number.isNaN(vote)) continue;
    known++;
    sum += vote;
  }
  if (known < 2) return null;
  if (sum >= 2) return 'up';
  return sum <= -2 ? 'down' : 'sideways';
}

function slopeVote(slopePct: number): number {
  if (Number.isNaN(slopePct)) return Number.NaN;
  return slopePct > TREND_SLOPE_PCT ? 1 : slopePct < -TREND_SLOPE_PCT ? -1 : 0;
}

/** The band of a percentile, each bound belonging to the wilder side; null for NaN. */
export function volatilityRegime(percentile: number): VolatilityRegime | null {
  if (Number.isNaN(percentile)) return null;
  if (percentile >= VOLATILITY_FROM.extreme) return 'extreme';
  if (percentile >= VOLATILITY_FROM.high) return 'high';
  return percentile >= VOLATILITY_FROM.normal ? 'normal' : 'low';
}

/** Share of the 252 rows before `row` with a smaller ATR over close, percent; NaN with fewer than 60. */
export function volatilityPercentile(atr: Float64Array, close: Float64Array, row: number): number {
  const now = atr[row]! / close[row]!;
  let rows = 0;
  let smaller = 0;
  for (let at = Math.max(0, row - VOLATILITY_ROWS); at < row; at++) {
    const then = atr[at]! / close[at]!;
    if (Number.isNaN(then)) continue;
    rows++;
    if (then < now) smaller++;
  }
  return rows < FEWEST_ROWS || Number.isNaN(now) ? Number.NaN : (smaller / rows) * 100;
}

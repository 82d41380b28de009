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

export interface RegimeReading {
  readonly regime: Regime | null;
  readonly trend: Trend | null;
  readonly volatility: VolatilityRegime | null;
  readonly indexTrend: Trend | null;
  readonly rulesFired: readonly string[];
  /** Share of the fired rules that support the regime, 0 to 1; NaN without a regime. */
  readonly confidence: number;
}

/** Which regimes each rule speaks for. A rule fires when its condition is known and holds. */
export const RULES = {
  price_above_sma_50: ['trend_up'],
  price_below_sma_50: ['trend_down'],
  sma_50_above_sma_200: ['trend_up'],
  sma_50_below_sma_200: ['trend_down'],
  slope_rising: ['trend_up'],
  slope_falling: ['trend_down'],
  slope_flat: ['range', 'transition'],
  adx_trending: ['trend_up', 'trend_down'],
  adx_weak: ['range', 'transition'],
  volatility_low: ['trend_up', 'trend_down', 'range'],
  volatility_normal: ['trend_up', 'trend_down', 'range'],
  volatility_high: ['transition', 'volatile'],
  volatility_extreme: ['volatile'],
  vix_complacent: ['trend_up', 'range'],
  vix_normal: ['trend_up', 'range'],
  vix_elevated: ['trend_down', 'transition'],
  vix_extreme_fear: ['volatile'],
  index_up: ['trend_up'],
  index_down: ['trend_down'],
  index_sideways: ['range', 'transition'],
  breadth_strong: ['trend_up'],
  breadth_weak: ['trend_down'],
  breadth_mixed: ['range', 'transition'],
} as const satisfies Readonly<Record<string, readonly Regime[]>>;

type RuleName = keyof typeof RULES;

/**
 * The regime of a stock: `volatile` when its own volatility is extreme or the VIX is in EXTREME_FEAR; else the trend
 * where there is one; a stock that goes sideways is in `range` when its volatility is low or normal and in
 * `transition` when it is high. Null when the trend is not known and nothing is volatile, or when a sideways stock's
 * volatility is not known.
 */
export function regime(inputs: RegimeInputs): RegimeReading {
  const { stock, vix } = inputs;
  const trend = stock.adx < WEAK_ADX ? 'sideways' : trendOf(stock);
  const volatility = volatilityRegime(inputs.volatilityPercentile);
  const indexTrend = trendOf(inputs.index);
  const rulesFired = firedRules(inputs, volatility, indexTrend);
  const found = regimeOf(trend, volatility, vix);
  const supporting = rulesFired.filter(
    (rule) => found !== null && (RULES[rule] as readonly Regime[]).includes(found),
  );
  return {
    regime: found,
    trend,
    volatility,
    indexTrend,
    rulesFired,
    confidence: found === null ? Number.NaN : supporting.length / rulesFired.length,
  };
}

function regimeOf(
  trend: Trend | null,
  volatility: VolatilityRegime | null,
  vix: VixRegime | null,
): Regime | null {
  if (volatility === 'extreme' || vix === 'EXTREME_FEAR') return 'volatile';
  if (trend === null) return null;
  if (trend !== 'sideways') return trend === 'up' ? 'trend_up' : 'trend_down';
  if (volatility === null) return null;
  return volatility === 'high' ? 'transition' : 'range';
}

/**
 * Two of three votes: price against its 50-session mean, that against the 200-session mean, the slope beyond 10 % a
 * year; else sideways. Null with fewer than two votes known.
 */
export function trendOf(inputs: TrendInputs): Trend | null {
  const votes = trendVotes(inputs).filter((vote) => !Number.isNaN(vote));
  if (votes.length < 2) return null;
  const sum = votes.reduce((total, vote) => total + vote, 0);
  if (sum >= 2) return 'up';
  return sum <= -2 ? 'down' : 'sideways';
}

function trendVotes({ price, sma50, sma200, slopePct }: TrendInputs): number[] {
  return [Math.sign(price - sma50), Math.sign(sma50 - sma200), slopeVote(slopePct)];
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

function firedRules(
  { stock, vix, breadth }: RegimeInputs,
  volatility: VolatilityRegime | null,
  indexTrend: Trend | null,
): RuleName[] {
  const { price, sma50, sma200, slopePct, adx } = stock;
  const slope = slopeVote(slopePct);
  const fired: (RuleName | false | null)[] = [
    price > sma50 && 'price_above_sma_50',
    price < sma50 && 'price_below_sma_50',
    sma50 > sma200 && 'sma_50_above_sma_200',
    sma50 < sma200 && 'sma_50_below_sma_200',
    slope === 1 && 'slope_rising',
    slope === -1 && 'slope_falling',
    slope === 0 && 'slope_flat',
    adx >= WEAK_ADX && 'adx_trending',
    adx < WEAK_ADX && 'adx_weak',
    volatility && (`volatility_${volatility}` as const),
    vix && (`vix_${vix.toLowerCase()}` as RuleName),
    indexTrend && (`index_${indexTrend}` as const),
    breadth >= STRONG_BREADTH && 'breadth_strong',
    breadth <= WEAK_BREADTH && 'breadth_weak',
    breadth > WEAK_BREADTH && breadth < STRONG_BREADTH && 'breadth_mixed',
  ];
  return fired.filter((rule) => typeof rule === 'string');
}

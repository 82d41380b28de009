import type { VixRegime } from './market-state.ts';
import {
  type Regime,
  STRONG_BREADTH,
  TREND_SLOPE_PCT,
  type Trend,
  type TrendInputs,
  trendOf,
  WEAK_BREADTH,
} from './scoring/regime.ts';

/**
 * The regime of the market as a whole, by the words and thresholds of the regime of a stock (`scoring/regime.ts`): a list
 * of rules, each a condition over what is known, the regimes that it speaks for, and the sentence that it says with the
 * figures in it.
 */

export const MARKET_REGIME_VERSION = 'market-regime-v1';

/** Advancers over decliners from which on a day is one-sided: two to one, as market technicians count. */
const ONE_SIDED_RATIO = 2;

/** NaN: not known. */
export interface MarketRegimeInputs {
  /** What stands for the market, e.g. `SPY`. */
  readonly indexSymbol: string;
  readonly index: TrendInputs;
  readonly vix: VixRegime | null;
  readonly vixLevel: number;
  /** Shares of stocks above their 50-session mean, percent. */
  readonly aboveSma50Pct: number;
  readonly advancers: number;
  readonly decliners: number;
  readonly newHighs: number;
  readonly newLows: number;
}

/** A number that a rule looked at. */
export interface RuleFigure {
  /** Where it stands in a market context, e.g. `index.sma_50`. */
  readonly field: string;
  readonly value: number;
  readonly unit: 'price' | 'percent' | 'index points' | 'count' | 'percent a year';
}

export interface FiredRule {
  readonly rule: MarketRuleName;
  readonly says: string;
  readonly figures: readonly RuleFigure[];
  /** The regimes that it speaks for. */
  readonly supports: readonly Regime[];
}

export interface MarketRegimeReading {
  readonly regime: Regime | null;
  readonly indexTrend: Trend | null;
  /** The rules that settled the regime; empty without one. */
  readonly decidedBy: readonly MarketRuleName[];
  /** In the order of the list. */
  readonly rulesFired: readonly FiredRule[];
  /** Share of the fired rules that speak for the regime, 0 to 1; NaN without one. */
  readonly confidence: number;
}

/** What is known, with the trend that follows. */
interface Known extends MarketRegimeInputs {
  readonly trend: Trend | null;
}

interface MarketRule {
  readonly name: string;
  readonly supports: readonly Regime[];
  readonly holds: (known: Known) => boolean;
  readonly figures: (known: Known) => readonly RuleFigure[];
  readonly says: (known: Known) => string;
}

/** A number as a sentence quotes it. */
const rounded = (value: number): string => String(Number(value.toFixed(2)));

const last = ({ index }: Known): RuleFigure => ({ field: 'index.last', value: index.price, unit: 'price' });
const sma50 = ({ index }: Known): RuleFigure => ({
  field: 'index.sma_50',
  value: index.sma50,
  unit: 'price',
});
const sma200 = ({ index }: Known): RuleFigure => ({
  field: 'index.sma_200',
  value: index.sma200,
  unit: 'price',
});
const slope = ({ index }: Known): RuleFigure => ({
  field: 'index.slope_20_pct',
  value: index.slopePct,
  unit: 'percent a year',
});
const vixLevel = (known: Known): RuleFigure => ({
  field: 'vix.level',
  value: known.vixLevel,
  unit: 'index points',
});
const breadth = (known: Known): RuleFigure => ({
  field: 'breadth.above_sma_50_pct',
  value: known.aboveSma50Pct,
  unit: 'percent',
});
const count = (field: string, value: number): RuleFigure => ({ field, value, unit: 'count' });
const sides = (known: Known): readonly RuleFigure[] => [
  count('breadth.advancers', known.advancers),
  count('breadth.decliners', known.decliners),
];
const extremes = (known: Known): readonly RuleFigure[] => [
  count('breadth.new_highs_252', known.newHighs),
  count('breadth.new_lows_252', known.newLows),
];

const STRONG_PCT = STRONG_BREADTH * 100;
const WEAK_PCT = WEAK_BREADTH * 100;

/** In the order in which they are stated. */
export const MARKET_RULES = [
  {
    name: 'index_above_sma_50',
    supports: ['trend_up'],
    holds: ({ index }) => index.price > index.sma50,
    figures: (known) => [last(known), sma50(known)],
    says: (known) =>
      `${known.indexSymbol} at ${rounded(known.index.price)} is above its SMA50 of ${rounded(known.index.sma50)}.`,
  },
  {
    name: 'index_below_sma_50',
    supports: ['trend_down'],
    holds: ({ index }) => index.price < index.sma50,
    figures: (known) => [last(known), sma50(known)],
    says: (known) =>
      `${known.indexSymbol} at ${rounded(known.index.price)} is below its SMA50 of ${rounded(known.index.sma50)}.`,
  },
  {
    name: 'sma_50_above_sma_200',
    supports: ['trend_up'],
    holds: ({ index }) => index.sma50 > index.sma200,
    figures: (known) => [sma50(known), sma200(known)],
    says: ({ indexSymbol, index }) =>
      `The SMA50 of ${indexSymbol}, ${rounded(index.sma50)}, is above its SMA200 of ${rounded(index.sma200)}.`,
  },
  {
    name: 'sma_50_below_sma_200',
    supports: ['trend_down'],
    holds: ({ index }) => index.sma50 < index.sma200,
    figures: (known) => [sma50(known), sma200(known)],
    says: ({ indexSymbol, index }) =>
      `The SMA50 of ${indexSymbol}, ${rounded(index.sma50)}, is below its SMA200 of ${rounded(index.sma200)}.`,
  },
  {
    name: 'slope_rising',
    supports: ['trend_up'],
    holds: ({ index }) => index.slopePct > TREND_SLOPE_PCT,
    figures: (known) => [slope(known)],
    says: ({ indexSymbol, index }) =>
      `${indexSymbol} has been rising at ${rounded(index.slopePct)} % a year over the last month.`,
  },
  {
    name: 'slope_falling',
    supports: ['trend_down'],
    holds: ({ index }) => index.slopePct < -TREND_SLOPE_PCT,
    figures: (known) => [slope(known)],
    says: ({ indexSymbol, index }) =>
      `${indexSymbol} has been falling over the last month, at ${rounded(index.slopePct)} % a year.`,
  },
  {
    name: 'slope_flat',
    supports: ['range', 'transition'],
    holds: ({ index }) => Math.abs(index.slopePct) <= TREND_SLOPE_PCT,
    figures: (known) => [slope(known)],
    says: ({ indexSymbol, index }) =>
      `${indexSymbol} has gone nowhere over the last month, at ${rounded(index.slopePct)} % a year.`,
  },
  {
    name: 'index_up',
    supports: ['trend_up'],
    holds: ({ trend }) => trend === 'up',
    figures: () => [],
    says: ({ indexSymbol }) => `Price, averages and slope together put ${indexSymbol} in an uptrend.`,
  },
  {
    name: 'index_down',
    supports: ['trend_down'],
    holds: ({ trend }) => trend === 'down',
    figures: () => [],
    says: ({ indexSymbol }) => `Price, averages and slope together put ${indexSymbol} in a downtrend.`,
  },
  {
    name: 'index_sideways',
    supports: ['range', 'transition'],
    holds: ({ trend }) => trend === 'sideways',
    figures: () => [],
    says: ({ indexSymbol }) => `Price, averages and slope of ${indexSymbol} disagree: no trend.`,
  },
  {
    name: 'vix_complacent',
    supports: ['trend_up', 'range'],
    holds: ({ vix }) => vix === 'COMPLACENT',
    figures: (known) => [vixLevel(known)],
    says: (known) => `The VIX at ${rounded(known.vixLevel)} is complacent.`,
  },
  {
    name: 'vix_normal',
    supports: ['trend_up', 'range'],
    holds: ({ vix }) => vix === 'NORMAL',
    figures: (known) => [vixLevel(known)],
    says: (known) => `The VIX at ${rounded(known.vixLevel)} is normal.`,
  },
  {
    name: 'vix_elevated',
    supports: ['trend_down', 'transition'],
    holds: ({ vix }) => vix === 'ELEVATED',
    figures: (known) => [vixLevel(known)],
    says: (known) => `The VIX at ${rounded(known.vixLevel)} is elevated.`,
  },
  {
    name: 'vix_extreme_fear',
    supports: ['volatile'],
    holds: ({ vix }) => vix === 'EXTREME_FEAR',
    figures: (known) => [vixLevel(known)],
    says: (known) => `The VIX at ${rounded(known.vixLevel)} shows extreme fear.`,
  },
  {
    name: 'breadth_strong',
    supports: ['trend_up'],
    holds: ({ aboveSma50Pct }) => aboveSma50Pct >= STRONG_PCT,
    figures: (known) => [breadth(known)],
    says: (known) => `Breadth is strong: ${rounded(known.aboveSma50Pct)} % of stocks are above their SMA50.`,
  },
  {
    name: 'breadth_weak',
    supports: ['trend_down'],
    holds: ({ aboveSma50Pct }) => aboveSma50Pct <= WEAK_PCT,
    figures: (known) => [breadth(known)],
    says: (known) => `Breadth is weak: ${rounded(known.aboveSma50Pct)} % of stocks are above their SMA50.`,
  },
  {
    name: 'breadth_mixed',
    supports: ['range', 'transition'],
    holds: ({ aboveSma50Pct }) => aboveSma50Pct > WEAK_PCT && aboveSma50Pct < STRONG_PCT,
    figures: (known) => [breadth(known)],
    says: (known) => `Breadth is mixed: ${rounded(known.aboveSma50Pct)} % of stocks are above their SMA50.`,
  },
  {
    name: 'advancers_lead',
    supports: ['trend_up'],
    holds: ({ advancers, decliners }) => advancers > 0 && advancers >= ONE_SIDED_RATIO * decliners,
    figures: sides,
    says: ({ advancers, decliners }) =>
      `Buyers had the day: ${rounded(advancers)} stocks rose and ${rounded(decliners)} fell.`,
  },
  {
    name: 'decliners_lead',
    supports: ['trend_down'],
    holds: ({ advancers, decliners }) => decliners > 0 && decliners >= ONE_SIDED_RATIO * advancers,
    figures: sides,
    says: ({ advancers, decliners }) =>
      `Sellers had the day: ${rounded(decliners)} stocks fell and ${rounded(advancers)} rose.`,
  },
  {
    name: 'new_highs_lead',
    supports: ['trend_up'],
    holds: ({ newHighs, newLows }) => newHighs > newLows,
    figures: extremes,
    says: ({ newHighs, newLows }) =>
      `More stocks made a high of the year than a low: ${rounded(newHighs)} against ${rounded(newLows)}.`,
  },
  {
    name: 'new_lows_lead',
    supports: ['trend_down'],
    holds: ({ newHighs, newLows }) => newLows > newHighs,
    figures: extremes,
    says: ({ newHighs, newLows }) =>
      `More stocks made a low of the year than a high: ${rounded(newLows)} against ${rounded(newHighs)}.`,
  },
  {
    name: 'narrow_advance',
    supports: ['transition'],
    holds: ({ trend, aboveSma50Pct }) => trend === 'up' && aboveSma50Pct <= WEAK_PCT,
    figures: (known) => [breadth(known)],
    says: ({ indexSymbol, aboveSma50Pct }) =>
      `${indexSymbol} rises without its stocks: only ${rounded(aboveSma50Pct)} % of them are above their SMA50.`,
  },
  {
    name: 'narrow_decline',
    supports: ['transition'],
    holds: ({ trend, aboveSma50Pct }) => trend === 'down' && aboveSma50Pct >= STRONG_PCT,
    figures: (known) => [breadth(known)],
    says: ({ indexSymbol, aboveSma50Pct }) =>
      `${indexSymbol} falls without its stocks: ${rounded(aboveSma50Pct)} % of them are above their SMA50.`,
  },
] as const satisfies readonly MarketRule[];

export type MarketRuleName = (typeof MARKET_RULES)[number]['name'];

/**
 * The regime of the market: `volatile` when the VIX shows extreme fear; else the trend of the index, unless breadth
 * speaks against it, which is a `transition`; an index without a trend is in `range` when the VIX is complacent or
 * normal and in `transition` when it is elevated. Null when the trend is not known and nothing is volatile, or when a
 * sideways index has no VIX beside it.
 */
export function marketRegime(inputs: MarketRegimeInputs): MarketRegimeReading {
  const known: Known = { ...inputs, trend: trendOf(inputs.index) };
  const rulesFired = MARKET_RULES.filter((rule) => rule.holds(known)).map(
    ({ name, supports, figures, says }): FiredRule => ({
      rule: name,
      says: says(known),
      figures: figures(known),
      supports,
    }),
  );
  const { regime, decidedBy } = decide(new Set(rulesFired.map(({ rule }) => rule)), known.vix !== null);
  const supporting = rulesFired.filter(({ supports }) => regime !== null && supports.includes(regime));
  return {
    regime,
    indexTrend: known.trend,
    decidedBy,
    rulesFired,
    confidence: regime === null ? Number.NaN : supporting.length / rulesFired.length,
  };
}

interface Decision {
  readonly regime: Regime | null;
  readonly decidedBy: readonly MarketRuleName[];
}

function decide(fired: ReadonlySet<MarketRuleName>, vixIsKnown: boolean): Decision {
  if (fired.has('vix_extreme_fear')) return { regime: 'volatile', decidedBy: ['vix_extreme_fear'] };
  if (fired.has('narrow_advance')) return { regime: 'transition', decidedBy: ['index_up', 'narrow_advance'] };
  if (fired.has('index_up')) return { regime: 'trend_up', decidedBy: ['index_up'] };
  if (fired.has('narrow_decline'))
    return { regime: 'transition', decidedBy: ['index_down', 'narrow_decline'] };
  if (fired.has('index_down')) return { regime: 'trend_down', decidedBy: ['index_down'] };
  if (!fired.has('index_sideways') || !vixIsKnown) return { regime: null, decidedBy: [] };
  if (fired.has('vix_elevated'))
    return { regime: 'transition', decidedBy: ['index_sideways', 'vix_elevated'] };
  return {
    regime: 'range',
    decidedBy: ['index_sideways', fired.has('vix_complacent') ? 'vix_complacent' : 'vix_normal'],
  };
}

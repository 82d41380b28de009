import { all, bothSides, filled, holds, inputsOf, type MirrorOf, named, quotedIn } from './conditions.ts';
import type { VixRegime } from './market-state.ts';
import {
  confidenceIn,
  type Regime,
  type RegimeRule,
  STRONG_BREADTH,
  TREND_SLOPE_PCT,
  type Trend,
  type TrendInputs,
  trendOf,
  WEAK_BREADTH,
  type Written,
} from './scoring/regime.ts';

/**
 * The regime of the market as a whole, by the words and thresholds of the regime of a stock (`scoring/regime.ts`): a list
 * of rules, each a condition, the regimes that it speaks for, and the sentence that it says with its figures.
 */

export const MARKET_REGIME_VERSION = 'market-regime-v1';

/** Advancers over decliners from which on a day is one-sided: two to one, as market technicians count. */
const ONE_SIDED_RATIO = 2;

/** NaN: not known. */
export interface MarketRegimeInputs {
  /** The index or the fund that is read for the market, e.g. `SPY`. */
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

export interface RuleFigure {
  /** Its place in a market context, e.g. `index.sma_50`. */
  readonly field: string;
  readonly value: number;
  readonly unit: 'price' | 'percent' | 'index points' | 'count' | 'percent a year';
}

export interface FiredRule {
  readonly rule: string;
  readonly says: string;
  readonly figures: readonly RuleFigure[];
  /** The regimes that the rule supports. */
  readonly supports: readonly Regime[];
}

export interface MarketRegimeReading {
  readonly regime: Regime | null;
  readonly indexTrend: Trend | null;
  /** The rules that settled the regime; empty without one. */
  readonly decidedBy: readonly string[];
  /** In the order of the list. */
  readonly rulesFired: readonly FiredRule[];
  /** Share of the fired rules that support the regime, 0 to 1; NaN without one. */
  readonly confidence: number;
}

interface MarketRule extends RegimeRule {
  readonly says: string;
}

/** The numbers that rules read, by their place in a market context, in the order in which a rule lists them. */
const UNITS: ReadonlyMap<string, RuleFigure['unit']> = new Map([
  ['index.last', 'price'],
  ['index.sma_50', 'price'],
  ['index.sma_200', 'price'],
  ['index.slope_20_pct', 'percent a year'],
  ['vix.level', 'index points'],
  ['breadth.above_sma_50_pct', 'percent'],
  ['breadth.advancers', 'count'],
  ['breadth.decliners', 'count'],
  ['breadth.new_highs_252', 'count'],
  ['breadth.new_lows_252', 'count'],
]);

const SLOPE = 'index.slope_20_pct';
const BREADTH = 'breadth.above_sma_50_pct';
const STRONG_PCT = STRONG_BREADTH * 100;
const WEAK_PCT = WEAK_BREADTH * 100;

const WRITTEN: Readonly<Record<string, Written<MarketRule>>> = {
  'index_[above|below]_sma_50': {
    supports: ['trend_[up|down]'],
    when: ['index.last', '>', 'index.sma_50'],
    says: '{index.symbol} at {index.last} is [above|below] its SMA50 of {index.sma_50}.',
  },
  'sma_50_[above|below]_sma_200': {
    supports: ['trend_[up|down]'],
    when: ['index.sma_50', '>', 'index.sma_200'],
    says: 'The SMA50 of {index.symbol}, {index.sma_50}, is [above|below] its SMA200 of {index.sma_200}.',
  },
  'slope_[rising|falling]': {
    supports: ['trend_[up|down]'],
    when: [SLOPE, '>', TREND_SLOPE_PCT],
    // A slope a year passes -100 %: the sentence leaves it to the figures.
    says: '{index.symbol} has been [rising|falling] over the last month.',
  },
  slope_flat: {
    supports: ['range', 'transition'],
    when: all([SLOPE, '>=', -TREND_SLOPE_PCT], [SLOPE, '<=', TREND_SLOPE_PCT]),
    says: '{index.symbol} has gone nowhere over the last month.',
  },
  'index_[up|down]': {
    supports: ['trend_[up|down]'],
    when: ['index.trend', 'is', '[up|down]'],
    says: 'Price, averages and slope together put {index.symbol} in [an uptrend|a downtrend].',
  },
  index_sideways: {
    supports: ['range', 'transition'],
    when: ['index.trend', 'is', 'sideways'],
    says: 'Price, averages and slope of {index.symbol} disagree: no trend.',
  },
  vix_complacent: {
    supports: ['trend_up', 'range'],
    when: ['vix.regime', 'is', 'COMPLACENT'],
    says: 'The VIX at {vix.level} is complacent.',
  },
  vix_normal: {
    supports: ['trend_up', 'range'],
    when: ['vix.regime', 'is', 'NORMAL'],
    says: 'The VIX at {vix.level} is normal.',
  },
  vix_elevated: {
    supports: ['trend_down', 'transition'],
    when: ['vix.regime', 'is', 'ELEVATED'],
    says: 'The VIX at {vix.level} is elevated.',
  },
  vix_extreme_fear: {
    supports: ['volatile'],
    when: ['vix.regime', 'is', 'EXTREME_FEAR'],
    says: 'The VIX at {vix.level} shows extreme fear.',
  },
  'breadth_[strong|weak]': {
    supports: ['trend_[up|down]'],
    when: [BREADTH, '>=', STRONG_PCT],
    says: `Breadth is [strong|weak]: {${BREADTH}} % of stocks are above their SMA50.`,
  },
  breadth_mixed: {
    supports: ['range', 'transition'],
    when: all([BREADTH, '>', WEAK_PCT], [BREADTH, '<', STRONG_PCT]),
    says: `Breadth is mixed: {${BREADTH}} % of stocks are above their SMA50.`,
  },
  '[advancers|decliners]_lead': {
    supports: ['trend_[up|down]'],
    when: all(
      ['breadth.[advancers|decliners]', '>', 0],
      ['breadth.[advancers|decliners]', '>=', [ONE_SIDED_RATIO, 'breadth.[decliners|advancers]']],
    ),
    says: '[Buyers|Sellers] had the day: {breadth.[advancers|decliners]} stocks [rose|fell] and {breadth.[decliners|advancers]} [fell|rose].',
  },
  'new_[highs|lows]_lead': {
    supports: ['trend_[up|down]'],
    when: ['breadth.new_[highs|lows]_252', '>', 'breadth.new_[lows|highs]_252'],
    says: 'More stocks made a [high|low] of the year than a [low|high]: {breadth.new_[highs|lows]_252} against {breadth.new_[lows|highs]_252}.',
  },
  'narrow_[advance|decline]': {
    supports: ['transition'],
    when: all(['index.trend', 'is', '[up|down]'], [BREADTH, '<=', WEAK_PCT]),
    says: `{index.symbol} [rises|falls] without its stocks: [only |]{${BREADTH}} % of them are above their SMA50.`,
  },
};

/** Prices and the slope change their sign, the share of stocks mirrors about a half, counts change places. */
const mirrorOf: MirrorOf = (as) => {
  if (as === BREADTH) return { as, sign: -1, about: 100 };
  return { as, sign: as.startsWith('breadth.') ? 1 : -1, about: 0 };
};

/** In the order in which an answer lists them. */
export const MARKET_RULES = bothSides(named(WRITTEN), mirrorOf) as readonly MarketRule[];

/** The regime of the market is the first whose rules have all fired. */
const REGIMES: readonly (readonly [Regime, ...decidedBy: string[]])[] = [
  ['volatile', 'vix_extreme_fear'],
  ['transition', 'index_up', 'narrow_advance'],
  ['trend_up', 'index_up'],
  ['transition', 'index_down', 'narrow_decline'],
  ['trend_down', 'index_down'],
  ['transition', 'index_sideways', 'vix_elevated'],
  ['range', 'index_sideways', 'vix_complacent'],
  ['range', 'index_sideways', 'vix_normal'],
];

/**
 * The regime of the market: `volatile` when the VIX shows extreme fear; else the trend of the index, or `transition`
 * where breadth contradicts it. An index without a trend is in `range` when the VIX is complacent or normal and in
 * `transition` when it is elevated. Null when the trend is unknown and nothing is volatile, or for a sideways index
 * without a VIX.
 */
export function marketRegime(inputs: MarketRegimeInputs): MarketRegimeReading {
  const indexTrend = trendOf(inputs.index);
  const values = new Map<string, number | string | null>([
    ['index.symbol', inputs.indexSymbol],
    ['index.last', inputs.index.price],
    ['index.sma_50', inputs.index.sma50],
    ['index.sma_200', inputs.index.sma200],
    [SLOPE, inputs.index.slopePct],
    ['index.trend', indexTrend],
    ['vix.regime', inputs.vix],
    ['vix.level', inputs.vixLevel],
    [BREADTH, inputs.aboveSma50Pct],
    ['breadth.advancers', inputs.advancers],
    ['breadth.decliners', inputs.decliners],
    ['breadth.new_highs_252', inputs.newHighs],
    ['breadth.new_lows_252', inputs.newLows],
  ]);
  const fired = MARKET_RULES.filter((rule) => holds(rule, (input) => values.get(input)));
  const names = new Set(fired.map(({ name }) => name));
  const [regime = null, ...decidedBy] =
    REGIMES.find(([, ...rules]) => rules.every((rule) => names.has(rule))) ?? [];
  const rulesFired = fired.map(({ name, says, when, supports }): FiredRule => {
    const used = new Set([...quotedIn(says), ...inputsOf(when)]);
    return {
      rule: name,
      says: filled(says, (input) => inSentence(values.get(input), UNITS.get(input))),
      figures: [...UNITS]
        .filter(([field]) => used.has(field))
        .map(([field, unit]) => ({ field, value: values.get(field) as number, unit })),
      supports,
    };
  });
  return { regime, indexTrend, decidedBy, rulesFired, confidence: confidenceIn(regime, fired) };
}

/** A number as a sentence quotes it: a price with its cents. */
function inSentence(value: number | string | null | undefined, unit: RuleFigure['unit'] | undefined) {
  if (typeof value !== 'number') return value;
  return unit === 'price' ? value.toFixed(2) : Number(value.toFixed(2));
}

import { atr } from '../analysis/indicators/true-range.ts';
import { VIX_REGIMES, vixRegime } from '../analysis/market-state.ts';
import { regime, volatilityPercentile } from '../analysis/scoring/regime.ts';
import { dateTime, listOf, nullableNumber, nullableOneOf, record, string } from '../base/schema.ts';
import type { MarketView } from '../market/market-view.ts';
import type { StockView } from '../market/stock-view.ts';
import { defineBlock } from './block.ts';
import { momentum } from './momentum.ts';
import { technical } from './technical.ts';
import { at, finiteOrNull } from './wire.ts';

const RegimeV5 = record(
  'RegimeV5',
  'The regime that the market and the stock are in, with the rules that fired.',
  {
    regime: nullableOneOf(
      ['trend_up', 'trend_down', 'range', 'volatile', 'transition'],
      'The regime that the stock trades in.',
    ),
    trend_regime: nullableOneOf(['up', 'down', 'sideways'], 'Trend of the stock on daily bars.'),
    volatility_regime: nullableOneOf(
      ['low', 'normal', 'high', 'extreme'],
      'Band of ATR(14) over close against the 252 sessions before.',
    ),
    vix_regime: nullableOneOf(VIX_REGIMES, 'Regime of the VIX.'),
    vix: nullableNumber('VIX, index points.', { minimum: 0 }),
    vix_percentile: nullableNumber('Share of the last 252 sessions with a lower VIX, percent.', {
      minimum: 0,
      maximum: 100,
    }),
    breadth: nullableNumber('Share of stocks above their SMA50, 0-1.', { minimum: 0, maximum: 1 }),
    index_trend: nullableOneOf(['up', 'down', 'sideways'], 'Trend of the index on daily bars.'),
    confidence: nullableNumber('Share of the fired rules that support the regime, 0-1.', {
      minimum: 0,
      maximum: 1,
    }),
    rules_fired: listOf(string('Rule.'), 'Names of the rules that fired.'),
    formula_version: string('Version of the rules.'),
    computed_at: dateTime('When the regime was computed.'),
  },
);

const UNKNOWN = Number.NaN;

/** The regime by what is known of the stock and of the market; null when no rule can be read. */
export const regimeV5 = defineBlock({
  name: 'regime_v5',
  schema: RegimeV5,
  flat: {},
  reads: [momentum, technical],
  derive(view, known, market) {
    const averages = known(technical).nested?.moving_averages;
    const level = market.vix?.level ?? null;
    const vix = level === null ? null : vixRegime(level);
    const breadth = market.breadth?.aboveSma50 ?? null;
    const reading = regime({
      stock: {
        price: at(view.dailyNow.close, view.dailyNow.close.length - 1) ?? UNKNOWN,
        sma50: averages?.sma_50 ?? UNKNOWN,
        sma200: averages?.sma_200 ?? UNKNOWN,
        slopePct: known(momentum).flat.momentum_slope_60d ?? UNKNOWN,
        adx: known(technical).nested?.adx_14 ?? UNKNOWN,
      },
      index: indexTrend(market),
      volatilityPercentile: volatilityOf(view),
      vix,
      breadth: breadth ?? UNKNOWN,
    });
    if (reading.rulesFired.length === 0) return { nested: null, flat: {} };
    return {
      nested: {
        regime: reading.regime,
        trend_regime: reading.trend,
        volatility_regime: reading.volatility,
        vix_regime: vix,
        vix: level,
        vix_percentile: market.vix?.percentile252 ?? null,
        breadth,
        index_trend: reading.indexTrend,
        confidence: finiteOrNull(reading.confidence),
        rules_fired: [...reading.rulesFired],
        formula_version: 'regime-v5',
        computed_at: new Date(view.asOf).toISOString(),
      },
      flat: {},
    };
  },
});

function indexTrend({ index }: MarketView) {
  return {
    price: index?.last ?? UNKNOWN,
    sma50: index?.sma50 ?? UNKNOWN,
    sma200: index?.sma200 ?? UNKNOWN,
    slopePct: index?.slope20Pct ?? UNKNOWN,
  };
}

/** Of completed sessions: the range of a running one is narrow all morning. */
function volatilityOf({ daily: { high, low, close } }: StockView): number {
  return volatilityPercentile(atr(high, low, close, 14), close, close.length - 1);
}

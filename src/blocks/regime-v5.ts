import { atr } from '../analysis/indicators/true-range.ts';
import { VIX_REGIMES, vixRegime } from '../analysis/market-state.ts';
import { regime, volatilityPercentile } from '../analysis/scoring/regime.ts';
import { onceFor } from '../base/once-for.ts';
import * as wire from '../base/schema.ts';
import { at, finiteOrNull, instantText } from '../base/wire.ts';
import type { MarketView } from '../market/market-view.ts';
import type { BarColumns } from '../market/observations.ts';
import { nestedBlock } from './block.ts';
import { momentum } from './momentum.ts';
import { technical } from './technical.ts';

const RegimeV5 = wire.record(
  'RegimeV5',
  'The regime that the market and the stock are in, with the rules that fired.',
  {
    regime: wire.nullableOneOf(
      ['trend_up', 'trend_down', 'range', 'volatile', 'transition'],
      'The regime that the stock trades in.',
    ),
    trend_regime: wire.nullableOneOf(['up', 'down', 'sideways'], 'Trend of the stock on daily bars.'),
    volatility_regime: wire.nullableOneOf(
      ['low', 'normal', 'high', 'extreme'],
      'Band of ATR(14) over close against the 252 sessions before.',
    ),
    vix_regime: wire.nullableOneOf(VIX_REGIMES, 'Regime of the VIX.'),
    vix: wire.nullableNumber('VIX, index points.', wire.NOT_NEGATIVE),
    vix_percentile: wire.nullableNumber(
      'Share of the last 252 sessions with a lower VIX, percent.',
      wire.HUNDRED,
    ),
    breadth: wire.nullableNumber('Share of stocks above their SMA50, 0-1.', wire.FRACTION),
    index_trend: wire.nullableOneOf(['up', 'down', 'sideways'], 'Trend of the index on daily bars.'),
    confidence: wire.nullableNumber('Share of the fired rules that support the regime, 0-1.', wire.FRACTION),
    rules_fired: wire.listOf(wire.string('Rule.'), 'Names of the rules that fired.'),
    formula_version: wire.string('Version of the rules.'),
    computed_at: wire.dateTime('When the regime was computed.'),
  },
);

const UNKNOWN = Number.NaN;

/** The regime of the stock and the market; null when no rule applies. */
export const regimeV5 = nestedBlock({
  name: 'regime_v5',
  schema: RegimeV5,
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
      volatilityPercentile: volatilityOf(view.daily),
      vix,
      breadth: breadth ?? UNKNOWN,
    });
    if (reading.rulesFired.length === 0) return null;
    return {
      regime: reading.regime,
      trend_regime: reading.trend,
      volatility_regime: reading.volatility,
      vix_regime: vix,
      vix: level,
      vix_percentile: market.vix?.percentile252 ?? null,
      breadth,
      index_trend: reading.indexTrend,
      confidence: finiteOrNull(reading.confidence),
      rules_fired: reading.rulesFired,
      formula_version: 'regime-v5',
      computed_at: instantText(view.asOf),
    };
  },
});

const indexTrend = onceFor(({ index }: MarketView) => ({
  price: index?.last ?? UNKNOWN,
  sma50: index?.sma50 ?? UNKNOWN,
  sma200: index?.sma200 ?? UNKNOWN,
  slopePct: index?.slope20Pct ?? UNKNOWN,
}));

/** Completed sessions: the range of a running one is narrow all morning. */
const volatilityOf = onceFor(({ high, low, close }: BarColumns) =>
  volatilityPercentile(atr(high, low, close, 14), close, close.length - 1),
);

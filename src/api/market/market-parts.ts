import {
  type FiredRule,
  MARKET_REGIME_VERSION,
  marketRegime,
  type RuleFigure,
} from '../../analysis/market-regime.ts';
import { BREADTH_STOCKS_MIN, PERCENTILE_SESSIONS_MIN, vixRegime } from '../../analysis/market-state.ts';
import { trendOf } from '../../analysis/scoring/regime.ts';
import { dateOf } from '../../base/calendar.ts';
import { orNaN } from '../../base/wire.ts';
import { rounded } from '../../derive/rounding.ts';
import type { MarketView } from '../../tape/index.ts';
import { absence } from '../answers/absences.ts';
import type { MarketContext, MissingReason } from './schema.ts';

/** Index, VIX, breadth, sectors and regime of a market view, and why any of them is null. */
export type MarketParts = Pick<MarketContext, 'regime' | 'index' | 'vix' | 'breadth' | 'sectors'> & {
  readonly missing: MissingReason[];
};

/** @param isCompleted whether the regular session had ended at the view's instant */
export function marketParts(market: MarketView, isCompleted: boolean): MarketParts {
  const missing: MissingReason[] = [];
  const lack = (field: string, reason: string): null => {
    missing.push({ field, reason });
    return null;
  };
  const index = indexPart(market, isCompleted, lack);
  const vix = vixPart(market, lack);
  const breadth = breadthPart(market, lack);
  if (market.sectors.length === 0) {
    lack('sectors', absence('absent.sectors'));
  }
  const sectors = market.sectors.map(
    ({ rank, of, sector, stocks, return1dPct, return5dPct, return20dPct }) => ({
      rank,
      of,
      sector,
      stocks,
      return_1d_pct: return1dPct,
      return_5d_pct: return5dPct,
      return_20d_pct: return20dPct,
    }),
  );
  return { regime: regimePart(market, lack), index, vix, breadth, sectors, missing };
}

/** Adds the reason why a field is null, and returns null. */
type Lack = (field: string, reason: string) => null;

function indexPart(
  { index, tradeDate }: MarketView,
  isCompleted: boolean,
  lack: Lack,
): MarketContext['index'] {
  if (index === null) return lack('index', absence('absent.index'));
  const { symbol, last, sma50, sma200 } = index;
  const session = isCompleted ? dateOf(index.time.at(-1)!) : null;
  if (session !== null && session !== tradeDate) {
    lack('index.session', absence('absent.index_today', { symbol, date: tradeDate, session }));
  }
  const needs = (field: string, value: number | null, sessions: number): number | null =>
    value ?? lack(`index.${field}`, absence('absent.index_history', { symbol, sessions }));
  const distance = (mean: number | null): number | null => (mean === null ? null : (last / mean - 1) * 100);
  return {
    symbol,
    last,
    session,
    return_1d_pct: needs('return_1d_pct', index.return1dPct, 2),
    return_5d_pct: needs('return_5d_pct', index.return5dPct, 6),
    return_20d_pct: needs('return_20d_pct', index.return20dPct, 21),
    sma_50: needs('sma_50', sma50, 50),
    sma_200: needs('sma_200', sma200, 200),
    distance_sma_50_pct: distance(sma50),
    distance_sma_200_pct: distance(sma200),
    slope_20_pct: needs('slope_20_pct', index.slope20Pct, 20),
    trend: trendOf(trendInputs(index)) ?? lack('index.trend', absence('absent.index_trend', { symbol })),
  };
}

const trendInputs = (index: MarketView['index']) => ({
  price: orNaN(index?.last),
  sma50: orNaN(index?.sma50),
  sma200: orNaN(index?.sma200),
  slopePct: orNaN(index?.slope20Pct),
});

function vixPart({ vix }: MarketView, lack: Lack): MarketContext['vix'] {
  if (vix === null) return lack('vix', absence('absent.vix'));
  const { symbol, level, change1dPct, percentile252 } = vix;
  return {
    symbol,
    level,
    change_1d_pct: change1dPct ?? lack('vix.change_1d_pct', absence('absent.vix_before', { symbol })),
    percentile_252:
      percentile252 ??
      lack(
        'vix.percentile_252',
        absence('absent.index_history', { symbol, sessions: PERCENTILE_SESSIONS_MIN }),
      ),
    regime: vixRegime(level),
  };
}

function breadthPart({ breadth }: MarketView, lack: Lack): MarketContext['breadth'] {
  if (breadth === null) {
    return lack('breadth', absence('absent.breadth', { stocks: BREADTH_STOCKS_MIN }));
  }
  const { stocks, advancers, decliners, aboveSma50, aboveSma200 } = breadth;
  const percent = (field: string, share: number | null, sessions: number): number | null =>
    share === null
      ? lack(`breadth.${field}`, absence('absent.breadth_history', { stocks: BREADTH_STOCKS_MIN, sessions }))
      : share * 100;
  return {
    stocks,
    advancers,
    decliners,
    unchanged: stocks - advancers - decliners,
    advance_decline_ratio:
      decliners === 0
        ? lack('breadth.advance_decline_ratio', absence('absent.decliners'))
        : advancers / decliners,
    above_sma_50_pct: percent('above_sma_50_pct', aboveSma50, 50),
    above_sma_200_pct: percent('above_sma_200_pct', aboveSma200, 200),
    new_highs_252: breadth.newHighs252,
    new_lows_252: breadth.newLows252,
  };
}

function regimePart({ index, vix, breadth }: MarketView, lack: Lack): MarketContext['regime'] {
  const reading = marketRegime({
    indexSymbol: index?.symbol ?? '',
    index: trendInputs(index),
    vix: vix === null ? null : vixRegime(vix.level),
    vixLevel: orNaN(vix?.level),
    aboveSma50Pct: orNaN(breadth?.aboveSma50) * 100,
    advancers: orNaN(breadth?.advancers),
    decliners: orNaN(breadth?.decliners),
    newHighs: orNaN(breadth?.newHighs252),
    newLows: orNaN(breadth?.newLows252),
  });
  if (reading.regime === null) {
    const unknown =
      reading.indexTrend === null ? 'The trend of the index' : 'The VIX beside a sideways index';
    lack('regime.regime', `${unknown} is not known.`);
  }
  // An index is in points, a fund in dollars.
  const priceUnit = index?.symbol.startsWith('^') ? 'index points' : 'USD';
  return {
    regime: reading.regime,
    index_trend: reading.indexTrend,
    decided_by: [...reading.decidedBy],
    confidence: Number.isNaN(reading.confidence) ? null : reading.confidence,
    rules_fired: reading.rulesFired.map((fired) => wireRule(fired, priceUnit)),
    formula_version: MARKET_REGIME_VERSION,
  };
}

const wireRule = ({ rule, says, supports, figures }: FiredRule, priceUnit: string) => ({
  rule,
  says,
  supports: [...supports],
  figures: figures.map(({ field, value, unit }: RuleFigure) => ({
    field,
    value: rounded(value, field),
    unit: unit === 'price' ? priceUnit : unit,
  })),
});

import type { TUnsafe } from 'typebox';
import type { Level } from '../analysis/level-ladder.ts';
import { vixRegime } from '../analysis/market-state.ts';
import { returnPct } from '../analysis/momentum.ts';
import { greekBias, greekBiases } from '../analysis/options/chain-bias.ts';
import { type ScoreTable, scoreTable } from '../analysis/scoring/components.ts';
import { patternEvidence, upVolumeShare } from '../analysis/scoring/daily.ts';
import type { FastInputs, ScoreInputs } from '../analysis/scoring/inputs.ts';
import { type TwoSided, twoSided } from '../analysis/scoring/ledger.ts';
import {
  fastInputs,
  priorVolume,
  type SessionInput,
  type SessionPath,
  sessionPath,
} from '../analysis/scoring/session.ts';
import { V5_WEIGHTS } from '../analysis/scoring/weights.ts';
import { incompleteAfter } from '../analysis/view-bars.ts';
import { DAY_MS, midnightUtc } from '../base/calendar.ts';
import { onceFor } from '../base/once-for.ts';
import { orNaN } from '../base/wire.ts';
import type { MarketView } from '../market/market-view.ts';
import type { StockView } from '../market/stock-view.ts';
import { type Known, type NestedOf, nestedBlock } from './block.ts';
import { chainOf, chainState } from './chain-state.ts';
import { compression } from './compression.ts';
import { earnings } from './earnings.ts';
import { instrumentOf } from './identity.ts';
import { sessionLevels } from './level-ladder.ts';
import { levels } from './levels.ts';
import { momentum } from './momentum.ts';
import { news } from './news.ts';
import { options } from './options.ts';
import { patterns } from './patterns.ts';
import { priceVolume } from './price-volume.ts';
import { range3d } from './range-3d.ts';
import { columnsOf, sessionColumns } from './session-columns.ts';
import { technical } from './technical.ts';

/** The inputs of all scores at an instant, with results that several scores share. */
export interface ScoreState {
  readonly inputs: ScoreInputs;
  readonly table: ScoreTable;
  /** The canonical score of both sides. */
  readonly v5: TwoSided;
  readonly path: SessionPath;
  /** Daily figures for more than one score; NaN where undefined. */
  readonly daily: {
    readonly atr: number;
    /** 20-session return minus a third of the 60-session return, percent. */
    readonly acceleration: number;
  };
}

/** The named inputs of all scores, which serve those that they used. Not on the wire; missing is NaN. */
export const scoreInputs = nestedBlock({
  name: 'score_inputs',
  schema: null as TUnsafe<ScoreState> | null,
  reads: [
    chainState,
    compression,
    earnings,
    levels,
    momentum,
    news,
    options,
    patterns,
    priceVolume,
    range3d,
    sessionColumns,
    technical,
  ],
  derive(view, known, market) {
    const isIndex = instrumentOf(view) === 'index';
    const columns = columnsOf(known);
    const path = sessionPath({
      ...pathInput(view, known),
      vwap: columns.vwap.vwap,
      trend: columns.trend,
      intradayWhole: view.intradayWhole && !isIndex,
    });
    const price = orNaN(known(priceVolume).flat.last_price);
    const everyInput: ScoreInputs = {
      ...slowInputs(view, known, market),
      ...fastInputs(path, view.asOf, price),
      ...(incompleteAfter(view) === null ? {} : { intraday_return_atr: Number.NaN }),
    };
    // An index cannot be traded, and a high VIX is no strength: it gets no scores.
    const inputs = isIndex ? withoutInputs(everyInput) : everyInput;
    const table = scoreTable(inputs);
    const { close } = view.dailyNow;
    const last = close.length - 1;
    return {
      inputs,
      table,
      v5: twoSided(table, V5_WEIGHTS),
      path,
      daily: {
        atr: orNaN(known(technical).nested?.atr_14),
        acceleration: returnPct(close, last, 20) - returnPct(close, last, 60) / 3,
      },
    };
  },
});

const priorVolumeOf = onceFor(priorVolume);

/** What the inputs that move with every bar are read from; of the blocks `PATH_BLOCKS`. */
export const pathInput = (view: StockView, known: Known): SessionInput => ({
  ...view,
  priorClose: rowOf(view.daily.close, view.priorRow),
  priorAtr: columnsOf(known).priorAtr,
  prior: view.priorIntradayWhole
    ? priorVolumeOf(
        view.priorIntraday,
        view.priorIntradayInterval,
        view.priorSession,
        // From its evening on it is what it was.
        Math.min(view.asOf, view.priorSession.postClose),
      )
    : null,
  levels: standingLevels(known),
});
export const PATH_BLOCKS = [sessionColumns, levels, range3d] as const;

function withoutInputs(inputs: ScoreInputs): ScoreInputs {
  return Object.fromEntries(Object.keys(inputs).map((name) => [name, Number.NaN])) as unknown as ScoreInputs;
}

/** The state of the scores, which the block derives for every view. */
export function scoreState(known: Known): ScoreState {
  const state = known(scoreInputs).nested;
  if (state === null) throw new Error('score_inputs derives a state for every view');
  return state;
}

function rowOf(column: Float64Array, row: number): number {
  return column[row] ?? Number.NaN;
}

/** Inputs that change only with a close or a report. */
function slowInputs(view: StockView, known: Known, market: MarketView): Omit<ScoreInputs, keyof FastInputs> {
  const indicators = known(technical).nested;
  const averages = indicators?.moving_averages;
  const atr14 = orNaN(indicators?.atr_14) || Number.NaN;
  const price = orNaN(known(priceVolume).flat.last_price);
  const { momentum_blend: blend, momentum_slope_60d: slope } = known(momentum).flat;
  const chain = known(options).nested;
  const { close, volume } = view.daily;
  return {
    percent_b: orNaN(indicators?.bollinger?.percent_b),
    atr_compression_ratio: orNaN(known(compression).nested?.atr_compression_ratio),
    up_volume_share: upVolumeShare(close, volume, close.length - 1),
    rel_vol_5d: orNaN(known(priceVolume).flat.rel_vol_5d),
    ...patternInputs(known),
    iv_rank: orNaN(chain?.iv_rank),
    iv_skew: orNaN(chain?.iv_skew),
    vix: orNaN(market.vix?.level),
    ...resultInputs(view, known(earnings).nested),
    news_sentiment: orNaN(known(news).nested?.sentiment_score),
    momentum_blend: orNaN(blend),
    momentum_slope_60d: orNaN(slope),
    ema_spread_atr: (orNaN(averages?.ema_20) - orNaN(averages?.sma_50)) / atr14,
    adx_14: orNaN(indicators?.adx_14),
    pricing_edge_bull: orNaN(chain?.pricing_edge_bull),
    pricing_edge_bear: orNaN(chain?.pricing_edge_bear),
    greek_lean: greekBiasOf(known, market),
    rsi_14: orNaN(indicators?.rsi_14),
    macd_gap_atr: (orNaN(indicators?.macd) - orNaN(indicators?.macd_signal)) / atr14,
    sma20_atr: (price - orNaN(averages?.sma_20)) / atr14,
  };
}

/** Directional bias of the greeks of the chain in the market's regime. */
function greekBiasOf(known: Known, market: MarketView): number {
  const priced = chainOf(known)?.priced;
  if (!priced) return Number.NaN;
  return greekBias(greekBiases(priced.chain), vixRegime(orNaN(market.vix?.level)));
}

/** The inputs that are read from results, known and expected. */
export function resultInputs(
  view: StockView,
  results: Pick<NonNullable<NestedOf<typeof earnings>>, 'days_until' | 'surprise_pct'> | null,
) {
  return {
    days_to_earnings: orNaN(results?.days_until),
    days_since_earnings: daysSinceEarnings(view),
    surprise_pct: orNaN(results?.surprise_pct),
  };
}

/** Calendar days since the newest report with a result; NaN without one. */
const daysSinceEarnings = ({ facts, tradeDate }: StockView): number =>
  (midnightUtc(tradeDate) - newestDay(facts.earnings_report)) / DAY_MS;

const newestDay = onceFor((reports: StockView['facts']['earnings_report']): number => {
  let newest = Number.NaN;
  for (const { date, epsActual } of reports) {
    if (epsActual === null) continue;
    const day = midnightUtc(date);
    newest = day < newest ? newest : day;
  }
  return newest;
});

function patternInputs(known: Known): Pick<ScoreInputs, 'bullish_patterns' | 'bearish_patterns'> {
  const active = known(patterns).nested;
  if (active === null) return { bullish_patterns: Number.NaN, bearish_patterns: Number.NaN };
  const witnesses = active.map(({ direction, status, confidence, target_reached_at: reached }) => ({
    direction,
    status,
    confidence,
    spent: reached !== null,
  }));
  return {
    bullish_patterns: patternEvidence(witnesses, 'bullish'),
    bearish_patterns: patternEvidence(witnesses, 'bearish'),
  };
}

const STANDING_FAMILIES = [
  'prior_day',
  'prior_week',
  'prior_month',
  'pivot',
  'overnight',
  'prior_profile',
] as const;

/**
 * Levels for proximity. Levels that move with the session (VWAP, developing profile, opening ranges, averages) would
 * approach by themselves and cannot be restored for an earlier instant.
 */
const standingLevels = (known: Known): Level[] =>
  sessionLevels(known, STANDING_FAMILIES).filter(({ name }) => !name.startsWith('cpr_'));

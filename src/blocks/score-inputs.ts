import type { TUnsafe } from 'typebox';
import { atr } from '../analysis/indicators/true-range.ts';
import type { Level, LevelFamily } from '../analysis/level-ladder.ts';
import { vixRegime } from '../analysis/market-state.ts';
import { returnPct } from '../analysis/momentum.ts';
import { greekBias, greekBiases } from '../analysis/options/chain-bias.ts';
import { type ScoreTable, scoreTable } from '../analysis/scoring/components.ts';
import { patternEvidence, upVolumeShare } from '../analysis/scoring/daily.ts';
import type { FastInputs, ScoreInputs } from '../analysis/scoring/inputs.ts';
import { type TwoSided, twoSided } from '../analysis/scoring/ledger.ts';
import { fastInputs, type SessionPath, sessionPath } from '../analysis/scoring/session.ts';
import { V5_WEIGHTS } from '../analysis/scoring/weights.ts';
import { DAY_MS, midnightUtc } from '../base/calendar.ts';
import type { MarketView } from '../market/market-view.ts';
import type { StockView } from '../market/stock-view.ts';
import { defineBlock, type Known } from './block.ts';
import { chainOf, chainState } from './chain-state.ts';
import { compression } from './compression.ts';
import { earnings } from './earnings.ts';
import { levels } from './levels.ts';
import { momentum } from './momentum.ts';
import { news } from './news.ts';
import { options } from './options.ts';
import { patterns } from './patterns.ts';
import { priceVolume } from './price-volume.ts';
import { range3d } from './range-3d.ts';
import { instrumentOf } from './instrument.ts';
import { incompleteAfter } from './session-so-far.ts';
import { technical } from './technical.ts';

/** What the scores of a stock at an instant are read from, and what is weighed more than once. */
export interface ScoreState {
  readonly inputs: ScoreInputs;
  readonly table: ScoreTable;
  /** The canonical score of both sides. */
  readonly v5: TwoSided;
  readonly path: SessionPath;
  /** Closes and figures of N that more than one score asks for; NaN where not defined. */
  readonly daily: {
    readonly atr: number;
    /** 20-session return minus a third of the 60-session return, percent. */
    readonly acceleration: number;
  };
}

/**
 * Gathers the named inputs of all scores in one place. Nothing of it is on the wire: the scores serve the inputs that
 * they used. Missing is NaN here, because it goes into the mathematics as it is.
 */
export const scoreInputs = defineBlock({
  name: 'score_inputs',
  schema: null as TUnsafe<ScoreState> | null,
  flat: {},
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
    technical,
  ],
  derive(view, known, market) {
    const isIndex = instrumentOf(view) === 'index';
    const path = sessionPath({
      ...view,
      intradayWhole: view.intradayWhole && !isIndex,
      priorClose: rowOf(view.daily.close, view.priorRow),
      priorAtr: priorAtr(view),
      levels: standingLevels(known),
    });
    const price = orNaN(known(priceVolume).flat.last_price);
    const found: ScoreInputs = {
      ...heldInputs(view, known, market),
      ...fastInputs(path, view.asOf, price),
      ...(incompleteAfter(view) === null ? {} : { intraday_return_atr: Number.NaN }),
    };
    // Nobody goes long or short an index, and a high VIX is no strength: none of its figures speaks for a side.
    const inputs = isIndex ? withoutInputs(found) : found;
    const table = scoreTable(inputs);
    const { close } = view.dailyNow;
    const last = close.length - 1;
    return {
      nested: {
        inputs,
        table,
        v5: twoSided(table, V5_WEIGHTS),
        path,
        daily: {
          atr: orNaN(known(technical).nested?.atr_14),
          acceleration: returnPct(close, last, 20) - returnPct(close, last, 60) / 3,
        },
      },
      flat: {},
    };
  },
});

function withoutInputs(inputs: ScoreInputs): ScoreInputs {
  return Object.fromEntries(Object.keys(inputs).map((name) => [name, Number.NaN])) as unknown as ScoreInputs;
}

/** The state of the scores; the block derives it for every view. */
export function scoreState(known: Known): ScoreState {
  const state = known(scoreInputs).nested;
  if (state === null) throw new Error('score_inputs derives a state for every view');
  return state;
}

export function orNaN(value: number | null | undefined): number {
  return value ?? Number.NaN;
}

function rowOf(column: Float64Array, row: number): number {
  return column[row] ?? Number.NaN;
}

/** ATR(14) of the session before the trade date: unlike `daily_atr` it stays the same through the day and after it. */
function priorAtr({ daily: { high, low, close }, priorRow }: StockView): number {
  return rowOf(atr(high, low, close, 14), priorRow);
}

/** What the scores ask of the options block. */
interface ChainFigures {
  readonly iv_rank: number | null;
  readonly iv_skew: number | null;
  readonly pricing_edge_bull: number | null;
  readonly pricing_edge_bear: number | null;
}

/** What stands still between two closes, and what is reported. */
function heldInputs(view: StockView, known: Known, market: MarketView): Omit<ScoreInputs, keyof FastInputs> {
  const indicators = known(technical).nested;
  const averages = indicators?.moving_averages;
  const atr14 = orNaN(indicators?.atr_14) || Number.NaN;
  const price = orNaN(known(priceVolume).flat.last_price);
  const { momentum_blend: blend, momentum_slope_60d: slope } = known(momentum).flat;
  const chain = known(options).nested as ChainFigures | null;
  const results = known(earnings).nested;
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
    days_to_earnings: orNaN(results?.days_until),
    days_since_earnings: daysSinceEarnings(view),
    surprise_pct: orNaN(results?.surprise_pct),
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

/** Calendar days since the newest report that came with a result; NaN without one. */
function daysSinceEarnings({ facts, tradeDate }: StockView): number {
  let newest = Number.NaN;
  for (const { date, epsActual } of facts.earnings_report) {
    if (epsActual === null) continue;
    const day = midnightUtc(date);
    newest = day < newest ? newest : day;
  }
  return (midnightUtc(tradeDate) - newest) / DAY_MS;
}

function patternInputs(known: Known): Pick<ScoreInputs, 'bullish_patterns' | 'bearish_patterns'> {
  const found = known(patterns).nested;
  if (found === null) return { bullish_patterns: Number.NaN, bearish_patterns: Number.NaN };
  const witnesses = found.map(({ direction, status, confidence, target_reached_at: reached }) => ({
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

/** Fields of the levels block that stand still from the open to the close, by family. */
const STANDING_FIELDS = {
  prior_day: ['pdh', 'pdl', 'pdc'],
  prior_week: ['prior_week_high', 'prior_week_low'],
  prior_month: ['prior_month_high', 'prior_month_low'],
  pivot: ['pivot_pp', 'pivot_r1', 'pivot_r2', 'pivot_r3', 'pivot_s1', 'pivot_s2', 'pivot_s3'],
  overnight: ['overnight_high', 'overnight_low'],
  prior_profile: ['prior_poc', 'prior_vah', 'prior_val'],
} as const;

/**
 * The levels that proximity is measured to. Levels that move with the session (VWAP, developing profile, opening
 * ranges, averages) would come near by themselves, and could not be had again for an earlier instant.
 */
function standingLevels(known: Known): Level[] {
  const found: Level[] = [];
  const add = (family: LevelFamily, name: string, price: number | null | undefined): void => {
    if (price !== null && price !== undefined) found.push({ name, family, price });
  };
  const day = known(levels).nested;
  for (const [family, fields] of Object.entries(STANDING_FIELDS)) {
    for (const field of fields) add(family as LevelFamily, field, day?.[field]);
  }
  const range = known(range3d).nested;
  add('recent_range', 'range_3d_high', range?.high);
  add('recent_range', 'range_3d_low', range?.low);
  return found;
}

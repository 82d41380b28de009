import { BETA_RETURNS_MIN, BETA_SESSIONS } from '../src/analysis/beta.ts';
import { DAY_BANDS } from '../src/analysis/day-type.ts';
import { SIGNAL_MIN } from '../src/analysis/diffusion/divergence.ts';
import {
  BLOWOUT_SURPRISE_PCT,
  CLEAR_SURPRISE_PCT,
  NORMALIZED_FROM,
  QUARTERS_MIN,
  SOLID_SURPRISE_PCT,
  TRAILING_QUARTERS,
} from '../src/analysis/earnings-surprise.ts';
import { GRADE_FROM, HEALTH_WEIGHT_MIN, QUALITY_MEASURES_MIN } from '../src/analysis/fundamental-quality.ts';
import { EV_EBITDA_EXTREME, QUARTER_DAYS } from '../src/analysis/fundamentals.ts';
import { CONFLUENCE_ATR, FARTHEST_ATR, NOISE_ATR } from '../src/analysis/level-ladder.ts';
import {
  BREADTH_STOCKS_MIN,
  PERCENTILE_SESSIONS_MIN,
  SECTOR_STOCKS_MIN,
  VIX_REGIME_FROM,
  YEAR_SESSIONS,
} from '../src/analysis/market-state.ts';
import { VOLUME_TREND_BAND } from '../src/analysis/momentum.ts';
import { TONE_FROM } from '../src/analysis/news-sentiment.ts';
import {
  UNUSUAL_DAYS_MIN,
  UNUSUAL_SHARE,
  UNUSUAL_TURNOVER,
  UNUSUAL_VOLUME_MIN,
} from '../src/analysis/options/chain-figures.ts';
import { COVERAGE_MIN, NEUTRAL_BAND } from '../src/analysis/options/gamma-exposure.ts';
import { FORECAST_SESSIONS } from '../src/analysis/options/pricing-edge.ts';
import { LIFE_MIN_MS } from '../src/analysis/options/quotes.ts';
import { HISTORY_DAYS, HISTORY_DAYS_MIN } from '../src/analysis/options/surface.ts';
import { TREND_DEVIATIONS, TREND_MINUTES_MIN } from '../src/analysis/order-flow/cvd.ts';
import { HOLDS_MINUTES, SEPARATION_MINUTES, SWING_MINUTES } from '../src/analysis/order-flow/divergence.ts';
import { SERVED_ROWS } from '../src/analysis/patterns/lifecycle.ts';
import { MAJOR_SWING, MINOR_SWING } from '../src/analysis/patterns/pivots.ts';
import { TREND_ROWS, TREND_SLOPE_ROWS } from '../src/analysis/patterns/vcp.ts';
import { MATCH_FROM, REWARD_RISK_FROM } from '../src/analysis/playbooks/match.ts';
import { DRY_UP, EVENT_SESSIONS, GAP_ATR_MIN, SPIKE, SURGE } from '../src/analysis/price-events.ts';
import { RANGE_SESSIONS } from '../src/analysis/range-3d.ts';
import { STATEMENT_MAX_AGE_MS } from '../src/analysis/reported-figures.ts';
import { MAXIMUM } from '../src/analysis/scoring/components.ts';
import {
  FIRST_SCORE_MINUTES,
  FRESH_MINUTES,
  LOOKBACK_MINUTES,
  STEP_MINUTES,
  UNSTABLE_POINTS,
} from '../src/analysis/scoring/conviction.ts';
import { FORMING_SHARE, UP_VOLUME_SESSIONS } from '../src/analysis/scoring/daily.ts';
import {
  DIVERGENCE_SHARE,
  FAR_ATR,
  GAMMA_SHIFT,
  RECENT_FLOW_MINUTES,
  TURN_MINUTES,
} from '../src/analysis/scoring/entry.ts';
import { AVERAGE_SHARES_MIN, FIRST_MINUTES, LAST_MINUTES } from '../src/analysis/scoring/entry-gates.ts';
import { ENOUGH_WEIGHT } from '../src/analysis/scoring/ledger.ts';
import {
  EXHAUSTED_BELOW,
  EXTENDED_ATR,
  FLAT_BLEND_PCT,
  HEALTHY_FROM,
} from '../src/analysis/scoring/momentum-health.ts';
import { PULSE_MODERATE, PULSE_STRONG } from '../src/analysis/scoring/pulse.ts';
import { LIFT_MIN } from '../src/analysis/scoring/ramps.ts';
import {
  STRONG_BREADTH,
  TREND_SLOPE_PCT,
  VOLATILITY_FROM,
  VOLATILITY_ROWS,
  WEAK_ADX,
  WEAK_BREADTH,
} from '../src/analysis/scoring/regime.ts';
import { TRAP_LEAN } from '../src/analysis/scoring/session.ts';
import { BIAS_MARGIN } from '../src/analysis/scoring/tiers.ts';
import {
  FEED_STALE_MINUTES,
  MARKET_BREAKER_PCT,
  PARTIAL_MINUTES,
  SEVERE_DECLINE_PCT,
  STALE_MINUTES,
} from '../src/analysis/scoring/warnings.ts';
import { FINEST_ROW, VALUE_AREA_SHARE } from '../src/analysis/volume-profile.ts';
import { DAY_MS, MINUTE_MS } from '../src/base/dates.ts';
import { CONSENSUS_FROM } from '../src/blocks/analyst.ts';
import { CLEARED_AFTER_DAYS, TWIN_REPORT_DAYS } from '../src/blocks/earnings.ts';
import { TRAILING_EPS_MAX_AGE_DAYS } from '../src/blocks/fundamental.ts';
import { MAX_BETA, QUALITY_MIN } from '../src/blocks/gates.ts';
import { ELEVATED_VOLUME, EXTREME_RSI, OVEREXTENDED_ATR } from '../src/blocks/momentum.ts';
import { EVENTS_FOR_BURST_MIN, ITEMS_MAX, WINDOW_MS } from '../src/blocks/news.ts';
import { SLACK_MS } from '../src/blocks/order-flow.ts';
import { INSIDER_DAYS } from '../src/blocks/ownership.ts';
import { LEAST_DELAY_MINUTES } from '../src/config.ts';
import { StockResult } from '../src/derive/compose.ts';
import { BLOCK_DOLLARS, BLOCK_SHARES } from '../src/market/flow-minute-builder.ts';
import {
  DAILY_REACH_DAYS,
  DAILY_ROWS_MAX,
  HOLE_SESSIONS_MAX,
  WHOLE_SLACK_MS,
} from '../src/tape/read-view.ts';

/** The score or the value from which on a word is given. */
const from = (words: readonly (readonly [word: string, from: number])[], word: string): number =>
  words.find(([one]) => one === word)![1];

interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Fields of a schema and of what it holds, each name in a list or in two alternatives once. */
function fieldsOf({ anyOf, properties, items }: Schema, path = ''): readonly string[] {
  const inner = (part: Schema, name = ''): readonly string[] => fieldsOf(part, path + name);
  if (anyOf !== undefined) return anyOf.flatMap((part) => (part.type === 'null' ? [] : inner(part)));
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, part]) => inner(part, `.${name}`));
  return items === undefined ? [path] : inner(items, '[]');
}

/**
 * Figures that documents write, by the name behind them: `20<!--weak_adx-->`. A figure with a percent sign is a hundred
 * times the value where that is a share.
 */
export const FIGURES: Readonly<Record<string, number>> = {
  stock_fields: new Set(fieldsOf(StockResult as Schema)).size,
  match_from: MATCH_FROM,
  reward_risk_from: REWARD_RISK_FROM,
  noise_atr: NOISE_ATR,
  maximum: MAXIMUM,
  least_lift: LIFT_MIN,
  enough_weight: ENOUGH_WEIGHT,
  bias_margin: BIAS_MARGIN,
  trap_lean: TRAP_LEAN,
  forming_share: FORMING_SHARE,
  up_volume_sessions: UP_VOLUME_SESSIONS,
  first_score_minutes: FIRST_SCORE_MINUTES,
  step_minutes: STEP_MINUTES,
  lookback_minutes: LOOKBACK_MINUTES,
  fresh_minutes: FRESH_MINUTES,
  unstable_points: UNSTABLE_POINTS,
  market_breaker_pct: MARKET_BREAKER_PCT,
  stale_minutes: STALE_MINUTES,
  trend_slope_pct: TREND_SLOPE_PCT,
  weak_adx: WEAK_ADX,
  volatility_normal: VOLATILITY_FROM.normal,
  volatility_high: VOLATILITY_FROM.high,
  volatility_extreme: VOLATILITY_FROM.extreme,
  volatility_rows: VOLATILITY_ROWS,
  strong_breadth: STRONG_BREADTH,
  weak_breadth: WEAK_BREADTH,
  flat_blend_pct: FLAT_BLEND_PCT,
  extended_atr: EXTENDED_ATR,
  healthy_from: HEALTHY_FROM,
  exhausted_below: EXHAUSTED_BELOW,
  pulse_moderate: PULSE_MODERATE,
  pulse_strong: PULSE_STRONG,
  gamma_shift: GAMMA_SHIFT,
  divergence_share: DIVERGENCE_SHARE,
  turn_minutes: TURN_MINUTES,
  recent_flow_minutes: RECENT_FLOW_MINUTES,
  far_atr: FAR_ATR,
  least_average_shares: AVERAGE_SHARES_MIN,
  first_minutes: FIRST_MINUTES,
  last_minutes: LAST_MINUTES,
  feed_stale_minutes: FEED_STALE_MINUTES,
  partial_minutes: PARTIAL_MINUTES,
  view_rows: DAILY_ROWS_MAX,
  hole_sessions: HOLE_SESSIONS_MAX,
  daily_from_intraday_slack: WHOLE_SLACK_MS / MINUTE_MS,
  volume_trend_change: VOLUME_TREND_BAND,
  distribution_rel_vol_5d: ELEVATED_VOLUME,
  overextended_distance: OVEREXTENDED_ATR,
  extreme_rsi_low: EXTREME_RSI.low,
  extreme_rsi_high: EXTREME_RSI.high,
  vcp_rows: TREND_ROWS + TREND_SLOPE_ROWS,
  range_3d_sessions: RANGE_SESSIONS,
  value_area_share: VALUE_AREA_SHARE,
  profile_row_finest: FINEST_ROW,
  day_strong_trend: DAY_BANDS.strong.score,
  day_strong_lean: DAY_BANDS.strong.lean,
  day_trend: DAY_BANDS.plain.score,
  day_lean: DAY_BANDS.plain.lean,
  level_reach: CONFLUENCE_ATR,
  level_farthest: FARTHEST_ATR,
  swing_minor: MINOR_SWING,
  swing_major: MAJOR_SWING,
  chart_confirmed_rows: SERVED_ROWS.chart.confirmedRows,
  chart_failed_rows: SERVED_ROWS.chart.failedRows,
  candlestick_confirmed_rows: SERVED_ROWS.candlestick.confirmedRows,
  candlestick_failed_rows: SERVED_ROWS.candlestick.failedRows,
  event_sessions: EVENT_SESSIONS,
  gap_least: GAP_ATR_MIN,
  volume_surge_ratio: SURGE,
  volume_spike_ratio: SPIKE,
  volume_dry_up_ratio: DRY_UP,
  statement_age: STATEMENT_MAX_AGE_MS / DAY_MS,
  eps_quarter_gap_least: QUARTER_DAYS.min,
  eps_quarter_gap_most: QUARTER_DAYS.max,
  eps_report_age: TRAILING_EPS_MAX_AGE_DAYS,
  twin_reports: TWIN_REPORT_DAYS,
  beta_sessions: BETA_SESSIONS,
  beta_least: BETA_RETURNS_MIN,
  ev_ebitda_extreme: EV_EBITDA_EXTREME,
  surprise_solid: SOLID_SURPRISE_PCT,
  surprise_blowout: BLOWOUT_SURPRISE_PCT,
  zscore_modest: NORMALIZED_FROM.modest,
  zscore_strong: NORMALIZED_FROM.strong,
  zscore_exceptional: NORMALIZED_FROM.exceptional,
  surprise_quarters: TRAILING_QUARTERS,
  surprise_quarters_least: QUARTERS_MIN,
  cleared_after: CLEARED_AFTER_DAYS,
  consensus_strong_buy: from(CONSENSUS_FROM, 'Strong Buy'),
  consensus_buy: from(CONSENSUS_FROM, 'Buy'),
  consensus_hold: from(CONSENSUS_FROM, 'Hold'),
  consensus_sell: from(CONSENSUS_FROM, 'Sell'),
  insider_window: INSIDER_DAYS,
  news_window: WINDOW_MS / DAY_MS,
  news_items: ITEMS_MAX,
  news_burst_least: EVENTS_FOR_BURST_MIN,
  tone_from: TONE_FROM,
  vix_normal: VIX_REGIME_FROM.NORMAL,
  vix_elevated: VIX_REGIME_FROM.ELEVATED,
  vix_extreme_fear: VIX_REGIME_FROM.EXTREME_FEAR,
  beta_limit_elevated: MAX_BETA.ELEVATED!,
  beta_limit_extreme_fear: MAX_BETA.EXTREME_FEAR!,
  severe_decline: SEVERE_DECLINE_PCT,
  sentiment_clear: CLEAR_SURPRISE_PCT,
  fundamental_gate: QUALITY_MIN,
  quality_measures: QUALITY_MEASURES_MIN,
  health_weight: HEALTH_WEIGHT_MIN,
  grade_a: from(GRADE_FROM, 'A'),
  grade_b: from(GRADE_FROM, 'B'),
  grade_c: from(GRADE_FROM, 'C'),
  grade_d: from(GRADE_FROM, 'D'),
  block_shares: BLOCK_SHARES,
  block_dollars: BLOCK_DOLLARS,
  cvd_swing: SWING_MINUTES,
  cvd_swing_apart: SEPARATION_MINUTES,
  cvd_divergence_holds: HOLDS_MINUTES,
  cvd_trend_minutes: TREND_MINUTES_MIN,
  cvd_trend_deviations: TREND_DEVIATIONS,
  flow_slack: SLACK_MS / MINUTE_MS,
  breadth_stocks: BREADTH_STOCKS_MIN,
  sector_stocks: SECTOR_STOCKS_MIN,
  vix_rows_least: PERCENTILE_SESSIONS_MIN,
  vix_rows: YEAR_SESSIONS,
  market_reach: DAILY_REACH_DAYS,
  iv_days_least: HISTORY_DAYS_MIN,
  iv_days: HISTORY_DAYS,
  unusual_days: UNUSUAL_DAYS_MIN,
  unusual_volume: UNUSUAL_VOLUME_MIN,
  unusual_turnover: UNUSUAL_TURNOVER,
  unusual_share: UNUSUAL_SHARE,
  gamma_neutral: NEUTRAL_BAND,
  gamma_coverage: COVERAGE_MIN,
  forecast_closes: FORECAST_SESSIONS[1] + 1,
  expiry_floor: LIFE_MIN_MS / MINUTE_MS,
  divergence_signal: SIGNAL_MIN,
  least_delay: LEAST_DELAY_MINUTES,
};

import { MATCH_FROM } from '../../../src/analysis/playbooks/match.ts';
import { MAXIMUM } from '../../../src/analysis/scoring/components.ts';
import {
  FIRST_SCORE_MINUTES,
  FRESH_MINUTES,
  LOOKBACK_MINUTES,
  STEP_MINUTES,
  UNSTABLE_POINTS,
} from '../../../src/analysis/scoring/conviction.ts';
import { FORMING_SHARE, UP_VOLUME_SESSIONS } from '../../../src/analysis/scoring/daily.ts';
import {
  DIVERGENCE_SHARE,
  FAR_ATR,
  GAMMA_SHIFT,
  RECENT_FLOW_MINUTES,
  TURN_MINUTES,
} from '../../../src/analysis/scoring/entry.ts';
import {
  AVERAGE_SHARES_MIN,
  FIRST_MINUTES,
  LAST_MINUTES,
} from '../../../src/analysis/scoring/entry-gates.ts';
import { ENOUGH_WEIGHT } from '../../../src/analysis/scoring/ledger.ts';
import {
  EXHAUSTED_BELOW,
  EXTENDED_ATR,
  FLAT_BLEND_PCT,
  HEALTHY_FROM,
} from '../../../src/analysis/scoring/momentum-health.ts';
import { PULSE_MODERATE, PULSE_STRONG } from '../../../src/analysis/scoring/pulse.ts';
import { LIFT_MIN } from '../../../src/analysis/scoring/ramps.ts';
import {
  STRONG_BREADTH,
  TREND_SLOPE_PCT,
  VOLATILITY_FROM,
  VOLATILITY_ROWS,
  WEAK_ADX,
  WEAK_BREADTH,
} from '../../../src/analysis/scoring/regime.ts';
import { TRAP_LEAN } from '../../../src/analysis/scoring/session.ts';
import { BIAS_MARGIN } from '../../../src/analysis/scoring/tiers.ts';
import {
  FEED_STALE_MINUTES,
  MARKET_BREAKER_PCT,
  PARTIAL_MINUTES,
  STALE_MINUTES,
} from '../../../src/analysis/scoring/warnings.ts';
import { MEASURED } from './measured.ts';

const EXPORTED: Readonly<Record<string, number>> = {
  match_from: MATCH_FROM,
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
};

/** Every figure that a document marks with its name: measured on the program, or as the program exports it. */
export const FIGURES: Readonly<Record<string, () => number>> = {
  ...Object.fromEntries(Object.entries(EXPORTED).map(([name, value]) => [name, () => value])),
  ...MEASURED,
};

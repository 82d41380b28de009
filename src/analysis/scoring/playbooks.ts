/** Named figures that playbooks ask about; NaN: not known. Prices in dollars, `_atr` in daily ATR(14). */
export interface PlaybookInputs {
  readonly price: number;
  readonly atr: number;
  readonly vwap: number;
  readonly vwap_atr: number;
  readonly orb_high: number;
  readonly orb_low: number;
  /** See `orbLean`: -1 to 1. */
  readonly orb_lean: number;
  readonly intraday_return_atr: number;
  readonly trend_score: number;
  readonly rotation_score: number;
  readonly volume_pace: number;
  readonly rel_vol_5d: number;
  readonly ema_9: number;
  readonly ema_20: number;
  readonly sma_20: number;
  readonly sma_50: number;
  readonly sma_200: number;
  readonly adx_14: number;
  readonly rsi_14: number;
  /** The nearest standing levels, dollars. */
  readonly support: number;
  readonly resistance: number;
  readonly support_atr: number;
  readonly resistance_atr: number;
  readonly range_3d_high: number;
  readonly range_3d_low: number;
  /** 1 when the last completed session was the narrowest of seven or an inside day, else 0. */
  readonly narrow_session: number;
  readonly atr_compression_ratio: number;
  readonly surprise_pct: number;
  readonly days_since_earnings: number;
  readonly days_to_earnings: number;
}

export type PlaybookInput = keyof PlaybookInputs;
export type PlaybookDirection = 'bullish' | 'bearish' | 'neutral';

/** A predicate over named inputs; it is unknown, and counts as missed, while one of them is. */
export interface PlaybookCondition {
  readonly name: string;
  readonly inputs: readonly PlaybookInput[];
  readonly holds: (inputs: PlaybookInputs) => boolean;
}

/** A way to trade, as data. The first condition is what makes it this playbook: without it nothing matches. */
export interface Playbook {
  readonly strategy: string;
  readonly name: string;
  readonly direction: PlaybookDirection;
  readonly conditions: readonly PlaybookCondition[];
  /** Prices in dollars; NaN where one cannot be named. */
  readonly trigger: (inputs: PlaybookInputs) => number;
  readonly stop: (inputs: PlaybookInputs) => number;
  readonly target: (inputs: PlaybookInputs) => number;
}

export interface PlaybookMatch {
  readonly playbook: Playbook;
  /** Share of the conditions met, 0 to 100. */
  readonly score: number;
  readonly met: readonly PlaybookCondition[];
  readonly missed: readonly PlaybookCondition[];
  readonly trigger: number;
  readonly stop: number;
  readonly target: number;
}

/** A playbook is named from this share of its conditions on, percent. */
export const MATCH_FROM = 60;

/** Figures of the conditions, by name; the page of the scores lists them. */
export const PLAYBOOK_LINES = {
  orb_return_atr: 0.25,
  brisk_pace: 1.1,
  vwap_near_atr: 0.25,
  trend_day: 0.35,
  pullback_atr: 0.5,
  strong_adx: 20,
  pullback_rsi: 45,
  rotation: 0.35,
  level_near_atr: 0.25,
  stretched_rsi: 60,
  quiet_ratio: 0.9,
  drift_surprise: 5,
  drift_days: 20,
  event_clear_days: 3,
} as const;
const LINES = PLAYBOOK_LINES;

const condition = (
  name: string,
  inputs: readonly PlaybookInput[],
  holds: PlaybookCondition['holds'],
): PlaybookCondition => ({ name, inputs, holds });

/** What both sides of a playbook share: `sign` is 1 for longs and -1 for shorts. */
type Sided = (sign: 1 | -1) => Omit<Playbook, 'direction' | 'name' | 'strategy'>;

const openingRangeBreak: Sided = (sign) => ({
  conditions: [
    condition(
      sign > 0 ? 'opening_range_broken_up' : 'opening_range_broken_down',
      ['orb_lean'],
      (i) => sign * i.orb_lean > 0,
    ),
    condition('price_beyond_range', ['price', 'orb_high', 'orb_low'], (i) =>
      sign > 0 ? i.price > i.orb_high : i.price < i.orb_low,
    ),
    condition('vwap_behind', ['vwap_atr'], (i) => sign * i.vwap_atr > 0),
    condition('volume_brisk', ['volume_pace'], (i) => i.volume_pace >= LINES.brisk_pace),
    condition(
      'day_moves_along',
      ['intraday_return_atr'],
      (i) => sign * i.intraday_return_atr >= LINES.orb_return_atr,
    ),
  ],
  trigger: (i) => (sign > 0 ? i.orb_high : i.orb_low),
  stop: (i) => (i.orb_high + i.orb_low) / 2,
  target: (i) => (sign > 0 ? i.orb_high : i.orb_low) + sign * (i.orb_high - i.orb_low),
});

const vwapHold: Sided = (sign) => ({
  conditions: [
    condition(sign > 0 ? 'vwap_just_below' : 'vwap_just_above', ['vwap_atr'], (i) => {
      const ahead = sign * i.vwap_atr;
      return ahead >= 0 && ahead <= LINES.vwap_near_atr;
    }),
    condition('trend_day', ['trend_score'], (i) => sign * i.trend_score >= LINES.trend_day),
    condition('daily_mean_behind', ['price', 'sma_20'], (i) => sign * (i.price - i.sma_20) > 0),
    condition('opening_range_agrees', ['orb_lean'], (i) => sign * i.orb_lean > 0),
  ],
  trigger: (i) => i.vwap,
  stop: (i) => i.vwap - sign * 0.25 * i.atr,
  target: (i) => i.vwap + sign * 0.5 * i.atr,
});

const trendPullback: Sided = (sign) => ({
  conditions: [
    condition(
      'averages_stacked',
      ['ema_20', 'sma_50', 'sma_200'],
      (i) => sign * (i.ema_20 - i.sma_50) > 0 && sign * (i.sma_50 - i.sma_200) > 0,
    ),
    condition(
      'back_at_ema_20',
      ['price', 'ema_20', 'atr'],
      (i) => Math.abs(i.price - i.ema_20) <= LINES.pullback_atr * i.atr,
    ),
    condition('trend_has_strength', ['adx_14'], (i) => i.adx_14 >= LINES.strong_adx),
    condition('momentum_not_broken', ['rsi_14'], (i) => 50 + sign * (i.rsi_14 - 50) >= LINES.pullback_rsi),
    condition('sma_50_holds', ['price', 'sma_50'], (i) => sign * (i.price - i.sma_50) > 0),
  ],
  trigger: (i) => i.ema_9,
  stop: (i) => i.sma_50,
  target: (i) => (sign > 0 ? i.range_3d_high : i.range_3d_low),
});

const rangeFade: Sided = (sign) => ({
  conditions: [
    condition(
      'rotational_day',
      ['rotation_score', 'trend_score'],
      (i) => i.rotation_score >= LINES.rotation && i.rotation_score > Math.abs(i.trend_score),
    ),
    condition(
      sign > 0 ? 'at_support' : 'at_resistance',
      ['support_atr', 'resistance_atr'],
      (i) => (sign > 0 ? i.support_atr : i.resistance_atr) <= LINES.level_near_atr,
    ),
    condition('beyond_vwap', ['vwap_atr'], (i) => sign * i.vwap_atr < 0),
    condition('no_strong_trend', ['adx_14'], (i) => i.adx_14 < LINES.strong_adx),
    condition('not_stretched_against', ['rsi_14'], (i) => 50 + sign * (i.rsi_14 - 50) < LINES.stretched_rsi),
  ],
  trigger: (i) => (sign > 0 ? i.support : i.resistance),
  stop: (i) => (sign > 0 ? i.support : i.resistance) - sign * 0.25 * i.atr,
  target: (i) => i.vwap,
});

const earningsDrift: Sided = (sign) => ({
  conditions: [
    condition(
      'recent_surprise',
      ['surprise_pct', 'days_since_earnings'],
      (i) => sign * i.surprise_pct >= LINES.drift_surprise && i.days_since_earnings <= LINES.drift_days,
    ),
    condition('price_agrees', ['price', 'sma_20'], (i) => sign * (i.price - i.sma_20) > 0),
    condition('volume_agrees', ['rel_vol_5d'], (i) => i.rel_vol_5d >= 1),
    condition('no_results_near', ['days_to_earnings'], (i) => i.days_to_earnings > LINES.event_clear_days),
  ],
  trigger: (i) => (sign > 0 ? i.range_3d_high : i.range_3d_low),
  stop: (i) => i.sma_20,
  target: (i) => (sign > 0 ? i.range_3d_high : i.range_3d_low) + sign * 2 * i.atr,
});

const squeeze: Playbook = {
  strategy: 'squeeze_breakout',
  name: 'Breakout from a squeeze',
  direction: 'neutral',
  conditions: [
    condition('narrow_session', ['narrow_session'], (i) => i.narrow_session === 1),
    condition(
      'atr_contracts',
      ['atr_compression_ratio'],
      (i) => i.atr_compression_ratio <= LINES.quiet_ratio,
    ),
    condition(
      'inside_three_days',
      ['price', 'range_3d_high', 'range_3d_low'],
      (i) => i.price <= i.range_3d_high && i.price >= i.range_3d_low,
    ),
    condition('no_results_near', ['days_to_earnings'], (i) => i.days_to_earnings > LINES.event_clear_days),
  ],
  // The side that is left first decides it, so neither stop nor target can be named before.
  trigger: () => Number.NaN,
  stop: () => Number.NaN,
  target: () => Number.NaN,
};

const sides = (strategy: string, long: string, short: string, of: Sided): Playbook[] => [
  { strategy: `${strategy}_long`, name: long, direction: 'bullish', ...of(1) },
  { strategy: `${strategy}_short`, name: short, direction: 'bearish', ...of(-1) },
];

export const PLAYBOOKS: readonly Playbook[] = [
  ...sides('orb_breakout', 'Opening range breakout', 'Opening range breakdown', openingRangeBreak),
  ...sides('vwap_hold', 'Trend day, long from VWAP', 'Trend day, short from VWAP', vwapHold),
  ...sides('trend_pullback', 'Pullback in an uptrend', 'Rally in a downtrend', trendPullback),
  ...sides('range_fade', 'Fade to support', 'Fade to resistance', rangeFade),
  ...sides('earnings_drift', 'Drift after good results', 'Drift after bad results', earningsDrift),
  squeeze,
];

/** The playbooks whose first condition holds with at least 60 % of all, best first; of equals the order of the list. */
export function matchPlaybooks(inputs: PlaybookInputs): PlaybookMatch[] {
  return PLAYBOOKS.map((playbook) => matchOf(playbook, inputs))
    .filter(({ playbook, met, score }) => met.includes(playbook.conditions[0]!) && score >= MATCH_FROM)
    .sort((one, other) => other.score - one.score);
}

function matchOf(playbook: Playbook, inputs: PlaybookInputs): PlaybookMatch {
  const holds = ({ inputs: names, holds: test }: PlaybookCondition): boolean =>
    names.every((name) => !Number.isNaN(inputs[name])) && test(inputs);
  const met = playbook.conditions.filter(holds);
  return {
    playbook,
    score: (met.length / playbook.conditions.length) * 100,
    met,
    missed: playbook.conditions.filter((each) => !met.includes(each)),
    trigger: playbook.trigger(inputs),
    stop: playbook.stop(inputs),
    target: playbook.target(inputs),
  };
}

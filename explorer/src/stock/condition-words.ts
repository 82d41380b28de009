/** Conditions of playbooks in the words of a trade. A condition that names no side has its words for longs and shorts. */

type Words = string | readonly [long: string, short: string];

export const CONDITION_WORDS: Readonly<Record<string, Words>> = {
  at_resistance: 'at resistance',
  at_support: 'at support',
  atr_contracts: 'ATR contracting',
  averages_stacked: ['averages stacked bullish', 'averages stacked bearish'],
  back_at_ema_20: 'back at the 20-day EMA',
  back_at_initial_balance: ['back at the IB high', 'back at the IB low'],
  back_at_opening_range: ['back at the opening range high', 'back at the opening range low'],
  back_at_session_ema_20: 'back at the 20 EMA of the session',
  back_at_vwap: 'back at VWAP',
  back_at_zone: 'back at the zone',
  beyond_vwap: ['below VWAP', 'above VWAP'],
  closes_hold_above: 'closes holding above the opening range high',
  closes_hold_below: 'closes holding below the opening range low',
  daily_mean_behind: ['above the 20-day average', 'below the 20-day average'],
  day_leans_along: ['day leaning up', 'day leaning down'],
  day_moves_along: ['up on the day', 'down on the day'],
  day_not_against: ['day not trending down', 'day not trending up'],
  first_hour_was_narrow: 'narrow initial balance',
  held_for_half_an_hour: ['above VWAP for 30 minutes', 'below VWAP for 30 minutes'],
  initial_balance_broken_down: 'below the IB low',
  initial_balance_broken_up: 'above the IB high',
  inside_three_days: 'inside the 3-day range',
  many_families_meet: 'three or more kinds of levels in the zone',
  momentum_not_broken: ['RSI holding', 'RSI not recovered'],
  narrow_session: 'NR7 or inside day before',
  no_results_near: 'no earnings within 3 days',
  no_strong_trend: 'ADX below 20',
  not_run_away: 'not extended from the IB edge',
  not_stretched_against: ['not overbought', 'not oversold'],
  opening_range_agrees: ['opening ranges bullish', 'opening ranges bearish'],
  opening_range_broken_down: 'opening range broken down',
  opening_range_broken_up: 'opening range broken up',
  other_side_intact: ['IB low intact', 'IB high intact'],
  price_agrees: ['above the 20-day average', 'below the 20-day average'],
  price_beyond_range: ['above the opening range', 'below the opening range'],
  recent_surprise: ['earnings beat in the last 20 days', 'earnings miss in the last 20 days'],
  room_ahead: ['room to resistance', 'room to support'],
  rotational_day: 'rotational day',
  session_averages_fanned: ['session averages fanned up', 'session averages fanned down'],
  slow_average_falls: 'session 50 EMA falling',
  slow_average_rises: 'session 50 EMA rising',
  sma_50_holds: ['above the 50-day average', 'below the 50-day average'],
  trend_day: 'trend day',
  trend_has_strength: 'ADX 20 or more',
  volume_agrees: 'volume at its 5-day average or more',
  volume_brisk: 'volume above normal',
  vwap_behind: ['VWAP below', 'VWAP overhead'],
  vwap_falls: 'VWAP falling',
  vwap_just_above: 'VWAP overhead',
  vwap_just_below: 'VWAP just below',
  vwap_rises: 'VWAP rising',
  zone_not_broken: 'zone not broken',
};

interface Match {
  readonly direction: string;
  readonly conditions_met: readonly string[];
  readonly conditions_missed: readonly string[];
}

/** `Met: VWAP overhead, below the 20-day average. Not met: volume above normal.` */
export function conditionSentence({ direction, conditions_met, conditions_missed }: Match): string {
  const say = (name: string): string => {
    const words = CONDITION_WORDS[name] ?? name.replaceAll('_', ' ');
    return typeof words === 'string' ? words : words[direction === 'bearish' ? 1 : 0];
  };
  const met = `Met: ${conditions_met.map(say).join(', ') || 'none'}.`;
  return conditions_missed.length === 0 ? met : `${met} Not met: ${conditions_missed.map(say).join(', ')}.`;
}

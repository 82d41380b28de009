/**
 * Figures of the conditions, by name; docs/playbooks.md lists them (a test compares). Those of the playbooks of a
 * backtest signal are the signal's own.
 */
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
  touch_atr: 0.1,
  left_vwap_atr: 0.15,
  left_range_atr: 0.1,
  left_zone_atr: 0.15,
  left_average_atr: 0.1,
  vwap_bars: 30,
  hold_bars: 5,
  hold_near_atr: 0.25,
  break_near_atr: 0.25,
  narrow_balance_atr: 0.5,
  zone_families: 2,
  strong_zone_families: 3,
  room_atr: 0.25,
} as const;

const SIGNAL_NAMES = {
  vwap_touch: 'VWAP touch',
  ib_breakout: 'IB breakout',
  ib_retest: 'IB retest',
  or_hold: 'OR hold',
  level_confluence: 'level confluence',
  trend_continuation: 'trend continuation',
} as const;
export const SIGNAL_TYPES = Object.keys(SIGNAL_NAMES) as (keyof typeof SIGNAL_NAMES)[];
/** Where entries come from. */
export const SIGNALS = { ...SIGNAL_NAMES, own: 'own entry' } as const;

/** What may colour the heat map, with the digits of its cells. */
export const MEASURES = {
  sharpe_ratio: { word: 'Sharpe ratio', digits: 1, neutral: 0 },
  total_r: { word: 'total R', digits: 1, neutral: 0 },
  profit_factor: { word: 'profit factor', digits: 2, neutral: 1 },
  win_rate: { word: 'win rate', digits: 2, neutral: 0.5 },
} as const;
export type Measure = keyof typeof MEASURES;

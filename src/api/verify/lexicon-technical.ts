import { exponential, simple } from './lexicon-averages.ts';
import { level, measure, type Measure, notKnown, open } from './lexicon-measure.ts';

/** Indicators on daily bars. */
export const INDICATORS: readonly Measure[] = [
  measure(
    'relative strength index',
    ['technical.rsi_14'],
    `
    rsi | rsi 14 | 14 day rsi | 14 period rsi | 14 rsi | daily rsi | relative strength index 14 |
    fourteen session relative strength index
  `,
  ),
  measure(
    'average directional index',
    ['technical.adx_14'],
    'adx | adx 14 | 14 day adx | fourteen session average directional index',
  ),
  measure(
    'average true range',
    ['technical.atr_14', 'technical.daily_atr.14', 'technical.daily_atr_live', 'level_ladder.atr'],
    `
    atr | atr 14 | 14 day atr | 14 atr | daily atr | daily atr 14 |
    fourteen session average true range
  `,
  ),
  measure(
    'average true range, 20 sessions',
    ['technical.daily_atr.20'],
    'atr 20 | 20 day atr | daily atr 20 | 20 day average true range',
  ),
  measure(
    'average true range of minute bars',
    ['technical.atr_1m_14'],
    '1 minute atr | minute atr | atr 1 m 14 | 1 m atr',
  ),
  measure(
    'MACD',
    ['technical.macd'],
    'macd | macd line | macd 12 26 | macd 12 26 9 | moving average convergence divergence | convergence of averages',
  ),
  measure('MACD signal', ['technical.macd_signal'], 'macd signal | signal line | macd signal line'),
  {
    ...measure('MACD histogram', [], 'histogram'),
    formulas: [{ kind: 'difference', of: ['technical.macd', 'technical.macd_signal'] }],
  },
  simple(20, ['technical.bollinger.middle', 'technical.moving_averages.ema_20']),
  simple(50, ['@market.index.sma_50']),
  simple(200, ['@market.index.sma_200']),
  open('average of so many sessions', ['technical.moving_averages.*'], 'twenty | fifty | two hundred'),
  exponential(9),
  exponential(20),
  ...notKnown(`
    moving average | moving averages | averages | 100 day | 100 day average | 100 day moving average |
    10 day | 10 day average | 10 day moving average | 150 day average | 5 day average |
    30 day average | 21 ema | 21 day ema | 8 ema | 100 sma | sma 100
  `),
  ...notKnown(`
    20 day high | 20 day low | 50 day high | 50 day low | 200 day high | 200 day low | 20 day return |
    50 day return | 52 week high | 52 week low | 52 week range | fifty two week high |
    fifty two week low | all time high | all time low | record high | ytd | 20 day volatility |
    20 day average volume | 50 day average volume | average volume | average daily volume |
    10 day average volume | 20 day | 1 year high | historical volatility | realized volatility |
    realised volatility | volatility
  `),
  level(
    'upper Bollinger band',
    ['technical.bollinger.upper'],
    'upper bollinger | upper band | bollinger upper | bollinger upper band',
  ),
  level(
    'middle Bollinger band',
    ['technical.bollinger.middle'],
    'middle bollinger | middle band | bollinger middle',
  ),
  level(
    'lower Bollinger band',
    ['technical.bollinger.lower'],
    'lower bollinger | lower band | bollinger lower | bollinger lower band',
  ),
  measure('Bollinger bandwidth', ['technical.bollinger.bandwidth'], 'bandwidth | band width'),
  measure('percent B', ['technical.bollinger.percent_b'], 'bollinger percent b'),
  measure('momentum blend', ['momentum_blend'], 'blended momentum | blended'),
  measure('momentum slope', ['momentum_slope_60d'], '60 day momentum slope | 60 day slope | along a line'),
];

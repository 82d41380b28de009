import { rulesOf, said } from './rule.ts';

const PRICE = 'stock.last_price';
const EMA_9 = 'stock.technical.moving_averages.ema_9';
const EMA_20 = 'stock.technical.moving_averages.ema_20';
const SMA_50 = 'stock.technical.moving_averages.sma_50';
const SMA_200 = 'stock.technical.moving_averages.sma_200';
const ADX = 'stock.technical.adx_14';
const SLOPE = 'stock.momentum_slope_60d.month';
const RSI = 'stock.technical.rsi_14';
const MACD = 'stock.technical.macd';
const SIGNAL = 'stock.technical.macd_signal';
const MOMENTUM = 'stock.momentum_blend';
const HEALTH = 'stock.momentum_health_v5';
const STRETCH = `${HEALTH}.distance_sma20_atr`;

/** The trend, and how fast it goes. */
export const TREND = rulesOf(`
// Averages, direction, slope.
trend.[above|below]_long_averages (7): ${PRICE} > ${SMA_200}, ${PRICE} > ${SMA_50}, ${SMA_50} > ${SMA_200}
  Price {${PRICE}} is [above|below] its fifty-day SMA of {${SMA_50}}, and that average is [above|below] the two-hundred-day SMA of {${SMA_200}}.
trend.[recovering|breaking] (5): ${PRICE} > ${SMA_50}, ${SMA_50} <= ${SMA_200}
  [Price {${PRICE}} is back above its fifty-day SMA of {${SMA_50}}, though that average is not yet above the two-hundred-day SMA of {${SMA_200}}|Price {${PRICE}} has lost its fifty-day SMA of {${SMA_50}}].
trend.[long_average_holds|under_long_average] (4): ${PRICE} > ${SMA_200}, ${PRICE} <= ${SMA_50}
  Price {${PRICE}} is [below its fifty-day SMA but holds above|above its fifty-day SMA but still below] the two-hundred-day SMA of {${SMA_200}}.
trend.stacked_[up|down] (5): stock.technical.trend_stack_valid is true | ${EMA_9} < ${EMA_20}, ${EMA_20} < ${SMA_50}, ${SMA_50} < ${SMA_200}
  Moving averages are stacked [upward|downward]: nine-day EMA {${EMA_9}}, twenty-day EMA {${EMA_20}}, fifty-day SMA {${SMA_50}}, two-hundred-day SMA {${SMA_200}}.
trend.strong_[up|down] (5): ${ADX} >= 25, ${EMA_9} > ${EMA_20}
  ${said(ADX)} shows strength, and the nine-day EMA {${EMA_9}} is [above|below] the twenty-day EMA {${EMA_20}}.
trend.slope_[up|down] (4): ${SLOPE} >= 1.25
  The slope of sixty closes is {${SLOPE}}% a month.
trend.no_direction (bear 2): ${ADX} < 20, ${PRICE} > ${SMA_50}
  ${said(ADX)} is low: there is little strength behind the advance.
// Speed, and how far it has gone.
momentum.macd_[up|down] (3): ${MACD} > ${SIGNAL}, ${MACD} > 0
  ${said(MACD)} is [positive|negative] and [above|below] its signal line {${SIGNAL}}.
momentum.macd_fades (bear 2): ${MACD} < ${SIGNAL}, ${MACD} >= 0
  ${said(MACD)} has dropped below its signal line {${SIGNAL}}: the advance slows.
momentum.[strong|weak] (4): ${MOMENTUM} >= 5
  The blended return over twenty, sixty and ninety days is {${MOMENTUM}}%.
momentum.healthy (bull 3): ${HEALTH}.state is healthy, ${HEALTH}.direction is up
  Momentum score {${HEALTH}.score}: upward momentum is healthy.
momentum.fading (bear 3): ${HEALTH}.state is fading, ${HEALTH}.direction is up
  Momentum score {${HEALTH}.score}: upward momentum is fading.
momentum.exhausted (bear 4): ${HEALTH}.state is exhausted, ${HEALTH}.direction is up
  Momentum score {${HEALTH}.score}: upward momentum is exhausted.
momentum.[buyers|sellers]_lead (2): ${RSI} >= 52, ${RSI} < 68
  ${said(RSI)} favours [buyers|sellers] without being stretched.
momentum.[oversold|overbought] (4): ${RSI} <= 30
  ${said(RSI)} is [oversold: much of the selling may be done|overbought: new buyers are late].
momentum.stretched_[down|up] (3|4): ${STRETCH} <= -2
  A stretch of {${STRETCH}} ATR from the twenty-day SMA [often snaps back|invites profit-taking].
`);

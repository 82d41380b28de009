import { all } from '../../analysis/conditions.ts';
import { bear, both, bull, type DebateRule } from './rule.ts';

const PRICE = 'stock.last_price';
const EMA_9 = 'stock.technical.moving_averages.ema_9';
const EMA_20 = 'stock.technical.moving_averages.ema_20';
const SMA_50 = 'stock.technical.moving_averages.sma_50';
const SMA_200 = 'stock.technical.moving_averages.sma_200';
const ADX = 'stock.technical.adx_14';
const SLOPE = 'stock.momentum_slope_60d';
const RSI = 'stock.technical.rsi_14';
const MACD = 'stock.technical.macd';
const SIGNAL = 'stock.technical.macd_signal';
const MOMENTUM = 'stock.momentum_blend';
const HEALTH = 'stock.momentum_health_v5';
const STRETCH = `${HEALTH}.distance_sma20_atr`;

/** Averages, direction, slope. */
export const TREND: readonly DebateRule[] = [
  ...both(
    'trend.[above|below]_long_averages',
    7,
    all([PRICE, '>', SMA_200], [PRICE, '>', SMA_50], [SMA_50, '>', SMA_200]),
    `Price {${PRICE}} is [above|below] its fifty-day SMA of {${SMA_50}}, and that average is [above|below] the two-hundred-day SMA of {${SMA_200}}.`,
  ),
  ...both(
    'trend.[recovering|breaking]',
    5,
    all([PRICE, '>', SMA_50], [SMA_50, '<=', SMA_200]),
    `[Price {${PRICE}} is back above its fifty-day SMA of {${SMA_50}}, though that average is not yet above the two-hundred-day SMA of {${SMA_200}}|Price {${PRICE}} has lost its fifty-day SMA of {${SMA_50}}].`,
  ),
  ...both(
    'trend.[long_average_holds|under_long_average]',
    4,
    all([PRICE, '>', SMA_200], [PRICE, '<=', SMA_50]),
    `Price {${PRICE}} is [below its fifty-day SMA but holds above|above its fifty-day SMA but still below] the two-hundred-day SMA of {${SMA_200}}.`,
  ),
  ...both(
    'trend.stacked_[up|down]',
    5,
    {
      bull: ['stock.technical.trend_stack_valid', 'is', true],
      bear: all([EMA_9, '<', EMA_20], [EMA_20, '<', SMA_50], [SMA_50, '<', SMA_200]),
    },
    `Moving averages are stacked [upward|downward]: nine-day EMA {${EMA_9}}, twenty-day EMA {${EMA_20}}, fifty-day SMA {${SMA_50}}, two-hundred-day SMA {${SMA_200}}.`,
  ),
  ...both(
    'trend.strong_[up|down]',
    5,
    all([ADX, '>=', 25], [EMA_9, '>', EMA_20]),
    `ADX {${ADX}} shows a strong trend; the nine-day EMA {${EMA_9}} is [above|below] the twenty-day EMA {${EMA_20}}.`,
  ),
  ...both(
    'trend.slope_[up|down]',
    4,
    [SLOPE, '>=', 15],
    `The sixty-day momentum slope is {${SLOPE}}% a year.`,
  ),
  bear(
    'trend.no_direction',
    2,
    all([ADX, '<', 20], [PRICE, '>', SMA_50]),
    `ADX {${ADX}} shows no trend behind the advance.`,
  ),
];

/** Speed, and how far it has gone. */
export const MOMENTUM_RULES: readonly DebateRule[] = [
  ...both(
    'momentum.macd_[up|down]',
    3,
    all([MACD, '>', SIGNAL], [MACD, '>', 0]),
    `MACD {${MACD}} is [positive|negative] and [above|below] its signal line {${SIGNAL}}.`,
  ),
  bear(
    'momentum.macd_fades',
    2,
    all([MACD, '<', SIGNAL], [MACD, '>=', 0]),
    `MACD {${MACD}} has dropped below its signal line {${SIGNAL}}: the advance slows.`,
  ),
  ...both(
    'momentum.[strong|weak]',
    4,
    [MOMENTUM, '>=', 5],
    `The blended return over twenty, sixty and ninety days is {${MOMENTUM}}%.`,
  ),
  bull(
    'momentum.healthy',
    3,
    all([`${HEALTH}.state`, 'is', 'healthy'], [`${HEALTH}.direction`, 'is', 'up']),
    `Momentum score {${HEALTH}.score}: the uptrend is healthy.`,
  ),
  bear(
    'momentum.fading',
    3,
    all([`${HEALTH}.state`, 'is', 'fading'], [`${HEALTH}.direction`, 'is', 'up']),
    `Momentum score {${HEALTH}.score}: the uptrend is fading.`,
  ),
  bear(
    'momentum.exhausted',
    4,
    all([`${HEALTH}.state`, 'is', 'exhausted'], [`${HEALTH}.direction`, 'is', 'up']),
    `Momentum score {${HEALTH}.score}: the uptrend is exhausted.`,
  ),
  ...both(
    'momentum.[buyers|sellers]_lead',
    2,
    all([RSI, '>=', 52], [RSI, '<', 68]),
    `RSI {${RSI}} favours [buyers|sellers] without being stretched.`,
  ),
  ...both(
    'momentum.[oversold|overbought]',
    4,
    [RSI, '<=', 30],
    `RSI {${RSI}} is [oversold: much of the selling may be done|overbought: new buyers are late].`,
  ),
  ...both(
    'momentum.stretched_[down|up]',
    [3, 4],
    [STRETCH, '<=', -2],
    `A stretch of {${STRETCH}} ATR from the twenty-day SMA [often snaps back|invites profit-taking].`,
  ),
];

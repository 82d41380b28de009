import { above, atLeast, atMost, be, below, type Rule } from './rule.ts';

const PRICE = 'stock.last_price';
const EMA_9 = 'stock.technical.moving_averages.ema_9';
const EMA_20 = 'stock.technical.moving_averages.ema_20';
const SMA_50 = 'stock.technical.moving_averages.sma_50';
const SMA_200 = 'stock.technical.moving_averages.sma_200';
const ADX = 'stock.technical.adx_14';
const SLOPE = 'stock.momentum_slope_60d';
const RSI = 'stock.technical.rsi_14';
const STRETCH = 'stock.momentum_health_v5.distance_sma20_atr';
const MOMENTUM = 'stock.momentum_blend';
const HEALTH = 'stock.momentum_health_v5';

/** Averages, direction, slope. */
export const TREND: readonly Rule[] = [
  {
    id: 'trend.above_long_averages',
    side: 'bull',
    weight: 7,
    when: [above(PRICE, SMA_200), above(PRICE, SMA_50), above(SMA_50, SMA_200)],
    says: `The price of {${PRICE}} stands above its fifty-session average of {${SMA_50}}, which stands above the two-hundred-session one of {${SMA_200}}.`,
  },
  {
    id: 'trend.recovering',
    side: 'bull',
    weight: 5,
    when: [above(PRICE, SMA_50), atMost(SMA_50, SMA_200)],
    says: `The price of {${PRICE}} is back above its fifty-session average of {${SMA_50}}, although that average is not above the two-hundred-session one of {${SMA_200}} yet.`,
  },
  {
    id: 'trend.long_average_holds',
    side: 'bull',
    weight: 4,
    when: [above(PRICE, SMA_200), atMost(PRICE, SMA_50)],
    says: `The price of {${PRICE}} has slipped under its fifty-session average but still holds above the two-hundred-session one of {${SMA_200}}.`,
  },
  {
    id: 'trend.stacked_up',
    side: 'bull',
    weight: 5,
    when: [be('stock.technical.trend_stack_valid', true)],
    says: `The averages are stacked upward: nine sessions {${EMA_9}}, twenty {${EMA_20}}, fifty {${SMA_50}}, two hundred {${SMA_200}}.`,
  },
  {
    id: 'trend.strong_up',
    side: 'bull',
    weight: 5,
    when: [atLeast(ADX, 25), above(EMA_9, EMA_20)],
    says: `The average directional index of {${ADX}} calls the trend strong, and the nine-session average of {${EMA_9}} leads the twenty-session one of {${EMA_20}} upward.`,
  },
  {
    id: 'trend.slope_up',
    side: 'bull',
    weight: 4,
    when: [atLeast(SLOPE, 15)],
    says: `Over sixty sessions the closes climb along a line of {${SLOPE}} percent a year.`,
  },
  {
    id: 'trend.below_long_averages',
    side: 'bear',
    weight: 7,
    when: [below(PRICE, SMA_200), below(PRICE, SMA_50), below(SMA_50, SMA_200)],
    says: `The price of {${PRICE}} stands below its fifty-session average of {${SMA_50}}, which stands below the two-hundred-session one of {${SMA_200}}.`,
  },
  {
    id: 'trend.breaking',
    side: 'bear',
    weight: 5,
    when: [below(PRICE, SMA_50), atLeast(SMA_50, SMA_200)],
    says: `The price of {${PRICE}} has lost its fifty-session average of {${SMA_50}}.`,
  },
  {
    id: 'trend.under_long_average',
    side: 'bear',
    weight: 4,
    when: [below(PRICE, SMA_200), atLeast(PRICE, SMA_50)],
    says: `For all its recovery the price of {${PRICE}} is still under the two-hundred-session average of {${SMA_200}}.`,
  },
  {
    id: 'trend.stacked_down',
    side: 'bear',
    weight: 5,
    when: [below(EMA_9, EMA_20), below(EMA_20, SMA_50), below(SMA_50, SMA_200)],
    says: `The averages are stacked downward: nine sessions {${EMA_9}}, twenty {${EMA_20}}, fifty {${SMA_50}}, two hundred {${SMA_200}}.`,
  },
  {
    id: 'trend.strong_down',
    side: 'bear',
    weight: 5,
    when: [atLeast(ADX, 25), below(EMA_9, EMA_20)],
    says: `The average directional index of {${ADX}} calls the trend strong, and the nine-session average of {${EMA_9}} leads the twenty-session one of {${EMA_20}} downward.`,
  },
  {
    id: 'trend.slope_down',
    side: 'bear',
    weight: 4,
    when: [atMost(SLOPE, -15)],
    says: `Over sixty sessions the closes fall along a line of {${SLOPE}} percent a year.`,
  },
  {
    id: 'trend.no_direction',
    side: 'bear',
    weight: 2,
    when: [below(ADX, 20), above(PRICE, SMA_50)],
    says: `An average directional index of {${ADX}} shows no directed trend behind the advance.`,
  },
];

/** Speed, and how far it has carried. */
export const MOMENTUM_RULES: readonly Rule[] = [
  {
    id: 'momentum.macd_up',
    side: 'bull',
    weight: 3,
    when: [above('stock.technical.macd', 'stock.technical.macd_signal'), above('stock.technical.macd', 0)],
    says: 'The convergence of averages at {stock.technical.macd} is positive and above its signal line of {stock.technical.macd_signal}.',
  },
  {
    id: 'momentum.strong',
    side: 'bull',
    weight: 4,
    when: [atLeast(MOMENTUM, 5)],
    says: `Blended over twenty, sixty and ninety sessions the stock has returned {${MOMENTUM}} percent.`,
  },
  {
    id: 'momentum.healthy',
    side: 'bull',
    weight: 3,
    when: [be(`${HEALTH}.state`, 'healthy'), be(`${HEALTH}.direction`, 'up')],
    says: `The upward momentum is rated healthy at {${HEALTH}.score} points.`,
  },
  {
    id: 'momentum.buyers_lead',
    side: 'bull',
    weight: 2,
    when: [atLeast(RSI, 52), below(RSI, 68)],
    says: `A relative strength index of {${RSI}} leans to buyers without being stretched.`,
  },
  {
    id: 'momentum.oversold',
    side: 'bull',
    weight: 4,
    when: [atMost(RSI, 30)],
    says: `A relative strength index of {${RSI}} is oversold: much of the selling may be done.`,
  },
  {
    id: 'momentum.stretched_down',
    side: 'bull',
    weight: 3,
    when: [atMost(STRETCH, -2)],
    says: `The price lies {${STRETCH}} average true ranges from its twenty-session average, a stretch from which it often snaps back.`,
  },
  {
    id: 'momentum.macd_down',
    side: 'bear',
    weight: 3,
    when: [below('stock.technical.macd', 'stock.technical.macd_signal'), below('stock.technical.macd', 0)],
    says: 'The convergence of averages at {stock.technical.macd} is negative and below its signal line of {stock.technical.macd_signal}.',
  },
  {
    id: 'momentum.macd_fades',
    side: 'bear',
    weight: 2,
    when: [below('stock.technical.macd', 'stock.technical.macd_signal'), atLeast('stock.technical.macd', 0)],
    says: 'The convergence of averages has dropped to {stock.technical.macd}, under its signal line of {stock.technical.macd_signal}: the advance slows.',
  },
  {
    id: 'momentum.weak',
    side: 'bear',
    weight: 4,
    when: [atMost(MOMENTUM, -5)],
    says: `Blended over twenty, sixty and ninety sessions the stock has returned {${MOMENTUM}} percent.`,
  },
  {
    id: 'momentum.fading',
    side: 'bear',
    weight: 3,
    when: [be(`${HEALTH}.state`, 'fading'), be(`${HEALTH}.direction`, 'up')],
    says: `The upward momentum is fading: its health is {${HEALTH}.score} points.`,
  },
  {
    id: 'momentum.exhausted',
    side: 'bear',
    weight: 4,
    when: [be(`${HEALTH}.state`, 'exhausted'), be(`${HEALTH}.direction`, 'up')],
    says: `The upward momentum is exhausted: its health is {${HEALTH}.score} points.`,
  },
  {
    id: 'momentum.sellers_lead',
    side: 'bear',
    weight: 2,
    when: [atMost(RSI, 48), above(RSI, 32)],
    says: `A relative strength index of {${RSI}} leans to sellers without being stretched.`,
  },
  {
    id: 'momentum.overbought',
    side: 'bear',
    weight: 4,
    when: [atLeast(RSI, 70)],
    says: `A relative strength index of {${RSI}} is overbought: whoever buys now buys late.`,
  },
  {
    id: 'momentum.stretched_up',
    side: 'bear',
    weight: 4,
    when: [atLeast(STRETCH, 2)],
    says: `The price lies {${STRETCH}} average true ranges above its twenty-session average, a stretch that invites profit-taking.`,
  },
];

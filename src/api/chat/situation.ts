import { above, atLeast, atMost, be, below, conditionOf, type Mirrored, met } from '../debate/rule.ts';
import type { FactRegistry } from './fact-registry.ts';

const PRICE = 'stock.last_price';
const DAYS_TO_REPORT = 'stock.earnings.days_until';

/** The situation in the words that playbooks use. */
const WORDS: readonly (readonly [when: readonly Mirrored[], words: string])[] = [
  [[be('stock.technical.trend_stack_valid', true)], 'uptrend with averages stacked in order'],
  [
    [
      below('stock.technical.moving_averages.ema_20', 'stock.technical.moving_averages.sma_50'),
      below('stock.technical.moving_averages.sma_50', 'stock.technical.moving_averages.sma_200'),
    ],
    'downtrend with averages stacked downward',
  ],
  [[atLeast('stock.technical.adx_14', 25)], 'strong trend continues'],
  [[below('stock.technical.adx_14', 18)], 'range without direction, rotation between support and resistance'],
  [[atMost('level.support.strong.away', 0.25)], 'price at support where several levels meet'],
  [[atMost('level.resistance.strong.away', 0.25)], 'price at resistance where several levels meet'],
  [[be('stock.compression.is_nr7', true)], 'narrow range, compression before a breakout'],
  [[be('stock.compression.is_inside_day', true)], 'inside day, compression before a breakout'],
  [[atMost('stock.technical.rsi_14', 35)], 'oversold after a fall'],
  [[atLeast('stock.technical.rsi_14', 68)], 'overbought after a rise'],
  [[be('stock.orb_directional_bias', 'bullish')], 'opening range broken upward'],
  [[be('stock.orb_directional_bias', 'bearish')], 'opening range broken downward'],
  [[above(PRICE, 'stock.levels.vwap')], 'price holds above the volume-weighted average price'],
  [[below(PRICE, 'stock.levels.vwap')], 'price stays below the volume-weighted average price'],
  [[be('stock.day_context.day_type', 'trending')], 'trending day'],
  [[be('stock.day_context.day_type', 'rotational')], 'rotational day, extremes are faded'],
  [
    [atLeast('stock.earnings.surprise_pct', 5), be('stock.earnings.cleared', false)],
    'earnings surprise, drift',
  ],
  [[atLeast(DAYS_TO_REPORT, 0), atMost(DAYS_TO_REPORT, 7)], 'earnings are near'],
];

/** The situation of a stock in a closed vocabulary, to find texts about it; empty where nothing is notable. */
export const situationOf = (registry: FactRegistry): string =>
  WORDS.filter(([when]) =>
    met(
      when.map((one) => conditionOf('bull', one)),
      registry,
    ),
  )
    .map(([, words]) => words)
    .join('; ');

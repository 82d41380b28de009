import { all, type Condition, verdict } from '../../analysis/conditions.ts';
import { inputsFrom } from '../debate/rule.ts';
import type { FactRegistry } from './fact-registry.ts';

const PRICE = 'stock.last_price';
const DAYS_TO_REPORT = 'stock.earnings.days_until';

/** The situation in the words that playbooks use. */
const WORDS: readonly (readonly [when: Condition, words: string])[] = [
  [['stock.technical.trend_stack_valid', 'is', true], 'uptrend with averages stacked in order'],
  [
    all(
      ['stock.technical.moving_averages.ema_20', '<', 'stock.technical.moving_averages.sma_50'],
      ['stock.technical.moving_averages.sma_50', '<', 'stock.technical.moving_averages.sma_200'],
    ),
    'downtrend with averages stacked downward',
  ],
  [['stock.technical.adx_14', '>=', 25], 'strong trend continues'],
  [['stock.technical.adx_14', '<', 18], 'range without direction, rotation between support and resistance'],
  [['level.support.strong.away', '<=', 0.25], 'price at support where several levels meet'],
  [['level.resistance.strong.away', '<=', 0.25], 'price at resistance where several levels meet'],
  [['stock.compression.is_nr7', 'is', true], 'narrow range, compression before a breakout'],
  [['stock.compression.is_inside_day', 'is', true], 'inside day, compression before a breakout'],
  [['stock.technical.rsi_14', '<=', 35], 'oversold after a fall'],
  [['stock.technical.rsi_14', '>=', 68], 'overbought after a rise'],
  [['stock.orb_directional_bias', 'is', 'bullish'], 'opening range broken upward'],
  [['stock.orb_directional_bias', 'is', 'bearish'], 'opening range broken downward'],
  [[PRICE, '>', 'stock.levels.vwap'], 'price holds above the volume-weighted average price'],
  [[PRICE, '<', 'stock.levels.vwap'], 'price stays below the volume-weighted average price'],
  [['stock.day_context.day_type', 'is', 'trending'], 'trending day'],
  [['stock.day_context.day_type', 'is', 'rotational'], 'rotational day, extremes are faded'],
  [
    all(['stock.earnings.surprise_pct', '>=', 5], ['stock.earnings.cleared', 'is', false]),
    'earnings surprise, drift',
  ],
  [all([DAYS_TO_REPORT, '>=', 0], [DAYS_TO_REPORT, '<=', 7]), 'earnings are near'],
];

/** The situation of a stock in a closed vocabulary, to find texts about it; empty where nothing is notable. */
export const situationOf = (registry: FactRegistry): string =>
  WORDS.filter(([when]) => verdict(when, inputsFrom(registry)) === 'met')
    .map(([, words]) => words)
    .join('; ');

import { all } from '../conditions.ts';
import { conditionsOf, SHARED } from './condition.ts';
import { sided } from './playbook.ts';
import { PLAYBOOK_THRESHOLDS as LIMITS } from './thresholds.ts';

/** What becomes of a surprise in the weeks after it. */

export const earningsDrift = sided({
  strategy: 'earnings_drift_[long|short]',
  name: 'Drift after [good|bad] results',
  family: 'earnings',
  signal: null,
  timeframe: 'swing',
  day_type: 'any',
  summary:
    'Weeks after results that [beat|missed] what was expected, price still moves the way of the surprise. When it works, large holders need longer than a day to change their minds and their positions, and analysts follow one after the other.',
  setup:
    'Results within the last weeks with a clear surprise, price on the same side of its 20-day mean, and volume that has not gone to sleep. The next results are not near.',
  entry:
    '[Buy|Sell short] a break of the three-day [high|low]: the drift shows itself by new [highs|lows], not by hope.',
  stop: 'The 20-day mean.',
  target: 'Two daily ATR beyond the trigger.',
  invalidation: 'The gap of the results is filled, or price closes on the wrong side of the 20-day mean.',
  risks:
    'Fails when the surprise was one of accounting, when the outlook pointed the other way, and when the first day took the whole move. A stock that everybody [owns for its results has nobody left to buy it|has already sold for its results has nobody left to sell it].',
  conditions: conditionsOf({
    recent_surprise: {
      when: all(
        ['surprise_pct', '>=', LIMITS.drift_surprise],
        ['days_since_earnings', '<=', LIMITS.drift_days],
      ),
      meaning: `Results of the last ${LIMITS.drift_days} days [beat|missed] what was expected by at least ${LIMITS.drift_surprise} %.`,
    },
    price_agrees: { when: ['price', '>', 'sma_20'], meaning: 'Price is [above|below] the 20-day mean.' },
    volume_agrees: {
      when: ['rel_vol_5d', '>=', 1],
      meaning: 'Volume is no less than its mean of five sessions.',
    },
    no_results_near: SHARED.no_results_near,
  }),
  prices: {
    trigger: ['range_3d_high'],
    stop: ['sma_20'],
    target: ['range_3d_high', [2, 'atr']],
  },
});

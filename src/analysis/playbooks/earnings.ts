import { condition } from './condition.ts';
import { PLAYBOOK_LINES as LINES } from './lines.ts';
import { sided } from './playbook.ts';

/** What becomes of a surprise in the weeks after it. */

export const earningsDrift = sided({
  strategy: 'earnings_drift_{long|short}',
  name: 'Drift after {good|bad} results',
  family: 'earnings',
  signal: null,
  timeframe: 'swing',
  day_type: 'any',
  summary:
    'Weeks after results that {beat|missed} what was expected, price still moves the way of the surprise. When it works, large holders need longer than a day to change their minds and their positions, and analysts follow one after the other.',
  setup:
    'Results within the last weeks with a clear surprise, price on the same side of its 20-day mean, and volume that has not gone to sleep. The next results are not near.',
  entry:
    '{Buy|Sell short} a break of the three-day {high|low}: the drift shows itself by new {highs|lows}, not by hope.',
  stop: 'The 20-day mean.',
  target: 'Two daily ATR beyond the trigger.',
  invalidation: 'The gap of the results is filled, or price closes on the wrong side of the 20-day mean.',
  risks:
    'Fails when the surprise was one of accounting, when the outlook pointed the other way, and when the first day took the whole move. A stock that everybody {owns for its results has nobody left to buy it|has already sold for its results has nobody left to sell it}.',
  conditions: [
    condition(
      'recent_surprise',
      `Results of the last ${LINES.drift_days} days {beat|missed} what was expected by at least ${LINES.drift_surprise} %.`,
      {
        all: [
          { input: 'surprise_pct', op: '>=', value: LINES.drift_surprise },
          { input: 'days_since_earnings', op: '<=', value: LINES.drift_days },
        ],
      },
    ),
    condition('price_agrees', 'Price is {above|below} the 20-day mean.', {
      input: 'price',
      op: '>',
      than: 'sma_20',
    }),
    condition('volume_agrees', 'Volume is no less than its mean of five sessions.', {
      input: 'rel_vol_5d',
      op: '>=',
      value: 1,
    }),
    condition('no_results_near', `The next results are more than ${LINES.event_clear_days} days away.`, {
      input: 'days_to_earnings',
      op: '>',
      value: LINES.event_clear_days,
    }),
  ],
  prices: {
    trigger: [[1, 'range_3d_high']],
    stop: [[1, 'sma_20']],
    target: [
      [1, 'range_3d_high'],
      [2, 'atr'],
    ],
  },
});

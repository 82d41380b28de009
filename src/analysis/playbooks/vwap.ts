import { all } from '../conditions.ts';
import { conditionsOf, SHARED } from './condition.ts';
import { sided } from './playbook.ts';
import { PLAYBOOK_THRESHOLDS as LIMITS } from './thresholds.ts';

/** The volume-weighted price of the session as the line that a trend comes back to. */

export const vwapHold = sided({
  strategy: 'vwap_hold_[long|short]',
  name: 'Trend day, [long|short] from VWAP',
  family: 'vwap',
  signal: null,
  timeframe: 'intraday',
  day_type: 'trending',
  summary:
    'On a day that trends [up|down], price comes back close to VWAP and stays on the right side of it. When it works, those who must [buy|sell] size through the day use the average price as their line and take every return to it.',
  setup:
    'The day is a trend day, the opening ranges agree with it, and the daily trend of the last month is on the same side. Price stands just [above|below] VWAP.',
  entry: '[Buy|Sell short] at or just [above|below] VWAP once a minute has closed on the right side of it.',
  stop: 'A quarter of a daily ATR on the far side of VWAP: farther away the day is no longer the one that was meant.',
  target: 'Half of a daily ATR ahead of VWAP.',
  invalidation: 'Several closes in a row on the wrong side of VWAP, or a trend score that fades to nothing.',
  risks:
    'Fails when the trend of the morning is over, which VWAP shows last of all, on days that rotate around it, and on news. Every further touch is weaker than the one before.',
  conditions: conditionsOf({
    'vwap_just_[below|above]': {
      when: all(['vwap_atr', '>=', 0], ['vwap_atr', '<=', LIMITS.vwap_near_atr]),
      meaning: `Price is at VWAP or [above|below] it by no more than ${LIMITS.vwap_near_atr} ATR.`,
    },
    trend_day: SHARED.trend_day,
    daily_mean_behind: { when: ['price', '>', 'sma_20'], meaning: 'Price is [above|below] the 20-day mean.' },
    opening_range_agrees: SHARED.opening_range_agrees,
  }),
  prices: {
    trigger: ['vwap'],
    stop: ['vwap', [-0.25, 'atr']],
    target: ['vwap', [0.5, 'atr']],
  },
});

export const vwapTouch = sided({
  strategy: 'vwap_touch_[long|short]',
  name: 'Return to a [rising|falling] VWAP',
  family: 'vwap',
  signal: 'vwap_touch',
  timeframe: 'intraday',
  day_type: 'trending',
  summary:
    'Price has kept [above|below] a [rising|falling] VWAP for half an hour or more, moved away from it and now comes back to touch it. When it works, the average [buyer|seller] of the day is still in the money and defends the price that they [paid|got].',
  setup:
    'A run of one-minute closes on one side of VWAP, VWAP itself moving the same way, and a clear excursion before the return. The opening ranges and the lean of the day agree.',
  entry:
    '[Buy|Sell short] the first [dip|rally] onto VWAP that closes [above|below] it, on the minute after that close.',
  stop: 'Half of a daily ATR on the far side of VWAP; the backtest tries others.',
  target: 'One daily ATR ahead of VWAP; the extreme of the run is the first place to take something off.',
  invalidation: 'A one-minute close on the wrong side of VWAP ends the run that the trade stands on.',
  risks:
    'Fails when the line has been touched often, when VWAP has gone flat, and in the afternoon when it moves too slowly to carry anything. A return on rising volume looks more like a reversal than like a rest.',
  conditions: conditionsOf({
    back_at_vwap: {
      when: all(
        ['vwap_atr', '>=', 0],
        ['vwap_atr', '<=', LIMITS.touch_atr],
        ['vwap_excursion_atr', '>=', LIMITS.left_vwap_atr],
      ),
      meaning: `Price is at VWAP or [above|below] it by no more than ${LIMITS.touch_atr} ATR, after a close at least ${LIMITS.left_vwap_atr} ATR [above|below] it in the same run.`,
    },
    held_for_half_an_hour: {
      when: ['vwap_run', '>=', LIMITS.vwap_bars],
      meaning: `At least ${LIMITS.vwap_bars} one-minute closes in a row lie [above|below] VWAP.`,
    },
    'vwap_[rises|falls]': {
      when: ['vwap', '>', 'vwap_30m_ago'],
      meaning: 'VWAP is [higher|lower] than 30 one-minute bars ago.',
    },
    day_leans_along: SHARED.day_leans_along,
    opening_range_agrees: SHARED.opening_range_agrees,
  }),
  prices: {
    trigger: ['vwap'],
    stop: ['vwap', [-0.5, 'atr']],
    target: ['vwap', 'atr'],
  },
});

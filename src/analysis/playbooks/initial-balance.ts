import { all, known } from '../conditions.ts';
import { conditionsOf, SHARED } from './condition.ts';
import { type PlaybookPrices, sided } from './playbook.ts';
import { PLAYBOOK_THRESHOLDS as LIMITS } from './thresholds.ts';

/** The first hour: its break, and the return to its edge. */

const OTHER_SIDE_INTACT = {
  when: ['session_low', '>=', 'ib_low'],
  meaning: 'The session has not traded [below the low|above the high] of the first hour.',
} as const;

const PRICES: PlaybookPrices = {
  trigger: ['ib_high'],
  stop: [
    [0.5, 'ib_high'],
    [0.5, 'ib_low'],
  ],
  target: ['ib_high', 'ib_range'],
};

export const initialBalanceBreakout = sided({
  strategy: 'ib_breakout_[long|short]',
  name: 'Initial balance [breakout|breakdown]',
  family: 'initial_balance',
  signal: 'ib_breakout',
  timeframe: 'intraday',
  day_type: 'trending',
  summary:
    'Price closes [above the high|below the low] of the first hour for the first time. When it works, those who trade for longer than the day have come in after the first hour had found its balance, and the day extends its range in their direction.',
  setup:
    'The first hour is over and was narrow for this stock, so that most of a usual day is still to come. Only one side of it has been left, VWAP lies behind the price, and volume is brisk.',
  entry:
    '[Buy|Sell short] the first one-minute close [above the high|below the low] of the first hour, while price is still near it.',
  stop: 'The middle of the first hour.',
  target: 'One height of the first hour beyond its edge, the second extension of the initial balance.',
  invalidation: 'A return into the first hour that holds for several closes, or a break of its other side.',
  risks:
    'Fails on days of balance that break both sides, when the first hour was already wide, and late in the session when too little time is left to travel. Breaks without volume are fetched back by those who fade extremes.',
  conditions: conditionsOf({
    'initial_balance_broken_[up|down]': {
      when: all(['price', '>', 'ib_high'], known('ib_low')),
      meaning: 'Price is [above the high|below the low] of the first hour, and both its edges are known.',
    },
    other_side_intact: OTHER_SIDE_INTACT,
    not_run_away: {
      when: [['price', '-', 'ib_high'], '<=', [LIMITS.break_near_atr, 'atr']],
      meaning: `Price is no more than ${LIMITS.break_near_atr} ATR beyond the [high|low] of the first hour.`,
    },
    first_hour_was_narrow: {
      when: ['ib_range', '<=', [LIMITS.narrow_balance_atr, 'atr']],
      meaning: `The first hour measures no more than ${LIMITS.narrow_balance_atr} ATR from its high to its low.`,
    },
    vwap_behind: SHARED.vwap_behind,
    volume_brisk: SHARED.volume_brisk,
  }),
  prices: PRICES,
});

export const initialBalanceRetest = sided({
  strategy: 'ib_retest_[long|short]',
  name: 'Initial balance [high|low] retested',
  family: 'initial_balance',
  signal: 'ib_retest',
  timeframe: 'intraday',
  day_type: 'trending',
  summary:
    'After a break of the first hour that went somewhere, price comes back to the broken [high|low] and is turned there. When it works, the market has tried the old range once more, found no [sellers|buyers] in it, and the break goes on from a price with little to lose.',
  setup:
    'The session has left the first hour on one side only and gone clearly beyond it. Price now stands just [above the high|below the low] of that hour, with VWAP behind and the opening ranges and the lean of the day on the same side.',
  entry:
    '[Buy|Sell short] the [dip|rally] to the edge of the first hour that closes [above|below] it, on the minute after that close.',
  stop: 'The middle of the first hour; tighter, the far end of the minute that touched the edge.',
  target: 'One height of the first hour beyond its edge.',
  invalidation: 'A one-minute close back inside the first hour.',
  risks:
    'Fails when the break was a lone spike, when the return is fast and on rising volume, since that is the other side at work, and when the edge has been tested many times. On balanced days the first hour pulls price back to its middle.',
  conditions: conditionsOf({
    back_at_initial_balance: {
      when: all(
        ['price', '>=', 'ib_high'],
        [['price', '-', 'ib_high'], '<=', [LIMITS.touch_atr, 'atr']],
        [['session_high', '-', 'ib_high'], '>=', [LIMITS.left_range_atr, 'atr']],
      ),
      meaning: `Price is at the [high|low] of the first hour or [above|below] it by no more than ${LIMITS.touch_atr} ATR, after the session went at least ${LIMITS.left_range_atr} ATR beyond it.`,
    },
    other_side_intact: OTHER_SIDE_INTACT,
    vwap_behind: SHARED.vwap_behind,
    opening_range_agrees: SHARED.opening_range_agrees,
    day_leans_along: SHARED.day_leans_along,
  }),
  prices: PRICES,
});

import { all, known } from '../conditions.ts';
import { condition, DAY_LEANS_ALONG, OPENING_RANGE_AGREES, VOLUME_BRISK, VWAP_BEHIND } from './condition.ts';
import { PLAYBOOK_LINES as LINES } from './lines.ts';
import { sided } from './playbook.ts';
import type { PlaybookPrices } from './prices.ts';

/** The first hour: its break, and the return to its edge. */

const OTHER_SIDE_INTACT = condition(
  'other_side_intact',
  ['session_low', '>=', 'ib_low'],
  'The session has not traded [below the low|above the high] of the first hour.',
);

const PRICES: PlaybookPrices = {
  trigger: [[1, 'ib_high']],
  stop: [
    [0.5, 'ib_high'],
    [0.5, 'ib_low'],
  ],
  target: [
    [1, 'ib_high'],
    [1, 'ib_range'],
  ],
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
  conditions: [
    condition(
      'initial_balance_broken_[up|down]',
      all(['price', '>', 'ib_high'], known('ib_low')),
      'Price is [above the high|below the low] of the first hour, and both its edges are known.',
    ),
    OTHER_SIDE_INTACT,
    condition(
      'not_run_away',
      [['price', '-', 'ib_high'], '<=', [LINES.break_near_atr, 'atr']],
      `Price is no more than ${LINES.break_near_atr} ATR beyond the [high|low] of the first hour.`,
    ),
    condition(
      'first_hour_was_narrow',
      ['ib_range', '<=', [LINES.narrow_balance_atr, 'atr']],
      `The first hour measures no more than ${LINES.narrow_balance_atr} ATR from its high to its low.`,
    ),
    VWAP_BEHIND,
    VOLUME_BRISK,
  ],
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
  conditions: [
    condition(
      'back_at_initial_balance',
      all(
        ['price', '>=', 'ib_high'],
        [['price', '-', 'ib_high'], '<=', [LINES.touch_atr, 'atr']],
        [['session_high', '-', 'ib_high'], '>=', [LINES.left_range_atr, 'atr']],
      ),
      `Price is at the [high|low] of the first hour or [above|below] it by no more than ${LINES.touch_atr} ATR, after the session went at least ${LINES.left_range_atr} ATR beyond it.`,
    ),
    OTHER_SIDE_INTACT,
    VWAP_BEHIND,
    OPENING_RANGE_AGREES,
    DAY_LEANS_ALONG,
  ],
  prices: PRICES,
});

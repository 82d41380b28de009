import { all, known } from '../conditions.ts';
import { conditionsOf, SHARED } from './condition.ts';
import { type PlaybookPrices, sided } from './playbook.ts';
import { PLAYBOOK_THRESHOLDS as LIMITS } from './thresholds.ts';

/** The first fifteen minutes: their break, and the retest that holds. */

const PRICES: PlaybookPrices = {
  trigger: ['orb_high'],
  stop: [
    [0.5, 'orb_high'],
    [0.5, 'orb_low'],
  ],
  target: [
    [2, 'orb_high'],
    [-1, 'orb_low'],
  ],
};

export const openingRangeBreakout = sided({
  strategy: 'orb_breakout_[long|short]',
  name: 'Opening range [breakout|breakdown]',
  family: 'opening_range',
  signal: null,
  timeframe: 'intraday',
  day_type: 'trending',
  summary:
    'Price leaves the range of the first fifteen minutes [upwards|downwards] with volume behind it. When it works, the orders that waited overnight were larger than the [sellers|buyers] could absorb in the first minutes, and those caught on the wrong side have to [buy|sell] after them.',
  setup:
    'The opening range has closed, a close beyond its [high|low] has broken it, and more shares trade than in the session before by the same time. VWAP lies behind the price and the day has already moved [up|down] by a fair part of a usual day.',
  entry:
    '[Buy|Sell short] the break of the [high|low] of the range; late, wait for the first [dip|rally] that stays [above|below] that edge instead of chasing.',
  stop: 'The middle of the range: a break that gives back half of what it left was none.',
  target: 'One height of the range beyond the edge; trail what is left behind VWAP.',
  invalidation: 'A close back inside the range, or VWAP lost to the other side.',
  risks:
    'Fails on days that open on news already priced in, when the range is so wide that the move is spent, and around noon when volume dries up. The first break can be a trap that reverses through the whole range.',
  conditions: conditionsOf({
    'opening_range_broken_[up|down]': {
      when: ['orb_lean', '>', 0],
      meaning: 'The opening ranges speak for [longs|shorts]: broken [up|down] more than [down|up].',
    },
    price_beyond_range: {
      when: all(['price', '>', 'orb_high'], known('orb_low')),
      meaning:
        'Price is [above the high|below the low] of the first fifteen minutes, and both their edges are known.',
    },
    vwap_behind: SHARED.vwap_behind,
    volume_brisk: SHARED.volume_brisk,
    day_moves_along: {
      when: ['intraday_return_atr', '>=', LIMITS.orb_return_atr],
      meaning: `Price is at least ${LIMITS.orb_return_atr} ATR [above|below] the close before the session.`,
    },
  }),
  prices: PRICES,
});

export const openingRangeHold = sided({
  strategy: 'or_hold_[long|short]',
  name: 'Opening range [high|low] holds',
  family: 'opening_range',
  signal: 'or_hold',
  timeframe: 'intraday',
  day_type: 'trending',
  summary:
    'After a break of the first fifteen minutes price comes back to the broken [high|low] and several closes in a row stay [above|below] it. When it works, those who missed the break [buy|sell] the old edge and those who bet against it [cover|give up], so that what was [resistance|support] has changed hands.',
  setup:
    'Price has broken the range of 9:30-9:45 and gone clearly beyond, returned to within reach of the [high|low], and one-minute closes keep to the right side of it. VWAP lies behind and the shorter and longer opening ranges agree.',
  entry: '[Buy|Sell short] once five closes in a row have held, near the edge rather than far from it.',
  stop: 'The middle of the opening range.',
  target: 'One height of the range beyond the edge.',
  invalidation: 'A one-minute close back inside the range.',
  risks:
    'Fails when the retest comes late in the day and nobody is left to push, when a second and a third retest wear the edge out, and when the whole market turns. A narrow range puts the stop inside the noise of a minute.',
  conditions: conditionsOf({
    back_at_opening_range: {
      when: all(
        ['price', '>', 'orb_high'],
        [['price', '-', 'orb_high'], '<=', [LIMITS.hold_near_atr, 'atr']],
        ['orb_retest_run', '>=', 1],
      ),
      meaning: `Price is [above the high|below the low] of the first fifteen minutes by no more than ${LIMITS.hold_near_atr} ATR, and has come back to that edge from beyond and closed on the right side of it since.`,
    },
    'closes_hold_[above|below]': {
      when: ['orb_retest_run', '>=', LIMITS.hold_bars],
      meaning: `At least ${LIMITS.hold_bars} one-minute closes in a row, that of the return first, lie [above the high|below the low] of the first fifteen minutes.`,
    },
    opening_range_agrees: SHARED.opening_range_agrees,
    vwap_behind: SHARED.vwap_behind,
    volume_brisk: SHARED.volume_brisk,
  }),
  prices: PRICES,
});

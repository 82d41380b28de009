import { all, any, known } from '../conditions.ts';
import { conditionsOf } from './condition.ts';
import { sided } from './playbook.ts';
import { PLAYBOOK_THRESHOLDS as LIMITS } from './thresholds.ts';

/** Trades against a move, at levels that stood before the open. */

export const rangeFade = sided({
  strategy: 'range_fade_[long|short]',
  name: 'Fade to [support|resistance]',
  family: 'levels',
  signal: null,
  timeframe: 'intraday',
  day_type: 'rotational',
  summary:
    'On a day that goes back and forth, price stands at a level that has [held from below|capped it from above], on the far side of VWAP. When it works, nobody is in a hurry, and price that has wandered to the edge of the day is fetched back to its middle.',
  setup:
    'The day rotates and does not trend, ADX says that the stock has no strong trend either, and a standing [support|resistance] is within reach. Price is [below|above] VWAP, with the daily RSI not stretched the other way.',
  entry: '[Buy|Sell short] at the level, best after a minute that touches it and is turned away.',
  stop: 'A quarter of a daily ATR beyond the level.',
  target: 'VWAP, the middle of such a day.',
  invalidation: 'Acceptance beyond the level: several closes [below|above] it, or a trend score that grows.',
  risks:
    'Fails when balance turns into trend, which it does without warning: the last fade of the day loses more than it should. News, and a market that breaks out as a whole, run over every level.',
  conditions: conditionsOf({
    rotational_day: {
      when: all(
        ['rotation_score', '>=', LIMITS.rotation],
        ['rotation_score', '>', 'trend_score'],
        ['rotation_score', '>', [-1, 'trend_score']],
      ),
      meaning: `The rotation score is at least ${LIMITS.rotation} and above the trend score, whichever way that points.`,
    },
    'at_[support|resistance]': {
      when: all(['support_atr', '<=', LIMITS.level_near_atr], known('resistance_atr')),
      meaning: `The nearest [support|resistance] is no more than ${LIMITS.level_near_atr} ATR away, and the level on the other side is known.`,
    },
    beyond_vwap: { when: ['vwap_atr', '<', 0], meaning: 'Price is [below|above] VWAP.' },
    no_strong_trend: {
      when: ['adx_14', '<', LIMITS.strong_adx],
      meaning: `ADX is below ${LIMITS.strong_adx}.`,
    },
    not_stretched_against: {
      when: ['rsi_14', '<', LIMITS.stretched_rsi],
      meaning: `RSI is [below ${LIMITS.stretched_rsi}|above ${100 - LIMITS.stretched_rsi}].`,
    },
  }),
  prices: {
    trigger: ['support'],
    stop: ['support', [-0.25, 'atr']],
    target: ['vwap'],
  },
});

export const levelConfluence = sided({
  strategy: 'level_confluence_[long|short]',
  name: '[Support|Resistance] where levels meet',
  family: 'levels',
  signal: 'level_confluence',
  timeframe: 'intraday',
  day_type: 'rotational',
  summary:
    'Price comes [down|up] to a zone in which levels of several families stood before the open, and holds it. When it works, traders who watch different things have orders at one price, and together they are more than the move that comes into them.',
  setup:
    'Two or more families, such as the prior day, pivots and the prior profile, agree within a quarter of an ATR; price has come to the zone from clearly [above|below] and has not traded through it. The day rotates or leans the same way, and the next level ahead leaves room.',
  entry:
    '[Buy|Sell short] the minute that [dips|rises] into the zone and closes [above its upper|below its lower] edge, on the open of the next.',
  stop: 'A quarter of a daily ATR beyond the far edge of the zone.',
  target: 'The nearest standing level ahead.',
  invalidation: 'A close beyond the far edge of the zone.',
  risks:
    'Fails on trend days, where levels fall one after the other, at the third or fourth test of one zone, and when the families that meet are cut from the same prints. An obvious zone draws the stops of everybody to one place, and price may go and fetch them.',
  conditions: conditionsOf({
    back_at_zone: {
      when: all(
        ['support_zone_families', '>=', LIMITS.zone_families],
        ['price', '>=', 'support_zone_high'],
        [['price', '-', 'support_zone_high'], '<=', [LIMITS.touch_atr, 'atr']],
        [['session_high', '-', 'support_zone_high'], '>=', [LIMITS.left_zone_atr, 'atr']],
      ),
      meaning: `Price is at the near edge of a zone of at least ${LIMITS.zone_families} families or [above|below] it by no more than ${LIMITS.touch_atr} ATR, after the session was at least ${LIMITS.left_zone_atr} ATR away from it.`,
    },
    many_families_meet: {
      when: ['support_zone_families', '>=', LIMITS.strong_zone_families],
      meaning: `At least ${LIMITS.strong_zone_families} families meet in the zone.`,
    },
    zone_not_broken: {
      when: ['session_low', '>=', 'support_zone_low'],
      meaning: 'The session has not traded [below|above] the far edge of the zone.',
    },
    day_not_against: {
      when: any(['rotation_score', '>=', LIMITS.rotation], ['trend_score', '>', 0]),
      meaning: `The rotation score is at least ${LIMITS.rotation}, or the trend score is [above|below] 0.`,
    },
    room_ahead: {
      when: ['resistance_atr', '>=', LIMITS.room_atr],
      meaning: `The nearest standing [resistance|support] is at least ${LIMITS.room_atr} ATR away.`,
    },
  }),
  prices: {
    trigger: ['support_zone_high'],
    stop: ['support_zone_low', [-0.25, 'atr']],
    target: ['resistance'],
  },
});

import { all } from '../conditions.ts';
import { conditionsOf, SHARED } from './condition.ts';
import { sided } from './playbook.ts';
import { PLAYBOOK_THRESHOLDS as LIMITS } from './thresholds.ts';

/** Pullbacks within stacked averages: of days, and of the minutes of a session. */

export const trendPullback = sided({
  strategy: 'trend_pullback_[long|short]',
  name: '[Pullback in an uptrend|Rally in a downtrend]',
  family: 'trend',
  signal: null,
  timeframe: 'swing',
  day_type: 'any',
  summary:
    'In a daily [up|down]trend with its averages in order, price comes back to the 20-day average. When it works, those who missed the trend use the [dip|rally] to join it, and those who are in it have no reason to leave.',
  setup:
    'EMA 20, SMA 50 and SMA 200 stand [one above the other|one below the other], ADX says that the trend has strength, and price is within reach of EMA 20. Momentum has [cooled|recovered] and not turned, and SMA 50 still [carries|caps] the price.',
  entry: '[Buy|Sell short] the turn, a move [up|down] through EMA 9, rather than the [dip|rally] itself.',
  stop: 'SMA 50: a trend that loses it is another trend.',
  target: 'The [high|low] of the last three sessions, then beyond.',
  invalidation: 'A close [below|above] SMA 50, or averages that cross.',
  risks:
    'Fails at the end of long trends, when the pullback is the first leg of the turn, and when results come within days. Wide averages put the stop far away, so that the size must be small.',
  conditions: conditionsOf({
    averages_stacked: {
      when: all(['ema_20', '>', 'sma_50'], ['sma_50', '>', 'sma_200']),
      meaning: 'EMA 20 is [above|below] SMA 50, and SMA 50 [above|below] SMA 200.',
    },
    back_at_ema_20: {
      when: all(
        [['price', '-', 'ema_20'], '<=', [LIMITS.pullback_atr, 'atr']],
        [['ema_20', '-', 'price'], '<=', [LIMITS.pullback_atr, 'atr']],
      ),
      meaning: `Price is within ${LIMITS.pullback_atr} ATR of EMA 20.`,
    },
    trend_has_strength: {
      when: ['adx_14', '>=', LIMITS.strong_adx],
      meaning: `ADX is at least ${LIMITS.strong_adx}.`,
    },
    momentum_not_broken: {
      when: ['rsi_14', '>=', LIMITS.pullback_rsi],
      meaning: `RSI is [at least ${LIMITS.pullback_rsi}|at most ${100 - LIMITS.pullback_rsi}].`,
    },
    sma_50_holds: { when: ['price', '>', 'sma_50'], meaning: 'Price is [above|below] SMA 50.' },
  }),
  prices: {
    trigger: ['ema_9'],
    stop: ['sma_50'],
    target: ['range_3d_high'],
  },
});

export const trendContinuation = sided({
  strategy: 'trend_continuation_[long|short]',
  name: '[Dip in a rising session|Rally in a falling session]',
  family: 'trend',
  signal: 'trend_continuation',
  timeframe: 'intraday',
  day_type: 'trending',
  summary:
    'On one-minute bars the averages of the session are fanned [upwards|downwards] and price [dips|rallies] onto the middle one. When it works, a trend that is carried by steady [buying|selling] pauses only as long as it takes the fast money to leave, and the middle average is where it resumes.',
  setup:
    'EMA 9, EMA 20 and EMA 50 of the session in order, the slow one still [rising|falling], VWAP behind the price and the day a trend day. Price has moved away from EMA 20 and is back at it.',
  entry:
    '[Buy|Sell short] the minute that touches EMA 20 and closes [above|below] it, on the open of the next.',
  stop: 'A tenth of a daily ATR beyond EMA 50 of the session, outside of the noise around it.',
  target: 'The [high|low] of the session, then new ground.',
  invalidation: 'EMA 9 crosses EMA 20, or a close beyond EMA 50.',
  risks:
    'Fails when the trend is a spike on news that the averages only follow, around noon when the fan closes, and after several [dips|rallies], each of which is [bought|sold] by fewer. In a flat market the averages are in order by chance and mean nothing.',
  conditions: conditionsOf({
    back_at_session_ema_20: {
      when: all(
        ['price', '>=', 'session_ema_20'],
        [['price', '-', 'session_ema_20'], '<=', [LIMITS.touch_atr, 'atr']],
        ['session_ema_20_excursion_atr', '>=', LIMITS.left_average_atr],
      ),
      meaning: `Price is at EMA 20 of the session or [above|below] it by no more than ${LIMITS.touch_atr} ATR, after a close at least ${LIMITS.left_average_atr} ATR [above|below] it on the same side.`,
    },
    session_averages_fanned: {
      when: all(['session_ema_9', '>', 'session_ema_20'], ['session_ema_20', '>', 'session_ema_50']),
      meaning: 'EMA 9 of the session is [above|below] its EMA 20, and that [above|below] its EMA 50.',
    },
    'slow_average_[rises|falls]': {
      when: ['session_ema_50', '>', 'session_ema_50_10m_ago'],
      meaning: 'EMA 50 of the session is [higher|lower] than 10 one-minute bars ago.',
    },
    vwap_behind: SHARED.vwap_behind,
    trend_day: SHARED.trend_day,
  }),
  prices: {
    trigger: ['session_ema_20'],
    stop: ['session_ema_50', [-0.1, 'atr']],
    target: ['session_high'],
  },
});

import { rulesOf } from './rule.ts';

const PRICE = 'stock.last_price';
const CHANGE = 'stock.price.change_pct';
const WEEK = 'stock.rel_vol_5d';
const MOMENTUM = 'stock.momentum_blend';
const VWAP = 'stock.levels.vwap';
const PATTERN = 'pattern.[bullish|bearish]';
const EVENT = 'event.[bullish|bearish]';

/** Who trades, and where. */
export const TRADE = rulesOf(`
// Who trades: volume, order flow, the session.
flow.[accumulating|distributing] (5): stock.cvd_trend is [accumulating|distributing], stock.cvd_pct > 0, stock.cvd_divergence is none or stock.cvd_divergence is [bullish|bearish]_div
  The session's CVD is {stock.cvd_pct}% of classified volume: [buyers are accumulating|sellers are distributing].
flow.[bullish|bearish]_divergence (4): stock.cvd_divergence is [bullish|bearish]_div
  Price made a [lower low|higher high] but CVD, now {stock.cvd} shares, did not: [sellers|buyers] are being absorbed.
flow.[buyers_pay|sellers_hit] (3): stock.buy_sell_ratio >= 1.15 | stock.buy_sell_ratio <= 0.87
  The session's buy/sell ratio is {stock.buy_sell_ratio}: [buyers|sellers] are more aggressive.
flow.volume_confirms_advance (bull 4): ${WEEK} >= 1.15, ${MOMENTUM} > 0, stock.is_distribution is false
  Volume confirms the advance: five-day relative volume is {${WEEK}}.
flow.quiet_pullback (bull 3): ${WEEK} <= 0.85, ${CHANGE} <= -0.5, ${PRICE} > stock.technical.moving_averages.sma_50
  The change of {${CHANGE}}% comes on low volume: five-day relative volume is {${WEEK}}.
flow.[above|below]_vwap (2): ${PRICE} > ${VWAP}
  Price is [above|below] VWAP {${VWAP}}: the average buyer of the session is [ahead|behind].
flow.[strong|weak]_session (3): ${CHANGE} >= 1.5
  The change on the day is {${CHANGE}}%.
flow.distribution (bear 5): stock.is_distribution is true
  Five-day relative volume is {${WEEK}} while the price has drifted down for a month.
flow.advance_without_volume (bear 3): ${WEEK} <= 0.85, ${MOMENTUM} > 0, ${CHANGE} >= 0
  Volume does not confirm the advance: five-day relative volume is {${WEEK}}.
// Where the price is among the levels that others watch.
// Between two levels that are alike near price is at neither.
levels.at_[support|resistance] (4): level.[support|resistance].strong.away <= 0.5, level.[resistance|support].strong.away >= 2 * level.[support|resistance].strong.away
  Price is {level.[support|resistance].strong.away} ATR [above|below] strong [support|resistance] {level.[support|resistance].strong.price}, with {level.[resistance|support].strong.away} ATR of room to strong [resistance|support] {level.[resistance|support].strong.price}.
levels.[room_above|air_below] (3): level.[resistance|support].strong.away >= 1.5
  [Room above|Air below]: the next strong [resistance|support] {level.[resistance|support].strong.price} is {level.[resistance|support].strong.away} ATR away.
levels.broke_[high|low] (3): stock.range_3d.break_[high|low] is true
  The session traded [above|below] the three-day [high|low] of {stock.range_3d.[high|low]}.
levels.opening_range_[up|down] (3): stock.orb_directional_bias is [bullish|bearish], ${PRICE} > stock.levels.orb_30m_[high|low]
  The opening range broke [up|down], and price holds [above|below] the thirty-minute [high|low] of {stock.levels.orb_30m_[high|low]}.
// Patterns on the chart, and price events.
patterns.[bullish|bearish]_chart (5): ${PATTERN}.family is chart, ${PATTERN}.target > ${PRICE}
  A [bullish|bearish] pattern ({${PATTERN}.name}), confirmed on {${PATTERN}.confirmed_on}, targets {${PATTERN}.target}; pattern confidence is {${PATTERN}.confidence}.
patterns.[bullish|bearish]_candle (1): ${PATTERN}.family is candlestick, ${PATTERN}.target > ${PRICE}
  A [bullish|bearish] candlestick ({${PATTERN}.name}) targets {${PATTERN}.target}.
patterns.[bullish|bearish]_event (3):
  [Bullish|Bearish] event on {${EVENT}.date}: {${EVENT}.name}, at {${EVENT}.price}.
`);

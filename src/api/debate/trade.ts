import { above, atLeast, atMost, be, below, type Rule } from './rule.ts';

const PRICE = 'stock.last_price';
const CHANGE = 'stock.price.change_pct';
const WEEK = 'stock.rel_vol_5d';
const MOMENTUM = 'stock.momentum_blend';
const VWAP = 'stock.levels.vwap';
const SUPPORT = 'level.support.strong';
const RESISTANCE = 'level.resistance.strong';

/** Who trades: volume, order flow, the session. */
export const FLOW: readonly Rule[] = [
  {
    id: 'flow.accumulating',
    side: 'bull',
    weight: 5,
    when: [be('stock.cvd_trend', 'accumulating'), above('stock.cvd_pct', 0)],
    says: 'Buyers are accumulating: the volume delta is {stock.cvd_pct} percent of what traded with a known side.',
  },
  {
    id: 'flow.bullish_divergence',
    side: 'bull',
    weight: 4,
    when: [be('stock.cvd_divergence', 'bullish_div')],
    says: 'Price made a lower low while the volume delta, now {stock.cvd} shares, did not: sellers are being absorbed.',
  },
  {
    id: 'flow.buyers_pay',
    side: 'bull',
    weight: 3,
    when: [atLeast('stock.buy_sell_ratio', 1.15)],
    says: 'Buyers traded {stock.buy_sell_ratio} times the volume of sellers in the session.',
  },
  {
    id: 'flow.volume_confirms_advance',
    side: 'bull',
    weight: 4,
    when: [atLeast(WEEK, 1.15), above(MOMENTUM, 0), be('stock.is_distribution', false)],
    says: `Volume confirms the advance: the last five sessions traded {${WEEK}} times the usual.`,
  },
  {
    id: 'flow.quiet_pullback',
    side: 'bull',
    weight: 3,
    when: [atMost(WEEK, 0.85), below(CHANGE, 0), above(PRICE, 'stock.technical.moving_averages.sma_50')],
    says: `The pullback of {${CHANGE}} percent comes on little volume, {${WEEK}} times the usual over five sessions: few are leaving.`,
  },
  {
    id: 'flow.above_vwap',
    side: 'bull',
    weight: 2,
    when: [above(PRICE, VWAP)],
    says: `The price is above the session's volume-weighted average of {${VWAP}}: the average buyer of the day is ahead.`,
  },
  {
    id: 'flow.strong_session',
    side: 'bull',
    weight: 3,
    when: [atLeast(CHANGE, 1.5)],
    says: `The session's change is {${CHANGE}} percent.`,
  },
  {
    id: 'flow.distributing',
    side: 'bear',
    weight: 5,
    when: [be('stock.cvd_trend', 'distributing'), below('stock.cvd_pct', 0)],
    says: 'Sellers are distributing: the volume delta is {stock.cvd_pct} percent of what traded with a known side.',
  },
  {
    id: 'flow.bearish_divergence',
    side: 'bear',
    weight: 4,
    when: [be('stock.cvd_divergence', 'bearish_div')],
    says: 'Price made a higher high while the volume delta, now {stock.cvd} shares, did not: buyers are being absorbed.',
  },
  {
    id: 'flow.sellers_hit',
    side: 'bear',
    weight: 3,
    when: [atMost('stock.buy_sell_ratio', 0.87)],
    says: 'Buyers traded only {stock.buy_sell_ratio} times the volume of sellers in the session.',
  },
  {
    id: 'flow.distribution',
    side: 'bear',
    weight: 5,
    when: [be('stock.is_distribution', true)],
    says: `Volume is elevated, {${WEEK}} times the usual over five sessions, while the price drifts down: distribution.`,
  },
  {
    id: 'flow.advance_without_volume',
    side: 'bear',
    weight: 3,
    when: [atMost(WEEK, 0.85), above(MOMENTUM, 0), atLeast(CHANGE, 0)],
    says: `The advance is running out of buyers: the last five sessions traded {${WEEK}} times the usual volume.`,
  },
  {
    id: 'flow.below_vwap',
    side: 'bear',
    weight: 2,
    when: [below(PRICE, VWAP)],
    says: `The price is below the session's volume-weighted average of {${VWAP}}: the average buyer of the day is behind.`,
  },
  {
    id: 'flow.weak_session',
    side: 'bear',
    weight: 3,
    when: [atMost(CHANGE, -1.5)],
    says: `The session's change is {${CHANGE}} percent.`,
  },
];

/** Where the price stands among the levels that others watch. */
export const LEVELS: readonly Rule[] = [
  {
    id: 'levels.at_support',
    side: 'bull',
    weight: 4,
    when: [atMost(`${SUPPORT}.away`, 0.5)],
    says: `Strong support at {${SUPPORT}.price} lies only {${SUPPORT}.away} average true ranges below, so that a long can be refuted cheaply.`,
  },
  {
    id: 'levels.room_above',
    side: 'bull',
    weight: 3,
    when: [atLeast(`${RESISTANCE}.away`, 1.5)],
    says: `There is room: the next strong resistance at {${RESISTANCE}.price} is {${RESISTANCE}.away} average true ranges away.`,
  },
  {
    id: 'levels.broke_high',
    side: 'bull',
    weight: 3,
    when: [be('stock.range_3d.break_high', true)],
    says: 'The session traded above the three-session high of {stock.range_3d.high}.',
  },
  {
    id: 'levels.opening_range_up',
    side: 'bull',
    weight: 3,
    when: [be('stock.orb_directional_bias', 'bullish'), above(PRICE, 'stock.levels.orb_30m_high')],
    says: 'The opening ranges resolved upward, and the price holds above the half-hour high of {stock.levels.orb_30m_high}.',
  },
  {
    id: 'levels.at_resistance',
    side: 'bear',
    weight: 4,
    when: [atMost(`${RESISTANCE}.away`, 0.5)],
    says: `Strong resistance at {${RESISTANCE}.price} lies only {${RESISTANCE}.away} average true ranges above.`,
  },
  {
    id: 'levels.air_below',
    side: 'bear',
    weight: 3,
    when: [atLeast(`${SUPPORT}.away`, 1.5)],
    says: `There is air below: the next strong support at {${SUPPORT}.price} is {${SUPPORT}.away} average true ranges away.`,
  },
  {
    id: 'levels.broke_low',
    side: 'bear',
    weight: 3,
    when: [be('stock.range_3d.break_low', true)],
    says: 'The session traded below the three-session low of {stock.range_3d.low}.',
  },
  {
    id: 'levels.opening_range_down',
    side: 'bear',
    weight: 3,
    when: [be('stock.orb_directional_bias', 'bearish'), below(PRICE, 'stock.levels.orb_30m_low')],
    says: 'The opening ranges resolved downward, and the price stays below the half-hour low of {stock.levels.orb_30m_low}.',
  },
];

/** What the chart has drawn and what has happened on it. */
export const PATTERNS: readonly Rule[] = [
  {
    id: 'patterns.bullish_chart',
    side: 'bull',
    weight: 5,
    when: [be('pattern.bullish.family', 'chart'), above('pattern.bullish.target', PRICE)],
    says: 'A bullish pattern ({pattern.bullish.name}), confirmed on {pattern.bullish.confirmed_on}, measures to {pattern.bullish.target}; its fit to the textbook is {pattern.bullish.confidence}.',
  },
  {
    id: 'patterns.bullish_candle',
    side: 'bull',
    weight: 1,
    when: [be('pattern.bullish.family', 'candlestick'), above('pattern.bullish.target', PRICE)],
    says: 'A confirmed candlestick ({pattern.bullish.name}) speaks for buyers up to {pattern.bullish.target}.',
  },
  {
    id: 'patterns.bullish_event',
    side: 'bull',
    weight: 3,
    when: [],
    says: 'On {event.bullish.date} there was a bullish {event.bullish.name}, at {event.bullish.price}.',
  },
  {
    id: 'patterns.bearish_chart',
    side: 'bear',
    weight: 5,
    when: [be('pattern.bearish.family', 'chart'), below('pattern.bearish.target', PRICE)],
    says: 'A bearish pattern ({pattern.bearish.name}), confirmed on {pattern.bearish.confirmed_on}, measures to {pattern.bearish.target}; its fit to the textbook is {pattern.bearish.confidence}.',
  },
  {
    id: 'patterns.bearish_candle',
    side: 'bear',
    weight: 1,
    when: [be('pattern.bearish.family', 'candlestick'), below('pattern.bearish.target', PRICE)],
    says: 'A confirmed candlestick ({pattern.bearish.name}) speaks for sellers down to {pattern.bearish.target}.',
  },
  {
    id: 'patterns.bearish_event',
    side: 'bear',
    weight: 3,
    when: [],
    says: 'On {event.bearish.date} there was a bearish {event.bearish.name}, at {event.bearish.price}.',
  },
];

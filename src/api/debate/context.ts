import { above, atLeast, atMost, be, below, type Rule } from './rule.ts';

const INDEX = 'market.index';
const BREADTH = 'market.breadth';
const VIX = 'market.vix';

/** The tide. These rules need no stock. */
export const MARKET: readonly Rule[] = [
  {
    id: 'market.index_up',
    side: 'bull',
    weight: 3,
    when: [above(`${INDEX}.last`, `${INDEX}.sma_50`), above(`${INDEX}.sma_50`, `${INDEX}.sma_200`)],
    says: `The market is in an uptrend: its index at {${INDEX}.last} is above the fifty-session average of {${INDEX}.sma_50}, and that above the two-hundred-session one of {${INDEX}.sma_200}.`,
  },
  {
    id: 'market.broad',
    side: 'bull',
    weight: 3,
    when: [atLeast(`${BREADTH}.above_sma_50`, 0.58)],
    says: `The market is broad: a share of {${BREADTH}.above_sma_50} of all stocks is above its fifty-session average.`,
  },
  {
    id: 'market.calm',
    side: 'bull',
    weight: 2,
    when: [below(`${VIX}.level`, 20)],
    says: `The volatility index at {${VIX}.level} shows no fear.`,
  },
  {
    id: 'market.new_highs',
    side: 'bull',
    weight: 2,
    when: [above(`${BREADTH}.new_highs`, `${BREADTH}.new_lows`), atLeast(`${BREADTH}.new_highs`, 5)],
    says: `More stocks made a new high of a year than a new low: {${BREADTH}.new_highs} against {${BREADTH}.new_lows}.`,
  },
  {
    id: 'market.panic',
    side: 'bull',
    weight: 2,
    when: [be(`${VIX}.regime`, 'EXTREME_FEAR'), below(`${VIX}.change_1d_pct`, 0)],
    says: `Fear is extreme but turning: the volatility index at {${VIX}.level} changed by {${VIX}.change_1d_pct} percent.`,
  },
  {
    id: 'market.index_down',
    side: 'bear',
    weight: 3,
    when: [below(`${INDEX}.last`, `${INDEX}.sma_50`), below(`${INDEX}.last`, `${INDEX}.sma_200`)],
    says: `The market is weak: its index at {${INDEX}.last} is below both the fifty-session average of {${INDEX}.sma_50} and the two-hundred-session one of {${INDEX}.sma_200}.`,
  },
  {
    id: 'market.index_slips',
    side: 'bear',
    weight: 2,
    when: [below(`${INDEX}.last`, `${INDEX}.sma_50`), atLeast(`${INDEX}.last`, `${INDEX}.sma_200`)],
    says: `The market's index at {${INDEX}.last} has slipped below its fifty-session average of {${INDEX}.sma_50}.`,
  },
  {
    id: 'market.narrow',
    side: 'bear',
    weight: 3,
    when: [atMost(`${BREADTH}.above_sma_50`, 0.42)],
    says: `Few take part: a share of only {${BREADTH}.above_sma_50} of all stocks is above its fifty-session average.`,
  },
  {
    id: 'market.afraid',
    side: 'bear',
    weight: 4,
    when: [atLeast(`${VIX}.level`, 20)],
    says: `The volatility index at {${VIX}.level} says that the market is nervous.`,
  },
  {
    id: 'market.new_lows',
    side: 'bear',
    weight: 2,
    when: [above(`${BREADTH}.new_lows`, `${BREADTH}.new_highs`), atLeast(`${BREADTH}.new_lows`, 5)],
    says: `More stocks made a new low of a year than a new high: {${BREADTH}.new_lows} against {${BREADTH}.new_highs}.`,
  },
  {
    id: 'market.complacent',
    side: 'bear',
    weight: 2,
    when: [atMost(`${VIX}.percentile`, 10)],
    says: `Hardly anybody is insured: on only {${VIX}.percentile} percent of the sessions of a year the volatility index was lower.`,
  },
];

/** Those who trade alike. */
export const NEIGHBOURS: readonly Rule[] = [
  {
    id: 'peers.stronger',
    side: 'bull',
    weight: 4,
    when: [be('peers.signal', 'bullish_divergence')],
    says: 'On {peers.trade_date} the stock returned {peers.return_pct} percent where its peers implied {peers.implied_pct}: {peers.composite} deviations of strength, which seldom is given back.',
  },
  {
    id: 'peers.leads',
    side: 'bull',
    weight: 2,
    when: [be('peers.signal', 'neutral'), atLeast('peers.composite', 0.75)],
    says: 'On {peers.trade_date} the stock returned {peers.return_pct} percent where its peers implied {peers.implied_pct}.',
  },
  {
    id: 'sector.leads',
    side: 'bull',
    weight: 3,
    when: [atMost('sector.place', 0.36), above('sector.return_20d_pct', 0)],
    says: 'Its sector ranks {sector.rank} of {sector.of} with a return of {sector.return_20d_pct} percent over twenty sessions.',
  },
  {
    id: 'peers.weaker',
    side: 'bear',
    weight: 4,
    when: [be('peers.signal', 'bearish_divergence')],
    says: 'On {peers.trade_date} the stock returned {peers.return_pct} percent where its peers implied {peers.implied_pct}: {peers.composite} deviations, a weakness that seldom is made good.',
  },
  {
    id: 'peers.lags',
    side: 'bear',
    weight: 2,
    when: [be('peers.signal', 'neutral'), atMost('peers.composite', -0.75)],
    says: 'On {peers.trade_date} the stock returned {peers.return_pct} percent where its peers implied {peers.implied_pct}.',
  },
  {
    id: 'sector.trails',
    side: 'bear',
    weight: 3,
    when: [atLeast('sector.place', 0.64), below('sector.return_20d_pct', 'market.index.return_20d_pct')],
    says: 'Its sector ranks {sector.rank} of {sector.of}: {sector.return_20d_pct} percent over twenty sessions against {market.index.return_20d_pct} of the market.',
  },
];

const AFTER = 'analogs.20';

/** What the scores come to, and what followed days like this one. */
export const VERDICTS: readonly Rule[] = [
  {
    id: 'scores.bullish',
    side: 'bull',
    weight: 6,
    when: [atLeast('stock.net_confluence', 10)],
    says: 'The canonical score counts {stock.bullish_confluence} points for buyers and {stock.bearish_confluence} for sellers.',
  },
  {
    id: 'scores.pulse_long',
    side: 'bull',
    weight: 4,
    when: [atLeast('stock.pulse_net', 25)],
    says: 'The pulse of the session leans long by {stock.pulse_net} points.',
  },
  {
    id: 'scores.conviction_rises',
    side: 'bull',
    weight: 3,
    when: [be('stock.conviction_v5_delta_valid', true), atLeast('stock.conviction_v5_velocity', 5)],
    says: 'Conviction turns to buyers at {stock.conviction_v5_velocity} points an hour.',
  },
  {
    id: 'scores.entry_long',
    side: 'bull',
    weight: 3,
    when: [atLeast('stock.net_entry_score', 15)],
    says: 'The timing of an entry favours longs by {stock.net_entry_score} points.',
  },
  {
    id: 'regime.up',
    side: 'bull',
    weight: 3,
    when: [be('stock.regime_v5.regime', 'trend_up')],
    says: 'The rules read an uptrend; a share of {stock.regime_v5.confidence} of those that fired supports it.',
  },
  {
    // A few days are weak evidence, and stocks rise more often than they fall whatever they look like.
    id: 'analogs.rose',
    side: 'bull',
    weight: 2,
    when: [atLeast(`${AFTER}.n`, 10), atLeast(`${AFTER}.share_up`, 0.7), atLeast(`${AFTER}.median_pct`, 1)],
    says: `After {${AFTER}.n} past days most like this one a share of {${AFTER}.share_up} rose over twenty sessions; the median was {${AFTER}.median_pct} percent, the middle half from {${AFTER}.lower_quartile_pct} to {${AFTER}.upper_quartile_pct}.`,
  },
  {
    id: 'scores.bearish',
    side: 'bear',
    weight: 6,
    when: [atMost('stock.net_confluence', -10)],
    says: 'The canonical score counts {stock.bearish_confluence} points for sellers and {stock.bullish_confluence} for buyers.',
  },
  {
    id: 'scores.pulse_short',
    side: 'bear',
    weight: 4,
    when: [atMost('stock.pulse_net', -25)],
    says: 'The pulse of the session leans short: {stock.pulse_net} points.',
  },
  {
    id: 'scores.conviction_falls',
    side: 'bear',
    weight: 3,
    when: [be('stock.conviction_v5_delta_valid', true), atMost('stock.conviction_v5_velocity', -5)],
    says: 'Conviction turns to sellers at {stock.conviction_v5_velocity} points an hour.',
  },
  {
    id: 'scores.entry_short',
    side: 'bear',
    weight: 3,
    when: [atMost('stock.net_entry_score', -15)],
    says: 'The timing of an entry favours shorts: {stock.net_entry_score} points.',
  },
  {
    id: 'regime.down',
    side: 'bear',
    weight: 3,
    when: [be('stock.regime_v5.regime', 'trend_down')],
    says: 'The rules read a downtrend; a share of {stock.regime_v5.confidence} of those that fired supports it.',
  },
  {
    id: 'gates.beta',
    side: 'bear',
    weight: 2,
    when: [be('stock.beta_gate_passed', false)],
    says: 'A beta of {stock.fundamental.beta} is too much for a volatility index of {market.vix.level}.',
  },
  {
    id: 'analogs.fell',
    side: 'bear',
    weight: 3,
    when: [atLeast(`${AFTER}.n`, 10), atMost(`${AFTER}.share_up`, 0.45), atMost(`${AFTER}.median_pct`, 0)],
    says: `After {${AFTER}.n} past days most like this one a share of only {${AFTER}.share_up} rose over twenty sessions; the median was {${AFTER}.median_pct} percent, the middle half from {${AFTER}.lower_quartile_pct} to {${AFTER}.upper_quartile_pct}.`,
  },
];

import { rulesOf } from './rule.ts';

const INDEX = 'market.index';
const BREADTH = 'market.breadth';
const VIX = 'market.vix';

const RETURNED =
  'On {peers.trade_date} the stock returned {peers.return_pct}% against {peers.implied_pct}% implied by its peers';

const AFTER = 'analogs.20';

/** What is around the stock. */
export const CONTEXT = rulesOf(`
// Peers and the sector.
peers.[stronger|weaker] (4): peers.signal is [bullish|bearish]_divergence
  ${RETURNED}: a peer divergence of {peers.composite} deviations.
peers.[leads|lags] (2): peers.signal is neutral, peers.composite >= 0.75
  ${RETURNED}.
sector.[leads|trails] (3): sector.place <= 0.36, sector.return_20d_pct > 0 | sector.place >= 0.64, sector.return_20d_pct < ${INDEX}.return_20d_pct
  Its sector ranks {sector.rank} of {sector.of} with a twenty-day return of {sector.return_20d_pct}%[| against {${INDEX}.return_20d_pct}% for the market].
// The market. These rules need no stock.
market.index_[up|down] (3): ${INDEX}.last > ${INDEX}.sma_50, ${INDEX}.sma_50 > ${INDEX}.sma_200 | ${INDEX}.last < ${INDEX}.sma_50, ${INDEX}.last < ${INDEX}.sma_200
  The market index {${INDEX}.last} is [above|below] its fifty-day SMA of {${INDEX}.sma_50} and [that average above|below] the two-hundred-day SMA of {${INDEX}.sma_200}.
market.[broad|narrow] (3): ${BREADTH}.above_sma_50_pct >= 58 | ${BREADTH}.above_sma_50_pct <= 42
  Breadth is [strong|weak]: {${BREADTH}.above_sma_50_pct}% of stocks are above their fifty-day SMA.
market.[calm|afraid] (2|4): ${VIX}.level < 20 | ${VIX}.level >= 20
  VIX {${VIX}.level} shows [no fear|a nervous market].
market.new_[highs|lows] (2): ${BREADTH}.new_[highs|lows] > ${BREADTH}.new_[lows|highs], ${BREADTH}.new_[highs|lows] >= 5
  New one-year [highs|lows] outnumber new [lows|highs]: {${BREADTH}.new_[highs|lows]} against {${BREADTH}.new_[lows|highs]}.
market.panic (bull 2): ${VIX}.regime is EXTREME_FEAR, ${VIX}.change_1d_pct < 0
  Extreme fear is easing: VIX {${VIX}.level}, VIX change {${VIX}.change_1d_pct}%.
market.index_slips (bear 2): ${INDEX}.last < ${INDEX}.sma_50, ${INDEX}.last >= ${INDEX}.sma_200
  The market index {${INDEX}.last} has slipped below its fifty-day SMA of {${INDEX}.sma_50}.
market.complacent (bear 2): ${VIX}.percentile <= 10
  VIX percentile is only {${VIX}.percentile}%: few are hedged.
// Scores, the regime, and what followed days like this one.
scores.[bullish|bearish] (6): stock.net_confluence >= 10
  [Bullish|Bearish] score {stock.[bullish|bearish]_confluence} against [bearish|bullish] score {stock.[bearish|bullish]_confluence}.
scores.pulse_[long|short] (4): stock.pulse_net >= 25
  Net pulse is {stock.pulse_net}: the session leans [long|short].
scores.conviction_[rises|falls] (3): stock.conviction_v5_delta_valid is true, stock.conviction_v5_velocity >= 5
  Conviction velocity is {stock.conviction_v5_velocity} points an hour, towards [buyers|sellers].
scores.entry_[long|short] (3): stock.net_entry_score >= 15
  Net entry score is {stock.net_entry_score}: timing favours [longs|shorts].
regime.[up|down] (3): stock.regime_v5.regime is trend_[up|down]
  Stock regime confidence is {stock.regime_v5.confidence} for [an uptrend|a downtrend].
gates.beta (bear 2): stock.beta_gate_passed is false
  A beta of {stock.fundamental.beta} is too high for a VIX of {${VIX}.level}.
// A few days are weak evidence, and stocks rise more often than they fall whatever they look like.
analogs.[rose|fell] (2|3): ${AFTER}.n >= 10, ${AFTER}.share_up >= 0.7, ${AFTER}.median_pct >= 1 | ${AFTER}.n >= 10, ${AFTER}.share_up <= 0.45, ${AFTER}.median_pct <= 0
  Of {${AFTER}.n} similar days the share that rose after twenty sessions is {${AFTER}.share_up}; the median return was {${AFTER}.median_pct}%, the middle half from {${AFTER}.lower_quartile_pct}% to {${AFTER}.upper_quartile_pct}%.
`);

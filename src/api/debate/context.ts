import { above, atLeast, atMost, be, bear, below, both, bull, type Rule, same } from './rule.ts';

const INDEX = 'market.index';
const BREADTH = 'market.breadth';
const VIX = 'market.vix';

/** The market. These rules need no stock. */
export const MARKET: readonly Rule[] = [
  ...both(
    'market.index_[up|down]',
    3,
    {
      bull: [above(`${INDEX}.last`, `${INDEX}.sma_50`), above(`${INDEX}.sma_50`, `${INDEX}.sma_200`)],
      bear: [below(`${INDEX}.last`, `${INDEX}.sma_50`), below(`${INDEX}.last`, `${INDEX}.sma_200`)],
    },
    `The market index {${INDEX}.last} is [above|below] its fifty-day SMA of {${INDEX}.sma_50} and [that average above|below] the two-hundred-day SMA of {${INDEX}.sma_200}.`,
  ),
  ...both(
    'market.[broad|narrow]',
    3,
    [atLeast(`${BREADTH}.above_sma_50`, [0.58, 0.42])],
    `Market breadth is [|only ]{${BREADTH}.above_sma_50}, the share of stocks above their fifty-day SMA.`,
  ),
  ...both(
    'market.[calm|afraid]',
    [2, 4],
    { bull: [below(`${VIX}.level`, 20)], bear: [atLeast(`${VIX}.level`, 20)] },
    `VIX {${VIX}.level} shows [no fear|a nervous market].`,
  ),
  ...both(
    'market.new_[highs|lows]',
    2,
    [
      same(above(`${BREADTH}.new_[highs|lows]`, `${BREADTH}.new_[lows|highs]`)),
      same(atLeast(`${BREADTH}.new_[highs|lows]`, 5)),
    ],
    `New one-year [highs|lows] outnumber new [lows|highs]: {${BREADTH}.new_[highs|lows]} against {${BREADTH}.new_[lows|highs]}.`,
  ),
  ...bull(
    'market.panic',
    2,
    [be(`${VIX}.regime`, 'EXTREME_FEAR'), below(`${VIX}.change_1d_pct`, 0)],
    `Extreme fear is easing: VIX {${VIX}.level}, VIX change {${VIX}.change_1d_pct}%.`,
  ),
  ...bear(
    'market.index_slips',
    2,
    [below(`${INDEX}.last`, `${INDEX}.sma_50`), atLeast(`${INDEX}.last`, `${INDEX}.sma_200`)],
    `The market index {${INDEX}.last} has slipped below its fifty-day SMA of {${INDEX}.sma_50}.`,
  ),
  ...bear(
    'market.complacent',
    2,
    [atMost(`${VIX}.percentile`, 10)],
    `VIX percentile is only {${VIX}.percentile}%: few are hedged.`,
  ),
];

const RETURNED =
  'On {peers.trade_date} the stock returned {peers.return_pct}% against {peers.implied_pct}% implied by its peers';

/** Peers and the sector. */
export const NEIGHBOURS: readonly Rule[] = [
  ...both(
    'peers.[stronger|weaker]',
    4,
    [be('peers.signal', '[bullish|bearish]_divergence')],
    `${RETURNED}: a peer divergence of {peers.composite} deviations.`,
  ),
  ...both(
    'peers.[leads|lags]',
    2,
    [be('peers.signal', 'neutral'), atLeast('peers.composite', 0.75)],
    `${RETURNED}.`,
  ),
  ...both(
    'sector.[leads|trails]',
    3,
    {
      bull: [atMost('sector.place', 0.36), above('sector.return_20d_pct', 0)],
      bear: [atLeast('sector.place', 0.64), below('sector.return_20d_pct', 'market.index.return_20d_pct')],
    },
    'Its sector ranks {sector.rank} of {sector.of} with a twenty-day return of {sector.return_20d_pct}%[| against {market.index.return_20d_pct}% for the market].',
  ),
];

const AFTER = 'analogs.20';

/** Scores, the regime, and what followed days like this one. */
export const VERDICTS: readonly Rule[] = [
  ...both(
    'scores.[bullish|bearish]',
    6,
    [atLeast('stock.net_confluence', 10)],
    '[Bullish|Bearish] score {stock.[bullish|bearish]_confluence} against [bearish|bullish] score {stock.[bearish|bullish]_confluence}.',
  ),
  ...both(
    'scores.pulse_[long|short]',
    4,
    [atLeast('stock.pulse_net', 25)],
    'Net pulse is {stock.pulse_net}: the session leans [long|short].',
  ),
  ...both(
    'scores.conviction_[rises|falls]',
    3,
    [be('stock.conviction_v5_delta_valid', true), atLeast('stock.conviction_v5_velocity', 5)],
    'Conviction velocity is {stock.conviction_v5_velocity} points an hour, towards [buyers|sellers].',
  ),
  ...both(
    'scores.entry_[long|short]',
    3,
    [atLeast('stock.net_entry_score', 15)],
    'Net entry score is {stock.net_entry_score}: timing favours [longs|shorts].',
  ),
  ...both(
    'regime.[up|down]',
    3,
    [be('stock.regime_v5.regime', 'trend_[up|down]')],
    'Regime confidence is {stock.regime_v5.confidence} for [an uptrend|a downtrend].',
  ),
  ...bear(
    'gates.beta',
    2,
    [be('stock.beta_gate_passed', false)],
    'A beta of {stock.fundamental.beta} is too high for a VIX of {market.vix.level}.',
  ),
  // A few days are weak evidence, and stocks rise more often than they fall whatever they look like.
  ...both(
    'analogs.[rose|fell]',
    [2, 3],
    [
      same(atLeast(`${AFTER}.n`, 10)),
      atLeast(`${AFTER}.share_up`, [0.7, 0.45]),
      atLeast(`${AFTER}.median_pct`, [1, 0]),
    ],
    `Of {${AFTER}.n} similar days the share that rose after twenty sessions is {${AFTER}.share_up}; the median return was {${AFTER}.median_pct}%, the middle half from {${AFTER}.lower_quartile_pct}% to {${AFTER}.upper_quartile_pct}%.`,
  ),
];

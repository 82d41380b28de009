import { rulesOf } from './rule.ts';

const SPOT = 'exposure.spot';
const FLIP = 'exposure.gamma_flip';
const PUT_WALL = 'exposure.put_wall';
const REGIME = 'exposure.regime';
const PERCENTILE = 'stock.options.iv_percentile';
const BEST = 'stock.options.best_options_strategy';

/** What the option chain and those who hedge it say. */
export const OPTIONS = rulesOf(`
options.[above|below]_flip (4): ${REGIME} is long_gamma, ${SPOT} > ${FLIP} | ${REGIME} is short_gamma, ${SPOT} < ${FLIP}
  Price is [above|below] the gamma flip of {${FLIP}}: [dealers who hedge long gamma buy dips|dealer hedging sells into weakness].
// Only dealers who are long gamma trade against a move.
options.[put_wall_below|call_wall_above] (3): ${REGIME} is long_gamma, exposure.[put|call]_wall < ${SPOT}
  The [put|call] wall of {exposure.[put|call]_wall} is [below|above] the price: hedging there often slows a [fall|rise].
options.put_wall_lost (bear 3): ${PUT_WALL} > ${SPOT}, ${PUT_WALL} < exposure.call_wall
  Price is below the put wall of {${PUT_WALL}}.
options.short_gamma (bear 3): ${REGIME} is short_gamma, exposure.net_gamma < 0
  Dealer hedging amplifies declines: net gamma is {exposure.net_gamma} dollars for a move of one percent.
options.[calls|puts]_traded (2): stock.options.put_call_ratio <= 0.6 | stock.options.put_call_ratio >= 1.2
  The put/call ratio is {stock.options.put_call_ratio}: traders prefer [calls|puts].
options.[calls|puts]_dear (2): stock.options.iv_skew <= -0.01 | stock.options.iv_skew >= 0.06
  IV skew is {stock.options.iv_skew}: [calls cost more than puts|puts cost more than calls].
// So far out the best strategy buys what is cheap and sells what is dear, whatever else it looks at.
options.volatility_[cheap|dear] (2|3): ${PERCENTILE} <= 15
  IV percentile is {${PERCENTILE}}%: [protection is cheap|the market pays up for protection].
// Where calls and puts are both cheap, volatility is, which takes no side: the best strategy says which to buy.
options.[calls|puts]_underpriced (2): stock.options.pricing_edge_[bull|bear] >= 7, ${BEST} is long_[call|put] or ${BEST} is [bull_call|bear_put]_spread
  [Calls|Puts] are cheap against the volatility forecast: the pricing edge is {stock.options.pricing_edge_[bull|bear]} points of ten.
`);

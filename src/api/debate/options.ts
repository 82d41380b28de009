import { all } from '../../analysis/conditions.ts';
import { bear, both, rulesOf } from './rule.ts';

const SPOT = 'exposure.spot';
const FLIP = 'exposure.gamma_flip';
const PUT_WALL = 'exposure.put_wall';

/** What the option chain and those who hedge it say. */
export const OPTIONS = rulesOf({
  'options.[above|below]_flip': both(
    4,
    { long: all(['exposure.regime', 'is', 'long_gamma'], [SPOT, '>', FLIP]), short: [SPOT, '<', FLIP] },
    `Price is [above|below] the gamma flip of {${FLIP}}: [dealers who hedge long gamma buy dips|dealer hedging sells into weakness].`,
  ),
  'options.[put_wall_below|call_wall_above]': both(
    3,
    ['exposure.[put|call]_wall', '<', SPOT],
    'The [put|call] wall of {exposure.[put|call]_wall} is [below|above] the price: hedging there often slows a [fall|rise].',
  ),
  'options.put_wall_lost': bear(
    3,
    all([PUT_WALL, '>', SPOT], [PUT_WALL, '<', 'exposure.call_wall']),
    `Price is below the put wall of {${PUT_WALL}}.`,
  ),
  'options.short_gamma': bear(
    3,
    all(['exposure.regime', 'is', 'short_gamma'], ['exposure.net_gamma', '<', 0]),
    'Dealers are short: net gamma is {exposure.net_gamma} dollars for a move of one percent, so hedging amplifies declines.',
  ),
  'options.[calls|puts]_traded': both(
    2,
    { long: ['stock.options.put_call_ratio', '<=', 0.6], short: ['stock.options.put_call_ratio', '>=', 1.2] },
    'The put/call ratio is {stock.options.put_call_ratio}: traders prefer [calls|puts].',
  ),
  'options.[calls|puts]_dear': both(
    2,
    { long: ['stock.options.iv_skew', '<=', -0.01], short: ['stock.options.iv_skew', '>=', 0.06] },
    'IV skew is {stock.options.iv_skew}: [calls cost more than puts|protection is in demand].',
  ),
  'options.volatility_[cheap|dear]': both(
    { long: 2, short: 3 },
    ['stock.options.iv_rank', '<=', 20],
    'IV rank is {stock.options.iv_rank}%: [protection is cheap|the market pays up for protection].',
  ),
  'options.[calls|puts]_underpriced': both(
    2,
    ['stock.options.pricing_edge_[bull|bear]', '>=', 3],
    '[Calls|Puts] are cheap against the volatility forecast: the pricing edge is {stock.options.pricing_edge_[bull|bear]} points of ten.',
  ),
});

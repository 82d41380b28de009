import { measure, type Measure, open } from './lexicon-measure.ts';

/** The tide. */
export const MARKET: readonly Measure[] = [
  measure(
    'VIX',
    ['regime_v5.vix', '@market.vix.*', 'regime_v5.vix_percentile'],
    'vix | volatility index | vix level | the vix',
  ),
  measure('VIX percentile', ['regime_v5.vix_percentile', '@market.vix.percentile'], 'vix percentile'),
  measure('change of the VIX', ['@market.vix.change_1d_pct'], 'vix change'),
  measure(
    'breadth',
    ['regime_v5.breadth', '@market.breadth.above_sma_50', '@market.breadth.above_sma_200'],
    'market breadth | of all stocks | share of stocks | stocks above their 50 day average | stocks above the 50 day average',
  ),
  open(
    'new highs and lows',
    ['@market.breadth.new_highs', '@market.breadth.new_lows'],
    'new high | new highs | new low | new lows | new high of a year | new low of a year',
  ),
  open(
    'market index',
    ['@market.index.*'],
    `
    s p 500 | s p | spx | the index | index | the market | nasdaq | nasdaq 100 | dow | dow jones |
    russell 2000 | sector | the sector
  `,
  ),
  open('rank of the sector', ['@sector.*', '@market.index.*'], 'sector ranks | sector rank | ranks'),
  open(
    'return compared',
    ['@peers.return_pct', 'price.change_pct', 'momentum_blend', 'peer_divergence_v1.return_pct'],
    'the stock returned',
  ),
  open(
    'deviation from peers',
    ['@peers.composite', 'peer_divergence_v1.composite'],
    'deviations of strength | deviations of weakness',
  ),
  open('return that the peers imply', ['@peers.implied_pct'], 'peers implied | peers imply'),
];

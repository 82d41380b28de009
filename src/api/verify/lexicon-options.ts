import { level, measure, type Measure, open } from './lexicon-measure.ts';

/** What the option chain says. */
export const OPTIONS: readonly Measure[] = [
  measure('IV rank', ['options.iv_rank'], 'iv rank | implied volatility rank | ivr'),
  measure('IV percentile', ['options.iv_percentile'], 'iv percentile | implied volatility percentile'),
  measure('IV skew', ['options.iv_skew'], 'iv skew | skew | implied volatility skew'),
  open(
    'implied volatility',
    ['options.iv_rank', 'options.iv_percentile'],
    'iv | implied vol | at the money implied volatility',
  ),
  measure(
    'put/call ratio',
    ['options.put_call_ratio'],
    'put call ratio | put call | times call volume | p c ratio | put to call ratio | pcr',
  ),
  level(
    'gamma flip',
    ['gex_gamma_flip', '@exposure.gamma_flip'],
    'gamma flip level | flip level | zero gamma | gamma flip point | gamma flip strike',
  ),
  level('call wall', ['@exposure.call_wall']),
  level('put wall', ['@exposure.put_wall']),
  open('strike', ['@exposure.call_wall', '@exposure.put_wall', 'gex_gamma_flip'], 'strikes'),
  measure('open interest', ['options.chain_total_oi'], 'oi | total open interest'),
  measure('option volume', ['options.chain_volume_1d'], 'options volume | chain volume'),
  measure(
    'options confluence score',
    ['options.options_confluence_score'],
    'options confluence | options score',
  ),
  open(
    'pricing edge',
    ['options.pricing_edge_bull', 'options.pricing_edge_bear'],
    'calls are cheap by | puts are cheap by',
  ),
];

import { measure, type Measure } from './lexicon-measure.ts';

/** Who trades, and how much. */
export const VOLUMES: readonly Measure[] = [
  measure(
    'volume',
    ['volume', 'price.regular.volume', 'price.order_flow.volume'],
    'share volume | shares traded | trading volume | session volume',
  ),
  measure('relative volume', ['rel_volume'], 'rvol | rel volume | rel vol | relative vol'),
  measure(
    '5-day relative volume',
    ['rel_vol_5d'],
    '5 day relative volume | five day relative volume | rel vol 5 d | times the usual | times the usual volume',
  ),
  {
    ...measure('dollar volume', ['dollar_volume_today', 'dollar_volume', 'adv20_usd', 'adv30_usd']),
    formulas: [{ kind: 'product', of: ['last_price', 'volume'] }],
  },
  measure(
    'average dollar volume',
    ['adv20_usd', 'adv30_usd', 'dollar_volume'],
    `
    20 day average dollar volume | 30 day average dollar volume |
    twenty day average volume in dollars
  `,
  ),
  measure('30-day average volume', ['adv30_shares'], 'thirty day average volume | adv 30 | 30 day adv'),
  measure('cumulative volume delta', ['cvd', 'cvd_pct', 'net_buy_volume'], 'cvd | volume delta'),
  measure('CVD percent', ['cvd_pct'], 'cvd pct | cumulative volume delta percent | cvd percent'),
  measure(
    'dark pool share',
    ['dark_pool_pct_1d', 'price.order_flow.off_exchange_share'],
    'dark pool | off exchange share | off exchange | dark pool percentage | dark pool volume share',
  ),
  measure('block trades', ['block_trade_count'], 'block trade | block trade count'),
  measure(
    'buy/sell ratio',
    ['buy_sell_ratio'],
    'buy sell ratio | buy to sell ratio | times the volume of sellers',
  ),
  measure('net buy volume', ['net_buy_volume'], 'net buying'),
];

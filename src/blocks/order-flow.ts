import { nullableInteger, nullableNumber, nullableOneOf } from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const flat = {
  cvd: nullableNumber(
    'Cumulative volume delta in raw shares since 09:30; positive buying, negative selling.',
  ),
  cvd_pct: nullableNumber('CVD as percent of session volume.'),
  cvd_divergence: nullableOneOf(
    ['bullish_div', 'bearish_div', 'none'],
    'Swing points of price against those of CVD: a lower low in price with a higher low in CVD is bullish.',
  ),
  cvd_trend: nullableOneOf(['accumulating', 'distributing', 'neutral'], 'Direction of CVD over the session.'),
  dark_pool_pct_1d: nullableNumber(
    'Session dark pool share, 0-1: prints at FINRA facilities over all volume. Off-exchange is more than dark pools; it includes wholesalers.',
    { minimum: 0, maximum: 1 },
  ),
  block_trade_count: nullableInteger('Block trades today: prints of at least 10,000 shares or 200,000 USD.'),
  buy_sell_ratio: nullableNumber('Buy over sell volume, classified by the Lee-Ready tick rule.'),
  net_buy_volume: nullableInteger('Buy minus sell volume, shares.'),
  dark_volume_1d: nullableInteger('Dark pool (off-exchange) volume today, shares.'),
  lit_volume_1d: nullableInteger('Lit (on-exchange) volume today, shares.'),
};

/** Who is pressing, buyers or sellers. Needs classified trades, which the view does not carry yet. */
export const orderFlow = defineBlock({
  name: 'order_flow',
  schema: null,
  flat,
  reads: [],
  derive: () => absent(flat),
});

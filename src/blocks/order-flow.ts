import { cvdAtBars, cvdTrend, volumeDelta } from '../analysis/order-flow/cvd.ts';
import { cvdDivergence } from '../analysis/order-flow/divergence.ts';
import { barLengthMs, rowsBetween, sliceBars } from '../analysis/sessions.ts';
import { nullableInteger, nullableNumber, nullableOneOf } from '../base/schema.ts';
import type { StockView } from '../market/stock-view.ts';
import { defineBlock } from './block.ts';
import { type SessionFlow, sessionFlow } from './session-flow.ts';
import { absent, ratio } from './wire.ts';

const flat = {
  cvd: nullableNumber(
    'Cumulative volume delta in raw shares since 09:30; positive buying, negative selling.',
  ),
  cvd_pct: nullableNumber('CVD as percent of the session volume whose side is known.'),
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
  buy_sell_ratio: nullableNumber(
    'Buy over sell volume since 09:30, classified by Lee and Ready: by the quote, at its midpoint by the tick rule.',
  ),
  net_buy_volume: nullableInteger('Buy minus sell volume since 09:30, shares.'),
  dark_volume_1d: nullableInteger('Dark pool (off-exchange) volume today, 04:00-20:00, shares.'),
  lit_volume_1d: nullableInteger('Lit (on-exchange) volume today, 04:00-20:00, shares.'),
};

/**
 * Who is pressing, buyers or sellers. Sides are of the regular session; places and blocks are of the whole day, since
 * the closing auction prints after the bell. Null without prints of the trade date; how much of the volume was
 * classified, and how, stands in `price.order_flow`.
 */
export const orderFlow = defineBlock({
  name: 'order_flow',
  schema: null,
  flat,
  reads: [],
  derive(view) {
    const known = sessionFlow(view);
    if (known === null) return absent(flat);
    const { day } = known;
    return {
      nested: null,
      flat: {
        ...pressure(view, known),
        dark_pool_pct_1d: ratio(day.offExchange, day.volume),
        block_trade_count: Math.round(day.blockTrades),
        dark_volume_1d: Math.round(day.offExchange),
        lit_volume_1d: Math.round(day.volume - day.offExchange),
      },
    };
  },
});

/** The fields that need a side; null until a print of the regular session has one. */
function pressure(view: StockView, { regular, regularRows }: SessionFlow) {
  const classified = regular.buy + regular.sell;
  const net = regular.buy - regular.sell;
  const isKnown = classified > 0;
  return {
    cvd: isKnown ? net : null,
    cvd_pct: isKnown ? (net / classified) * 100 : null,
    cvd_divergence: isKnown ? divergence(view, regularRows) : null,
    cvd_trend: isKnown ? cvdTrend(volumeDelta(view.flow, regularRows)) : null,
    buy_sell_ratio: isKnown ? ratio(regular.buy, regular.sell) : null,
    net_buy_volume: isKnown ? Math.round(net) : null,
  };
}

/** Against the bars of the regular session up to the newest print: beyond it CVD would stand still for want of data. */
function divergence(
  { flow, intraday, intradayInterval, session }: StockView,
  rows: SessionFlow['regularRows'],
) {
  const barMs = barLengthMs(intradayInterval);
  if (Number.isNaN(barMs)) return null;
  const bars = sliceBars(intraday, rowsBetween(intraday, session.open, flow.time[rows.to - 1]! + 1));
  return cvdDivergence({ ...bars, cvd: cvdAtBars(flow, rows, bars.time, barMs) }, barMs);
}

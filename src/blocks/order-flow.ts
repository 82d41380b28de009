import { cvdAtBars, cvdTrend, volumeDelta } from '../analysis/order-flow/cvd.ts';
import { cvdDivergence } from '../analysis/order-flow/divergence.ts';
import { type FlowSums, flowSums } from '../analysis/order-flow/flow-sums.ts';
import { barLengthMs, type RowRange, rowsBetween, sliceBars } from '../analysis/sessions.ts';
import * as wire from '../base/schema.ts';
import { ratio } from '../base/wire.ts';
import type { StockView } from '../market/stock-view.ts';
import { absentFlat, flatBlock } from './block.ts';

const flat = {
  cvd: wire.nullableNumber(
    'Cumulative volume delta in raw shares since 09:30; positive buying, negative selling.',
  ),
  cvd_pct: wire.nullableNumber('CVD as percent of the session volume whose side is known.'),
  cvd_divergence: wire.nullableOneOf(
    ['bullish_div', 'bearish_div', 'none'],
    'Swing points of price against those of CVD: a lower low in price with a higher low in CVD is bullish.',
  ),
  cvd_trend: wire.nullableOneOf(
    ['accumulating', 'distributing', 'neutral'],
    'Direction of CVD over the session.',
  ),
  dark_pool_pct_1d: wire.nullableNumber(
    'Session dark pool share, 0-1: prints at FINRA facilities over all volume. Off-exchange is more than dark pools; it includes wholesalers.',
    wire.FRACTION,
  ),
  block_trade_count: wire.nullableInteger(
    'Block trades today: prints of at least 10,000 shares or 200,000 USD.',
  ),
  buy_sell_ratio: wire.nullableNumber(
    'Buy over sell volume since 09:30, classified by Lee and Ready: by the quote, at its midpoint by the tick rule.',
  ),
  net_buy_volume: wire.nullableInteger('Buy minus sell volume since 09:30, shares.'),
  dark_volume_1d: wire.nullableInteger('Dark pool (off-exchange) volume today, 04:00-20:00, shares.'),
  lit_volume_1d: wire.nullableInteger('Lit (on-exchange) volume today, 04:00-20:00, shares.'),
};

/**
 * Buying against selling pressure. Sides are of the regular session; venues and blocks of the whole day. Null without
 * prints of the trade date; `price.order_flow` has the classified share.
 */
export const orderFlow = flatBlock({
  name: 'order_flow',
  ofBars: true,
  flat,
  derive(view) {
    const flow = sessionFlow(view);
    if (flow === null) return absentFlat(flat);
    const { day } = flow;
    return {
      ...pressure(view, flow),
      dark_pool_pct_1d: ratio(day.offExchange, day.volume),
      block_trade_count: Math.round(day.blockTrades),
      dark_volume_1d: Math.round(day.offExchange),
      lit_volume_1d: Math.round(day.volume - day.offExchange),
    };
  },
});

/** Fields that need a side; null until a print of the regular session has one. */
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

/** With the bars of the regular session up to the newest print: beyond it CVD would be flat for lack of data. */
function divergence(
  { flow, intraday, intradayInterval, session }: StockView,
  rows: SessionFlow['regularRows'],
) {
  const barMs = barLengthMs(intradayInterval);
  if (Number.isNaN(barMs)) return null;
  const bars = sliceBars(intraday, rowsBetween(intraday, session.open, flow.time[rows.to - 1]! + 1));
  return cvdDivergence({ ...bars, cvd: cvdAtBars(flow, rows, bars.time, barMs) }, barMs);
}

/** Tolerance between the ends of the bars and of the prints. */
export const SLACK_MS = 1_800_000;

/** The classified prints of the trade date so far. */
export interface SessionFlow {
  /** 04:00-20:00. */
  readonly day: FlowSums;
  /** From 09:30 to the close, the closing auction included. */
  readonly regular: FlowSums;
  /** Rows of the view's flow that are `regular`. */
  readonly regularRows: RowRange;
}

/** Null without prints of the trade date, or with prints of only a part of its session. */
export function sessionFlow(view: StockView): SessionFlow | null {
  const { flow, session } = view;
  if (flow.time.length === 0) return null;
  const regularRows = rowsBetween(flow, session.open, session.close);
  if (!coversRegular(view, regularRows)) return null;
  return {
    day: flowSums(flow, { from: 0, to: flow.time.length }),
    regular: flowSums(flow, regularRows),
    regularRows,
  };
}

/** True when the prints reach within half an hour of both ends of the regular session so far. */
function coversRegular({ flow, session, asOf, intraday }: StockView, rows: RowRange): boolean {
  const end = Math.min(asOf, session.close);
  if (end <= session.open) return true;
  const bars = rowsBetween(intraday, session.open, session.close);
  const first = bars.from < bars.to ? intraday.time[bars.from]! : session.open;
  const last = bars.from < bars.to ? intraday.time[bars.to - 1]! : end;
  if (rows.from === rows.to) return bars.from === bars.to && end - session.open <= SLACK_MS;
  return flow.time[rows.from]! <= first + SLACK_MS && flow.time[rows.to - 1]! >= last - SLACK_MS;
}

import { afterHoursBar, intradayBars, type MergedBar, preMarketBar } from '../analysis/sessions.ts';
import { incompleteAfter, newestBar, sessionSoFar } from '../analysis/view-bars.ts';
import * as wire from '../base/schema.ts';
import { at, finiteOrNull, instantOrNull, ratio } from '../base/wire.ts';
import type { Bar } from '../market/observations.ts';
import type { SeenPart as SeenSpan, StockView } from '../market/stock-view.ts';
import { nestedBlock } from './block.ts';
import { sessionFlow } from './order-flow.ts';

const SessionOhlc = wire.record('SessionOhlc', 'One part of the trading day, USD and shares.', {
  open: wire.number('First price, USD.', wire.NOT_NEGATIVE),
  high: wire.number('Highest price, USD.', wire.NOT_NEGATIVE),
  low: wire.number('Lowest price, USD.', wire.NOT_NEGATIVE),
  close: wire.number('Last price so far, USD.', wire.NOT_NEGATIVE),
  volume: wire.nullableNumber(
    'Shares traded; null where the bars are of one exchange alone (`partial_feed`).',
    wire.NOT_NEGATIVE,
  ),
  final: wire.flag('True once this part of the day has ended and all of it is known.'),
});

const SessionOrderFlow = wire.record(
  'SessionOrderFlow',
  'How much of the volume since 09:30 has a side, and what determined the side. Shares; quotes and prints as recorded.',
  {
    method: wire.oneOf(
      ['lee_ready', 'tick_rule'],
      'lee_ready: by the quote before the print, at its midpoint by the tick rule; tick_rule: no quotes were there.',
    ),
    trades: wire.integer('Prints.', wire.NOT_NEGATIVE),
    volume: wire.integer('Shares printed: bought, sold and unclassified.', wire.NOT_NEGATIVE),
    vwap: wire.nullableNumber('Volume-weighted average price of all prints, USD.', wire.NOT_NEGATIVE),
    buy_volume: wire.integer('Shares of buyers.', wire.NOT_NEGATIVE),
    sell_volume: wire.integer('Shares of sellers.', wire.NOT_NEGATIVE),
    by_quote: wire.integer('Shares whose side the quote determined.', wire.NOT_NEGATIVE),
    by_tick: wire.integer('Shares whose side the tick rule determined.', wire.NOT_NEGATIVE),
    unclassified: wire.integer(
      'Shares without a side: auctions, prints whose price is not of the moment (late, averaged, derived, contingent), and prints before the price first moved.',
      wire.NOT_NEGATIVE,
    ),
    classified_pct: wire.nullableNumber('Share of the volume that has a side, percent.', wire.HUNDRED),
    locked_volume: wire.integer(
      'Shares that printed while the best quote was locked or crossed.',
      wire.NOT_NEGATIVE,
    ),
    off_exchange_share: wire.nullableNumber(
      'Share of the volume that printed at FINRA facilities, 0-1.',
      wire.FRACTION,
    ),
    block_volume: wire.integer('Shares in block trades.', wire.NOT_NEGATIVE),
  },
);

const SeenPart = wire.record(
  'SeenPart',
  'What is seen of a regular session that is over, where its bars begin late or end early and no daily bar was reported: `partial` of the trade date, `previous_partial` of the session before, whose sum previous_close, pivots and prior-day levels are of; a session whose feed stopped has none, and they are of an earlier one (`levels.prior_date`). A halt, a first listing and missing data look alike.',
  {
    from: wire.dateTime('Start of the first bar.'),
    to: wire.dateTime('End of the last bar.'),
  },
);

const ExtendedPrint = wire.record(
  'ExtendedPrint',
  'The newest print outside the regular session, beside the price of the day: before the open against previous_close, after the close against official_close.',
  {
    session: wire.oneOf(
      ['pre', 'after'],
      'pre: from 04:00 ET to the open; after: from the close to 20:00 ET.',
    ),
    price: wire.number('Price of the print, USD.', wire.NOT_NEGATIVE),
    change: wire.nullableNumber('price minus the close that it follows, USD.'),
    change_pct: wire.nullableNumber('change over that close, percent.'),
  },
);

const SessionPriceData = wire.record(
  'SessionPriceData',
  'Prices of the trade date by part of the day, on the price basis of that date.',
  {
    trade_date: wire.date('Trade date.'),
    pre_market: wire.nullable(SessionOhlc),
    regular: wire.nullable(SessionOhlc),
    after_hours: wire.nullable(SessionOhlc),
    previous_close: wire.nullableNumber(
      'Close of the regular session before, adjusted for splits since, USD.',
      wire.NOT_NEGATIVE,
    ),
    official_close: wire.nullableNumber(
      'Close of the regular session of the trade date, USD: of its daily bar, else of its last bar; null until the session is over, and where its feed stopped before.',
      wire.NOT_NEGATIVE,
    ),
    day_price: wire.nullableNumber(
      'Price of the day, which every list and page shows: official_close once it is known, before it last_price, USD. A print after the close is in `extended`.',
      wire.NOT_NEGATIVE,
    ),
    change: wire.nullableNumber('day_price minus previous_close, USD; null for an incomplete session.'),
    change_pct: wire.nullableNumber('change over previous_close, percent.'),
    extended: wire.nullable(ExtendedPrint),
    gap: wire.nullableNumber('Open of the regular session minus previous_close, USD.'),
    gap_pct: wire.nullableNumber('gap over previous_close, percent.'),
    incomplete_after: wire.nullableDateTime(
      'Until when a regular session that is over is known: its feed stopped then, and no daily bar tells the rest. Null otherwise.',
    ),
    partial_feed: wire.nullableString(
      "Feed of one exchange alone that bars of the trade date are of, e.g. `alpaca-iex`: its prices traded there, high and low may lie inside the market's, and volume with all that needs it is null. Null where they are of the whole market.",
    ),
    partial: wire.nullable(SeenPart),
    previous_partial: wire.nullable(SeenPart),
    bad_prints: wire.integer(
      "Bars of the trade date that are left out of every figure because their price cannot be the stock's: extended hours, and any hour of the date of a split.",
      wire.NOT_NEGATIVE,
    ),
    order_flow: wire.nullable(SessionOrderFlow),
  },
);

/** Null when neither the trade date nor a session before it has a price. */
export const price = nestedBlock({
  name: 'price',
  ofBars: true,
  schema: SessionPriceData,
  derive(view) {
    const bars = intradayBars(view.intraday, view.intradayInterval, view.asOf);
    const preMarket = ohlc(preMarketBar(bars, view.session), view.asOf >= view.session.open);
    const cutAt = incompleteAfter(view);
    const regular = ohlc(sessionSoFar(view), view.asOf >= view.session.close && cutAt === null);
    const afterHours = ohlc(afterHoursBar(bars, view.session), view.asOf >= view.session.postClose);
    const previousClose = at(view.daily.close, view.priorRow);
    if (preMarket === null && regular === null && afterHours === null && previousClose === null) {
      return null;
    }
    const officialClose = regular?.final === true ? regular.close : null;
    const dayPrice = officialClose ?? newestBar(view)?.close ?? null;
    const change = moved(cutAt === null ? dayPrice : null, previousClose);
    const gap = moved(regular?.open ?? null, previousClose);
    const isBefore = regular === null && view.asOf < view.session.close;
    const pre = isBefore && preMarket !== null ? extendedPrint('pre', preMarket.close, previousClose) : null;
    return {
      trade_date: view.tradeDate,
      pre_market: preMarket,
      regular,
      after_hours: afterHours,
      previous_close: previousClose,
      official_close: officialClose,
      day_price: dayPrice,
      change: change.dollars,
      change_pct: change.percent,
      extended: afterHours === null ? pre : extendedPrint('after', afterHours.close, officialClose),
      gap: gap.dollars,
      gap_pct: gap.percent,
      incomplete_after: instantOrNull(cutAt),
      partial_feed: view.partialFeed,
      partial: seenPart(view.part),
      previous_partial: seenPart(view.priorPart),
      bad_prints: view.badPrints,
      order_flow: flowCoverage(view),
    };
  },
});

function ohlc(bar: Bar | MergedBar | null, final: boolean) {
  if (bar === null) return null;
  const { open, high, low, close, volume } = bar;
  return { open, high, low, close, volume: finiteOrNull(volume), final };
}

function extendedPrint(session: 'pre' | 'after', price: number, close: number | null) {
  const change = moved(price, close);
  return { session, price, change: change.dollars, change_pct: change.percent };
}

const seenPart = (part: SeenSpan | null) =>
  part === null ? null : { from: instantOrNull(part.from)!, to: instantOrNull(part.to)! };

function moved(to: number | null, from: number | null) {
  if (to === null || from === null) return { dollars: null, percent: null };
  return { dollars: to - from, percent: ((to - from) / from) * 100 };
}

/** Null before the first print of the regular session, and without prints. */
function flowCoverage(view: StockView) {
  const flow = sessionFlow(view)?.regular;
  if (flow === undefined || flow.volume === 0) return null;
  return {
    method: flow.byQuote > 0 ? ('lee_ready' as const) : ('tick_rule' as const),
    trades: Math.round(flow.trades),
    volume: Math.round(flow.volume),
    vwap: ratio(flow.notional, flow.volume),
    buy_volume: Math.round(flow.buy),
    sell_volume: Math.round(flow.sell),
    by_quote: Math.round(flow.byQuote),
    by_tick: Math.round(flow.byTick),
    unclassified: Math.round(flow.unclassified),
    classified_pct: ratio((flow.buy + flow.sell) * 100, flow.volume),
    locked_volume: Math.round(flow.locked),
    off_exchange_share: ratio(flow.offExchange, flow.volume),
    block_volume: Math.round(flow.blockVolume),
  };
}

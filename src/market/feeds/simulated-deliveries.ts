import { DAY_MS } from '../../base/calendar.ts';
import { BarColumnBuilder } from '../column-builder.ts';
import type { Delivery } from '../feed.ts';
import { FlowMinuteBuilder } from '../flow-minute-builder.ts';
import type { BarColumns, CorporateAction, FlowMinuteColumns } from '../observations.ts';
import { PRINT } from '../sale-conditions.ts';
import { MINUTE_MS } from './simulated-intraday-shape.ts';
import {
  minuteZero,
  missingFrom,
  type SimulatedMarket,
  type SimulatedSymbol,
  sessionFrame,
  sessionStream,
} from './simulated-market.ts';
import { createSessionMinutes, fillSessionMinutes, type SessionMinutes } from './simulated-minutes.ts';
import {
  createQuoteRows,
  createSessionQuotes,
  fillSessionQuotes,
  pushQuoteBars,
  takeQuotes,
} from './simulated-quotes.ts';
import {
  createMinuteTrades,
  fillMinuteTrades,
  type MinuteTrades,
  minuteTicks,
  type SimulatedTick,
} from './simulated-ticks.ts';

/** Rows after which a chunk is handed out; with one session more it stays under 50,000. */
const CHUNK_ROWS = 40_000;
/** Dividends of a year stand behind a yield, whatever the window of the bars. */
const ACTIONS_BACK_DAYS = 370;

/** Sessions of the symbol from a place of the timeline on, as its first and the one after its last. */
function span(of: SimulatedSymbol, fromSession: number): { from: number; to: number } {
  return { from: Math.max(fromSession, of.path.firstSession), to: of.path.firstSession + of.path.rows };
}

/** Splits and dividends of the window and the year before it; null when there are none. */
export function actionsDelivery(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Delivery | null {
  const { day } = market.timeline;
  const actions = of.path.actions
    .filter(({ session }) => day[session]! >= day[fromSession]! - ACTIONS_BACK_DAYS)
    .map(({ session, kind, value }): CorporateAction => ({ kind, exDate: day[session]! * DAY_MS, value }));
  return actions.length === 0 ? null : { kind: 'actions', symbol: of.symbol, actions };
}

/** Daily bars from a session on; null when the symbol has none there. */
export function dailyDelivery(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Delivery | null {
  const { path, symbol } = of;
  const builder = new BarColumnBuilder();
  const { from, to } = span(of, fromSession);
  for (let session = from; session < to; session++) {
    if (missingFrom(market, of, session).dailyLost) continue;
    const row = session - path.firstSession;
    const time = market.timeline.day[session]! * DAY_MS;
    admit(
      builder,
      time,
      path.open[row]!,
      path.high[row]!,
      path.low[row]!,
      path.close[row]!,
      path.volume[row]!,
    );
  }
  if (builder.rows === 0) return null;
  return { kind: 'bars', symbol, interval: '1d', columns: builder.take() };
}

/** A bar in cents, validated like a vendor's; a refusal is a fault of the model. */
function admit(
  builder: BarColumnBuilder,
  time: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
): void {
  const reason = builder.push(time, open / 100, high / 100, low / 100, close / 100, volume);
  if (reason !== null) throw new Error(`the simulated market made a bar that is refused: ${reason}`);
}

/**
 * Fills the minutes of one session of the symbol and says when minute 0 starts; null when no row of it
 * arrived.
 */
export type FillSession = (session: number) => { readonly start: number } | null;

export function sessionFiller(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  minutes: SessionMinutes,
): FillSession {
  const stream = sessionStream(market, of.symbol, 'minutes');
  return (session) => {
    const missing = missingFrom(market, of, session);
    if (missing.dayLost) return null;
    fillSessionMinutes(minutes, sessionFrame(market, of, session), missing, stream(session));
    return { start: minuteZero(market, of, session) };
  };
}

/** Minute bars 04:00-20:00 from a session on. */
export function* minuteDeliveries(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const minutes = createSessionMinutes();
  const fill = sessionFiller(market, of, minutes);
  const { from, to } = span(of, fromSession);
  const builder = new BarColumnBuilder(Math.min(CHUNK_ROWS + 960, 960 * Math.max(1, to - from)));
  const chunk = (columns: BarColumns): Delivery => ({
    kind: 'bars',
    symbol: of.symbol,
    interval: '1m',
    columns,
  });
  for (let session = from; session < to; session++) {
    const filled = fill(session);
    if (filled !== null) pushMinutes(builder, minutes, filled.start);
    if (builder.rows >= CHUNK_ROWS) yield chunk(builder.take());
  }
  if (builder.rows > 0) yield chunk(builder.take());
}

function pushMinutes(builder: BarColumnBuilder, minutes: SessionMinutes, start: number): void {
  const { minute, open, high, low, close, volume } = minutes;
  for (let row = 0; row < minutes.rows; row++) {
    const time = start + minute[row]! * MINUTE_MS;
    admit(builder, time, open[row]!, high[row]!, low[row]!, close[row]!, volume[row]!);
  }
}

/** Minute quote bars from a session on; none of symbols without a quote feed. */
export function* quoteDeliveries(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const { company, symbol } = of;
  if (company === null || !company.quoted) return;
  const minutes = createSessionMinutes();
  const quotes = createSessionQuotes();
  const fill = sessionFiller(market, of, minutes);
  const stream = sessionStream(market, symbol, 'quotes');
  const sizes = sessionStream(market, symbol, 'quote sizes');
  const { from, to } = span(of, fromSession);
  const rows = createQuoteRows(Math.min(CHUNK_ROWS + 960, 960 * Math.max(1, to - from)));
  for (let session = from; session < to; session++) {
    const filled = fill(session);
    if (filled === null) continue;
    fillSessionQuotes(quotes, minutes, company.spread, stream(session));
    const { preOpen, open, close } = market.timeline.sessions[session]!;
    const regular = { from: (open - preOpen) / MINUTE_MS, to: (close - preOpen) / MINUTE_MS };
    const missing = missingFrom(market, of, session);
    pushQuoteBars(rows, quotes, minutes, filled.start, regular, missing, sizes(session));
    if (rows.rows >= CHUNK_ROWS) yield { kind: 'quotes', symbol, interval: '1m', columns: takeQuotes(rows) };
  }
  if (rows.rows > 0) yield { kind: 'quotes', symbol, interval: '1m', columns: takeQuotes(rows) };
}

/**
 * Ticks classified and summed by minute, from a session on: what `simulatedTicks` gives for the same sessions comes to.
 */
export function* flowMinuteDeliveries(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const { from, to } = span(of, fromSession);
  if (of.company === null) return;
  const { quoted } = of.company;
  const source = tradeSource(market, of);
  for (let session = from; session < to; session++) {
    const filled = source.fill(session);
    if (filled === null) continue;
    const columns = sumTrades(source, filled.start, quoted);
    if (columns.time.length > 0) yield { kind: 'flow-minutes', symbol: of.symbol, columns };
  }
}

/** The minutes, quotes and prints of one symbol's sessions, in scratch of its own. */
function tradeSource(market: SimulatedMarket, of: SimulatedSymbol) {
  const minutes = createSessionMinutes();
  const quotes = createSessionQuotes();
  const trades = createMinuteTrades();
  const fill = sessionFiller(market, of, minutes);
  const quoteStream = sessionStream(market, of.symbol, 'quotes');
  const tradeStream = sessionStream(market, of.symbol, 'trades');
  let printSize = 0;
  let stream = tradeStream(0);
  return {
    minutes,
    quotes,
    trades,
    fill(session: number): { readonly start: number } | null {
      const filled = fill(session);
      if (filled === null) return null;
      fillSessionQuotes(quotes, minutes, of.company?.spread ?? 0, quoteStream(session));
      ({ printSize } = sessionFrame(market, of, session));
      stream = tradeStream(session);
      return filled;
    },
    fillRow: (row: number): void => fillMinuteTrades(trades, minutes, quotes, row, printSize, stream),
  };
}

function sumTrades(
  source: ReturnType<typeof tradeSource>,
  start: number,
  quoted: boolean,
): FlowMinuteColumns {
  const { minutes, quotes, trades } = source;
  // The session's minutes are counted from the start of the pre-market; the builder needs no other midnight.
  const flow = new FlowMinuteBuilder(start);
  for (let row = 0; row < minutes.rows; row++) {
    source.fillRow(row);
    const from = minutes.minute[row]! * MINUTE_MS;
    const spread = quotes.spread[row]!;
    for (let i = 0; i < trades.rows; i++) {
      const bid = trades.bid[i]!;
      if (quoted) flow.quote(bid / 100, (bid + spread) / 100);
      flow.trade(from + trades.offsetMs[i]!, trades.price[i]! / 100, trades.size[i]!, printOf(trades, i));
    }
  }
  return flow.columns();
}

/** What sets no price in this market is an average, a late or an odd print, and tells no side either. */
function printOf({ offExchange, eligible }: MinuteTrades, i: number): number {
  const elsewhere = eligible[i] === 1 ? 0 : PRINT.setsNoPrice | PRINT.hasNoSide;
  return offExchange[i] === 1 ? elsewhere | PRINT.offExchange : elsewhere;
}

/** Prints and quotes of a symbol's session in the order of time. */
export function* sessionTicks(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  session: number,
): Generator<SimulatedTick> {
  const { from, to } = span(of, session);
  if (of.company === null || session < from || session >= to) return;
  const source = tradeSource(market, of);
  const filled = source.fill(session);
  if (filled === null) return;
  const sizes = sessionStream(market, of.symbol, 'tick quote sizes')(session);
  for (let row = 0; row < source.minutes.rows; row++) {
    source.fillRow(row);
    const start = filled.start + source.minutes.minute[row]! * MINUTE_MS;
    for (const tick of minuteTicks(source.trades, source.quotes, row, start, sizes)) {
      if (of.company.quoted || tick.kind === 'trade') yield tick;
    }
  }
}

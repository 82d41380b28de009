import { DAY_MS } from '../../base/calendar.ts';
import { BarColumnBuilder } from '../column-builder.ts';
import type { Delivery } from '../feed.ts';
import type { CorporateAction } from '../observations.ts';
import { QuoteColumnBuilder } from '../quote-column-builder.ts';
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
import { flowMinutes, pushQuoteBars } from './simulated-quotes.ts';

/** Rows after which a chunk is handed out; with one session more it stays under 50,000. */
const CHUNK_ROWS = 40_000;
/** Dividends of a year stand behind a yield, whatever the window of the bars. */
const ACTIONS_BACK_DAYS = 370;

/** Sessions of the symbol from a place of the timeline on. */
export function* sessionsOf({ path }: SimulatedSymbol, from: number): Generator<number> {
  for (let s = Math.max(from, path.firstSession); s < path.firstSession + path.rows; s++) yield s;
}

/** Splits and dividends of the window and the year before it. */
export function* actionsDelivery(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const { day } = market.timeline;
  const actions = of.path.actions
    .filter(({ session }) => day[session]! >= day[fromSession]! - ACTIONS_BACK_DAYS)
    .map(({ session, kind, value }): CorporateAction => ({ kind, exDate: day[session]! * DAY_MS, value }));
  if (actions.length > 0) yield { kind: 'actions', symbol: of.symbol, actions };
}

/** Daily bars from a session on. */
export function* dailyDelivery(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const { path, symbol } = of;
  const builder = new BarColumnBuilder();
  for (const session of sessionsOf(of, fromSession)) {
    if (missingFrom(market, of, session).dailyLost) continue;
    pushBar(builder, market.timeline.day[session]! * DAY_MS, path, session - path.firstSession);
  }
  if (builder.rows > 0) yield { kind: 'bars', symbol, interval: '1d', columns: builder.take() };
}

type PriceColumns = Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', Float64Array>>;

/** A bar in cents, validated like a vendor's; a refusal is a fault of the model. */
function pushBar(
  builder: BarColumnBuilder,
  time: number,
  { open, high, low, close, volume }: PriceColumns,
  row: number,
): void {
  const reason = builder.push(
    time,
    open[row]! / 100,
    high[row]! / 100,
    low[row]! / 100,
    close[row]! / 100,
    volume[row]!,
  );
  if (reason !== null) throw new Error(`the simulated market made a bar that is refused: ${reason}`);
}

/** The minutes of the symbol's sessions from one on, in scratch that the next session overwrites; lost days are left out. */
export function* filledSessions(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<{ readonly session: number; readonly start: number; readonly minutes: SessionMinutes }> {
  const minutes = createSessionMinutes();
  const stream = sessionStream(market, of.symbol, 'minutes');
  for (const session of sessionsOf(of, fromSession)) {
    const missing = missingFrom(market, of, session);
    if (missing.dayLost) continue;
    fillSessionMinutes(minutes, sessionFrame(market, of, session), missing, stream(session));
    yield { session, start: minuteZero(market, of, session), minutes };
  }
}

/** Minute bars 04:00-20:00 from a session on. */
export function* minuteDeliveries(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const builder = new BarColumnBuilder();
  const chunk = (): Delivery => ({
    kind: 'bars',
    symbol: of.symbol,
    interval: '1m',
    columns: builder.take(),
  });
  for (const { start, minutes } of filledSessions(market, of, fromSession)) {
    for (let row = 0; row < minutes.rows; row++) {
      pushBar(builder, start + minutes.minute[row]! * MINUTE_MS, minutes, row);
    }
    if (builder.rows >= CHUNK_ROWS) yield chunk();
  }
  if (builder.rows > 0) yield chunk();
}

/** Minute quote bars from a session on; none of symbols without a quote feed. */
export function* quoteDeliveries(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const { company, symbol } = of;
  if (company === null || !company.quoted) return;
  const sides = sessionStream(market, symbol, 'quotes');
  const sizes = sessionStream(market, symbol, 'quote sizes');
  const builder = new QuoteColumnBuilder();
  const chunk = (): Delivery => ({ kind: 'quotes', symbol, interval: '1m', columns: builder.take() });
  for (const { session, start, minutes } of filledSessions(market, of, fromSession)) {
    const { preOpen, open, close } = market.timeline.sessions[session]!;
    const regular = { from: (open - preOpen) / MINUTE_MS, to: (close - preOpen) / MINUTE_MS };
    const streams = { sides: sides(session), sizes: sizes(session) };
    const missing = missingFrom(market, of, session);
    pushQuoteBars(builder, minutes, company.spread, start, regular, missing, streams);
    if (builder.rows >= CHUNK_ROWS) yield chunk();
  }
  if (builder.rows > 0) yield chunk();
}

/** Order flow by minute, from a session on. */
export function* flowMinuteDeliveries(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Generator<Delivery> {
  const { company, symbol } = of;
  if (company === null) return;
  const stream = sessionStream(market, symbol, 'flow');
  for (const { session, start, minutes } of filledSessions(market, of, fromSession)) {
    const { printSize } = sessionFrame(market, of, session);
    const columns = flowMinutes(minutes, start, printSize, company.quoted, stream(session));
    if (columns.time.length > 0) yield { kind: 'flow-minutes', symbol, columns };
  }
}

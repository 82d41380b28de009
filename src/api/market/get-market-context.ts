import { marketInstant, wholeMinute } from '../../base/as-of.ts';
import type { Calendar, Session } from '../../base/calendar.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { sessionClock } from '../../base/session-clock.ts';
import { instantOrNull, instantText } from '../../base/wire.ts';
import { rounded } from '../../derive/rounding.ts';
import { type Viewer, viewKey, visibleInstant, withoutForeign } from '../access/viewer.ts';
import { cachedAnswer } from '../answers/cached-answer.ts';
import { marketAt } from '../answers/market-at.ts';
import { sessionsBehind } from '../answers/sessions-behind.ts';
import { type Answer, WHOLE_MARKET } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import type { MarketName } from '../context/symbol-markets.ts';
import { eventClock } from './event-clock.ts';
import { marketParts } from './market-parts.ts';
import { refuseOutsideTape, resolveMarketDate } from './resolve-date.ts';
import type { MarketContext } from './schema.ts';

export interface MarketContextRequest {
  /** An existing calendar date, YYYY-MM-DD; absent for the newest session that has a market. */
  readonly date?: string | undefined;
  readonly market?: MarketName | undefined;
}

/**
 * The state of the market: regime, index, VIX, breadth, sectors, session clock and event clock, each null with its
 * reason. A function of the tape up to the instant that the viewer may see of the session.
 *
 * @param signal ends the wait
 * @throws CodedError no_session, no_data_for_date, overloaded, query_timeout; the reason of the signal when it aborts
 */
export async function marketContextAt(
  context: AppContext,
  { date, market: asked }: MarketContextRequest,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<MarketContext> {
  const now = context.clock.now();
  const simulated = await context.symbolMarkets.marketFor(viewer, asked);
  const marketDate = await resolveMarketDate(context, simulated, date, viewer, signal);
  const { session, asOf } = marketDate;
  const { tradeDate } = session;
  const market = await marketAt(context, simulated, tradeDate, asOf, signal);
  await refuseOutsideTape(context, simulated, marketDate, market, signal);
  const { missing: unknownEvents, ...events } = await eventClock(context, simulated, tradeDate, asOf, signal);
  const { missing, ...parts } = marketParts(market, market.asOf >= session.close);
  // With a date the clock stops at the end of that session's trading, else it shows the present.
  const at =
    date === undefined ? wholeMinute(visibleInstant(viewer, now)) : Math.min(asOf, session.postClose);
  const marketContext: MarketContext = {
    trade_date: tradeDate,
    sessions_behind: sessionsBehind(context.calendar, { date, tradeDate }, viewer, now),
    as_of: new Date(asOf).toISOString(),
    market_as_of: new Date(marketInstant(session, asOf)).toISOString(),
    source: viewer.source,
    simulated,
    ...rounded(parts),
    clock: wireClock(context.calendar, session, at),
    events,
    missing: [...missing, ...unknownEvents],
  };
  return withoutForeign(marketContext, viewer);
}

/**
 * The state of the market, cached until the tape or the graph changes or its clock is out of date. A viewer with a grant
 * for some symbols gets counts of all companies and the names of those.
 *
 * @throws CodedError no_session, no_data_for_date, overloaded, query_timeout
 */
export function getMarketContext(
  context: AppContext,
  request: MarketContextRequest,
  viewer: Viewer,
): Answer | Promise<Answer> {
  return cachedAnswer(context, {
    key: `market|${viewKey(viewer)}|${request.market ?? ''}|${request.date ?? ''}`,
    symbol: WHOLE_MARKET,
    late: 'The market was not answered',
    async make(signal) {
      const marketContext = await marketContextAt(context, request, viewer, signal);
      const expires = expiryOf(context, request, marketContext, viewer);
      return { text: JSON.stringify(marketContext), expires };
    },
  });
}

/** The end of the newest visible minute; never for a trade date that has ended. */
function expiryOf(
  { calendar, clock }: AppContext,
  { date }: MarketContextRequest,
  { as_of, trade_date }: MarketContext,
  { delayMs }: Viewer,
): number {
  const hasEnded = Date.parse(as_of) === calendar.session(trade_date)!.end;
  if (date !== undefined && hasEnded) return Number.POSITIVE_INFINITY;
  return wholeMinute(clock.now() - delayMs) + MINUTE_MS + delayMs;
}

function wireClock(calendar: Calendar, session: Session, at: number): MarketContext['clock'] {
  const { phase, closedFor, nextBell, nextSpecialSession, ...clock } = sessionClock(
    calendar,
    session.tradeDate,
    at,
  );
  const { preOpen, open, close, postClose } = session;
  return {
    trade_date: session.tradeDate,
    at: instantText(at),
    phase,
    closed_for: closedFor,
    early_close: session.earlyClose,
    phases: [
      { phase: 'pre_market', opens_at: instantText(preOpen), closes_at: instantText(open) },
      { phase: 'regular', opens_at: instantText(open), closes_at: instantText(close) },
      { phase: 'after_hours', opens_at: instantText(close), closes_at: instantText(postClose) },
    ],
    next_bell: nextBell && {
      kind: nextBell.kind,
      at: instantText(nextBell.at),
      minutes: Math.ceil((nextBell.at - at) / MINUTE_MS),
    },
    previous_session: clock.previousSession,
    next_session: clock.nextSession,
    next_departure: nextSpecialSession && {
      date: nextSpecialSession.date,
      kind: nextSpecialSession.kind,
      reason: nextSpecialSession.name,
      opens_at: instantOrNull(nextSpecialSession.open),
      closes_at: instantOrNull(nextSpecialSession.close),
    },
  };
}

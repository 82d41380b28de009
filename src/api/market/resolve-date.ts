import { asOfInstant, marketInstant } from '../../base/as-of.ts';
import { DAY_MS, dateOf, midnightUtc, requireSession, type Session } from '../../base/calendar.ts';
import { CodedError } from '../../base/errors.ts';
import { newestMarketDates } from '../../graph/market-days.ts';
import { newestTradeDay } from '../../graph/topology.ts';
import { daysOfTape } from '../../tape/event-facts.ts';
import type { MarketView } from '../../tape/index.ts';
import { visibleInstant } from '../access/viewer.ts';
import { absence } from '../answers/absences.ts';
import { newestMinute } from '../answers/market-at.ts';
import type { AppContext, Viewer } from '../context/app-context.ts';

/** A session and the instant up to which the viewer may see it. */
export interface MarketDate {
  readonly session: Session;
  readonly asOf: number;
}

/** @throws CodedError no_session, no_data_for_date */
export async function resolveMarketDate(
  context: AppContext,
  simulated: boolean,
  date: string | undefined,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<MarketDate> {
  const { calendar, clock } = context;
  const visible = visibleInstant(viewer, clock.now());
  const dateAt = (session: Session): MarketDate | null => {
    const asOf = asOfInstant(session, visible);
    return asOf === null ? null : { session, asOf: newestMinute(context, viewer, asOf) };
  };
  const asked = date === undefined ? null : dateAt(requireSession(calendar, date));
  if (asked !== null) return asked;
  const today = calendar.tradeDateOf(visible);
  const newest = await newestVisible(context, simulated, today, dateAt, signal);
  if (date === undefined) {
    if (newest !== null) return newest;
    throw new CodedError('no_data_for_date', absence('refused.market'));
  }
  const sentence =
    newest === null
      ? absence('refused.not_yet', { date })
      : absence('refused.not_yet_newest', { date, newest: newest.session.tradeDate });
  throw new CodedError('no_data_for_date', sentence);
}

/** The newest visible session with a stored market, else the newest with a bar. */
async function newestVisible(
  { database, calendar }: AppContext,
  simulated: boolean,
  today: string,
  dateAt: (session: Session) => MarketDate | null,
  signal: AbortSignal,
): Promise<MarketDate | null> {
  for (const tradeDate of await newestMarketDates(database, simulated, today, { signal })) {
    const session = calendar.session(tradeDate);
    const market = session && dateAt(session);
    if (market !== null) return market;
  }
  for (let bound = midnightUtc(today) / DAY_MS; ; bound--) {
    const day = await newestTradeDay(database, simulated, bound);
    if (day === null) return null;
    const session = calendar.session(dateOf(day * DAY_MS));
    const market = session && dateAt(session);
    if (market !== null) return market;
    bound = day;
  }
}

/**
 * Refuses a session without data. One with a few stocks and no index gets an answer with nulls.
 *
 * @throws CodedError no_data_for_date
 */
export async function refuseOutsideTape(
  { database, calendar }: AppContext,
  simulated: boolean,
  { session, asOf }: MarketDate,
  market: MarketView,
  signal: AbortSignal,
): Promise<void> {
  const { tradeDate } = session;
  if (market.breadth !== null || isOfSession(market, session)) return;
  const days = await daysOfTape(database, simulated, { signal });
  const day = midnightUtc(tradeDate) / DAY_MS;
  if (days !== null && day >= days.first && day <= days.last) return;
  const instant = marketInstant(session, asOf);
  const nearest = days === null ? null : dateOf((day < days.first ? days.first : days.last) * DAY_MS);
  const date = instant < session.close ? `${tradeDate} yet` : tradeDate;
  const sentence =
    nearest === null || !calendar.isSession(nearest)
      ? absence('refused.market_date', { date })
      : absence('refused.market_nearest', { date, nearest });
  throw new CodedError('no_data_for_date', sentence);
}

/** Whether the index has a bar of this session, not only of the one before. */
function isOfSession({ index }: MarketView, { tradeDate }: Session): boolean {
  return index !== null && index.time.at(-1) === midnightUtc(tradeDate);
}

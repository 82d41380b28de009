import type { Calendar, Session, SessionBounds } from './calendar.ts';
import { MINUTE_MS } from './dates.ts';

export const wholeMinute = (instant: number): number => instant - (instant % MINUTE_MS);

/**
 * The instant that an answer for a trade date speaks for: the end of the trade date, or before that the last whole
 * minute that may be seen. Null before the trade date begins.
 *
 * @param visible the newest instant that may be seen, epoch milliseconds
 */
export function asOfInstant(
  { preOpen, end }: Pick<Session, 'preOpen' | 'end'>,
  visible: number,
): number | null {
  const asOf = Math.min(end, wholeMinute(visible));
  return asOf < preOpen ? null : asOf;
}

/**
 * The trade date that a piece of news belongs to: it begins after its pre-market has begun, and ends when that of the
 * next session begins. The first date of the calendar for everything before it.
 */
export function tradeDateHolding(calendar: Calendar, instant: number): string {
  const date = calendar.tradeDateOf(instant);
  const session = calendar.session(date);
  if (session !== null && instant > session.preOpen) return date;
  return calendar.previousSession(date) ?? date;
}

/** The instant of an answer's market view: the close once the session has closed, before that the last full minute. */
export function marketInstant(session: SessionBounds, asOf: number): number {
  return asOf >= session.close ? session.close : wholeMinute(asOf);
}

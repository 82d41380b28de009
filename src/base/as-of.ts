import type { SessionBounds } from './calendar.ts';
import { MINUTE_MS } from './dates.ts';

/** The last whole minute at or before an instant. */
export const wholeMinute = (instant: number): number => instant - (instant % MINUTE_MS);

/**
 * The instant that an answer for a trade date speaks for: the end of after-hours trading, or before that the last whole
 * minute of now less the delay. Null before the trade date begins.
 *
 * @param delayMs minimum age of data for the caller; 0 with the real-time feed
 */
export function asOfInstant(session: SessionBounds, now: number, delayMs: number): number | null {
  const visible = Math.min(session.postClose, wholeMinute(now - delayMs));
  return visible < session.preOpen ? null : visible;
}

/**
 * The instant of the market view for an answer as of `asOf`: the close once the session has closed, before that the
 * last full minute.
 */
export function marketInstant(session: SessionBounds, asOf: number): number {
  return asOf >= session.close ? session.close : wholeMinute(asOf);
}

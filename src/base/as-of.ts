import type { SessionBounds } from './calendar.ts';

/** A running session grows by the minute: all who ask within one share its state. */
const MINUTE_MS = 60_000;

/** The last whole minute at or before an instant. */
export const wholeMinute = (instant: number): number => instant - (instant % MINUTE_MS);

/**
 * The instant that an answer for a trade date speaks for: the end of its after-hours trading, or while that has not
 * passed the last whole minute of now less the delay. Null while the trade date has not begun.
 *
 * @param delayMs how old data must be before the asker may see it; 0 for a caller with the real-time feed
 */
export function asOfInstant(session: SessionBounds, now: number, delayMs: number): number | null {
  const visible = Math.min(session.postClose, wholeMinute(now - delayMs));
  return visible < session.preOpen ? null : visible;
}

/**
 * The instant at which the market as a whole is looked at for an answer as of `asOf`: the close once the session has
 * closed, so that a completed session has one market; before it the last full minute.
 */
export function marketInstant(session: SessionBounds, asOf: number): number {
  return asOf >= session.close ? session.close : wholeMinute(asOf);
}

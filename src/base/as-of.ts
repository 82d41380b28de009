import type { SessionBounds } from './calendar.ts';

/**
 * The instant that an answer for a trade date speaks for: the end of its after-hours trading, or now less the delay
 * while that has not passed. Null while the trade date has not begun.
 *
 * @param delayMs how old data must be before the asker may see it; 0 for a caller with the real-time feed
 */
export function asOfInstant(session: SessionBounds, now: number, delayMs: number): number | null {
  const visible = Math.min(session.postClose, now - delayMs);
  return visible < session.preOpen ? null : visible;
}

/** The market as a whole is looked at by the minute, so that all who ask within one share one look. */
const MARKET_STEP_MS = 60_000;

/**
 * The instant at which the market as a whole is looked at for an answer as of `asOf`: the close once the session has
 * closed, so that a completed session has one market; before it the last full minute.
 */
export function marketInstant(session: SessionBounds, asOf: number): number {
  return asOf >= session.close ? session.close : asOf - (asOf % MARKET_STEP_MS);
}

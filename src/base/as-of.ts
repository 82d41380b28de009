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

import type { Calendar, Session } from './calendar.ts';
import { CodedError } from './errors.ts';

/**
 * The session of a trade date.
 *
 * @throws CodedError no_session, with the reason and the nearest session
 */
export function requireSession(calendar: Calendar, date: string): Session {
  const session = calendar.session(date);
  if (session !== null) return session;
  const nearest = calendar.nearestSession(date);
  const hint = nearest === null ? '' : `; the nearest session is ${nearest}`;
  throw new CodedError('no_session', `${date} is not a trade date (${calendar.reason(date)})${hint}`);
}

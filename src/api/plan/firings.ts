import type { Caller } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import type { Review } from './schema.ts';
import { say } from './sentences.ts';

/** The alerts of a caller that fired in a session, each with what followed; and why there are none. */
export async function firingsOf(
  _context: Pick<AppContext, 'database'>,
  _symbols: readonly string[],
  _tradeDate: string,
  _caller: Caller,
): Promise<Pick<Review, 'alerts' | 'missing'>> {
  return { alerts: [], missing: [{ field: 'alerts', reason: say('review.no_alerts') }] };
}

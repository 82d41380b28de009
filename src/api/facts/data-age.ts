import type { Calendar } from '../../base/calendar.ts';
import type { FactRegistry } from './fact-registry.ts';

/**
 * Adds how far an answer for now is behind the market, where it is: `data`.
 *
 * @param instant the newest that the caller may see, epoch milliseconds
 */
export function addAge(
  registry: FactRegistry,
  calendar: Calendar,
  { tradeDate, sessionsBehind }: { readonly tradeDate: string; readonly sessionsBehind: number },
  instant: number,
): void {
  if (sessionsBehind === 0) return;
  const last = calendar.sessionAt(calendar.sessionIndex(tradeDate) + sessionsBehind)!;
  registry.addAll('data', { instant: new Date(instant).toISOString(), source: 'calendar' }, [
    ['trade_date', 'newest session of the data', tradeDate],
    ['sessions_behind', 'sessions behind the market', sessionsBehind, 'count'],
    ['last_session', 'last completed session of the market', last.tradeDate],
  ]);
}

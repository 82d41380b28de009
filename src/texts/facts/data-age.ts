import type { FactRegistry } from './fact-registry.ts';

/**
 * Adds how far an answer for now is behind the market, where it is: `data`.
 *
 * @param instant the newest that the caller may see, epoch milliseconds
 */
export function addAge(
  registry: FactRegistry,
  { tradeDate, sessionsBehind }: { readonly tradeDate: string; readonly sessionsBehind: number },
  instant: number,
): void {
  if (sessionsBehind === 0) return;
  registry.addAll('data', { instant: new Date(instant).toISOString(), source: 'calendar' }, [
    ['trade_date', 'newest session of the data', tradeDate],
    ['sessions_behind', 'age of the data in sessions', sessionsBehind, 'count'],
  ]);
}

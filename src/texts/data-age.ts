import type { Rule } from '../analysis/conditions.ts';
import { pointOf } from './debate/rule.ts';
import type { FactRegistry } from './facts/fact-registry.ts';
import { floored, type Piece, part } from './piece.ts';

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

/** What an assistant says first of an answer that is behind the market. */
export const STALE: Rule = {
  name: 'data.stale',
  when: ['data.sessions_behind', '>=', 1],
  says: 'The newest session of the data is {data.trade_date}: the market has completed {data.sessions_behind} since.',
};

/** The age of the answer in a sentence, before all else; none where it is not behind the market. */
export function agePieces(registry: FactRegistry, section: 'market_context' | 'stock_data'): Piece[] {
  const point = pointOf(STALE, registry);
  return point === null ? [] : floored([part(['age', section, 'stale'], point, point.facts)]);
}

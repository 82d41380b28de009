import type { Rule } from '../analysis/conditions.ts';
import { pointOf } from './debate/rule.ts';
import type { FactRegistry } from './facts/fact-registry.ts';
import { floored, type Piece, part } from './piece.ts';

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

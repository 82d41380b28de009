import { tradeDateOf } from '../../base/time-zone.ts';
import type { FactRegistry } from '../facts/fact-registry.ts';
import { CHANGES } from './change.ts';
import { COMPANY } from './company.ts';
import { CONTEXT } from './context.ts';
import { OPTIONS } from './options.ts';
import { type DebateRule, type DebateSide, type Point, pointOf } from './rule.ts';
import { TRADE } from './trade.ts';
import { TREND } from './trend.ts';

export type { Point } from './rule.ts';

/** Every argument that either side can make. */
export const RULES: readonly DebateRule[] = [...TREND, ...TRADE, ...OPTIONS, ...COMPANY, ...CONTEXT];

export { CHANGES };

/** What can be said for both sides of a trade and against each, the weightiest first. */
export interface Debate {
  readonly bull: readonly Point[];
  readonly bear: readonly Point[];
  readonly changes: Readonly<Record<DebateSide, readonly Point[]>>;
}

/** Below so many arguments a side is said to have few. */
export const FEW = 3;

const byWeight = (rules: readonly DebateRule[]): readonly DebateRule[] =>
  rules.toSorted((one, other) => other.weight - one.weight);
const [claims, changes] = [byWeight(RULES), byWeight(CHANGES)];

/** Facts of an option chain, with the one that says how old it is. */
const OF_CHAIN = [
  ['exposure.', 'exposure.sessions_old'],
  ['stock.options.', 'stock.options.sessions_old'],
] as const;

/** An argument of a chain of an earlier session says so: its walls and flip are not those of today. */
function withChainAge(point: Point, registry: FactRegistry): Point {
  for (const [prefix, id] of OF_CHAIN) {
    const age = registry.get(id);
    if (typeof age?.value !== 'number' || age.value === 0) continue;
    if (!point.facts.some((fact) => fact.startsWith(prefix))) continue;
    const sessions = age.value === 1 ? 'one session' : `${age.value} sessions`;
    const text = `${point.text} The chain is of ${tradeDateOf(Date.parse(age.instant))}, ${sessions} old.`;
    return { ...point, text, facts: [...point.facts, id] };
  }
  return point;
}

/** Holds every rule against the facts. Both sides are argued by the same means; which is right is not decided here. */
export function debate(registry: FactRegistry): Debate {
  const pointsOf = (rules: readonly DebateRule[], side: DebateSide): Point[] =>
    rules.flatMap((rule) => {
      const point = rule.side === side ? pointOf(rule, registry) : null;
      return point === null ? [] : [withChainAge(point, registry)];
    });
  return {
    bull: pointsOf(claims, 'bull'),
    bear: pointsOf(claims, 'bear'),
    changes: { bull: pointsOf(changes, 'bull'), bear: pointsOf(changes, 'bear') },
  };
}

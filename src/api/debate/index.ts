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

const sidesOf = (rules: readonly DebateRule[]): Readonly<Record<DebateSide, readonly DebateRule[]>> => {
  const byWeight = rules.toSorted((one, other) => other.weight - one.weight);
  const of = (side: DebateSide) => byWeight.filter((rule) => rule.side === side);
  return { bull: of('bull'), bear: of('bear') };
};
const [claims, changes] = [sidesOf(RULES), sidesOf(CHANGES)];

/** Holds every rule against the facts. Both sides are argued by the same means; which is right is not decided here. */
export function debate(registry: FactRegistry): Debate {
  const pointsOf = (rules: readonly DebateRule[]): Point[] =>
    rules.flatMap((rule) => pointOf(rule, registry) ?? []);
  return {
    bull: pointsOf(claims.bull),
    bear: pointsOf(claims.bear),
    changes: { bull: pointsOf(changes.bull), bear: pointsOf(changes.bear) },
  };
}

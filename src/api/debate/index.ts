import type { FactRegistry } from '../chat/fact-registry.ts';
import { CHANGES } from './change.ts';
import { EARNINGS_RULES, FUNDAMENTALS, OPINIONS, WORDS } from './company.ts';
import { MARKET, NEIGHBOURS, VERDICTS } from './context.ts';
import { OPTIONS } from './options.ts';
import { type DebateRule, type Point, pointOf, type Side } from './rule.ts';
import { FLOW, LEVELS, PATTERNS } from './trade.ts';
import { MOMENTUM_RULES, TREND } from './trend.ts';

export type { Point } from './rule.ts';

/** Every argument that either side can make. */
export const RULES: readonly DebateRule[] = [
  ...TREND,
  ...MOMENTUM_RULES,
  ...FLOW,
  ...LEVELS,
  ...PATTERNS,
  ...OPTIONS,
  ...FUNDAMENTALS,
  ...EARNINGS_RULES,
  ...OPINIONS,
  ...WORDS,
  ...NEIGHBOURS,
  ...MARKET,
  ...VERDICTS,
];

export { CHANGES };

/** What can be said for both sides of a trade and against each, the weightiest first. */
export interface Debate {
  readonly bull: readonly Point[];
  readonly bear: readonly Point[];
  /** What would change the mind of either. */
  readonly changes: Readonly<Record<Side, readonly Point[]>>;
}

/** Below so many arguments a side is said to have few. */
export const FEW = 3;

/** Holds every rule against the facts. Both sides are argued by the same means; which is right is not decided here. */
export function debate(registry: FactRegistry): Debate {
  return {
    bull: pointsOf(RULES, 'bull', registry),
    bear: pointsOf(RULES, 'bear', registry),
    changes: { bull: pointsOf(CHANGES, 'bull', registry), bear: pointsOf(CHANGES, 'bear', registry) },
  };
}

function pointsOf(rules: readonly DebateRule[], side: Side, registry: FactRegistry): Point[] {
  return rules
    .filter((rule) => rule.side === side)
    .sort((one, other) => other.weight - one.weight)
    .flatMap((rule) => pointOf(rule, registry) ?? []);
}

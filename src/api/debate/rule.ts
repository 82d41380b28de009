import type { Fact } from '../chat/fact.ts';
import type { FactRegistry } from '../chat/fact-registry.ts';

export type Side = 'bull' | 'bear';

/** What must hold of a fact for a rule to speak: against a number, a word, or (`than` of an order) another fact. */
export interface Condition {
  /** Id of the fact. */
  readonly fact: string;
  readonly must: 'above' | 'at_least' | 'below' | 'at_most' | 'be';
  /** A number, the id of another number, or for `be` the value itself. */
  readonly than: number | string | boolean;
}

/** A value of both sides, or that of the bull and that of the bear. */
type Both<Value> = Value | readonly [bull: Value, bear: Value];

/** A condition as the bull has it. The bear's is mirrored: the other order, and a lone number with the other sign. */
export interface Mirrored {
  readonly fact: string;
  readonly must: Condition['must'];
  readonly than: Both<Condition['than']>;
  readonly isSame: boolean;
}

const condition =
  <Than extends Condition['than']>(must: Condition['must']) =>
  (fact: string, than: Both<Than>): Mirrored => ({ fact, must, than, isSame: must === 'be' });
export const above = condition<number | string>('above');
export const atLeast = condition<number | string>('at_least');
export const below = condition<number | string>('below');
export const atMost = condition<number | string>('at_most');
export const be = condition<string | boolean>('be');
/** Of both sides alike. */
export const same = (one: Mirrored): Mirrored => ({ ...one, isSame: true });

const MIRROR = {
  above: 'below',
  below: 'above',
  at_least: 'at_most',
  at_most: 'at_least',
  be: 'be',
} as const;
const ALTERNATIVES = /\[([^[\]|]*)\|([^[\]|]*)\]/g;

/** Of `[above|below]` the part of a side. */
const wordsOf = (side: Side, text: string): string =>
  text.replaceAll(ALTERNATIVES, (_, bull: string, bear: string) => (side === 'bull' ? bull : bear));

export function conditionOf(side: Side, { fact, must, than, isSame }: Mirrored): Condition {
  const isTurned = side === 'bear' && !isSame;
  const own = typeof than === 'object' ? than[side === 'bull' ? 0 : 1]! : than;
  const value = isTurned && typeof own === 'number' && own === than ? -own || 0 : own;
  return {
    fact: wordsOf(side, fact),
    must: isTurned ? MIRROR[must] : must,
    than: typeof value === 'string' ? wordsOf(side, value) : value,
  };
}

/**
 * One argument of a debate as data. It is made when every fact that it names is known and every condition holds; where
 * one is unknown the rule is silent.
 */
export interface Rule {
  readonly id: string;
  /** The side that it speaks for; of what would change a mind, whose mind. */
  readonly side: Side;
  /** How much it counts, 1 to 10: evidence that takes long to build and that many traders act on counts more. */
  readonly weight: number;
  readonly when: readonly Condition[];
  /** A sentence whose placeholders are ids of facts; it holds no figure of its own. */
  readonly says: string;
}

type When = readonly Mirrored[];

const ruleOf = (side: Side, id: string, weight: Both<number>, when: When, says: string): Rule => ({
  id: wordsOf(side, id),
  side,
  weight: typeof weight === 'number' ? weight : weight[side === 'bull' ? 0 : 1],
  when: when.map((one) => conditionOf(side, one)),
  says: wordsOf(side, says),
});

/** One rule for both sides: `[bull|bear]` in id, facts and sentence, conditions mirrored unless each side has its own. */
export function both(
  id: string,
  weight: Both<number>,
  when: When | Readonly<Record<Side, When>>,
  says: string,
): Rule[] {
  const [ofBull, ofBear] = 'bull' in when ? [when.bull, when.bear.map(same)] : [when, when];
  return [ruleOf('bull', id, weight, ofBull, says), ruleOf('bear', id, weight, ofBear, says)];
}

/** A rule of one side alone, with its conditions as they are written. */
export const bull = (id: string, weight: number, when: When, says: string): Rule[] => [
  ruleOf('bull', id, weight, when, says),
];
export const bear = (id: string, weight: number, when: When, says: string): Rule[] => [
  ruleOf('bear', id, weight, when.map(same), says),
];

/** An argument that was made. */
export interface Point {
  readonly text: string;
  /** Ids of the facts that it rests on, those that the text quotes first. */
  readonly facts: readonly string[];
  readonly rule: string;
}

const PLACEHOLDER = /\{([^{}]+)\}/g;

/** Ids of the facts that a sentence quotes, each once. */
export const quotedBy = (says: string): string[] => [
  ...new Set(Array.from(says.matchAll(PLACEHOLDER), ([, id]) => id!)),
];

/** Ids of the numbers and words that conditions look at. */
const comparedBy = (when: readonly Condition[]): string[] =>
  when.flatMap(({ fact, must, than }) => (must !== 'be' && typeof than === 'string' ? [fact, than] : [fact]));

/** Every fact that a rule needs. */
export const factsOf = ({ when, says }: Rule): string[] => [
  ...new Set([...quotedBy(says), ...comparedBy(when)]),
];

/** True where every condition is known and holds. */
const met = (when: readonly Condition[], registry: FactRegistry): boolean =>
  comparedBy(when).every((id) => registry.get(id) !== null) &&
  when.every((condition) => holds(condition, registry));

/** The argument of a rule; null where it does not hold or cannot be known. */
export function pointOf({ id, when, says }: Rule, registry: FactRegistry): Point | null {
  const quoted = quotedBy(says);
  if (quoted.some((fact) => registry.get(fact) === null) || !met(when, registry)) return null;
  const text = says.replaceAll(PLACEHOLDER, (_, fact: string) => String(registry.get(fact)!.value));
  // A word that had to be so is in the sentence already.
  const numbers = comparedBy(when.filter(({ must }) => must !== 'be'));
  return { text, facts: [...new Set([...quoted, ...numbers])], rule: id };
}

function holds({ fact, must, than }: Condition, registry: FactRegistry): boolean {
  const value = registry.get(fact)!.value;
  if (must === 'be') return value === than;
  const other: Fact['value'] = typeof than === 'string' ? registry.get(than)!.value : than;
  if (typeof value !== 'number' || typeof other !== 'number') return false;
  switch (must) {
    case 'above':
      return value > other;
    case 'at_least':
      return value >= other;
    case 'below':
      return value < other;
    case 'at_most':
      return value <= other;
  }
}

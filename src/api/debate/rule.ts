import type { Fact } from '../chat/fact.ts';
import type { FactBook } from '../chat/fact-book.ts';

export type Side = 'bull' | 'bear';

/** What must hold of a fact for a rule to speak: against a number, a word, or (`than` of an order) another fact. */
export interface Condition {
  /** Id of the fact. */
  readonly fact: string;
  readonly must: 'above' | 'at_least' | 'below' | 'at_most' | 'be';
  /** A number, the id of another number, or for `be` the value itself. */
  readonly than: number | string | boolean;
}

export const above = (fact: string, than: number | string): Condition => ({ fact, must: 'above', than });
export const atLeast = (fact: string, than: number | string): Condition => ({ fact, must: 'at_least', than });
export const below = (fact: string, than: number | string): Condition => ({ fact, must: 'below', than });
export const atMost = (fact: string, than: number | string): Condition => ({ fact, must: 'at_most', than });
export const be = (fact: string, than: string | boolean): Condition => ({ fact, must: 'be', than });

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
export const met = (when: readonly Condition[], book: FactBook): boolean =>
  comparedBy(when).every((id) => book.get(id) !== null) && when.every((condition) => holds(condition, book));

/** The argument of a rule; null where it does not hold or cannot be known. */
export function pointOf({ id, when, says }: Rule, book: FactBook): Point | null {
  const quoted = quotedBy(says);
  if (quoted.some((fact) => book.get(fact) === null) || !met(when, book)) return null;
  const text = says.replaceAll(PLACEHOLDER, (_, fact: string) => String(book.get(fact)!.value));
  // A word that had to be so is in the sentence already.
  const numbers = comparedBy(when.filter(({ must }) => must !== 'be'));
  return { text, facts: [...new Set([...quoted, ...numbers])], rule: id };
}

function holds({ fact, must, than }: Condition, book: FactBook): boolean {
  const value = book.get(fact)!.value;
  if (must === 'be') return value === than;
  const other: Fact['value'] = typeof than === 'string' ? book.get(than)!.value : than;
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

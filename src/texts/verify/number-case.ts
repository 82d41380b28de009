import type { ClauseContext } from './clause.ts';
import { isComparable, type KnownValues, type NumericFact } from './compare.ts';
import type { Item, TextView } from './items.ts';
import type { Measure } from './lexicon.ts';
import type { Named } from './link.ts';
import type { Quantity } from './quantities.ts';
import type { Sides } from './sides.ts';

/** A number of a text with all that its words make of it. */
export interface NumberMention {
  /** With the sign that the words give it. */
  readonly quantity: Item & Quantity;
  readonly named: Named;
  readonly context: ClauseContext;
  readonly sides: Sides;
  /** Another stock that the clause speaks of. */
  readonly other: string | null;
  readonly view: TextView;
  readonly known: KnownValues;
}

/** The measures that a number can be of; implied are the change of the day and the gap, which need no name. */
export interface Meant {
  readonly measures: readonly Measure[];
  readonly isImplied: boolean;
}

/** A number with the measures and facts that it can be of. */
export type NumberCase = ReturnType<typeof caseOf>;

export function caseOf(mention: NumberMention, { measures, isImplied }: Meant) {
  const { known, named, quantity } = mention;
  const facts = [...new Set(measures.flatMap((measure) => known.meantBy(measure)))];
  return {
    ...mention,
    measures,
    isImplied,
    facts,
    /** A number that differs from one of these would be wrong. */
    comparable: facts.filter((fact) => isComparable(fact, quantity)),
    /** True where a test holds for a fact of each measure that the clause lists for the number. */
    isOfAll: (test: (fact: NumericFact) => boolean): boolean =>
      named.isCertain ||
      !named.isTight ||
      measures.every((measure) => measure.trait === 'open' || known.meantBy(measure).some(test)),
    about: measures[0]?.name ?? facts[0]?.label ?? null,
  };
}

export const isOpen = (measures: readonly Measure[]): boolean =>
  measures.some(({ trait }) => trait === 'open');

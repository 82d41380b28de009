import { stepOf } from '../chat/quoted.ts';
import { equals, type NumericFact } from './compare.ts';
import type { Known } from './known.ts';
import type { Formula, Measure } from './lexicon.ts';
import type { Quantity } from './quantity.ts';

/** A value that follows from facts, and how. */
export interface Derived {
  readonly value: number;
  /** How far it can be off because its facts are rounded. */
  readonly slack: number;
  /** With the ids and values of the facts. */
  readonly formula: string;
  readonly facts: readonly NumericFact[];
}

const told = ({ id, value }: NumericFact): string => `${id} (${value})`;

/** What a measure that is not a fact of its own comes to. */
export function formulasOf({ formulas = [] }: Measure, known: Known, quantity: Quantity): Derived[] {
  return formulas.flatMap((formula) => {
    const facts = formula.of.map((id) => known.number(id));
    if (facts.some((fact) => fact === null) || !fits(formula, quantity)) return [];
    return compute(formula.kind, facts as NumericFact[]) ?? [];
  });
}

const fits = ({ kind }: Formula, { unit }: Quantity): boolean =>
  kind === 'change'
    ? unit === 'percent'
    : kind === 'ratio'
      ? unit === null || unit === 'times'
      : unit !== 'percent';

function compute(kind: Formula['kind'], facts: readonly NumericFact[]): Derived | null {
  const [one, other] = facts as [NumericFact, NumericFact];
  switch (kind) {
    case 'sum':
      return made(
        facts,
        (...values) => values.reduce<number>((sum, value) => sum + value!, 0),
        facts.map(told).join(' + '),
      );
    case 'product':
      return made(facts, (first, second) => first! * second!, `${told(one)} * ${told(other)}`);
    case 'difference':
      return made(facts, (first, second) => first! - second!, `${told(one)} - ${told(other)}`);
    case 'ratio':
      return made(facts, (first, second) => first! / second!, `${told(one)} / ${told(other)}`);
    case 'change':
      return made(
        facts,
        (first, second) => (first! / second! - 1) * 100,
        `(${told(one)} / ${told(other)} - 1) * 100`,
      );
  }
}

/** What facts come to, and how far that can be off because each of them is rounded. */
function made(
  facts: readonly NumericFact[],
  formula: (...values: (number | undefined)[]) => number,
  text: string,
): Derived | null {
  const values = facts.map(({ value }) => value);
  const value = formula(...values);
  if (!Number.isFinite(value)) return null;
  const slack = facts.reduce((sum, fact, at) => {
    const moved = formula(...values.with(at, fact.value + stepOf(fact.value, fact.unit) / 2));
    return sum + (Number.isFinite(moved) ? Math.abs(moved - value) : 0);
  }, 0);
  return { value, slack, formula: text, facts };
}

/**
 * How far a fact lies from another, in the unit that is written: percent of either, dollars, or ATR. Positive where the
 * first is higher.
 */
export function distancesOf(
  one: NumericFact,
  other: NumericFact,
  quantity: Quantity,
  known: Known,
): Derived[] {
  if (one.id === other.id || one.unit !== other.unit) return [];
  return distanceParts(one, other, quantity, known).filter((derived) => derived !== null);
}

function distanceParts(
  one: NumericFact,
  other: NumericFact,
  { unit, isExact }: Quantity,
  known: Known,
): (Derived | null)[] {
  const pair = [one, other];
  switch (unit) {
    case 'percent':
      return [
        compute('change', pair),
        made(pair, (a, b) => (1 - b! / a!) * 100, `(1 - ${told(other)} / ${told(one)}) * 100`),
      ];
    case 'ATR':
      if (one.unit !== 'USD') return [];
      return ATRS.flatMap((id) => {
        const atr = known.number(id);
        const formula = (a?: number, b?: number, c?: number): number => (a! - b!) / c!;
        return atr === null
          ? []
          : made([...pair, atr], formula, `(${told(one)} - ${told(other)}) / ${told(atr)}`);
      });
    case 'times':
      return [compute('ratio', pair)];
    case null:
    case 'USD':
    case 'points':
      return [compute('difference', pair), unit === null && isExact ? compute('ratio', pair) : null];
    default:
      return [];
  }
}

const ATRS = ['technical.daily_atr.14', 'technical.atr_14', 'level_ladder.atr'];

/** How far a fact lies from a number that the text names itself. */
export function distancesToNumber(one: NumericFact, other: number, { unit }: Quantity): Derived[] {
  const derived =
    unit === 'percent'
      ? made([one], (value) => (value! / other - 1) * 100, `(${told(one)} / ${other} - 1) * 100`)
      : made([one], (value) => value! - other, `${told(one)} - ${other}`);
  return derived === null ? [] : [derived];
}

/** The first that comes to what is written; by size alone where the text gives the side in words. */
export function derivedAs(quantity: Quantity, all: readonly Derived[], bySize = false): Derived | null {
  const sized = { ...quantity, value: Math.abs(quantity.value) };
  const found = all.find(({ value, slack }) =>
    bySize ? equals(sized, Math.abs(value), 0, slack) : equals(quantity, value, 0, slack),
  );
  return found ?? null;
}

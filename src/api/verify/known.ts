import type { Fact } from '../chat/fact.ts';
import { conversionsOf, equals, isNumeric, type NumericFact, toleranceOf } from './compare.ts';
import { stepOf } from '../chat/quoted.ts';
import type { Measure } from './lexicon.ts';
import type { Quantity } from './quantity.ts';

const OWN = 'stock.';

/** How far around a number the facts are counted, as a share of it, and how many of them it may hit by chance. */
const NEAR = 0.1;
const HITS_MAX = 0.1;

/** A fact as it reads in some unit. */
interface Reading {
  readonly fact: NumericFact;
  readonly value: number;
  readonly step: number;
}

/** The facts that a text is held against, found by what lexicon and formulas call them. */
export class Known {
  readonly numbers: readonly NumericFact[];
  readonly dates: readonly (Fact & { readonly value: string })[];
  readonly #byId: ReadonlyMap<string, Fact>;
  /** By the kind of a number how every fact would read in it. */
  readonly #told = new Map<string, readonly Reading[]>();
  readonly #meant = new Map<Measure, readonly NumericFact[]>();

  constructor(facts: readonly Fact[]) {
    this.numbers = facts.filter(isNumeric);
    this.dates = facts.filter((fact): fact is Fact & { value: string } => isDate(fact.value));
    this.#byId = new Map(facts.map((fact) => [fact.id, fact]));
  }

  /** A number by its id as the lexicon has it; null where nothing is known of it. */
  number(id: string): NumericFact | null {
    const fact = this.#byId.get(idOf(id));
    return fact !== undefined && isNumeric(fact) ? fact : null;
  }

  /**
   * Every fact that a number equals in a unit that it can be told in; none where so many lie near that any number of so
   * few digits would equal one.
   */
  sameAs(quantity: Quantity): readonly NumericFact[] {
    const kind = `${quantity.unit}|${quantity.isMagnified}|${Number.isInteger(quantity.value)}`;
    let told = this.#told.get(kind);
    if (told === undefined) {
      told = this.numbers.flatMap((fact) =>
        conversionsOf(fact, quantity)
          .filter(({ isPlain }) => isPlain)
          .map(({ scale }) => ({
            fact,
            value: fact.value * scale,
            step: stepOf(fact.value, fact.unit) * scale,
          })),
      );
      this.#told.set(kind, told);
    }
    const reach = Math.abs(quantity.value) * NEAR;
    const near = new Set(
      told.map(({ value }) => value).filter((value) => Math.abs(value - quantity.value) <= reach),
    );
    const hits = reach === 0 ? Number.POSITIVE_INFINITY : (near.size * toleranceOf(quantity)) / reach;
    if (hits > HITS_MAX) return [];
    return told.filter(({ value, step }) => equals(quantity, value, step)).map(({ fact }) => fact);
  }

  /** Every number that a measure can mean, in the order of the lexicon. */
  meantBy(measure: Measure): readonly NumericFact[] {
    const known = this.#meant.get(measure);
    if (known !== undefined) return known;
    const found = measure.facts.flatMap((id) =>
      id.includes('*') ? this.#matching(id) : (this.number(id) ?? []),
    );
    const meant = [...new Set(found)];
    this.#meant.set(measure, meant);
    return meant;
  }

  #matching(pattern: string): NumericFact[] {
    const names = idOf(pattern)
      .split('*')
      .map((part) => RegExp.escape(part));
    const expression = new RegExp(`^${names.join('[^.]*')}$`);
    return this.numbers.filter(({ id }) => expression.test(id));
  }
}

const idOf = (id: string): string => (id.startsWith('@') ? id.slice(1) : `${OWN}${id}`);

const isDate = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d(?:T|$)/.test(value);

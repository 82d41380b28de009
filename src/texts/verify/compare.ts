import { type Fact, stepOf } from '../facts/fact-registry.ts';
import type { Measure } from './lexicon.ts';
import type { Quantity, WrittenUnit } from './quantities.ts';

/** A fact whose value is a number. */
export type NumericFact = Fact & { readonly value: number };

export const LAST_PRICE = 'stock.last_price';
const PRICES = new Set([
  LAST_PRICE,
  'stock.price.regular.close',
  'stock.price.official_close',
  'stock.price.day_price',
]);
export const isPrice = (id: string): boolean => PRICES.has(id);

type DatedFact = Fact & { readonly value: string };
const DATED = /^\d{4}-\d\d-\d\d(?:T|$)/;

/** How a fact reads in another unit; `loose` where another unit may be meant, so that a number that differs is not wrong. */
interface Conversion {
  readonly scale: number;
  readonly isLoose: boolean;
}
type Reads = Readonly<Partial<Record<WrittenUnit | 'none', readonly Conversion[]>>>;

const is = (...scales: number[]): Conversion[] => scales.map((scale) => ({ scale, isLoose: false }));
const loose = (scale = 1): Conversion[] => [{ scale, isLoose: true }];
const counted = (unit: WrittenUnit): Reads => ({ none: is(1), [unit]: is(1) });
const percent: Reads = { none: [...is(1), ...loose(0.01)], percent: is(1), 'percentage points': loose() };
const points: Reads = { none: is(1), points: is(1), percent: loose() };
const ratio: Reads = { none: is(1), times: is(1), points: loose(), percent: loose(100) };
const fraction: Reads = { none: is(1, 100), percent: is(100), 'percentage points': loose(100) };

/** By the unit of the fact the units that its number may be written in; `none` is a bare number. */
const CONVERSIONS: Readonly<Record<string, Reads>> = {
  USD: { ...counted('USD'), points: loose() },
  'USD bn': { none: loose(), USD: is(1e9) },
  percent,
  'percent a year': percent,
  fraction,
  volatility: { ...fraction, points: loose(100) },
  points,
  'index points': points,
  'points per hour': counted('points'),
  'of 5': counted('points'),
  count: { none: is(1) },
  quarters: { ...counted('quarters'), times: loose() },
  ATR: { ...counted('ATR'), times: loose() },
  shares: counted('shares'),
  contracts: counted('contracts'),
  people: counted('people'),
  days: counted('days'),
  minutes: counted('minutes'),
  deviations: counted('deviations'),
};

const MOVES = new Set(['stock.price.change', 'stock.price.gap']);
/** Nobody speaks of a part of one. */
const WHOLE = new Set(['count', 'days', 'quarters', 'people']);
/** A price is never written in millions, nor what is worth millions without them. */
const PRICE_MAX = 1e5;
const EPSILON = 1e-9;

export function conversionsOf(
  { id, unit, value }: NumericFact,
  quantity: Pick<Quantity, 'unit' | 'isMagnified' | 'value'>,
): readonly Conversion[] {
  if (WHOLE.has(unit ?? '') && !Number.isInteger(quantity.value)) return [];
  if (quantity.isMagnified && Math.abs(value) < PRICE_MAX && unit !== 'USD bn') return [];
  // Of a move of the stock a point is a dollar.
  if (quantity.unit === 'points' && MOVES.has(id)) return is(1);
  return (CONVERSIONS[unit ?? ''] ?? ratio)[quantity.unit ?? 'none'] ?? [];
}

/** True where a number of this unit can be of the fact at all, and would be wrong if it differed. */
export const isComparable = (fact: NumericFact, quantity: Quantity): boolean =>
  conversionsOf(fact, quantity).some(({ isLoose }) => !isLoose);

const readsAs =
  (loosely: boolean) =>
  (quantity: Quantity, fact: NumericFact, sign: 1 | -1 = 1): boolean =>
    conversionsOf(fact, quantity).some(
      ({ scale, isLoose }) =>
        isLoose === loosely &&
        equals(quantity, fact.value * scale * sign, stepOf(fact.value, fact.unit) * scale),
    );
/** True where the fact is what is written, at the precision at which it is written. */
export const says = readsAs(false);
/** True where it is in another unit, which may be meant: 0.43 of 43 percent. */
export const maySay = readsAs(true);

/** True for a fall that is given by its size: `a gap of 1.2%` of -1.2. */
export const saysSize = (quantity: Quantity, fact: NumericFact): boolean =>
  !quantity.isSigned && quantity.value > 0 && fact.value < 0 && says(quantity, fact, -1);

/** True where a value rounds to the number that is written; `ownStep` is of its last digit, `slack` how far it can be off. */
export function equals(quantity: Quantity, value: number, ownStep = 0, slack = 0): boolean {
  const tolerance = Math.max(toleranceOf(quantity), ownStep > quantity.step ? ownStep / 2 : 0) + slack;
  const size = Math.max(Math.abs(value), Math.abs(quantity.value));
  return Math.abs(quantity.value - value) <= tolerance + EPSILON * size;
}

/** Half of the last digit; of `about` what a reader still calls so. */
const toleranceOf = ({ step, value, isApproximate }: Quantity): number =>
  Math.max(step / 2, isApproximate ? ABOUT * Math.abs(value) : 0);
const ABOUT = 0.03;

/** The facts that a text is compared with. */
export class KnownValues {
  readonly dates: readonly DatedFact[];
  readonly #numbers: readonly NumericFact[];
  readonly #byId: ReadonlyMap<string, NumericFact>;
  readonly #meant = new Map<Measure, readonly NumericFact[]>();

  constructor(facts: readonly Fact[]) {
    this.#numbers = facts.filter((fact): fact is NumericFact => typeof fact.value === 'number');
    this.dates = facts.filter((fact): fact is DatedFact => DATED.test(String(fact.value)));
    this.#byId = new Map(this.#numbers.map((fact) => [fact.id, fact]));
  }

  readonly number = (id: string): NumericFact | null => this.#byId.get(id) ?? null;

  /** Every number that a measure can mean, in the order of the lexicon. */
  meantBy(measure: Measure): readonly NumericFact[] {
    return this.#meant.getOrInsertComputed(measure, () => {
      const found = measure.facts.flatMap((id) => {
        if (!id.includes('*')) return this.number(id) ?? [];
        const pattern = new RegExp(`^${id.split('*').map(RegExp.escape).join('[^.]*')}$`);
        return this.#numbers.filter((fact) => pattern.test(fact.id));
      });
      return [...new Set(found)];
    });
  }
}

import { stepOf } from '../chat/quoted.ts';
import { equals, type Known, type NumericFact } from './compare.ts';
import type { TextView } from './items.ts';
import type { Formula, Measure } from './lexicon.ts';
import type { Named } from './link.ts';
import type { Quantity } from './quantities.ts';
import { FILLING, SIDES } from './words.ts';

/** A value that follows from facts, and how. */
export interface Derived {
  readonly value: number;
  /** How far it can be off because its facts are rounded. */
  readonly slack: number;
  /** With the ids and values of the facts. */
  readonly formula: string;
  readonly facts: readonly NumericFact[];
}

type Kind = Formula['kind'] | 'discount' | 'atrs';

const COMPUTE: Readonly<Record<Kind, (...values: number[]) => number>> = {
  sum: (...values) => values.reduce((sum, value) => sum + value, 0),
  product: (one, other) => one! * other!,
  ratio: (one, other) => one! / other!,
  difference: (one, other) => one! - other!,
  change: (one, other) => (one! / other! - 1) * 100,
  discount: (one, other) => (1 - other! / one!) * 100,
  atrs: (one, other, atr) => (one! - other!) / atr!,
};

const WRITE: Readonly<Record<Kind, (...facts: string[]) => string>> = {
  sum: (...facts) => facts.join(' + '),
  product: (one, other) => `${one} * ${other}`,
  ratio: (one, other) => `${one} / ${other}`,
  difference: (one, other) => `${one} - ${other}`,
  change: (one, other) => `(${one} / ${other} - 1) * 100`,
  discount: (one, other) => `(1 - ${other} / ${one}) * 100`,
  atrs: (one, other, atr) => `(${one} - ${other}) / ${atr}`,
};

function derivedBy(kind: Kind, facts: readonly (NumericFact | null)[]): Derived[] {
  if (!facts.every((fact) => fact !== null)) return [];
  const values = facts.map(({ value }) => value);
  const value = COMPUTE[kind](...values);
  if (!Number.isFinite(value)) return [];
  const slack = facts.reduce((sum, fact, at) => {
    const moved = COMPUTE[kind](...values.with(at, fact.value + stepOf(fact.value, fact.unit) / 2));
    return sum + (Number.isFinite(moved) ? Math.abs(moved - value) : 0);
  }, 0);
  const formula = WRITE[kind](...facts.map(({ id, value: own }) => `${id} (${own})`));
  return [{ value, slack, formula, facts }];
}

/** What follows for a measure by its formulas. */
export const formulasOf = ({ formulas }: Measure, known: Known, { unit }: Quantity): Derived[] =>
  formulas.flatMap(({ kind, of }) => {
    const fits =
      kind === 'change'
        ? unit === 'percent'
        : kind === 'ratio'
          ? unit === null || unit === 'times'
          : unit !== 'percent';
    return fits
      ? derivedBy(
          kind,
          of.map((id) => known.number(id)),
        )
      : [];
  });

const ATRS = ['stock.technical.daily_atr.14', 'stock.technical.atr_14', 'stock.level_ladder.atr'];

/** How far a fact lies from another in the unit that is written; positive where the first is higher. */
function distancesOf(
  one: NumericFact,
  other: NumericFact,
  { unit, isExact }: Quantity,
  known: Known,
): Derived[] {
  if (one.id === other.id || one.unit !== other.unit) return [];
  const pair = [one, other];
  if (unit === 'percent') return [...derivedBy('change', pair), ...derivedBy('discount', pair)];
  if (unit === 'ATR') return ATRS.flatMap((id) => derivedBy('atrs', [...pair, known.number(id)]));
  if (unit === 'times') return derivedBy('ratio', pair);
  if (unit !== null && unit !== 'USD' && unit !== 'points') return [];
  return [...derivedBy('difference', pair), ...(unit === null && isExact ? derivedBy('ratio', pair) : [])];
}

/** What a number says of how two measures lie to each other, as far as the words next to it say. */
export interface Relation {
  readonly derived: readonly Derived[];
  readonly side: 'above' | 'below' | 'near';
  readonly about: string;
  /** True where both ends are named by the words and mean one thing each. */
  readonly isCertain: boolean;
}

const FILLING_MAX = 5;
const FACTS_OF_AN_END_MAX = 3;
const PRICE = 'stock.last_price';
const CLOSE = 'stock.price.regular.close';

/** `3.2% above the 50-day average`, `the spread between the price and the VWAP is 1.2`: the number and two ends. */
export function relationOf(
  place: number,
  { tokens, mentions, mentionAt, items, itemAt }: TextView,
  named: Named,
  known: Known,
): Relation | null {
  const item = items[place]!;
  if (item.kind === 'date') return null;
  const { sentence } = tokens[item.from]!;
  let side: Relation['side'] | null = null;
  for (
    let at = item.to, filled = 0;
    tokens[at]?.sentence === sentence && filled <= FILLING_MAX;
    at++, filled++
  ) {
    const { text } = tokens[at]!;
    if (mentionAt[at] !== -1) {
      if (side === null) break;
      return distanceTo(mentions[mentionAt[at]!]!.measure, named.preceding, side, item, known);
    }
    if (itemAt[at] !== -1) break;
    const found = SIDES.get(text);
    // `5 of the analysts` is a part, not a distance.
    if (found !== undefined && !(side === null && text === 'of'))
      side = side === null || found !== 'near' ? found : side;
    else if (!FILLING.has(text)) break;
  }
  const [first, second] = named.mentions;
  const isBetween =
    first !== undefined &&
    tokens.slice(Math.max(0, first.from - 2), first.from).some(({ text }) => text === 'between');
  if (second === undefined || !isBetween) return null;
  const [one, other] = [first!, second].map(({ measure }) => known.meantBy(measure)[0]);
  if (one?.unit !== other?.unit) return null;
  const distance = distanceTo(second.measure, first.measure, 'near', item, known);
  return distance === null ? null : { ...distance, isCertain: false };
}

function distanceTo(
  end: Measure,
  start: Measure | null,
  side: Relation['side'],
  quantity: Quantity,
  known: Known,
): Relation | null {
  const ends = known.meantBy(end).slice(0, FACTS_OF_AN_END_MAX);
  const named = start === null ? [] : known.meantBy(start).slice(0, FACTS_OF_AN_END_MAX);
  const prices = [PRICE, CLOSE].flatMap((id) => known.number(id) ?? []);
  const isOfPrice = start === null || start.trait === 'stock' || start.facts[0] === PRICE;
  const starts = !isOfPrice && named.some(({ unit }) => unit === ends[0]?.unit) ? named : prices;
  const derived = starts.flatMap((one) => ends.flatMap((other) => distancesOf(one, other, quantity, known)));
  if (derived.length === 0) return null;
  const isCertain = end.trait !== 'open' && isOfPrice && side !== 'near';
  return { derived, side, about: `distance to ${end.name}`, isCertain };
}

/** The first that is what is written; by size alone where words give the side. */
export function derivedAs(quantity: Quantity, all: readonly Derived[], bySize = false): Derived | null {
  const sized = { ...quantity, value: Math.abs(quantity.value) };
  const found = all.find(({ value, slack }) =>
    bySize ? equals(sized, Math.abs(value), 0, slack) : equals(quantity, value, 0, slack),
  );
  return found ?? null;
}

import { stepOf } from '../facts/fact-registry.ts';
import type { Formula } from '../glossary.ts';
import { equals, type KnownValues, LAST_PRICE, type NumericFact } from './compare.ts';
import { type Measure, OPENING } from './lexicon.ts';
import type { NumberMention } from './number-case.ts';
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

/** How a value follows from two or three others, and how that is written. */
const KINDS: Readonly<Record<Kind, readonly [compute: (...values: number[]) => number, written: string]>> = {
  sum: [(one, other) => one! + other!, '$0 + $1'],
  product: [(one, other) => one! * other!, '$0 * $1'],
  ratio: [(one, other) => one! / other!, '$0 / $1'],
  difference: [(one, other) => one! - other!, '$0 - $1'],
  change: [(one, other) => (one! / other! - 1) * 100, '($0 / $1 - 1) * 100'],
  discount: [(one, other) => (1 - other! / one!) * 100, '(1 - $1 / $0) * 100'],
  atrs: [(one, other, atr) => (one! - other!) / atr!, '($0 - $1) / $2'],
};

function derivedBy(kind: Kind, facts: readonly (NumericFact | null)[]): Derived[] {
  if (!facts.every((fact) => fact !== null)) return [];
  const [compute, written] = KINDS[kind];
  const values = facts.map(({ value }) => value);
  const value = compute(...values);
  if (!Number.isFinite(value)) return [];
  const slack = facts.reduce((sum, fact, at) => {
    const moved = compute(...values.with(at, fact.value + stepOf(fact.value, fact.unit) / 2));
    return sum + (Number.isFinite(moved) ? Math.abs(moved - value) : 0);
  }, 0);
  const quoted = facts.map((fact) => `${fact.id} (${fact.value})`);
  const formula = written.replaceAll(/\$(\d)/g, (_, at: string) => quoted[Number(at)]!);
  return [{ value, slack, formula, facts }];
}

/** What follows for a measure by its formulas, in the unit that is written. */
export const formulasOf = ({ formulas }: Measure, known: KnownValues, { unit }: Quantity): Derived[] =>
  formulas
    .filter(({ kind }) =>
      kind === 'ratio' ? unit === null || unit === 'times' : (kind === 'change') === (unit === 'percent'),
    )
    .flatMap(({ kind, of }) => derivedBy(kind, of.map(known.number)));

const ATRS = ['stock.technical.daily_atr.14', 'stock.technical.atr_14', 'stock.level_ladder.atr'];

/** How far a fact lies from another in the unit that is written; positive where the first is higher. */
function distancesOf(
  pair: readonly NumericFact[],
  { unit, isExact }: Quantity,
  known: KnownValues,
): Derived[] {
  const [one, other] = pair;
  if (one!.id === other!.id || one!.unit !== other!.unit) return [];
  if (unit === 'percent') return [...derivedBy('change', pair), ...derivedBy('discount', pair)];
  if (unit === 'ATR') return ATRS.flatMap((id) => derivedBy('atrs', [...pair, known.number(id)]));
  if (unit === 'times') return derivedBy('ratio', pair);
  if (unit !== null && unit !== 'USD' && unit !== 'points') return [];
  return [...derivedBy('difference', pair), ...(unit === null && isExact ? derivedBy('ratio', pair) : [])];
}

/** What a number says of how two measures lie to each other, as far as the words next to it say. */
export interface StatedRelation {
  readonly derived: readonly Derived[];
  readonly side: 'above' | 'below' | 'near';
  readonly about: string;
  /** True where both ends are named by the words and mean one thing each. */
  readonly isCertain: boolean;
}

const FILLING_MAX = 5;
const FACTS_OF_AN_END_MAX = 3;
const CLOSE = 'stock.price.regular.close';

/** `3.2% above the 50-day average`: the number and two ends. */
export function relationOf(written: NumberMention): StatedRelation | null {
  const { quantity: item, view, named, context } = written;
  const { tokens, mentionAt, itemAt } = view;
  const { moves, isOpening } = context;
  const startOf = (end: Measure): Measure | null =>
    isOpening && end !== OPENING ? OPENING : named.preceding;
  let side: StatedRelation['side'] | null = null;
  for (let at = item.to; at <= item.to + FILLING_MAX; at++) {
    const [token, mention] = [tokens[at], mentionAt[at]];
    if (token?.sentence !== tokens[item.from]!.sentence || itemAt[at] !== undefined) break;
    if (mention !== undefined && side !== null) {
      const { measure } = mention;
      return distanceTo(measure, startOf(measure), side === 'near' ? sideOfMove(moves) : side, written);
    }
    // `5 of the analysts` is a part, not a distance.
    const found: StatedRelation['side'] | undefined =
      side === null && token.text === 'of' ? undefined : SIDES.get(token.text);
    if (mention !== undefined || (found === undefined && !FILLING.has(token.text))) break;
    if (found !== undefined && (side === null || found !== 'near')) side = found;
  }
  return null;
}

const sideOfMove = (moves: number | null): StatedRelation['side'] =>
  moves === 1 ? 'above' : moves === -1 ? 'below' : 'near';

function distanceTo(
  end: Measure,
  start: Measure | null,
  side: StatedRelation['side'],
  { quantity, known }: NumberMention,
): StatedRelation | null {
  const factsOf = (measure: Measure): readonly NumericFact[] =>
    known.meantBy(measure).slice(0, FACTS_OF_AN_END_MAX);
  const ends = factsOf(end);
  const isOfPrice = start === null || start.trait === 'stock' || start.facts[0] === LAST_PRICE;
  const named = isOfPrice ? [] : factsOf(start);
  const prices = [LAST_PRICE, CLOSE].flatMap((id) => known.number(id) ?? []);
  const starts = named.some(({ unit }) => unit === ends[0]?.unit) ? named : prices;
  const derived = starts.flatMap((one) =>
    ends.flatMap((other) => distancesOf([one, other], quantity, known)),
  );
  const isOfOpen = start === OPENING && starts === named;
  const isCertain = end.trait !== 'open' && (isOfPrice || isOfOpen) && side !== 'near';
  return derived.length === 0 ? null : { derived, side, about: `distance to ${end.name}`, isCertain };
}

/** The first that is what is written; by size alone where words give the side. */
export function derivedAs(quantity: Quantity, all: readonly Derived[], bySize = false): Derived | null {
  const sized = (value: number): number => (bySize ? Math.abs(value) : value);
  const written = { ...quantity, value: sized(quantity.value) };
  return all.find(({ value, slack }) => equals(written, sized(value), 0, slack)) ?? null;
}

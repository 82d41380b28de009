import { contradicts, derivable, type Judgement, matches, unknown } from './claim.ts';
import type { ClauseContext } from './clause.ts';
import {
  conversionsOf,
  isComparable,
  type KnownValues,
  type NumericFact,
  says,
  saysSize,
} from './compare.ts';
import { type Derived, derivedAs, formulasOf, relationOf, type StatedRelation } from './derive.ts';
import type { Item, TextView } from './items.ts';
import { CHANGE, type Measure } from './lexicon.ts';
import type { Named } from './link.ts';
import type { Bound, Quantity } from './quantities.ts';

/** A number of a text with all that its words make of it. */
export interface NumberMention {
  /** With the sign that the words give it. */
  readonly quantity: Item & Quantity;
  readonly named: Named;
  readonly context: ClauseContext;
  /** Another stock that the clause speaks of. */
  readonly other: string | null;
}

/** A number with the measures and facts that it can be of. */
type Case = ReturnType<typeof caseOf>;

const PRICES = new Set(['stock.last_price', 'stock.price.regular.close']);
/** Measures of which a rise or a fall is given; others have a level. */
const CHANGING =
  /change|return|gap|surprise|growth|slope|blend|upside|cvd|divergence|momentum|_pct|away|distance/;
/** A number with no measure beside it needs as many digits, or chance would explain it. */
const DIGITS_MIN = 3;
const SPANS_OF_TIME = new Set(['days', 'minutes', 'quarters']);

/**
 * What the facts say of a number.
 *
 * @returns null for a span of time that no measure has, which states nothing: `over the last 20 days`
 */
export function judgeNumber(mention: NumberMention, view: TextView, known: KnownValues): Judgement | null {
  const { quantity, named, other } = mention;
  const { cited, unit } = quantity;
  if (cited !== null) return judgeCited(mention, cited, known);
  if (other !== null)
    return unknown(named.isTight ? named.mentions[0]!.measure.name : null, `The clause speaks of ${other}.`);
  const relation = relationOf(quantity, view, named, known);
  const one = caseOf(mention, relation === null ? measuresOf(mention, known) : namedBy(named), known);
  const isSpan = unit !== null && SPANS_OF_TIME.has(unit);
  if (isSpan && one.comparable.length === 0) return null;
  const judgement =
    direct(one) ??
    byFollowing(one, known) ??
    byFormula(one, known) ??
    byBound(one) ??
    byRange(one) ??
    byRelation(one, relation) ??
    byDefault(one, relation, known);
  return isSpan && !named.isTight && judgement.verdict === 'unknown' ? null : judgement;
}

function caseOf(mention: NumberMention, measures: readonly Measure[], known: KnownValues) {
  const facts = [...new Set(measures.flatMap((measure) => known.meantBy(measure)))];
  // A number that differs from one of these would be wrong.
  const comparable = facts.filter((fact) => isComparable(fact, mention.quantity));
  return { ...mention, measures, facts, comparable, about: measures[0]?.name ?? facts[0]?.label ?? null };
}

/** A citation names the fact: the sentence is not searched for a measure. */
function judgeCited(mention: NumberMention, id: string, known: KnownValues): Judgement {
  const fact = known.number(id);
  if (fact === null) return unknown(id, `No number ${id} is known.`);
  const measure: Measure = { name: fact.label, facts: [id], trait: null, formulas: [] };
  const named = { ...mention.named, mentions: [], isTight: true, isBefore: true, isCertain: true };
  const one = caseOf({ ...mention, named }, [measure], known);
  return direct(one) ?? byBound(one) ?? byRange(one) ?? byDefault(one, null, known);
}

const namedBy = ({ mentions }: Named): Measure[] => mentions.map(({ measure }) => measure);

/** The measures that the number can be of: those named, or the change of the day. */
function measuresOf({ named, quantity, context }: NumberMention, known: KnownValues): readonly Measure[] {
  const { direction, isToday } = context;
  const measures = namedBy(named);
  const isMove = direction !== 0 && quantity.unit === 'USD';
  const facts = measures.flatMap((measure) => known.meantBy(measure));
  const canBe = facts.some((fact) => isComparable(fact, quantity));
  if ((canBe && !isMove) || (direction === 0 && !isToday)) return measures;
  // What moves is what the sentence spoke of last.
  const moved = named.isTight ? measures : named.preceding === null ? [] : [named.preceding];
  if (!moved.every(({ trait, facts: [first = ''] }) => trait === 'stock' || PRICES.has(first)))
    return measures;
  if (isMove) return [...measures, CHANGE];
  return quantity.unit === 'percent' ? [CHANGE] : measures;
}

/** A fact that is what is written. */
function direct({ quantity, named, context, measures, facts, about }: Case): Judgement | null {
  const fact = facts.find((one) => says(quantity, one));
  if (fact !== undefined) {
    const isTelling = named.isTight || measures[0] === CHANGE || quantity.digits > 1 || quantity.isExact;
    return isTelling ? matches(about, `It is ${fact.label} at the precision written.`, fact) : null;
  }
  const size = context.direction === 1 ? undefined : facts.find((one) => saysSize(quantity, one));
  return size ? matches(about, `It is the size of ${size.label}, which is negative.`, size) : null;
}

/** `price 187 RSI 62`: of two measures the one that the number is. */
function byFollowing(one: Case, known: KnownValues): Judgement | null {
  const { following } = one.named;
  if (following === null) return null;
  if (following.facts.length === 0) return unknown(following.name, `No fact of ${following.name} is known.`);
  return direct(caseOf(one, [following], known));
}

function byFormula({ quantity, measures }: Case, known: KnownValues): Judgement | null {
  const found = measures.map((measure) => derivedAs(quantity, formulasOf(measure, known, quantity)));
  const first = found.findIndex((derived) => derived !== null);
  return first === -1 ? null : followsBy(found[first]!, measures[first]!.name);
}

const followsBy = ({ formula, value, facts }: Derived, about: string): Judgement =>
  derivable(about, 'It follows from facts.', facts[0]!, { derivation: `${formula} = ${shown(value)}` });

const HOLDS: Readonly<Record<Bound, (value: number, limit: number) => boolean>> = {
  above: (value, limit) => value > limit,
  below: (value, limit) => value < limit,
  'at least': (value, limit) => value >= limit,
  'at most': (value, limit) => value <= limit,
  within: (value, limit) => Math.abs(value) <= Math.abs(limit),
};

/** `RSI is above 60`: true, false, or no statement at all. */
function byBound(one: Case): Judgement | null {
  const { quantity, named, context, comparable, about } = one;
  const { bound, value } = quantity;
  const [first] = comparable;
  if (bound === null || !named.isTight || !named.isBefore || first === undefined) return null;
  const inUnit = (fact: NumericFact): number => fact.value * (conversionsOf(fact, quantity)[0]?.scale ?? 1);
  const holds = comparable.find((fact) => HOLDS[bound](inUnit(fact), value));
  if (holds !== undefined) {
    const derivation = `${holds.id} (${holds.value}) is ${bound} ${value}`;
    return derivable(about, 'The bound holds.', holds, { derivation });
  }
  const doubt = doubtOf(one) ?? (context.isAsserted ? null : 'It is a threshold, not a statement.');
  if (doubt !== null) return unknown(about, doubt, first);
  const reason = `${first.label} is ${first.value}, not ${bound} ${value}.`;
  return contradicts(about, reason, first, { expected: first.value });
}

/** `RSI between 60 and 65`. */
function byRange({ quantity, named, facts, about }: Case): Judgement | null {
  const { value, rangeTo } = quantity;
  if (rangeTo === null || !named.isTight) return null;
  const [low, high] = value < rangeTo ? [value, rangeTo] : [rangeTo, value];
  const within = facts.find((fact) =>
    conversionsOf(fact, quantity).some(
      ({ scale }) => fact.value * scale >= low && fact.value * scale <= high,
    ),
  );
  if (within === undefined) return null;
  const derivation = `${within.id} (${within.value}) lies from ${low} to ${high}`;
  return derivable(about, 'The range holds it.', within, { derivation });
}

/** `3.2% above the 50-day average`: right on its side and in its size. */
function byRelation({ quantity }: Case, relation: StatedRelation | null): Judgement | null {
  if (relation === null) return null;
  const { side, derived, about } = relation;
  const sign = { above: 1, below: -1, near: 0 }[side];
  const onSide = derived.filter(({ value }) => value * sign >= 0);
  const found = derivedAs(quantity, onSide, true);
  return found === null ? null : followsBy(found, about);
}

/** No fact and no formula is what is written: wrong, or unknown. */
function byDefault(one: Case, relation: StatedRelation | null, known: KnownValues): Judgement {
  const { named, measures, facts, comparable, about } = one;
  const [first] = comparable;
  const isTied = named.isTight && first !== undefined;
  if (relation?.isCertain && !isTied && doubtOf({ ...one, measures: [] }) === null) {
    const { value, formula, facts: ends } = relation.derived[0]!;
    const more = { expected: shown(value), derivation: formula };
    return contradicts(relation.about, `From the facts it is ${shown(value)}.`, ends[1]!, more);
  }
  if (first !== undefined && (isTied || measures[0] === CHANGE)) {
    const doubt = doubtOf(one);
    if (doubt !== null) return unknown(about, doubt, first);
    return contradicts(about, `${first.label} is ${first.value}.`, first, { expected: first.value });
  }
  if (!named.isTight || (isOpen(measures) && facts.length > 0)) return byValue(one, known);
  return unknown(about, facts.length === 0 ? `No fact of ${about} is known.` : `${about} has no such unit.`);
}

/** Three places say enough of what a number should be. */
const shown = (value: number): number => Number(value.toFixed(3));

/** A fact that equals a number although the clause names no measure of it. */
function byValue({ quantity }: Case, known: KnownValues): Judgement {
  const isTelling = quantity.digits >= DIGITS_MIN && quantity.isExact;
  const fact = isTelling ? known.sameAs(quantity) : null;
  if (fact === null) return unknown(null, 'No measure is named for it.');
  return matches(null, `No measure is named for it; it equals ${fact.label}.`, fact);
}

/** Why a number that differs is no contradiction; null where it is one. */
function doubtOf({ context, named, quantity, measures }: Case): string | null {
  const isOfDay = measures[0] === CHANGE;
  const isNamed = measures.length > 0 && !isOfDay;
  if (isOpen(measures)) return 'More may be called so than is known.';
  if (isNamed && !named.isCertain) return 'Which of the measures named it is of is not clear.';
  if (context.isOrigin) return 'The clause says where it came from.';
  if (context.isPart) return 'It is a part of another number.';
  if (context.isNegated) return 'The clause denies it.';
  if (context.hasOtherDate || context.isPast) return 'The clause speaks of another time.';
  const staysPut = measures.length > 0 && measures.every(({ trait }) => trait === 'level');
  if (!staysPut && context.isSupposed) return 'The clause speaks of what may happen.';
  if (isOfDay && context.hasSpan) return 'The change of another span may be meant.';
  const isMove = isNamed && context.direction !== 0 && quantity.unit !== 'ATR';
  const canMove = measures.some(({ facts }) => facts.some((id) => CHANGING.test(id)));
  return isMove && !canMove ? 'The clause speaks of a change, not of the value.' : null;
}

const isOpen = (measures: readonly Measure[]): boolean => measures.some(({ trait }) => trait === 'open');

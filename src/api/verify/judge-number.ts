import type { Fact } from '../chat/fact.ts';
import { type Surroundings, directionOf } from './clause-words.ts';
import { conversionsOf, isComparable, liesWithin, type NumericFact, says, saysSize } from './compare.ts';
import { type Derived, derivedAs, formulasOf } from './derivations.ts';
import type { Known } from './known.ts';
import { MEASURES, type Measure } from './lexicon.ts';
import type { Named } from './links.ts';
import type { Quantity } from './quantity.ts';
import { pairsOf, type Relation, relationOf } from './relations.ts';
import type { NumberItem, TextView } from './text-view.ts';
import { ASSERTING } from './words.ts';
import type { Claim, Verdict } from './claim.ts';

/** What is said of a number, without where it stands. */
export type Judgement = Pick<Claim, 'verdict' | 'about' | 'fact' | 'expected' | 'derivation' | 'reason'>;

/** A number of a text with all that its words make of it. */
export interface Told {
  readonly item: NumberItem;
  /** With the sign that the words give it. */
  readonly quantity: Quantity;
  /** 1 or -1 where the words next to it call it a rise or a fall. */
  readonly direction: -1 | 0 | 1;
  readonly named: Named;
  readonly around: Surroundings;
  /** Another stock that the clause speaks of. */
  readonly other: string | null;
}

/** The change of the day, which is told without being named: `down 3.2%`. */
const CHANGE = MEASURES.find(({ name }) => name === 'change')!;
const PRICES = new Set(['last_price', 'price.regular.close']);
/** Numbers that a rise or a fall can be told of; others have a level. */
const CHANGING =
  /change|return|gap|surprise|growth|slope|blend|upside|cvd|divergence|momentum|_pct|away|distance/;
/** A number with no measure beside it needs as many digits to be told from chance. */
const DIGITS_MIN = 3;
const SPANS_OF_TIME = new Set(['days', 'minutes', 'quarters']);

/**
 * What the facts say of a number.
 *
 * @returns null for a span of time that no measure is told in, which states nothing: `over the last 20 days`
 */
export function judgeNumber(told: Told, view: TextView, known: Known): Judgement | null {
  const { item, named, other } = told;
  const { quantity } = told;
  const about = named.mentions[0]?.measure.name ?? null;
  if (other !== null) return unknown(named.isTight ? about : null, `The clause speaks of ${other}.`);
  const relation = relationOf(item, quantity, view, known);
  const measures = relation === null ? measuresOf(told, known) : measuresNamed(told);
  const facts = [...new Set(measures.flatMap((measure) => known.meantBy(measure)))];
  const isSpan = quantity.unit !== null && SPANS_OF_TIME.has(quantity.unit);
  if (isSpan && !facts.some((fact) => isComparable(fact, quantity))) return null;
  const judgement =
    direct(told, measures, facts) ??
    byFollowing(told, known) ??
    byFormula(told, measures, known) ??
    byBound(told, measures, facts, view) ??
    byRange(told, measures, facts) ??
    byRelation(told, relation) ??
    byPair(told, pairsOf(item, quantity, view, known)) ??
    unsettled(told, measures, facts, relation, known);
  const isWindow = isSpan && !named.isTight && judgement.verdict === 'unknown';
  return isWindow ? null : judgement;
}

const measuresNamed = ({ named }: Pick<Told, 'named'>): Measure[] =>
  named.mentions.map(({ measure }) => measure);

/** The measures that the number can be told of: those named, or the change of the day. */
function measuresOf({ named, quantity, direction, around }: Told, known: Known): readonly Measure[] {
  const measures = measuresNamed({ named });
  const canBeTold = measures.some((measure) =>
    known.meantBy(measure).some((fact) => isComparable(fact, quantity)),
  );
  const isMove = direction !== 0 && quantity.unit === 'USD';
  if ((canBeTold && !isMove) || (direction === 0 && !around.isToday)) return measures;
  // What moves is what the sentence spoke of last.
  const moved = named.isTight ? measures : named.preceding === null ? [] : [named.preceding.measure];
  const isOfPrice = moved.every(({ trait, facts }) => trait === 'subject' || PRICES.has(facts[0] ?? ''));
  if (!isOfPrice) return measures;
  if (isMove) return [...measures, CHANGE];
  return quantity.unit === 'percent' ? [CHANGE] : measures;
}

/** A fact that is what is written. */
function direct(told: Told, measures: readonly Measure[], facts: readonly NumericFact[]): Judgement | null {
  const { quantity, named, direction } = told;
  const fact = facts.find((one) => says(quantity, one));
  const about = nameOf(measures, fact);
  if (fact !== undefined) {
    const isTelling = named.isTight || measures[0] === CHANGE || quantity.digits > 1 || quantity.isExact;
    if (!isTelling) return null;
    return matches(fact, about, `It is ${fact.label} at the precision written.`);
  }
  const size = direction === 1 ? undefined : facts.find((one) => saysSize(quantity, one));
  if (size === undefined) return null;
  return matches(size, nameOf(measures, size), `It is the size of ${size.label}, which is negative.`);
}

/** `price 187 RSI 62`: of two measures the one that the number is. */
function byFollowing({ quantity, named }: Told, known: Known): Judgement | null {
  if (named.following === null) return null;
  const { measure } = named.following;
  if (measure.facts.length === 0) return unknown(measure.name, `No fact of ${measure.name} is known.`);
  const fact = known.meantBy(measure).find((one) => says(quantity, one));
  return fact === undefined
    ? null
    : matches(fact, measure.name, `It is ${fact.label} at the precision written.`);
}

function byFormula({ quantity }: Told, measures: readonly Measure[], known: Known): Judgement | null {
  for (const measure of measures) {
    const found = derivedAs(quantity, formulasOf(measure, known, quantity));
    if (found !== null) return derivable(found, measure.name);
  }
  return null;
}

/** `RSI is above 60`: true, false, or no statement at all. */
function byBound(
  told: Told,
  measures: readonly Measure[],
  facts: readonly NumericFact[],
  view: TextView,
): Judgement | null {
  const { quantity, named } = told;
  const { bound } = quantity;
  if (bound === null || !named.isTight || !named.isBefore) return null;
  const comparable = facts.filter((fact) => isComparable(fact, quantity));
  const inUnit = (fact: NumericFact): number => fact.value * (conversionsOf(fact, quantity)[0]?.scale ?? 1);
  const holds = comparable.find((fact) => liesWithin(inUnit(fact), bound, quantity.value));
  const about = nameOf(measures, holds);
  if (holds !== undefined) {
    const formula = `${holds.id} (${holds.value}) is ${bound} ${quantity.value}`;
    return {
      verdict: 'derivable',
      about,
      fact: holds,
      expected: null,
      derivation: formula,
      reason: 'The bound holds.',
    };
  }
  const first = comparable[0];
  if (first === undefined) return null;
  const doubt = doubtOf(told, measures);
  if (doubt !== null) return unknown(about, doubt, first);
  if (!isAsserted(told, view)) return unknown(about, 'It is a threshold, not a statement.', first);
  return contradicts(first, about, `${first.label} is ${first.value}, not ${bound} what is written.`);
}

/** A verb of being or trading between the measure and its bound. */
function isAsserted({ item, named }: Told, { tokens }: TextView): boolean {
  const from = named.mentions[0]!.to;
  return (
    tokens.slice(from, item.from).some(({ text }) => ASSERTING.has(text)) ||
    /(?:trad|clos)/.test(tokens[from - 2]?.text ?? '')
  );
}

/** `RSI between 60 and 65`. */
function byRange(
  { quantity, named }: Told,
  measures: readonly Measure[],
  facts: readonly NumericFact[],
): Judgement | null {
  if (quantity.rangeTo === null || !named.isTight) return null;
  const [low, high] = [quantity.value, quantity.rangeTo].sort((one, other) => one - other) as [
    number,
    number,
  ];
  const within = facts.find((fact) =>
    conversionsOf(fact, quantity).some(
      ({ scale }) => fact.value * scale >= low && fact.value * scale <= high,
    ),
  );
  if (within === undefined) return null;
  const formula = `${within.id} (${within.value}) lies from ${low} to ${high}`;
  const about = nameOf(measures, within);
  return {
    verdict: 'derivable',
    about,
    fact: within,
    expected: null,
    derivation: formula,
    reason: 'The range holds it.',
  };
}

/** `3.2% above the 50-day average`: right on its side and in its size. */
function byRelation(told: Told, relation: Relation | null): Judgement | null {
  if (relation === null) return null;
  const { quantity } = told;
  const found = derivedAs(
    quantity,
    relation.derived.filter(({ value }) => isOnSide(value, relation)),
    true,
  );
  return found === null ? null : derivable(found, relation.about);
}

const isOnSide = (value: number, { side }: Relation): boolean =>
  side === 'near' || (side === 'above' ? value >= 0 : value <= 0);

function byPair(told: Told, { derived, isAsked }: ReturnType<typeof pairsOf>): Judgement | null {
  const { quantity, named } = told;
  const isOfMeasure =
    named.isTight && named.isCertain && quantity.unit !== 'percent' && quantity.unit !== 'ATR';
  // Of few digits some pair would be right by chance.
  const isCoarse = quantity.digits < 2 || (quantity.step >= 1 && quantity.unit === 'percent' && !isAsked);
  if (isCoarse || (isOfMeasure && !isAsked)) return null;
  const found = derivedAs(quantity, derived, quantity.value >= 0 && !quantity.isSigned);
  if (found !== null) return derivable(found, 'distance');
  return isAsked ? unknown('distance', 'No distance between the measures named is the same.') : null;
}

/** No fact and no formula is what is written: wrong, or not to be told. */
function unsettled(
  told: Told,
  measures: readonly Measure[],
  facts: readonly NumericFact[],
  relation: Relation | null,
  known: Known,
): Judgement {
  const { quantity, named } = told;
  const comparable = facts.filter((fact) => isComparable(fact, quantity));
  if (relation?.isCertain === true && (!named.isTight || comparable.length === 0)) {
    const [first] = relation.derived;
    if (doubtOf(told, []) === null) {
      const reason = `From the facts it is ${told3(first!.value)}.`;
      return {
        ...wrong(first!.facts[1]!, relation.about, reason),
        expected: told3(first!.value),
        derivation: first!.formula,
      };
    }
  }
  const about = nameOf(measures, comparable[0]);
  const first = comparable[0];
  const isChangeOfDay = measures[0] === CHANGE;
  if ((named.isTight || isChangeOfDay) && first !== undefined) {
    const doubt = doubtOf(told, measures);
    if (doubt === null) return contradicts(first, about, `${first.label} is ${first.value}.`);
    return byChance(told, known, about, doubt) ?? unknown(about, doubt, first);
  }
  if (named.isTight && facts.length > 0 && !isOpen(measures)) {
    return byChance(told, known, about, '') ?? unknown(about, `${about} is not told in that unit.`);
  }
  if (named.isTight && facts.length === 0 && measures.length > 0) {
    return unknown(about, `No fact of ${about} is known.`);
  }
  return (
    byChance(told, known, null, '') ??
    unknown(null, 'No measure is named for it, and it tells no fact from others.')
  );
}

/** Three places say enough of what a number should be. */
const told3 = (value: number): number => Number(value.toFixed(3));

/** A fact that equals a number although the clause names no measure that it is told of. */
function byChance(told: Told, known: Known, about: string | null, doubt: string): Judgement | null {
  const { quantity } = told;
  if (quantity.digits < DIGITS_MIN || !quantity.isExact) return null;
  const isOpenToOthers = told.around.hasOtherDate || quantity.bound !== null || isOpen(measuresNamed(told));
  if (doubt !== '' && !isOpenToOthers) return null;
  const found = known.sameAs(quantity);
  const [first] = found;
  if (first === undefined) return null;
  return matches(first, about, `No measure is named for it; it equals ${first.label}.`);
}

/** Why a number that differs is no contradiction; null where it is one. */
function doubtOf(told: Told, measures: readonly Measure[]): string | null {
  const { around, named, quantity, direction } = told;
  if (isOpen(measures)) return 'More may be called so than is known.';
  if (measures[0] !== CHANGE && measures.length > 0 && !named.isCertain) {
    return 'Which of the measures named it is told of is not clear.';
  }
  if (around.isOrigin) return 'The clause says where it came from.';
  if (around.isPart) return 'It is a part of another number.';
  if (around.isNegated) return 'The clause denies it.';
  if (around.hasOtherDate || around.isPast) return 'The clause speaks of another time.';
  const staysPut = measures.length > 0 && measures.every(({ trait }) => trait === 'level');
  if (!staysPut && (around.isConditional || around.isAhead)) return 'The clause speaks of what may happen.';
  if (measures[0] === CHANGE && around.hasSpan) return 'The change of another span may be meant.';
  if (direction !== 0 && measures[0] !== CHANGE && measures.length > 0 && quantity.unit !== 'ATR') {
    const canChange = measures.some(({ facts }) => facts.some((id) => CHANGING.test(id)));
    if (!canChange) return 'The clause speaks of a change, not of the value.';
  }
  return null;
}

const isOpen = (measures: readonly Measure[]): boolean => measures.some(({ trait }) => trait === 'open');

function nameOf(measures: readonly Measure[], fact: Fact | undefined): string | null {
  return measures[0]?.name ?? fact?.label ?? null;
}

const matches = (fact: Fact, about: string | null, reason: string): Judgement => ({
  verdict: 'matches' satisfies Verdict,
  about,
  fact,
  expected: null,
  derivation: null,
  reason,
});

const derivable = ({ formula, value, facts }: Derived, about: string): Judgement => ({
  verdict: 'derivable',
  about,
  fact: facts[0] ?? null,
  expected: null,
  derivation: `${formula} = ${told3(value)}`,
  reason: 'It follows from facts.',
});

const wrong = (fact: NumericFact, about: string | null, reason: string): Judgement => ({
  verdict: 'contradicts',
  about,
  fact,
  expected: fact.value,
  derivation: null,
  reason,
});
const contradicts = wrong;

export const unknown = (about: string | null, reason: string, fact: Fact | null = null): Judgement => ({
  verdict: 'unknown',
  about,
  fact,
  expected: null,
  derivation: null,
  reason,
});

/** A number with the sign that its words give it. */
export function directed(item: NumberItem, view: TextView): Pick<Told, 'quantity' | 'direction'> {
  const { quantity } = item;
  if (quantity.isSigned || quantity.bound !== null) return { quantity, direction: 0 };
  const direction = directionOf(view, item);
  // Dollars next to a word of falling may be a level that was lost.
  const isTurned = direction === -1 && /^percent/.test(quantity.unit ?? '');
  return { quantity: isTurned ? { ...quantity, value: -quantity.value } : quantity, direction };
}

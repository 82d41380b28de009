import { contradicts, derivable, type Judgement, matches, unknown } from './claim.ts';
import {
  conversionsOf,
  isComparable,
  isPrice,
  LAST_PRICE,
  type NumericFact,
  says,
  saysSize,
} from './compare.ts';
import { type Derived, derivedAs, formulasOf, relationOf, type StatedRelation } from './derive.ts';
import { CHANGE, GAP, isChanging, type Measure, measureOf, OPENING, VOLUME } from './lexicon.ts';
import type { Named } from './link.ts';
import { caseOf, isOpen, type Meant, type NumberCase, type NumberMention } from './number-case.ts';
import type { Bound } from './quantities.ts';
import { doubtOf, moved, unlessDoubted, wrong } from './words-hold.ts';

/** Where a day begins. */
const ORIGINS = ['previous_close', 'regular.open', 'regular.high', 'regular.low'].map(
  (name) => `stock.price.${name}`,
);
const SPANS_OF_TIME = new Set(['days', 'minutes', 'quarters']);

/**
 * What the facts say of a number.
 *
 * @returns null for a span of time that no measure has, which states nothing: `over the last 20 days`
 */
export function judgeNumber(mention: NumberMention): Judgement | null {
  const { quantity, named, other } = mention;
  const { cited, unit } = quantity;
  if (cited !== null) return judgeCited(mention, cited);
  if (other !== null)
    return unknown(named.isTight ? named.mentions[0]!.measure.name : null, `The clause speaks of ${other}.`);
  const relation = relationOf(mention);
  const meant = relation === null ? measuresOf(mention) : { measures: namedBy(named), isImplied: false };
  const one = caseOf(mention, meant);
  const isSpan = unit !== null && SPANS_OF_TIME.has(unit);
  if (isSpan && one.comparable.length === 0) return null;
  const certain = unlessDoubted(judged(one, relation), one);
  return isSpan && !named.isTight && certain.verdict === 'unknown' ? null : certain;
}

/** By the first way that applies. */
const judged = (one: NumberCase, relation: StatedRelation | null): Judgement =>
  (one.quantity.bound === null ? null : byRelation(one, relation)) ??
  byBound(one) ??
  byRange(one) ??
  direct(one) ??
  byFollowing(one) ??
  byFormula(one) ??
  byRelation(one, relation) ??
  byDefault(one, relation);

/** A citation names the fact: the sentence is not searched for a measure. */
function judgeCited(mention: NumberMention, id: string): Judgement {
  const fact = mention.known.number(id);
  if (fact === null) return unknown(id, `No number ${id} is known.`);
  const measure = measureOf(fact.label, [id]);
  const named = { ...mention.named, mentions: [], isTight: true, isBefore: true, isCertain: true };
  const one = caseOf({ ...mention, named }, { measures: [measure], isImplied: false });
  const judgement = byBound(one) ?? direct(one) ?? byBetween(one) ?? byDefault(one, null);
  return unlessDoubted(judgement, one);
}

const namedBy = ({ mentions }: Named): Measure[] => mentions.map(({ measure }) => measure);

/** The measures that the number can be of: those named, or the change of the day. */
function measuresOf(mention: NumberMention): Meant {
  const { named, quantity, context, known } = mention;
  const { direction, isToday, isOpening } = context;
  const measures = namedBy(named);
  const verb = verbOf(mention);
  if (verb !== null) return { measures: [verb], isImplied: false };
  // `from the open it fell $6.09` is no change of the day.
  const isOfOpen = named.isTight && measures.includes(OPENING);
  const isMove = direction !== 0 && !isOfOpen && (quantity.unit === 'USD' || quantity.unit === 'points');
  const facts = measures.flatMap((measure) => known.meantBy(measure));
  const canBe = facts.some((fact) => isComparable(fact, quantity));
  // What moves is what the sentence spoke of last.
  const moved = named.isTight ? measures : named.preceding === null ? [] : [named.preceding];
  const isNamed = (named.isTight && canBe && !isMove) || (direction === 0 && !isToday);
  if (isNamed || !moved.every(isOfStock) || !context.isOfDay) return { measures, isImplied: false };
  const change = isOpening ? GAP : CHANGE;
  // `finished the day up 6.80 points`.
  if (isMove && (named.isTight || !isToday)) return { measures: [...measures, change], isImplied: false };
  return isMove || quantity.unit === 'percent'
    ? { measures: [change], isImplied: true }
    : { measures, isImplied: false };
}

/** Of the stock what its verb says: `SIMX opened up 1.6% at $193`, `SIMX traded 50m shares`. */
function verbOf({ named, quantity, context, view: { tokens } }: NumberMention): Measure | null {
  const { unit, from } = quantity;
  if (!named.isTight || named.mentions[0]!.measure.trait !== 'stock') return null;
  if (unit === 'shares') return /^trade[ds]?$/.test(tokens[from - 1]!.text) ? VOLUME : null;
  const isPriced = (unit === 'USD' || unit === null) && context.direction === 0;
  return context.isOpening && isPriced ? OPENING : null;
}

/** What moves with the stock: its price, its open, its change. */
const isOfStock = (measure: Measure): boolean =>
  measure.trait === 'stock' ||
  measure === CHANGE ||
  measure === GAP ||
  isPrice(measure.facts[0] ?? '') ||
  measure.facts[0] === 'stock.price.regular.open';

/** A fact that is what is written, and what the words around it say. */
function direct(one: NumberCase): Judgement | null {
  const { quantity, named, facts, about } = one;
  if (one.context.isOrigin && facts.some(({ id }) => isPrice(id))) return fromPrice(one);
  const fact = facts.find((each) => says(quantity, each)) ?? facts.find((each) => saysSize(quantity, each));
  if (fact === undefined) return null;
  if (!one.isOfAll((each) => says(quantity, each) || saysSize(quantity, each)))
    return unknown(about, 'Which of the measures named it is of is not clear.', fact);
  if (!named.isTight && !one.isImplied)
    return unknown(about, `No measure is tied to it; it equals ${fact.label}.`, fact);
  if (
    one.context.isNearly &&
    conversionsOf(fact, quantity).every(({ scale }) => fact.value * scale > quantity.value)
  )
    return unknown(about, `${fact.label} is ${fact.value}, which is more.`, fact);
  return (
    moved(one, fact) ??
    matches(
      about,
      fact.value < 0 && quantity.value > 0
        ? `It is the size of ${fact.label}, which is negative.`
        : `It is ${fact.label} at the precision written.`,
      fact,
    )
  );
}

/** `rose from $310.03 to $316.83`: where a day begins. */
function fromPrice({ quantity, about, known, context, view }: NumberCase): Judgement | null {
  const origin = ORIGINS.map(known.number).find((fact) => fact !== null && says(quantity, fact));
  if (!origin) return null;
  // `down from $310.03`: without the number that it came to, the price of the day.
  const isStep = view.tokens[quantity.to]?.text === 'to';
  const price = known.number(LAST_PRICE);
  if (
    !isStep &&
    (context.moves === null || price === null || (price.value - origin.value) * context.moves < 0)
  )
    return unknown(about, 'The clause says another direction.', origin);
  return matches(about, `It is ${origin.label} at the precision written.`, origin);
}

/** `price 187 RSI 62`: of two measures the one that the number is. */
function byFollowing(one: NumberCase): Judgement | null {
  const { following } = one.named;
  if (following === null) return null;
  if (following.facts.length === 0) return unknown(following.name, `No fact of ${following.name} is known.`);
  return direct(caseOf(one, { measures: [following], isImplied: false }));
}

function byFormula({ quantity, measures, known, context: { moves } }: NumberCase): Judgement | null {
  const found = measures.map((measure) => derivedAs(quantity, formulasOf(measure, known, quantity)));
  const first = found.findIndex((derived) => derived !== null);
  if (first === -1) return null;
  const [derived, { name }] = [found[first]!, measures[first]!];
  if (moves === null || derived.value * moves < 0) return unknown(name, 'The clause says another direction.');
  return followsBy(derived, name);
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

/** `RSI is above 60`: true, false, or no statement at all. A bound is never the number itself. */
function byBound(one: NumberCase): Judgement | null {
  const { quantity, named, context, comparable, about } = one;
  const { bound, value } = quantity;
  if (context.isOpenEnded) return unknown(about, 'It is one end of a range.');
  if (bound === null) return null;
  const [first] = comparable;
  if (first === undefined || !(named.isTight || one.isImplied))
    return unknown(about, 'What it is a bound of is not clear.');
  // A fall of more than 5% is given by its size.
  const moves = context.moves ?? 0;
  const sizeOf = (fact: NumericFact): number => {
    const inUnit = fact.value * (conversionsOf(fact, quantity)[0]?.scale ?? 1);
    return isChanging(fact.id) && moves !== 0 ? inUnit * moves : inUnit;
  };
  const holds = comparable.find(
    (fact) => sizeOf(fact) >= 0 === value >= 0 && HOLDS[bound](sizeOf(fact), value),
  );
  if (holds !== undefined) {
    const move = context.moves === 0 ? null : moved(one, holds);
    if (move !== null) return move;
    const derivation = `${holds.id} (${holds.value}) is ${bound} ${value}`;
    return derivable(about, 'The bound holds.', holds, { derivation });
  }
  const isStated = context.isAsserted || one.isImplied || !named.isBefore;
  if (!isStated) return unknown(about, 'It is a threshold, not a statement.', first);
  return wrong(one, first, `${first.label} is ${first.value}, not ${bound} ${value}.`);
}

/** `ranged between 305.60 and 319.28`: both ends are claimed. */
function byRange(one: NumberCase): Judgement | null {
  const { quantity, named, measures, about } = one;
  const { tokens, items } = one.view;
  if (measures[0]?.trait !== 'range' || !named.isTight) return byBetween(one);
  const partner = [items[quantity.place + 1], items[quantity.place - 1]].find((item) => {
    const at = Math.min(item?.to ?? 0, quantity.to);
    const isNext = item?.kind === 'number' && Math.max(item.from, quantity.from) === at + 1;
    return isNext && /^(?:and|to|-)$/.test(tokens[at]!.text);
  });
  if (partner?.kind !== 'number') return unknown(about, 'A range has two ends.');
  const fact = one.facts[quantity.value <= partner.value ? 0 : 1];
  if (fact === undefined) return unknown(about, `No fact of ${about} is known.`);
  if (says(quantity, fact)) return matches(about, `It is ${fact.label} at the precision written.`, fact);
  // `ran from 186 to 193`: neither is where it came from.
  const context = { ...one.context, isOrigin: false };
  return wrong({ ...one, context, named: { ...named, isCertain: true } }, fact);
}

/** `RSI between 60 and 65`. */
function byBetween({ quantity, named, facts, about }: NumberCase): Judgement | null {
  const { value, rangeTo } = quantity;
  if (rangeTo === null || !named.isTight || facts.some((fact) => says(quantity, fact))) return null;
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

/** `3.2% above the 50-day average`, `more than 3% above it`: right on its side and in its size. */
function byRelation({ quantity }: NumberCase, relation: StatedRelation | null): Judgement | null {
  if (relation === null) return null;
  const { side, derived, about, isCertain } = relation;
  const { bound } = quantity;
  const sign = { above: 1, below: -1, near: 0 }[side];
  const onSide = derived.filter(({ value }) => value * sign >= 0);
  if (bound === null) {
    const found = derivedAs(quantity, onSide, true);
    return found === null ? null : followsBy(found, about);
  }
  const [one] = derived;
  const isWithin = onSide.includes(one!) && HOLDS[bound](Math.abs(one!.value), Math.abs(quantity.value));
  if (isWithin) return followsBy(one!, about);
  const reason = `From the facts it is ${shown(one!.value)}.`;
  if (!isCertain) return unknown(about, reason);
  return contradicts(about, reason, one!.facts[1]!, {
    expected: shown(one!.value),
    derivation: one!.formula,
  });
}

/** No fact and no formula is what is written: wrong, or unknown. */
function byDefault(one: NumberCase, relation: StatedRelation | null): Judgement {
  const { named, measures, facts, comparable, about } = one;
  const [first] = comparable;
  const isTied = named.isTight && first !== undefined;
  if (relation?.isCertain && !isTied && doubtOf({ ...one, measures: [] }) === null) {
    const { value, formula, facts: ends } = relation.derived[0]!;
    const more = { expected: shown(value), derivation: formula };
    return contradicts(relation.about, `From the facts it is ${shown(value)}.`, ends[1]!, more);
  }
  if (first !== undefined && (isTied || one.isImplied)) return wrong(one, first);
  if (!named.isTight || (isOpen(measures) && facts.length > 0))
    return unknown(null, 'No measure is named for it.');
  return unknown(about, facts.length === 0 ? `No fact of ${about} is known.` : `${about} has no such unit.`);
}

/** Three places say enough of what a number should be. */
const shown = (value: number): number => Number(value.toFixed(3));

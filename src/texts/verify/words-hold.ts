import type { Fact } from '../facts/fact-registry.ts';
import { contradicts, type Judgement, unknown } from './claim.ts';
import { conversionsOf, isPrice, type KnownValues, maySay, type NumericFact } from './compare.ts';
import { isChanging } from './lexicon.ts';
import { isOpen, type NumberCase } from './number-case.ts';

/**
 * Words of direction, of comparison and of doubt are part of a claim: a number that is right is borne out only where they
 * hold too, and one that is wrong is refuted only where they leave no doubt.
 */

/** Of what a price rose or fell. */
const CHANGES: Readonly<Record<string, string>> = {
  'stock.last_price': 'stock.price.change_pct',
  'stock.price.day_price': 'stock.price.change_pct',
  'stock.price.official_close': 'stock.price.change_pct',
  'stock.price.regular.close': 'stock.price.change_pct',
  'stock.price.regular.open': 'stock.price.gap_pct',
};
/** Counts of what is bad. */
const MISSES = /consecutive_misses/;
/** Of these a value may be below zero. */
const SIGNED = /macd|net|pulse|cvd|conviction|sentiment|divergence|slope|blend|edge/;
/** Of these a reader takes the size for the number: their sign may be left out, which leaves open what is meant. */
const SIZED = /gap|change|return|surprise|growth/;
/** What is wrong or not known of the rise or fall that the words say; null where it holds, or they say none. */
export function moved(one: NumberCase, fact: NumericFact): Judgement | null {
  const { context, quantity, about, known } = one;
  const { moves, sign } = context;
  if (sign !== 0) {
    if (!isChanging(fact.id) && !SIGNED.test(fact.id))
      return unknown(about, 'What has that sign is not clear.', fact);
    return fact.value * sign > 0 ? null : wrong(one, fact);
  }
  if (moves === 0) {
    if (fact.value >= 0 || quantity.isSigned || quantity.value <= 0) return null;
    const open = `${fact.label} is negative, which the clause leaves open.`;
    return SIZED.test(fact.id) ? unknown(about, open, fact) : wrong(one, fact);
  }
  if (moves === null) return unknown(about, 'The clause speaks of a rise and of a fall.', fact);
  if (context.mover !== null && one.isImplied)
    return unknown(about, `The clause speaks of ${context.mover}.`, fact);
  // `from 70 to 62` goes the way of its numbers.
  if (context.stepFrom !== null && isPrice(fact.id))
    return (quantity.value - context.stepFrom) * moves > 0
      ? null
      : wrong(one, fact, 'Its numbers go the other way.');
  const change = isChanging(fact.id) ? fact : known.number(CHANGES[fact.id] ?? '');
  if (change === null) {
    return unknown(about, `It is ${fact.label}; whether that rose or fell is not known.`, fact);
  }
  return change.value * (MISSES.test(change.id) ? -1 : 1) * moves > 0 ? null : wrong(one, change);
}

/** A contradiction where nothing leaves a doubt. */
export function wrong(
  one: NumberCase,
  fact: NumericFact,
  reason = `${fact.label} is ${fact.value}.`,
): Judgement {
  const doubt =
    doubtOf(one) ?? (isAbout(one, fact) ? `${fact.label} is ${fact.value}, which may be called so.` : null);
  return doubt === null
    ? contradicts(one.about, reason, fact, { expected: fact.value })
    : unknown(one.about, doubt, fact);
}

/** Within a fifth of it, `about` is no lie; nor is another unit that may be meant. */
const isAbout = ({ quantity }: NumberCase, fact: NumericFact): boolean =>
  maySay(quantity, fact) ||
  (quantity.isApproximate &&
    conversionsOf(fact, quantity).some(
      ({ scale }) => Math.abs(fact.value * scale - quantity.value) <= ABOUT * Math.abs(fact.value * scale),
    ));
const ABOUT = 0.2;

/** A number that is right where its clause denies it, or speaks of another time, is not borne out. */
export function unlessDoubted(judgement: Judgement, one: NumberCase): Judgement {
  const { verdict, about, fact } = judgement;
  if (verdict !== 'matches' && verdict !== 'derivable') return judgement;
  const doubt = denialOf(one, fact);
  if (doubt !== null) return unknown(about, doubt, fact);
  const fault = one.sides.faultOf(one.quantity, one.named);
  if (fault === null) return judgement;
  return fault.fact === null ? unknown(about, fault.reason, fact) : wrong(one, fault.fact, fault.reason);
}

function denialOf({ context, measures, known, isImplied }: NumberCase, fact: Fact | null): string | null {
  const staysPut = measures.some(({ trait }) => trait === 'level' || trait === 'open');
  if (context.isNegated) return 'The clause denies it.';
  if (context.isPartOfPast) return 'It is a part of another number.';
  if (context.isPast || !context.otherDates.every((date) => isDateOf(date, fact, known)))
    return 'The clause speaks of another time.';
  if (context.isSupposedHere && !staysPut) return 'The clause speaks of what may happen.';
  return isImplied && context.hasSpan ? 'The change of another span may be meant.' : null;
}

/** True for the day of a pattern, an event or a comparison of which the fact is too. */
function isDateOf(date: string | null, fact: Fact | null, { dates }: KnownValues): boolean {
  const group = fact?.id.slice(0, fact.id.lastIndexOf('.') + 1);
  return date !== null && dates.some(({ id, value }) => value.startsWith(date) && id.startsWith(group!));
}

/** Why a number that differs is no contradiction; null where it is one. */
export function doubtOf({ context, named, quantity, measures, isImplied, view }: NumberCase): string | null {
  const isNamed = measures.length > 0 && !isImplied;
  const isBare = quantity.unit !== 'USD' && view.tokens[quantity.from - 1]?.text === ':';
  // `SIMX: 41` may be any number of the stock.
  if (isBare && measures[0]?.trait === 'stock') return 'What of the stock it is is not said.';
  if (isOpen(measures)) return 'More may be called so than is known.';
  if (isNamed && !named.isCertain) return 'Which of the measures named it is of is not clear.';
  if (context.isOrigin) return 'The clause says where it came from.';
  if (context.isPart) return 'It is a part of another number.';
  if (context.isNegated) return 'The clause denies it.';
  if (context.otherDates.length > 0 || context.isPast) return 'The clause speaks of another time.';
  const staysPut = measures.length > 0 && measures.every(({ trait }) => trait === 'level');
  if (!staysPut && context.isSupposed) return 'The clause speaks of what may happen.';
  if (isImplied && context.hasSpan) return 'The change of another span may be meant.';
  if (isImplied && context.mover !== null) return `The clause speaks of ${context.mover}.`;
  const isMove = isNamed && context.direction !== 0 && quantity.unit !== 'ATR';
  const canMove = measures.some(({ facts }) => facts.some(isChanging));
  return isMove && !canMove ? 'The clause speaks of a change, not of the value.' : null;
}

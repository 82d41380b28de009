import type { Fact } from '../chat/fact.ts';
import { stepOf } from '../chat/quoted.ts';
import type { Bound, Quantity, WrittenUnit } from './quantity.ts';

/** A fact whose value is a number. */
export type NumericFact = Fact & { readonly value: number };

export const isNumeric = (fact: Fact): fact is NumericFact => typeof fact.value === 'number';

/** How the value of a fact reads in the unit of a number of a text. */
interface Conversion {
  readonly scale: number;
  /** True where nobody would mean another unit: a number that differs then is wrong. */
  readonly isPlain: boolean;
}

type Written = WrittenUnit | 'none';
const plain = (scale = 1): Conversion => ({ scale, isPlain: true });
const loose = (scale = 1): Conversion => ({ scale, isPlain: false });
const one = plain();

type ByWritten = Readonly<Partial<Record<Written, readonly Conversion[]>>>;
const percent: ByWritten = {
  none: [one, loose(0.01)],
  percent: [one],
  'percentage points': [loose()],
};
const ratio: ByWritten = { none: [one], times: [one], points: [loose()], percent: [loose(100)] };

/** By the unit of the fact the units that its number may be written in; `none` is a bare number. */
const CONVERSIONS: Readonly<Record<string, ByWritten>> = {
  USD: { none: [one], USD: [one], points: [loose()] },
  'USD bn': { none: [loose()], USD: [plain(1e9)] },
  percent,
  'percent a year': percent,
  fraction: { none: [one, plain(100)], percent: [plain(100)], 'percentage points': [loose(100)] },
  points: { none: [one], points: [one], percent: [loose()] },
  'points per hour': { none: [one], points: [one] },
  'index points': { none: [one], points: [one], percent: [loose()] },
  shares: { none: [one], shares: [one] },
  contracts: { none: [one], contracts: [one] },
  count: { none: [one], shares: [] },
  people: { none: [one], people: [one] },
  days: { none: [one], days: [one] },
  minutes: { none: [one], minutes: [one] },
  quarters: { none: [one], quarters: [one], times: [loose()] },
  ATR: { none: [one], ATR: [one], times: [loose()] },
  deviations: { none: [one], deviations: [one] },
  volatility: {
    none: [one, plain(100)],
    percent: [plain(100)],
    'percentage points': [loose(100)],
    points: [loose(100)],
  },
  'of 5': { none: [one], points: [one] },
  ratio,
  score: ratio,
  mixed: ratio,
};

/** Nobody tells a part of one. */
const WHOLE = new Set(['count', 'days', 'quarters', 'people']);
/** A price is never told in millions, nor what is worth millions without them. */
const PRICE_MAX = 1e5;
/** Digits that a rounded number of the size still shows, where only its zeros say how it was rounded. */
const ROUNDED_DIGITS_MIN = 2;
const APPROXIMATE_STEPS = 1.5;
const EPSILON = 1e-9;

export function conversionsOf(
  fact: NumericFact,
  quantity: Pick<Quantity, 'unit' | 'isMagnified' | 'value'>,
): readonly Conversion[] {
  if (WHOLE.has(fact.unit ?? '') && !Number.isInteger(quantity.value)) return [];
  if (quantity.isMagnified && Math.abs(fact.value) < PRICE_MAX && fact.unit !== 'USD bn') return [];
  return CONVERSIONS[fact.unit ?? 'ratio']?.[quantity.unit ?? 'none'] ?? [];
}

/** True where a number of this unit can be told of the fact at all, and would be wrong if it differed. */
export function isComparable(fact: NumericFact, quantity: Quantity): boolean {
  return conversionsOf(fact, quantity).some(({ isPlain }) => isPlain);
}

/** True where the fact is what is written, at the precision at which it is written. */
export function says(quantity: Quantity, fact: NumericFact, sign: 1 | -1 = 1): boolean {
  return conversionsOf(fact, quantity).some(({ scale }) =>
    equals(quantity, fact.value * scale * sign, stepOf(fact.value, fact.unit) * scale),
  );
}

/** True for a fall that is told by its size: `a gap of 1.2%` of -1.2. */
export function saysSize(quantity: Quantity, fact: NumericFact): boolean {
  return !quantity.isSigned && quantity.value > 0 && fact.value < 0 && says(quantity, fact, -1);
}

/**
 * True where a value rounds to the number that is written.
 *
 * @param ownStep what one more of the value's own last digit would be; 0 for a value that is exact
 * @param slack how far the value itself can be off
 */
export function equals(quantity: Quantity, value: number, ownStep = 0, slack = 0): boolean {
  const tolerance = Math.max(toleranceOf(quantity), ownStep > quantity.step ? ownStep / 2 : 0) + slack;
  const difference = Math.abs(quantity.value - value);
  return difference <= tolerance + EPSILON * Math.max(Math.abs(value), Math.abs(quantity.value));
}

/** Half of the last digit; of `about` a digit more, or half of the zeros that it was rounded to. */
export function toleranceOf({ step, value, isApproximate }: Quantity): number {
  if (!isApproximate) return step / 2;
  const size = Math.abs(value);
  let rounded = step;
  while (
    rounded > 0 &&
    size / (rounded * 10) >= 10 ** (ROUNDED_DIGITS_MIN - 1) &&
    isMultiple(size, rounded * 10)
  ) {
    rounded *= 10;
  }
  return Math.max(step * APPROXIMATE_STEPS, rounded / 2);
}

const isMultiple = (value: number, of: number): boolean =>
  Math.abs(value / of - Math.round(value / of)) < EPSILON;

/** True where a value lies on the side of the number that is written. */
export function liesWithin(value: number, bound: Bound, limit: number): boolean {
  switch (bound) {
    case 'above':
      return value > limit;
    case 'below':
      return value < limit;
    case 'at least':
      return value >= limit;
    case 'at most':
      return value <= limit;
    case 'within':
      return Math.abs(value) <= Math.abs(limit);
  }
}

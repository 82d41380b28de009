/**
 * The language that says when a rule holds: plain data over named inputs. Playbooks, the debate about a stock and the
 * regimes of the market and of a stock are rules in it.
 *
 *     ['adx_14', '>=', 20]                               an input against a number
 *     ['price', '>', 'ema_20']                           against another input
 *     ['ib_range', '<=', [0.5, 'atr']]                   against a multiple of one
 *     [['price', '-', 'ib_high'], '<=', [0.25, 'atr']]   how far one lies above another
 *     ['vix.regime', 'is', 'ELEVATED']                   a word, a truth value or a number as it is
 *     known('orb_low')                                   known, whatever it is
 *     all(…), any(…)
 *
 * A rule with two sides is written as the long. Its short is the market turned upside down: `mirrored` turns the
 * conditions by how each input mirrors, and `ofSide` takes from every text the words of the side, `[long|short]`.
 */

import { compact } from './compact.ts';

export type Order = '<' | '<=' | '>=' | '>';

export type Multiple<Name> = readonly [times: number, input: Name];
type Difference<Name> = readonly [above: Name, minus: '-', below: Name];

export type Condition<Name extends string = string> =
  | readonly [left: Name | Difference<Name>, by: Order, right: number | Name | Multiple<Name>]
  | readonly [input: Name, is: 'is', value: string | number | boolean]
  | { readonly known: Name }
  | { readonly all: readonly Condition<Name>[] }
  | { readonly any: readonly Condition<Name>[] };

export const all = <const Of extends readonly Condition[]>(...of: Of): { readonly all: Of } => ({ all: of });
export const any = <const Of extends readonly Condition[]>(...of: Of): { readonly any: Of } => ({ any: of });
export const known = <const Name extends string>(input: Name) => ({ known: input });

type Value = number | string | boolean | null | undefined;
/** The value of an input; null, undefined and NaN: not known. */
export type Inputs<Name extends string = string> = (input: Name) => Value;

export type ConditionVerdict = 'met' | 'missed' | 'unknown';

/** Unknown while any of its inputs is, even where the others would decide: what is not known takes no side. */
export function verdict<Name extends string>(
  condition: Condition<Name>,
  inputs: Inputs<Name>,
): ConditionVerdict {
  // First what most conditions are: to search an array for the names of the others costs more than its verdict.
  if (isBare(condition)) {
    if (condition[1] === 'is') {
      const value = inputs(condition[0]);
      return isKnown(value) ? asVerdict(value === condition[2]) : 'unknown';
    }
    const one = amount(condition[0], inputs);
    const other = amount(condition[2], inputs);
    return Number.isNaN(one) || Number.isNaN(other)
      ? 'unknown'
      : asVerdict(COMPARE[condition[1]](one, other));
  }
  if ('known' in condition) return isKnown(inputs(condition.known)) ? 'met' : 'unknown';
  const of = 'all' in condition ? condition.all : condition.any;
  let met = 0;
  for (const each of of) {
    const own = verdict(each, inputs);
    if (own === 'unknown') return own;
    if (own === 'met') met++;
  }
  return asVerdict('all' in condition ? met === of.length : met > 0);
}

const isBare = <Name extends string>(
  condition: Condition<Name>,
): condition is Extract<Condition<Name>, readonly unknown[]> => Array.isArray(condition);

const COMPARE: Readonly<Record<Order, (one: number, other: number) => boolean>> = {
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>=': (one, other) => one >= other,
  '>': (one, other) => one > other,
};

const asVerdict = (isMet: boolean): ConditionVerdict => (isMet ? 'met' : 'missed');

const isKnown = (value: Value): boolean => value !== null && value !== undefined && !Number.isNaN(value);

/** NaN where an input is not known, or is no number. */
export function amount<Name extends string>(
  of: number | Name | Multiple<Name> | Difference<Name>,
  inputs: Inputs<Name>,
): number {
  if (typeof of === 'number') return of;
  if (typeof of === 'string') {
    const value = inputs(of);
    return typeof value === 'number' ? value : Number.NaN;
  }
  return of.length === 2 ? of[0] * amount(of[1], inputs) : amount(of[0], inputs) - amount(of[2], inputs);
}

/** Every input that a condition reads, once each, in the order of reading. */
export function inputsOf<Name extends string>(condition: Condition<Name>): readonly Name[] {
  if ('all' in condition) return [...new Set(condition.all.flatMap(inputsOf))];
  if ('any' in condition) return [...new Set(condition.any.flatMap(inputsOf))];
  if ('known' in condition) return [condition.known];
  const [left, by, right] = condition;
  const of = by === 'is' ? [left] : [left, right].flat();
  return [...new Set(of.filter((each): each is Name => typeof each === 'string' && each !== '-'))];
}

/**
 * What an input becomes when the market is turned upside down: `about` + `sign` x the input `as`. A rise becomes a fall
 * of the same size, the high of a range minus its low, support resistance. An input with an `about` other than 0 may
 * be compared with numbers alone, and both inputs of a difference need the same sign.
 */
export interface InputMirror<Name extends string = string> {
  readonly as: Name;
  readonly sign: 1 | -1;
  readonly about: number;
}

export type MirrorOf<Name extends string = string> = (input: Name) => InputMirror<Name>;

const TURNED: Readonly<Record<Order, Order>> = { '<': '>', '<=': '>=', '>=': '<=', '>': '<' };

/** The condition that holds for inputs exactly when this one holds for the mirrored inputs. */
export function mirrored<Name extends string>(
  condition: Condition<Name>,
  mirrorOf: MirrorOf<Name>,
): Condition<Name> {
  if ('all' in condition) return { all: condition.all.map((each) => mirrored(each, mirrorOf)) };
  if ('any' in condition) return { any: condition.any.map((each) => mirrored(each, mirrorOf)) };
  if ('known' in condition) return { known: mirrorOf(condition.known).as };
  if (condition[1] === 'is') {
    const [input, is, value] = condition;
    const mirror = mirrorOf(input);
    return [mirror.as, is, typeof value === 'number' ? across(value, mirror) : value];
  }
  const [left, by, right] = condition;
  if (typeof left === 'string') {
    const { as, sign, about } = mirrorOf(left);
    const bound = typeof right === 'number' ? across(right, { sign, about }) : scaled(right, sign, mirrorOf);
    return [as, sign === 1 ? by : TURNED[by], bound];
  }
  const [above, below] = [mirrorOf(left[0]), mirrorOf(left[2])];
  // What lies above lies below, and as far.
  const [one, other] = above.sign === 1 ? [above, below] : [below, above];
  return [[one.as, '-', other.as], by, typeof right === 'number' ? right : scaled(right, 1, mirrorOf)];
}

const across = (value: number, { sign, about }: Pick<InputMirror, 'sign' | 'about'>): number =>
  sign === 1 ? value - about : about - value;

/** `sign` times the mirrored input. */
export function scaled<Name extends string>(
  of: Name | Multiple<Name>,
  sign: 1 | -1,
  mirrorOf: MirrorOf<Name>,
): Name | Multiple<Name> {
  const [times, input] = typeof of === 'string' ? [1, of] : of;
  const mirror = mirrorOf(input);
  const share = sign * mirror.sign * times;
  return share === 1 ? mirror.as : [share, mirror.as];
}

export type TradeSide = 'long' | 'short';

const ALTERNATIVES = /\[([^[\]|]*)\|([^[\]|]*)\]/g;

/** A value of the long and one of the short, where words do not do. */
type BySide<Value> = Readonly<Record<TradeSide, Value>>;

/** The same data for one side: of every `[long|short]` in its texts, and of every `BySide`, the part of that side. */
export function ofSide<Data>(side: TradeSide, data: Data): Data {
  if (typeof data === 'string') {
    const words = (_: string, long: string, short: string): string => (side === 'long' ? long : short);
    return data.replaceAll(ALTERNATIVES, words) as Data;
  }
  if (Array.isArray(data)) return data.map((each) => ofSide(side, each)) as Data;
  if (typeof data !== 'object' || data === null) return data;
  if ('long' in data && 'short' in data) return ofSide(side, data[side]) as Data;
  return Object.fromEntries(Object.entries(data).map(([key, each]) => [key, ofSide(side, each)])) as Data;
}

/** Rules that are written by name, in their order. */
export const named = <Of extends object>(
  rules: Readonly<Record<string, Of>>,
): (Of & { readonly name: string })[] => Object.entries(rules).map(([name, rule]) => ({ name, ...rule }));

interface NamedCondition {
  readonly name: string;
  readonly when: Condition;
}

/** Rules as they apply: one with `[long|short]` in its name becomes two, its condition mirrored or given by side. */
export const bothSides = (
  rules: readonly (Omit<NamedCondition, 'when'> & { readonly when: Condition | BySide<Condition> })[],
  mirrorOf: MirrorOf,
): readonly NamedCondition[] =>
  rules.flatMap(({ when, ...rule }) => {
    const own = 'long' in when ? when : { long: when, short: mirrored(when, mirrorOf) };
    const sides: readonly TradeSide[] = rule.name.includes('[') ? ['long', 'short'] : ['long'];
    return sides.map((side) => ofSide(side, { ...rule, when: own[side] }));
  });

/** A rule with a sentence that it says when it holds; placeholders `{input}` quote its inputs. */
export interface Rule extends NamedCondition {
  readonly says: string;
}

/** Whether a rule says its sentence: its condition is met, and all that the sentence quotes is known. */
export const holds = (rule: Rule, inputs: Inputs): boolean =>
  verdict(rule.when, inputs) === 'met' &&
  quotedBy.getOrInsertComputed(rule, ({ says }) => quotedIn(says)).every((input) => isKnown(inputs(input)));

const PLACEHOLDER = /\{([^{}]+)\}/g;

const quotedBy = new WeakMap<Rule, readonly string[]>();

/** Every input that the sentence of a rule quotes, once each. */
export const quotedIn = (sentence: string): readonly string[] => [
  ...new Set(Array.from(sentence.matchAll(PLACEHOLDER), ([, input]) => input!)),
];

/** A sentence with its placeholders filled, amounts from a million on as a chart writes them. */
export const filled = (sentence: string, inputs: Inputs): string =>
  sentence.replaceAll(PLACEHOLDER, (_, input: string) => {
    const value = inputs(input);
    return typeof value === 'number' && Math.abs(value) >= 1e6 ? compact(value) : String(value);
  });

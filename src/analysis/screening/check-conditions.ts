import { checkValue } from './check-values.ts';
import type { Faults, Path } from './faults.ts';
import { type KnownNames, lookUp, type Names } from './names.ts';
import type { Comparison, Condition, FieldType } from './screen.ts';

/** Conditions and groups of a filter. */
export const NODES_MAX = 500;
/** Groups around a condition, itself counted. */
export const DEPTH_MAX = 32;
/** Values of `in` and `not_in`. */
export const VALUES_MAX = 1_000;

type Body = Readonly<Record<string, unknown>>;

const EQUALITIES = ['=', '!='] as const;
const COMPARISONS = ['<', '<=', '=', '!=', '>=', '>'] as const satisfies readonly Comparison[];
const SETS = ['in', 'not_in'] as const;
const NULL_TESTS = ['is_null', 'not_null'] as const;

/** Operators of texts and booleans, which have no order, and of all other types. */
const UNORDERED = [...EQUALITIES, ...SETS, ...NULL_TESTS] as const;
const ORDERED = [...COMPARISONS, 'between', ...SETS, ...NULL_TESTS] as const;
type Operator = (typeof ORDERED)[number];

const isOrdered = (type: FieldType): boolean => type !== 'text' && type !== 'boolean';

export const operatorsOf = (type: FieldType): readonly Operator[] => (isOrdered(type) ? ORDERED : UNORDERED);
const isAmong = <Word extends string>(word: unknown, words: readonly Word[]): word is Word =>
  words.includes(word as Word);

/** The tree of conditions; null where it has a fault. Depth and size are limited. */
export function checkFilter(filter: unknown, names: Names, faults: Faults): Condition | null {
  return new FilterChecker(names, faults).check(filter, ['filter'], 1);
}

class FilterChecker {
  readonly #names: Names;
  readonly #faults: Faults;
  #nodes = 0;

  constructor(names: Names, faults: Faults) {
    this.#names = names;
    this.#faults = faults;
  }

  check(node: unknown, path: Path, depth: number): Condition | null {
    if (++this.#nodes > NODES_MAX) {
      const why = `a filter has at most ${NODES_MAX} conditions and groups`;
      this.#faults.add(path, 'too_long', why, node, { max_length: NODES_MAX });
      return null;
    }
    if (depth > DEPTH_MAX) {
      this.#faults.wrongValue(path, `conditions may stand ${DEPTH_MAX} deep at most`, node, {
        max_depth: DEPTH_MAX,
      });
      return null;
    }
    if (!isRecord(node)) {
      this.#faults.wrongType(path, 'record', node, ', a condition or a group of conditions');
      return null;
    }
    const group = ['all', 'any', 'not'].find((word) => Object.hasOwn(node, word));
    if (group === undefined) return this.#condition(node, path);
    refuseOthers(node, [group], path, this.#faults);
    const inner = [...path, group];
    if (group === 'not') {
      const of = this.check(node.not, inner, depth + 1);
      return of === null ? null : { kind: 'not', of };
    }
    return this.#group(group as 'all' | 'any', node[group], inner, depth);
  }

  #group(kind: 'all' | 'any', list: unknown, path: Path, depth: number): Condition | null {
    if (!Array.isArray(list)) {
      this.#faults.wrongType(path, 'list', list, ' of conditions');
      return null;
    }
    if (list.length === 0) this.#faults.tooShort(path, list);
    const of: Condition[] = [];
    for (const [at, each] of list.entries()) {
      if (this.#nodes > NODES_MAX || this.#faults.full) return null;
      const condition = this.check(each, [...path, at], depth + 1);
      if (condition !== null) of.push(condition);
    }
    return of.length === 0 ? null : { kind, of };
  }

  #condition(node: Body, path: Path): Condition | null {
    const faults = this.#faults;
    refuseOthers(node, ['field', 'op', 'value', 'other'], path, faults);
    const missing = ['field', 'op'].filter((name) => !Object.hasOwn(node, name));
    for (const name of missing) {
      const why = name === 'field' ? `: a condition has 'field', a group 'all', 'any' or 'not'` : '';
      faults.missing([...path, name], node, why);
    }
    if (!Object.hasOwn(node, 'field')) return null;
    const known = lookUp(node.field, [...path, 'field'], this.#names, faults);
    if (known === null || !Object.hasOwn(node, 'op')) return null;
    const operators = operatorsOf(known.type);
    if (!isAmong(node.op, operators)) {
      faults.notAmong([...path, 'op'], operators, node.op);
      return null;
    }
    return this.#test(node.op, known, node, path);
  }

  #test(op: Operator, known: KnownNames, node: Body, path: Path): Condition | null {
    const faults = this.#faults;
    const hasOther = Object.hasOwn(node, 'other');
    if (isAmong(op, NULL_TESTS)) {
      refuseOthers(node, ['field', 'op'], path, faults, ['value', 'other']);
      return { kind: op, left: known.operand };
    }
    if (isAmong(op, COMPARISONS) && hasOther) {
      refuseOthers(node, ['field', 'op', 'other'], path, faults, ['value']);
      return this.#fieldToField(op, known, node.other, [...path, 'other']);
    }
    if (hasOther) refuseOthers(node, ['field', 'op', 'value'], path, faults, ['other']);
    if (!Object.hasOwn(node, 'value')) {
      const instead = isAmong(op, COMPARISONS) ? `: 'value', or 'other' for another field` : '';
      faults.missing([...path, 'value'], node, instead);
      return null;
    }
    const at = [...path, 'value'];
    if (op === 'between') return this.#between(known, node.value, at);
    if (isAmong(op, SETS)) return this.#set(op, known, node.value, at);
    const right = checkValue(node.value, known, at, faults);
    return right === null ? null : { kind: 'compare', left: known.operand, by: op, right };
  }

  #fieldToField(by: Comparison, left: KnownNames, name: unknown, path: Path): Condition | null {
    const right = lookUp(name, path, this.#names, this.#faults);
    if (right === null) return null;
    const type = kindOf(left.type);
    if (type !== kindOf(right.type)) {
      const why = `a field of type ${type} cannot be compared with one of type ${kindOf(right.type)}`;
      this.#faults.wrongValue(path, why, name);
      return null;
    }
    return { kind: 'compare_fields', type, left: left.operand, by, right: right.operand };
  }

  #between(known: KnownNames, range: unknown, path: Path): Condition | null {
    if (!Array.isArray(range) || range.length !== 2) {
      this.#faults.wrongType(path, 'list', range, ' of two values, [low, high]');
      return null;
    }
    // Of what has an order, columns hold numbers.
    const [low, high] = range.map((each, at) => checkValue(each, known, [...path, at], this.#faults));
    if (typeof low !== 'number' || typeof high !== 'number') return null;
    if (low > high) {
      this.#faults.wrongValue(path, 'the lower bound is above the higher one', range);
      return null;
    }
    return { kind: 'between', left: known.operand, low, high };
  }

  #set(kind: (typeof SETS)[number], known: KnownNames, list: unknown, path: Path): Condition | null {
    const faults = this.#faults;
    if (!Array.isArray(list)) faults.wrongType(path, 'list', list, ' of values');
    else if (list.length === 0) faults.tooShort(path, list);
    else if (list.length > VALUES_MAX) faults.tooLong(path, VALUES_MAX, list.length, list);
    else {
      const values = list.map((each, at) => checkValue(each, known, [...path, at], faults));
      if (values.every((value) => value !== null)) return { kind, left: known.operand, values };
    }
    return null;
  }
}

/** Integers and numbers are compared with each other. */
const kindOf = (type: FieldType): FieldType => (type === 'integer' ? 'number' : type);

export const isRecord = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds a fault for each key that is not allowed, or only for those of `forbidden` where given. */
export function refuseOthers(
  node: Body,
  allowed: readonly string[],
  path: Path,
  faults: Faults,
  forbidden: readonly string[] | null = null,
): void {
  for (const key of Object.keys(node)) {
    if (faults.full) return;
    if (allowed.includes(key) || (forbidden !== null && !forbidden.includes(key))) continue;
    faults.add([...path, key], 'extra_forbidden', 'Extra inputs are not permitted', node[key]);
  }
}

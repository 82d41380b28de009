import type { Comparison, Condition, Operand, ScreenTable } from './screen.ts';

/**
 * Truth with the unknown in it (Kleene's strong logic of three values), so coded that `and` is & and `or` is |: the
 * higher bit says that it is true, the lower that it is not false.
 */
export const FALSE = 0;
const UNKNOWN = 1;
export const TRUE = 3;

/** The columns that conditions ask, fields and computed numbers alike. */
export interface Columns extends Pick<ScreenTable, 'rows' | 'dictionary'> {
  readonly of: (operand: Operand) => Float64Array;
}

/** Reused columns of truth values and numbers, so that memory grows with the depth of a filter only. */
export class Scratch {
  readonly #rows: number;
  readonly #truths: Uint8Array[] = [];
  /** What a column is compared with, for one condition at a time. */
  readonly numbers: Float64Array;

  constructor(rows: number) {
    this.#rows = rows;
    this.numbers = new Float64Array(rows);
  }

  take(): Uint8Array {
    return this.#truths.pop() ?? new Uint8Array(this.#rows);
  }

  giveBack(truths: Uint8Array): void {
    this.#truths.push(truths);
  }
}

/** The truth of a condition for each row, in a column of the scratch. Goes as deep as the condition is. */
export function truthOf(condition: Condition, columns: Columns, scratch: Scratch): Uint8Array {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return truthOfGroup(condition.kind, condition.of, columns, scratch);
    case 'not': {
      const truth = truthOf(condition.of, columns, scratch);
      for (let row = 0; row < truth.length; row++) {
        if (truth[row] !== UNKNOWN) truth[row] = TRUE - truth[row]!;
      }
      return truth;
    }
    case 'compare': {
      const bound = scratch.numbers.fill(asInColumn(condition.right, condition.left, columns));
      return fillComparison(columns.of(condition.left), condition.by, bound, scratch.take());
    }
    case 'compare_fields': {
      const { type, left, by, right } = condition;
      const comparable = type === 'text' ? placesIn(right, left, columns, scratch.numbers) : columns.of(left);
      return fillComparison(comparable, by, columns.of(right), scratch.take());
    }
    case 'between':
      return fillBetween(columns.of(condition.left), condition.low, condition.high, scratch.take());
    case 'in':
    case 'not_in': {
      const values = new Set(condition.values.map((value) => asInColumn(value, condition.left, columns)));
      return fillSet(columns.of(condition.left), values, condition.kind === 'in', scratch.take());
    }
    case 'is_null':
    case 'not_null':
      return fillNullTest(columns.of(condition.left), condition.kind === 'is_null', scratch.take());
  }
}

function truthOfGroup(
  kind: 'all' | 'any',
  of: readonly Condition[],
  columns: Columns,
  scratch: Scratch,
): Uint8Array {
  const group = scratch.take().fill(kind === 'all' ? TRUE : FALSE);
  for (const condition of of) {
    const truth = truthOf(condition, columns, scratch);
    if (kind === 'all') for (let row = 0; row < group.length; row++) group[row]! &= truth[row]!;
    else for (let row = 0; row < group.length; row++) group[row]! |= truth[row]!;
    scratch.giveBack(truth);
  }
  return group;
}

function fillComparison(
  left: Float64Array,
  by: Comparison,
  right: Float64Array,
  out: Uint8Array,
): Uint8Array {
  switch (by) {
    case '<':
      return fillLess(left, right, TRUE, FALSE, out);
    case '>':
      return fillLess(right, left, TRUE, FALSE, out);
    case '>=':
      return fillLess(left, right, FALSE, TRUE, out);
    case '<=':
      return fillLess(right, left, FALSE, TRUE, out);
    case '=':
      return fillEqual(left, right, TRUE, FALSE, out);
    case '!=':
      return fillEqual(left, right, FALSE, TRUE, out);
  }
}

function fillLess(
  left: Float64Array,
  right: Float64Array,
  isLess: number,
  isNot: number,
  out: Uint8Array,
): Uint8Array {
  for (let row = 0; row < out.length; row++) {
    const one = left[row]!;
    const other = right[row]!;
    out[row] = one < other ? isLess : one >= other ? isNot : UNKNOWN;
  }
  return out;
}

function fillEqual(
  left: Float64Array,
  right: Float64Array,
  isEqual: number,
  isNot: number,
  out: Uint8Array,
): Uint8Array {
  for (let row = 0; row < out.length; row++) {
    const one = left[row]!;
    const other = right[row]!;
    out[row] = one === other ? isEqual : Number.isNaN(one) || Number.isNaN(other) ? UNKNOWN : isNot;
  }
  return out;
}

function fillBetween(values: Float64Array, low: number, high: number, out: Uint8Array): Uint8Array {
  for (let row = 0; row < out.length; row++) {
    const value = values[row]!;
    out[row] = Number.isNaN(value) ? UNKNOWN : value >= low && value <= high ? TRUE : FALSE;
  }
  return out;
}

function fillSet(
  values: Float64Array,
  set: ReadonlySet<number>,
  isWithin: boolean,
  out: Uint8Array,
): Uint8Array {
  for (let row = 0; row < out.length; row++) {
    const value = values[row]!;
    out[row] = Number.isNaN(value) ? UNKNOWN : set.has(value) === isWithin ? TRUE : FALSE;
  }
  return out;
}

function fillNullTest(values: Float64Array, isNull: boolean, out: Uint8Array): Uint8Array {
  for (let row = 0; row < out.length; row++) {
    out[row] = Number.isNaN(values[row]!) === isNull ? TRUE : FALSE;
  }
  return out;
}

/** An index that no text has. */
const NOWHERE = -1;

/** A value of a condition in the units of its column. */
function asInColumn(value: number | string | boolean, operand: Operand, columns: Columns): number {
  return typeof value === 'string' ? placeOf(value, dictionaryOf(operand, columns)) : Number(value);
}

function dictionaryOf(operand: Operand, columns: Columns): readonly string[] {
  if (operand.kind === 'computed') throw new Error(`${operand.name} is a number, not a text`);
  return columns.dictionary(operand.path);
}

/** The index of a text in an ascending dictionary. */
function placeOf(text: string, dictionary: readonly string[]): number {
  let from = 0;
  let to = dictionary.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (dictionary[middle]! < text) from = middle + 1;
    else to = middle;
  }
  return dictionary[from] === text ? from : NOWHERE;
}

/** The texts of one column as indices in the dictionary of another, written to `out`. */
function placesIn(of: Operand, operand: Operand, columns: Columns, out: Float64Array): Float64Array {
  const placeByText = new Map(dictionaryOf(of, columns).map((text, place) => [text, place]));
  const places = Float64Array.from(
    dictionaryOf(operand, columns),
    (text) => placeByText.get(text) ?? NOWHERE,
  );
  const values = columns.of(operand);
  for (let row = 0; row < out.length; row++) out[row] = places[values[row]!] ?? Number.NaN;
  return out;
}

import type { Order } from '../conditions.ts';

/** The language of the screener as plain data: `checkScreen` makes a `Screen`, `runScreen` evaluates it on columns. */

export type FieldType = 'number' | 'integer' | 'boolean' | 'text' | 'date' | 'instant';

/** A column of the screener. */
export interface ScreenField {
  readonly path: string;
  readonly type: FieldType;
  /** Every word that a text can be, where its vocabulary is closed. */
  readonly words: readonly string[] | null;
}

/**
 * A table by columns, one value for each stock. Numbers as they are, booleans 0 and 1, dates as days and instants as
 * milliseconds since 1970-01-01, texts as places in `dictionary`; NaN where nothing is known.
 */
export interface ScreenTable {
  readonly rows: number;
  /** Tickers in capitals, ascending, one for each row. */
  readonly symbols: readonly string[];
  readonly column: (path: string) => Float64Array;
  /** Texts of a text column, ascending by code unit, so that places sort as texts do. */
  readonly dictionary: (path: string) => readonly string[];
}

export type Comparison = Order | '=' | '!=';

/** What a condition compares: a field, or a number computed from fields. */
export type Operand =
  | { readonly kind: 'field'; readonly path: string }
  | { readonly kind: 'computed'; readonly name: string };

/** A computed number. `functions.ts` lists the functions. */
export type Expression =
  | Operand
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'call'; readonly name: string; readonly of: readonly Expression[] };

/**
 * A tree of conditions. A condition on an absent value is unknown, as in SQL: neither it nor its negation selects a
 * stock; only `is_null` and `not_null` test absence. Values are in the units of their columns: dates in days, instants
 * in milliseconds.
 */
export type Condition =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | {
      readonly kind: 'compare';
      readonly left: Operand;
      readonly by: Comparison;
      readonly right: number | string | boolean;
    }
  | {
      readonly kind: 'compare_fields';
      /** Of both sides; an integer is a number. */
      readonly type: FieldType;
      readonly left: Operand;
      readonly by: Comparison;
      readonly right: Operand;
    }
  | {
      readonly kind: 'between';
      readonly left: Operand;
      /** Both belong to the range. */
      readonly low: number;
      readonly high: number;
    }
  | {
      readonly kind: 'in' | 'not_in';
      readonly left: Operand;
      readonly values: readonly (number | string | boolean)[];
    }
  | { readonly kind: 'is_null' | 'not_null'; readonly left: Operand };

export interface SortKey {
  readonly by: Operand;
  readonly descending: boolean;
}

export interface Screen {
  readonly filter: Condition | null;
  /** Each after those that it refers to. */
  readonly computed: ReadonlyMap<string, Expression>;
  /** Stocks that are equal by every key come in the order of their tickers; absent values come last either way. */
  readonly sort: readonly SortKey[];
  readonly select: readonly Operand[];
  /** How many stocks that miss by one condition are returned besides. */
  readonly nearMisses: number;
}

/** A fault of a request: where, from the top of the body, and why, in the vocabulary of pydantic 2. */
export interface ScreenFault {
  readonly path: readonly (string | number)[];
  readonly type: string;
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

export interface Screened {
  readonly rows: Uint32Array;
  /** Rows that neither pass nor fail: too little is known of them. */
  readonly unknown: number;
  /** Rows that miss one condition only, nearest first where a distance exists; empty unless requested. */
  readonly nearMisses: readonly NearMiss[];
  /** Values of the computed operands, by name, one for each row of the table. */
  readonly computed: ReadonlyMap<string, Float64Array>;
}

export interface NearMiss {
  readonly row: number;
  /** Path of the failed condition in the request, e.g. `filter.all.2`. */
  readonly failed: string;
  /**
   * Distance of the value from the bound of that condition, in units of the field (days of a date, milliseconds of an
   * instant), 0 on an exclusive bound; NaN where there is none, above all where the value is absent.
   */
  readonly distance: number;
}

import { dateOf } from '../../base/dates.ts';
import {
  type AnyFact,
  FACT_KINDS,
  type FactKind,
  type FactValues,
  type FieldSchema,
  schemaOf,
} from '../../market/facts.ts';
import type { RefusalReason, RefusalTally } from '../../market/refusals.ts';
import { snakeCase } from '../../market/series.ts';
import { factOf, validateFactAround, validateFactValue } from '../../market/validate-fact.ts';
import { tickerOf } from '../fields.ts';
import { isAbsent, writtenNumber } from '../numbers.ts';
import { instantOf, timeReader } from '../times.ts';
import { dateOfField, dayOfKnown, impliedKnownAt, knownAtOf } from './known-at.ts';

/** What a file leaves to the caller. */
export interface Stated {
  /** The kind of rows without a column for it. */
  readonly kind?: FactKind | undefined;
  /** From when rows without `known_at` may be quoted: an instant with its zone, or a date, at whose end. */
  readonly knownAt?: string | undefined;
}

/** A row by column name, without empty cells. Values are text or JSON values. */
export type Row = ReadonlyMap<string, unknown>;

export interface SymbolFacts {
  readonly symbol: string;
  readonly facts: readonly AnyFact[];
}

/** A column of a file: a field of the kind's schema, or one of its stated ratios. */
interface Column {
  readonly field: string;
  readonly schema: FieldSchema;
  readonly isRatio: boolean;
}

/** Columns of every kind. */
const ROW_COLUMNS: readonly string[] = ['kind', 'symbol', 'key', 'known_at'];

const COLUMNS: ReadonlyMap<string, ReadonlyMap<string, Column>> = new Map(
  FACT_KINDS.map((kind) => [kind, new Map(columnsOf(kind))]),
);

/** The fields of the kind in snake_case, and the ratios by their own names. */
function columnsOf(kind: FactKind): [string, Column][] {
  return Object.entries(schemaOf(kind).properties).flatMap(([field, schema]): [string, Column][] =>
    schema.properties === undefined
      ? [[snakeCase(field), { field, schema, isRatio: false }]]
      : Object.entries(schema.properties).map(([name, ratio]) => [
          name,
          { field: name, schema: ratio, isRatio: true },
        ]),
  );
}

/** Names that the columns of a table may have: those of a kind, or of all kinds. */
export function columnNames(kind: FactKind | undefined): ReadonlySet<string> {
  const kinds = kind === undefined ? [...COLUMNS.values()] : [COLUMNS.get(kind)!];
  return new Set([...ROW_COLUMNS, ...kinds.flatMap((columns) => [...columns.keys()])]);
}

const SYMBOL_SEPARATOR = /[;,|\s]+/;

/**
 * The facts of one row, or the reason of its refusal. A halt with its end is two facts.
 *
 * @param stated kind and instant of rows without columns for them
 * @param repaired told of every figure that only stands for none
 */
export function readRow(
  row: Row,
  stated: Stated,
  repaired: (example: string) => void,
): SymbolFacts | RefusalReason {
  const symbol = tickerOf(textOf(row.get('symbol')) ?? '');
  if (symbol === null) return 'bad_symbol';
  const kind = (textOf(row.get('kind')) ?? stated.kind ?? '') as FactKind;
  const columns = COLUMNS.get(kind);
  if (columns === undefined) return 'unknown_kind';
  for (const name of row.keys()) {
    if (!columns.has(name) && !ROW_COLUMNS.includes(name)) return 'unknown_field';
  }
  const value = readValue(row, columns, symbol, (name, written) => {
    if (!saysNone(kind, name, written)) return false;
    repaired(`${name} ${String(written)} of ${symbol} stands for no value`);
    return true;
  });
  // A figure of now belongs to the day on which it was known.
  if (kind === 'fundamentals' && value.periodEnd === null && stated.knownAt !== undefined)
    value.periodEnd = dayOfKnown(stated.knownAt);
  const reason = validateFactValue(kind, value);
  if (reason !== null) return reason;
  const facts = factsOf(kind, row, value as unknown as FactValues[FactKind], stated.knownAt);
  if (typeof facts === 'string') return facts;
  const refused = facts.map(validateFactAround).find((fault) => fault !== null);
  return refused ?? { symbol, facts };
}

function readValue(
  row: Row,
  columns: ReadonlyMap<string, Column>,
  symbol: string,
  isNone: (name: string, written: unknown) => boolean,
): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  let stated: Record<string, unknown> | null = null;
  for (const [name, column] of columns) {
    const written = row.get(name);
    const isOptional = column.isRatio || Array.isArray(column.schema.type);
    const isGiven = written !== undefined && !(isOptional && isNone(name, written));
    const read = readField(column, isGiven ? written : undefined, symbol);
    if (!column.isRatio) value[column.field] = read;
    else {
      stated ??= {};
      if (read !== null) stated[column.field] = read;
    }
  }
  if (stated !== null) value.stated = stated;
  return value;
}

/** The value of a field, null if the row has none. An unreadable value stays as it is for the validation. */
function readField({ field, schema }: Column, written: unknown, symbol: string): unknown {
  if (written === undefined) {
    if (field === 'symbols') return [symbol];
    // An absent time of day is a value: unknown.
    return field === 'time' ? 'unknown' : null;
  }
  if (schema.format === 'instant') return instantOf(textOf(written) ?? '');
  if (schema.format === 'date') {
    const day = dateOfField(readNewYork(textOf(written) ?? ''));
    return Number.isNaN(day) ? written : dateOf(day);
  }
  switch (typeof schema.type === 'string' ? schema.type : schema.type[0]) {
    case 'string':
      return written;
    case 'array':
      return typeof written === 'string' ? written.split(SYMBOL_SEPARATOR).filter(Boolean) : written;
    default:
      return typeof written === 'string' ? numberIn(written) : written;
  }
}

/** A percent sign is refused: the field may be a ratio, a percentage or dollars. What is no number stays as it is. */
function numberIn(text: string): unknown {
  const value = text.includes('%') ? Number.NaN : writtenNumber(text);
  return Number.isNaN(value) ? text : value;
}

/** Kinds whose figures a vendor computes, and fills where it cannot. */
const COMPUTED: ReadonlySet<FactKind> = new Set(['fundamentals', 'price_target', 'analyst_estimates']);
/** Figures that are never 0, and figures that are never 0 or less. */
const NEVER_ZERO: ReadonlySet<string> = new Set(['pe_ratio', 'forward_pe']);
const ALWAYS_POSITIVE: ReadonlySet<string> = new Set(['market_cap', 'mean', 'high', 'low']);
/** 999999, -999999.99, -999, -9999. */
const FILLED = /^(-?9{6,}(\.9+)?|-9{3,4})$/;

/** Whether a value only stands for none: `None`, a price-earnings ratio of 0, 999999. */
function saysNone(kind: FactKind, name: string, written: unknown): boolean {
  if (typeof written === 'string' && isAbsent(written)) return true;
  const value = typeof written === 'string' ? numberIn(written) : written;
  if (typeof value !== 'number' || !COMPUTED.has(kind)) return false;
  return (
    FILLED.test(String(value)) ||
    (value === 0 && NEVER_ZERO.has(name)) ||
    (value <= 0 && ALWAYS_POSITIVE.has(name))
  );
}

export const repairsIn =
  (tally: RefusalTally, where: string) =>
  (example: string): void =>
    tally.note('repaired', where, example);

/** One fact, or two of a halt; each with its key and the instant from which it may be quoted. */
function factsOf(
  kind: FactKind,
  row: Row,
  value: FactValues[FactKind],
  stated: string | undefined,
): AnyFact[] | RefusalReason {
  const key = row.get('key');
  const make = (knownAt: number, said: FactValues[FactKind]): AnyFact => {
    const fact = factOf(kind, knownAt, said);
    return key === undefined ? fact : ({ ...fact, key } as AnyFact);
  };
  const written = row.get('known_at');
  // When news was published may itself be a date that was taken for an instant.
  if (written !== undefined)
    return [make(knownAtOf(written, kind === 'news' ? null : impliedKnownAt(kind, value)), value)];
  if (kind === 'halt') {
    const halt = value as FactValues['halt'];
    const stopped = make(halt.from, { ...halt, to: null });
    return halt.to === null ? [stopped] : [stopped, make(halt.to, halt)];
  }
  const knownAt = impliedKnownAt(kind, value) ?? (stated === undefined ? null : knownAtOf(stated));
  return knownAt === null ? 'missing_value' : [make(knownAt, value)];
}

const readNewYork = timeReader('America/New_York');

const textOf = (written: unknown): string | null => (typeof written === 'string' ? written.trim() : null);

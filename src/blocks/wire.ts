import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { BarColumns } from '../market/observations.ts';
import type { Derived } from './block.ts';

/** NaN and infinities mean "not defined" in the mathematics; on the wire that is null. */
export function finiteOrNull(value: number | null | undefined): number | null {
  return value !== null && value !== undefined && Number.isFinite(value) ? value : null;
}

/** Epoch milliseconds as RFC 3339 UTC; NaN is null. */
export function instantOrNull(time: number | null | undefined): string | null {
  const finite = finiteOrNull(time);
  return finite === null ? null : new Date(finite).toISOString();
}

/** Row `row` of a column as a wire number; a row outside the column is null. */
export function at(column: Float64Array, row: number): number | null {
  return row < 0 || row >= column.length ? null : finiteOrNull(column[row]);
}

/** Highest minus lowest price of a row, dollars; null for a row outside the columns. */
export function rangeAt({ high, low }: BarColumns, row: number): number | null {
  return row < 0 || row >= high.length ? null : finiteOrNull(high[row]! - low[row]!);
}

/** A quotient that is null when a part is missing or the divisor is zero. */
export function ratio(dividend: number | null, divisor: number | null): number | null {
  return dividend === null || divisor === null ? null : finiteOrNull(dividend / divisor);
}

/** Flat fields of a block that has nothing to say: the contract's default where it names one, else null. */
export function absentFlat<Flat extends TProperties>(flat: Flat): Static<TObject<Flat>> {
  const values: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(flat)) {
    values[field] = 'default' in schema ? schema.default : null;
  }
  return values as Static<TObject<Flat>>;
}

/** The answer of a block whose data is not on the tape. */
export function absent<Nested extends TSchema, Flat extends TProperties>(flat: Flat): Derived<Nested, Flat> {
  return { nested: null, flat: absentFlat(flat) };
}

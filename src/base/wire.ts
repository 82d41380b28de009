/** NaN and infinities mean "not defined" in the mathematics; on the wire that is null. */
export function finiteOrNull(value: number | null | undefined): number | null {
  return value !== null && value !== undefined && Number.isFinite(value) ? value : null;
}

/** The inverse of `finiteOrNull`, for wire values that go back into the mathematics. */
export const orNaN = (value: number | null | undefined): number => value ?? Number.NaN;

/** Epoch milliseconds as RFC 3339 UTC; NaN is null. */
export function instantOrNull(time: number | null | undefined): string | null {
  const finite = finiteOrNull(time);
  return finite === null ? null : instantText(finite);
}

/** Texts of instants: the stocks of a minute speak of the same few hundred. */
const texts = new Map<number, string>();
const TEXTS_MAX = 4_096;

/** Epoch milliseconds as RFC 3339 UTC. */
export function instantText(time: number): string {
  if (texts.size >= TEXTS_MAX) texts.clear();
  return texts.getOrInsertComputed(time, () => new Date(time).toISOString());
}

/** Row `row` of a column as a wire number; a row outside the column is null. */
export function at(column: Float64Array, row: number): number | null {
  return row < 0 || row >= column.length ? null : finiteOrNull(column[row]);
}

/** A quotient that is null when a part is missing or the divisor is zero. */
export function ratio(dividend: number | null, divisor: number | null): number | null {
  return dividend === null || divisor === null ? null : finiteOrNull(dividend / divisor);
}

/** Columns of bars and histories as typed arrays, for charts and array mathematics. */

type Column = readonly (number | string | boolean | null)[];

/** A column as numbers: NaN for null and text, dates as milliseconds since 1970 UTC, 1 and 0 for true and false. */
export const toFloat64 = (column: Column): Float64Array =>
  Float64Array.from(column, (value) => {
    if (typeof value !== 'string') return value === null ? Number.NaN : Number(value);
    return /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  });

/** The members of an answer that are columns. */
export type Columns<Answer> = {
  readonly [Name in keyof Answer as Answer[Name] extends Column ? Name : never]: Float64Array;
};

/** All columns of an answer by name: of bars `time`, `open` and so on, of `history.columns` its fields. */
export function columnsOf<Answer extends object>(answer: Answer): Columns<Answer> {
  const columns = Object.entries(answer).filter(([, column]) => Array.isArray(column));
  return Object.fromEntries(columns.map(([name, column]) => [name, toFloat64(column)])) as Columns<Answer>;
}

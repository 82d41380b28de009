/** Parallel arrays of some fields of rows, the parameters of `unnest`. */
export const columns = <Row>(rows: readonly Row[], fields: readonly (keyof Row)[]): unknown[][] =>
  fields.map((field) => rows.map((row) => row[field]));

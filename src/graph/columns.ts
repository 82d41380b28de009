/** Parallel arrays of some fields of rows, the parameters of `unnest`. */
export const columns = <Row, const Fields extends readonly (keyof Row)[]>(
  rows: readonly Row[],
  fields: Fields,
) =>
  fields.map((field) => rows.map((row) => row[field])) as {
    -readonly [Place in keyof Fields]: Row[Fields[Place]][];
  };

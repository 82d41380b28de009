import { hash } from 'node:crypto';

/** Names the numbers of some columns, NaN included: equal columns, equal digests. */
export function columnDigest(columns: readonly ArrayLike<number>[]): string {
  const values = new Float64Array(columns.reduce((sum, { length }) => sum + 1 + length, 0));
  let end = 0;
  for (const column of columns) {
    values[end++] = column.length;
    values.set(column, end);
    end += column.length;
  }
  return hash('sha1', values, 'base64');
}

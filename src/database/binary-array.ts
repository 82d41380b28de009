/** Type of the elements, PostgreSQL's `pg_type.oid`. */
const BYTEA = 17;
const HEADER_BYTES = 20;

/**
 * A one-dimensional `bytea[]` parameter in PostgreSQL's binary form (`array_recv`): the client library would send every
 * byte as two hexadecimal digits and the server would read them back.
 */
export function byteaArray(values: readonly Uint8Array[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + 4 + value.length, HEADER_BYTES);
  const array = Buffer.allocUnsafe(bytes);
  const dimensions = values.length === 0 ? 0 : 1;
  // Dimensions, whether there are nulls, the type; of the one dimension its length and the index of its first element.
  for (const [at, field] of [dimensions, 0, BYTEA, values.length, 1].entries())
    array.writeInt32BE(field, 4 * at);
  let end = HEADER_BYTES;
  for (const value of values) {
    end = array.writeInt32BE(value.length, end);
    array.set(value, end);
    end += value.length;
  }
  return dimensions === 0 ? array.subarray(0, 12) : array;
}

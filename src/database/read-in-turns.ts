import { chunks } from '../base/chunks.ts';
import { inOrder } from '../base/in-order.ts';
import type { Queryable } from './queryable.ts';

/** Rows of a statement, asked for some inputs at a time: the embedded database serves nobody else while one runs. */
export async function readInTurns<Input, Row>(
  database: Queryable,
  inputs: readonly Input[],
  atOnce: number,
  read: (some: readonly Input[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (database.kind !== 'embedded' || inputs.length <= atOnce) return read(inputs);
  const rows: Row[] = [];
  for await (const some of inOrder(chunks(inputs, atOnce), read, 2)) rows.push(...some);
  return rows;
}

import { computeColumns } from './compute.ts';
import { nearMissesOf, type RootCondition, rootConditions } from './near-misses.ts';
import { orderRows } from './order.ts';
import type { Operand, Screen, Screened, ScreenTable } from './screen.ts';
import { type Columns, FALSE, Scratch, TRUE, truthOf } from './truth.ts';

/** The rows whose filter is true, sorted, and on request those that miss it by one condition; nothing is kept. */
export function runScreen(screen: Screen, table: ScreenTable): Screened {
  const computed = computeColumns(screen.computed, table);
  const columns = columnsOf(table, computed);
  const roots = rootConditions(screen.filter);
  const { misses, failed, unknown } = missesOf(roots, columns);
  const keys = screen.sort.map(({ by, descending }) => ({ values: columns.of(by), descending }));
  const rows = orderRows(rowsWith(misses, 0), keys);
  const nearMisses =
    screen.nearMisses === 0
      ? []
      : nearMissesOf(rowsWith(misses, 1), failed, roots, columns, screen.nearMisses);
  return { rows, unknown, nearMisses, computed };
}

function columnsOf(table: ScreenTable, computed: ReadonlyMap<string, Float64Array>): Columns {
  const of = (operand: Operand): Float64Array => {
    if (operand.kind === 'field') return table.column(operand.path);
    const column = computed.get(operand.name);
    if (column === undefined) throw new Error(`${operand.name} is not computed`);
    return column;
  };
  return { rows: table.rows, of, dictionary: table.dictionary };
}

interface Misses {
  /** By row, the number of root conditions that are not true; a row with none passes. */
  readonly misses: Uint16Array;
  /** By row, the last such condition. */
  readonly failed: Uint16Array;
  /** Rows of which no condition is false, and some are not known. */
  readonly unknown: number;
}

function missesOf(roots: readonly RootCondition[], columns: Columns): Misses {
  const misses = new Uint16Array(columns.rows);
  const failed = new Uint16Array(columns.rows);
  const isFalse = new Uint8Array(columns.rows);
  const scratch = new Scratch(columns.rows);
  for (const [at, { condition }] of roots.entries()) {
    const truth = truthOf(condition, columns, scratch);
    for (let row = 0; row < truth.length; row++) {
      if (truth[row] === TRUE) continue;
      misses[row]!++;
      failed[row] = at;
      if (truth[row] === FALSE) isFalse[row] = 1;
    }
    scratch.giveBack(truth);
  }
  const unknown = misses.reduce((count, missed, row) => count + Number(missed > 0 && isFalse[row] === 0), 0);
  return { misses, failed, unknown };
}

/** The rows that miss `count` conditions, ascending. */
function rowsWith(misses: Uint16Array, count: number): Uint32Array {
  const rows = new Uint32Array(misses.length);
  let found = 0;
  for (let row = 0; row < misses.length; row++) if (misses[row] === count) rows[found++] = row;
  return rows.slice(0, found);
}

import { mean, squaresAround } from '../statistics.ts';
import { orderRows } from './order.ts';
import type { Condition, NearMiss } from './screen.ts';
import type { Columns } from './truth.ts';

/** One of the conditions that a stock must all meet, with its path in the request. */
export interface RootCondition {
  readonly condition: Condition;
  readonly place: string;
}

/**
 * A filter as conditions that must all be true: those of its `all`, and of every `all` directly within it. Anything
 * else, `any` and `not` included, counts as one condition.
 */
export function rootConditions(filter: Condition | null, place = 'filter'): readonly RootCondition[] {
  if (filter === null) return [];
  if (filter.kind !== 'all') return [{ condition: filter, place }];
  return filter.of.flatMap((each, at) => rootConditions(each, `${place}.all.${at}`));
}

/**
 * The nearest of the rows that miss exactly one root condition. Nearness is the distance over the deviation of the
 * compared value among all rows, so that dollars and percentages rank together; rows without a distance come last.
 * Equal ones keep the order of the rows.
 *
 * @param rows rows that miss, ascending
 * @param failed by row of the table, the root condition that is not true
 */
export function nearMissesOf(
  rows: Uint32Array,
  failed: Uint16Array,
  roots: readonly RootCondition[],
  columns: Columns,
  max: number,
): readonly NearMiss[] {
  const distances = new Float64Array(columns.rows);
  const scaled = new Float64Array(columns.rows);
  for (const [at, { condition }] of roots.entries()) {
    const missed = rows.filter((row) => failed[row] === at);
    if (missed.length === 0) continue;
    const gap = gapOf(condition, columns);
    const deviation = gap === null ? Number.NaN : deviationOf(gap.compared);
    for (const row of missed) {
      const distance = gap === null ? Number.NaN : gap.distance(row);
      distances[row] = distance;
      scaled[row] = distance === 0 ? 0 : distance / deviation;
    }
  }
  const ranked = orderRows(rows, [{ values: scaled, descending: false }]);
  return Array.from(ranked.subarray(0, max), (row) => ({
    row,
    failed: roots[failed[row]!]!.place,
    distance: distances[row]!,
  }));
}

/** What a condition on numbers compares with its bound, and how far a row that fails is from it. */
interface Gap {
  readonly compared: Float64Array;
  readonly distance: (row: number) => number;
}

/** Null where a condition has no distance: of texts and booleans, sets, null tests and trees. */
function gapOf(condition: Condition, columns: Columns): Gap | null {
  switch (condition.kind) {
    case 'compare': {
      const { right } = condition;
      if (typeof right !== 'number') return null;
      const compared = columns.of(condition.left);
      return { compared, distance: (row) => Math.abs(compared[row]! - right) };
    }
    case 'compare_fields': {
      if (condition.type === 'text' || condition.type === 'boolean') return null;
      const [left, right] = [columns.of(condition.left), columns.of(condition.right)];
      const compared = left.map((value, row) => value - right[row]!);
      return { compared, distance: (row) => Math.abs(compared[row]!) };
    }
    case 'between': {
      const { low, high } = condition;
      const compared = columns.of(condition.left);
      return { compared, distance: (row) => Math.max(low - compared[row]!, compared[row]! - high) };
    }
    default:
      return null;
  }
}

/** Population deviation of the known values. */
function deviationOf(values: Float64Array): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return Math.sqrt(squaresAround(mean(known), known) / known.length);
}

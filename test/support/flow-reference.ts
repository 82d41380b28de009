import reference from '../../fixtures/order-flow/reference.json' with { type: 'json' };
import { FLOW_SUMS, type FlowMinuteColumns } from '../../src/market/observations.ts';

/** Reference figures of recorded sessions, and the same figures out of columns; `fixtures/order-flow/metadata.json`. */

export interface FlowReference {
  readonly minutes: number;
  readonly day: Readonly<Record<string, number>>;
  readonly regular: Readonly<Record<string, number>>;
  readonly cvdEveryHalfHour: readonly number[];
  readonly eligible: readonly number[];
}

export const flowReference: Readonly<Record<string, FlowReference>> = reference;

/** Sums of the minutes that start in [from, to), in the names of the reference; dollars rounded to a hundredth of a cent. */
export function summedFlow(flow: FlowMinuteColumns, from: number, to: number): Record<string, number> {
  const rows = [...flow.time.keys()].filter((row) => flow.time[row]! >= from && flow.time[row]! < to);
  return Object.fromEntries(
    FLOW_SUMS.map((name) => [name, rounded(rows.reduce((sum, row) => sum + flow[name][row]!, 0))]),
  );
}

export const roundedSums = (sums: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, rounded(value)]));

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

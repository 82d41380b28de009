import fc from 'fast-check';
import type { PeerGraph } from '../../../../src/analysis/diffusion/peer-graph.ts';
import { between, wholeBetween } from '../../../support/for-all.ts';

/** Graphs and returns that a test gives, and small random ones. */

/** An undirected edge: two stocks and its weight. */
export type EdgeRow = readonly [one: number, other: number, weight: number];

export function graphOf(stocks: number, edges: readonly EdgeRow[]): PeerGraph {
  const both = edges.flatMap(([one, other, weight]) => [
    { from: one, to: other, weight },
    { from: other, to: one, weight },
  ]);
  both.sort((a, b) => a.from - b.from || a.to - b.to);
  const rowStart = new Uint32Array(stocks + 1);
  for (const { from } of both) rowStart[from + 1]!++;
  for (let stock = 0; stock < stocks; stock++) rowStart[stock + 1]! += rowStart[stock]!;
  return {
    stocks,
    rowStart,
    peer: Uint32Array.from(both, ({ to }) => to),
    weight: Float64Array.from(both, ({ weight }) => weight),
    correlation: Float64Array.from(both, () => 0.5),
    reasons: Uint8Array.from(both, () => 1),
  };
}

export interface MadeCase {
  readonly stocks: number;
  readonly edges: readonly EdgeRow[];
  readonly returns: readonly number[];
}

/** Graphs of any shape: disconnected parts and isolated stocks are common among them; a third of returns is missing. */
export const madeCase: fc.Arbitrary<MadeCase> = wholeBetween(1, 24).chain((stocks) => {
  const place = wholeBetween(0, stocks - 1);
  const edge = fc.tuple(place, place, between(0.05, 2));
  const value = between(-0.3, 0.3);
  return fc.record({
    stocks: fc.constant(stocks),
    edges: fc.array(edge, { maxLength: 3 * stocks }).map(onceEach),
    returns: fc.array(fc.oneof(value, value, fc.constant(Number.NaN)), {
      minLength: stocks,
      maxLength: stocks,
    }),
  });
});

function onceEach(edges: readonly EdgeRow[]): EdgeRow[] {
  const seen = new Map<string, EdgeRow>();
  for (const [one, other, weight] of edges) {
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    if (low !== high) seen.set(`${low}-${high}`, [low, high, weight]);
  }
  return [...seen.values()];
}

import { unpackTopology } from '../analysis/diffusion/packed.ts';
import { reasonsOf } from '../analysis/diffusion/ties.ts';
import type { PeerEdge } from './peer-topology.ts';

/** The edges of a packed topology; none of none. */
export function edgesOf(packed: Uint8Array | null): PeerEdge[] {
  const edges: PeerEdge[] = [];
  if (packed === null) return edges;
  const { symbols, walk } = unpackTopology(packed);
  const { stocks, rowStart, peer, weight, correlation, reasons } = walk.graph;
  for (let stock = 0; stock < stocks; stock++) {
    for (let at = rowStart[stock]!; at < rowStart[stock + 1]!; at++) {
      const other = peer[at]!;
      if (other < stock) continue;
      edges.push({
        one: symbols[stock]!,
        other: symbols[other]!,
        weight: weight[at]!,
        correlation: correlation[at]!,
        reasons: reasonsOf(reasons[at]!),
      });
    }
  }
  return edges;
}

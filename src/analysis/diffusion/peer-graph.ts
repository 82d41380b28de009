import { NEAREST, type Nearest } from './nearest.ts';

/**
 * Who is whose peer, in compressed sparse rows: the peers of stock s stand at `rowStart[s]` up to `rowStart[s + 1]`, in
 * ascending order. Symmetric, and nobody is a peer of their own.
 */
export interface PeerGraph {
  readonly stocks: number;
  readonly rowStart: Uint32Array;
  readonly peer: Uint32Array;
  /** Positive; the same both ways. */
  readonly weight: Float64Array;
  /** Shrunk correlation of daily returns. */
  readonly correlation: Float64Array;
  /** Sum of the bits of `ties.ts`. */
  readonly reasons: Uint8Array;
}

/**
 * The graph of those who are nearest to one another: an edge's weight is the mean of what each side says, so that it
 * counts in full where each is among the nearest of the other and by half where one is. Only what is said once can be
 * left out by the other side, so that every weight is positive.
 */
export function peerGraph(stocks: number, nearest: Nearest): PeerGraph {
  const edges: Map<number, { weight: number; place: number }>[] = Array.from(
    { length: stocks },
    () => new Map(),
  );
  const add = (one: number, other: number, weight: number, place: number): void => {
    const edge = edges[one]!.get(other);
    if (edge === undefined) edges[one]!.set(other, { weight, place });
    else edge.weight += weight;
  };
  for (let stock = 0; stock < stocks; stock++) {
    for (let place = stock * NEAREST; place < stock * NEAREST + nearest.count[stock]!; place++) {
      const other = nearest.stock[place]!;
      add(stock, other, nearest.affinity[place]! / 2, place);
      add(other, stock, nearest.affinity[place]! / 2, place);
    }
  }
  const size = edges.reduce((sum, own) => sum + own.size, 0);
  const graph = {
    stocks,
    rowStart: new Uint32Array(stocks + 1),
    peer: new Uint32Array(size),
    weight: new Float64Array(size),
    correlation: new Float64Array(size),
    reasons: new Uint8Array(size),
  };
  let at = 0;
  for (let stock = 0; stock < stocks; stock++) {
    for (const [other, { weight, place }] of [...edges[stock]!].sort((a, b) => a[0] - b[0])) {
      graph.peer[at] = other;
      graph.weight[at] = weight;
      graph.correlation[at] = nearest.correlation[place]!;
      graph.reasons[at++] = nearest.reasons[place]!;
    }
    graph.rowStart[stock + 1] = at;
  }
  return graph;
}

/** Sum of the weights of each stock's edges. */
export function degrees({ stocks, rowStart, weight }: PeerGraph): Float64Array {
  const sums = new Float64Array(stocks);
  for (let stock = 0; stock < stocks; stock++) {
    for (let at = rowStart[stock]!; at < rowStart[stock + 1]!; at++) sums[stock]! += weight[at]!;
  }
  return sums;
}

/** Weights as shares of their row: the chance that a walker who moves goes there. */
export function transitions(graph: PeerGraph): Float64Array {
  const { stocks, rowStart, weight } = graph;
  const sums = degrees(graph);
  const shares = new Float64Array(weight.length);
  for (let stock = 0; stock < stocks; stock++) {
    for (let at = rowStart[stock]!; at < rowStart[stock + 1]!; at++) shares[at] = weight[at]! / sums[stock]!;
  }
  return shares;
}

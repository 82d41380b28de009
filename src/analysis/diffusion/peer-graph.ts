import { NEAREST, type Nearest } from './nearest.ts';

/**
 * The peers of each stock in compressed sparse rows: those of stock s are at `rowStart[s]` up to `rowStart[s + 1]`,
 * ascending. Symmetric, without self-loops.
 */
export interface PeerGraph {
  readonly stocks: number;
  readonly rowStart: Uint32Array;
  readonly peer: Uint32Array;
  /** Positive and symmetric. */
  readonly weight: Float64Array;
  /** Shrunk correlation of daily returns. */
  readonly correlation: Float64Array;
  /** Sum of the bits of `ties.ts`. */
  readonly reasons: Uint8Array;
}

/**
 * The graph of the nearest stocks. An edge's weight is the mean of the affinities of both directions: in full where
 * each stock is among the nearest of the other, by half where only one is.
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

/** Weights as shares of their row: the chance that a step which moves goes there. */
export function transitions(graph: PeerGraph): Float64Array {
  const { stocks, rowStart, weight } = graph;
  const sums = degrees(graph);
  const shares = new Float64Array(weight.length);
  for (let stock = 0; stock < stocks; stock++) {
    for (let at = rowStart[stock]!; at < rowStart[stock + 1]!; at++) shares[at] = weight[at]! / sums[stock]!;
  }
  return shares;
}

import { type PeerGraph, transitions } from './peer-graph.ts';
import { openWalkBuffers } from './walk-buffers.ts';

/** The scales, from near to far. */
export const SCALES = ['local', 'medium', 'broad'] as const;
export type Scale = (typeof SCALES)[number];

/** Steps of the walk at each scale: direct peers; theirs and theirs again; the wider neighbourhood. */
export const STEPS: readonly number[] = [1, 3, 8];

/** A smaller share of a stock's walk does not count as a peer. */
const SHARE_MIN = 0.001;

/**
 * A lazy random walk over a graph, with what diffusion needs of it: each step stays with chance one half, else moves to
 * a peer by weight. With W the weights and D their row sums, its matrix is L = (I + W/D)/2, and that of scale s the
 * power L^steps(s).
 */
export interface PeerWalk {
  readonly graph: PeerGraph;
  /** Chance of each edge in one step: half of its share of its row. */
  readonly chance: Float64Array;
  /** By scale, the chance that the walk from each stock ends where it began: the diagonal of the power. */
  readonly returning: readonly Float64Array[];
  /** By scale, the stocks that count each stock among their peers. */
  readonly counted: readonly CountedPeers[];
}

/** For each stock, in compressed sparse rows, the stocks whose walk ends at it with a share that is not negligible. */
export interface CountedPeers {
  readonly rowStart: Uint32Array;
  readonly by: Uint32Array;
  /** Number of peers of each stock when all of them have a return. */
  readonly total: Uint32Array;
}

type GrowingRows = Omit<CountedPeers, 'by'> & { readonly by: number[] };

/** Walks followed in one pass over the edges. */
const WALKS = 8;

/** Follows the walk from every stock. The cost, stocks x edges x 8 steps, arises once, when a graph is built. */
export function peerWalk(graph: PeerGraph): PeerWalk {
  const { stocks } = graph;
  const chance = transitions(graph).map((share) => share / 2);
  const returning = STEPS.map(() => new Float64Array(stocks));
  const lists = STEPS.map(
    (): GrowingRows => ({ rowStart: new Uint32Array(stocks + 1), by: [], total: new Uint32Array(stocks) }),
  );
  const memory = openWalkBuffers(graph, chance, 'eights', STEPS);
  const begin = memory.input('eights');
  for (let from = 0; from < stocks; from += WALKS) {
    const end = Math.min(stocks, from + WALKS);
    begin.fill(0);
    for (let of = from; of < end; of++) begin[of * WALKS + of - from] = 1;
    // Column k has the share of each stock's walk that ends at the k-th of these.
    memory.follow('eights', (scale, shares) => {
      for (let of = from; of < end; of++) {
        returning[scale]![of] = shares[of * WALKS + of - from]!;
        addCounted(lists[scale]!, shares, of, of - from, scale === 0 ? Number.MIN_VALUE : SHARE_MIN);
      }
    });
  }
  return {
    graph,
    chance,
    returning,
    counted: lists.map((rows) => ({ ...rows, by: new Uint32Array(rows.by) })),
  };
}

/** Adds the stocks whose share of a walk is not negligible as the next row. */
function addCounted(
  { rowStart, by, total }: GrowingRows,
  shares: Float64Array,
  of: number,
  column: number,
  min: number,
): void {
  for (let stock = 0; stock < total.length; stock++) {
    if (stock === of || shares[stock * WALKS + column]! < min) continue;
    by.push(stock);
    total[stock]!++;
  }
  rowStart[of + 1] = by.length;
}

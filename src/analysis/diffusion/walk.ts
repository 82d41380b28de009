import { type PeerGraph, transitions } from './peer-graph.ts';

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

/** Walks followed in one pass over the edges. */
const WALKS = 8;

/** Follows the walk from every stock. The cost, stocks x edges x 8 steps, arises once, when a graph is built. */
export function peerWalk(graph: PeerGraph): PeerWalk {
  const { stocks } = graph;
  const chance = transitions(graph).map((share) => share / 2);
  const returning = STEPS.map(() => new Float64Array(stocks));
  const lists = STEPS.map(() => new GrowingRows(stocks));
  let shares = new Float64Array(stocks * WALKS);
  let next = new Float64Array(stocks * WALKS);
  for (let from = 0; from < stocks; from += WALKS) {
    const end = Math.min(stocks, from + WALKS);
    shares.fill(0);
    for (let of = from; of < end; of++) shares[of * WALKS + of - from] = 1;
    for (let step = 1; step <= STEPS.at(-1)!; step++) {
      stepTogether(graph, chance, shares, next);
      [shares, next] = [next, shares];
      const scale = STEPS.indexOf(step);
      if (scale < 0) continue;
      for (let of = from; of < end; of++) {
        returning[scale]![of] = shares[of * WALKS + of - from]!;
        lists[scale]!.add(shares, of, of - from, scale === 0 ? Number.MIN_VALUE : SHARE_MIN);
      }
    }
  }
  return { graph, chance, returning, counted: lists.map((rows) => rows.finish()) };
}

/** One step of eight walks. Column k of `shares` has the share of each stock's walk that ends at the k-th of them. */
function stepTogether(
  { stocks, rowStart, peer }: PeerGraph,
  chance: Float64Array,
  shares: Float64Array,
  into: Float64Array,
): void {
  for (let stock = 0; stock < stocks; stock++) {
    const own = stock * WALKS;
    let s0 = shares[own]! / 2;
    let s1 = shares[own + 1]! / 2;
    let s2 = shares[own + 2]! / 2;
    let s3 = shares[own + 3]! / 2;
    let s4 = shares[own + 4]! / 2;
    let s5 = shares[own + 5]! / 2;
    let s6 = shares[own + 6]! / 2;
    let s7 = shares[own + 7]! / 2;
    const end = rowStart[stock + 1]!;
    for (let at = rowStart[stock]!; at < end; at++) {
      const by = chance[at]!;
      const place = peer[at]! * WALKS;
      s0 += by * shares[place]!;
      s1 += by * shares[place + 1]!;
      s2 += by * shares[place + 2]!;
      s3 += by * shares[place + 3]!;
      s4 += by * shares[place + 4]!;
      s5 += by * shares[place + 5]!;
      s6 += by * shares[place + 6]!;
      s7 += by * shares[place + 7]!;
    }
    into[own] = s0;
    into[own + 1] = s1;
    into[own + 2] = s2;
    into[own + 3] = s3;
    into[own + 4] = s4;
    into[own + 5] = s5;
    into[own + 6] = s6;
    into[own + 7] = s7;
  }
}

/** Compressed sparse rows, filled in the order of their stocks. */
class GrowingRows {
  readonly #stocks: number;
  readonly #rowStart: Uint32Array;
  readonly #total: Uint32Array;
  #by = new Uint32Array(1_024);
  #size = 0;

  constructor(stocks: number) {
    this.#stocks = stocks;
    this.#rowStart = new Uint32Array(stocks + 1);
    this.#total = new Uint32Array(stocks);
  }

  add(shares: Float64Array, of: number, column: number, min: number): void {
    for (let stock = 0; stock < this.#stocks; stock++) {
      if (stock === of || shares[stock * WALKS + column]! < min) continue;
      if (this.#size === this.#by.length) this.#grow();
      this.#by[this.#size++] = stock;
      this.#total[stock]!++;
    }
    this.#rowStart[of + 1] = this.#size;
  }

  finish(): CountedPeers {
    return { rowStart: this.#rowStart, by: this.#by.slice(0, this.#size), total: this.#total };
  }

  #grow(): void {
    const larger = new Uint32Array(this.#by.length * 2);
    larger.set(this.#by);
    this.#by = larger;
  }
}

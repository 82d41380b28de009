import type { Topology } from './topology.ts';
import { type CountedPeers, type PeerWalk, SCALES } from './walk.ts';

/** A topology as bytes: JSON of symbols and sizes, padded to eight bytes, then its columns, little-endian. */

interface Header {
  readonly version: 1;
  readonly symbols: readonly string[];
  readonly edges: number;
  /** By scale, how many entries the rows of counted peers have. */
  readonly counted: readonly number[];
  readonly intensity: number;
  readonly meanCorrelation: number;
}

type Column = Float64Array | Uint32Array | Uint8Array;

const NEWLINE = 10;

export function packTopology({ symbols, walk, deviations, shrinkage }: Topology): Uint8Array {
  const header: Header = {
    version: 1,
    symbols,
    edges: walk.graph.peer.length,
    counted: walk.counted.map(({ by }) => by.length),
    ...shrinkage,
  };
  const encoder = new TextEncoder();
  const text = JSON.stringify(header);
  const blanks = ' '.repeat(7 - (encoder.encode(text).length % 8));
  const bytes = encoder.encode(`${text}${blanks}\n`);
  const columns = columnsOf(walk, deviations);
  const packed = new Uint8Array(bytes.length + columns.reduce((sum, column) => sum + column.byteLength, 0));
  packed.set(bytes);
  let at = bytes.length;
  for (const column of columns) {
    packed.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at += column.byteLength;
  }
  return packed;
}

function columnsOf(
  { graph, chance, returning, counted }: PeerWalk,
  deviations: readonly Float64Array[],
): Column[] {
  return [
    graph.weight,
    graph.correlation,
    chance,
    ...returning,
    ...deviations,
    graph.rowStart,
    graph.peer,
    ...counted.flatMap(({ rowStart, by, total }) => [rowStart, by, total]),
    graph.reasons,
  ];
}

/**
 * The topology in a run of bytes, its columns views of them: nothing is copied, so that threads may share one.
 *
 * @param packed begins at a multiple of eight bytes of its buffer
 */
export function unpackTopology(packed: Uint8Array): Topology {
  const headerEnd = packed.indexOf(NEWLINE) + 1;
  const text = new TextDecoder().decode(packed.slice(0, headerEnd));
  const { symbols, edges, counted, intensity, meanCorrelation } = JSON.parse(text) as Header;
  const stocks = symbols.length;
  let at = packed.byteOffset + headerEnd;
  const take = <Kind extends Column>(
    kind: { new (buffer: ArrayBufferLike, offset: number, length: number): Kind; BYTES_PER_ELEMENT: number },
    length: number,
  ): Kind => {
    const column = new kind(packed.buffer, at, length);
    at += length * kind.BYTES_PER_ELEMENT;
    return column;
  };
  const [weight, correlation, chance] = [edges, edges, edges].map((length) => take(Float64Array, length));
  const returning = SCALES.map(() => take(Float64Array, stocks));
  const deviations = SCALES.map(() => take(Float64Array, stocks));
  const rowStart = take(Uint32Array, stocks + 1);
  const peer = take(Uint32Array, edges);
  const lists = counted.map((length): CountedPeers => {
    return {
      rowStart: take(Uint32Array, stocks + 1),
      by: take(Uint32Array, length),
      total: take(Uint32Array, stocks),
    };
  });
  const reasons = take(Uint8Array, edges);
  const graph = { stocks, rowStart, peer, weight: weight!, correlation: correlation!, reasons };
  return {
    symbols,
    walk: { graph, chance: chance!, returning, counted: lists },
    deviations,
    shrinkage: { intensity, meanCorrelation },
  };
}

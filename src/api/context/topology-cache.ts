import { unpackTopology } from '../../analysis/diffusion/packed.ts';
import type { Queryable } from '../../database/database.ts';
import { newestTopology, readTopology, type TopologyName } from '../../graph/topology.ts';

/** A topology in memory that threads share. */
export interface LoadedTopology extends TopologyName {
  readonly packed: Uint8Array;
  readonly indices: ReadonlyMap<string, number>;
}

/**
 * Caches the newest topology of a market: each use reads its name from the database, and its bytes when the name is new.
 *
 * @returns reads it, null before the first is built
 */
export function topologyCache(database: Queryable, simulated: boolean): () => Promise<LoadedTopology | null> {
  let loading: { readonly digest: string; readonly topology: Promise<LoadedTopology | null> } | null = null;
  return async () => {
    const name = await newestTopology(database, simulated);
    if (name === null) return null;
    if (loading?.digest !== name.digest) {
      const topology = load(database, name);
      loading = { digest: name.digest, topology };
      topology.catch(() => {
        if (loading?.topology === topology) loading = null;
      });
    }
    return loading!.topology;
  };
}

async function load(database: Queryable, name: TopologyName): Promise<LoadedTopology | null> {
  const packed = await readTopology(database, name.digest);
  return packed === null ? null : { ...name, packed, indices: indicesOf(packed) };
}

export const indicesOf = (packed: Uint8Array): ReadonlyMap<string, number> =>
  new Map(unpackTopology(packed).symbols.map((symbol, index) => [symbol, index]));

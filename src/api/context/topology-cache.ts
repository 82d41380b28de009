import { LRUCache } from 'lru-cache';
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
  const loaded = new LRUCache<string, LoadedTopology, TopologyName>({
    max: 1,
    ignoreFetchAbort: true,
    fetchMethod: async (digest, _former, { context: name }) => {
      const packed = await readTopology(database, digest);
      return packed === null ? undefined : { ...name, packed, indices: indicesOf(packed) };
    },
  });
  return async () => {
    const name = await newestTopology(database, simulated);
    return name === null ? null : ((await loaded.fetch(name.digest, { context: name })) ?? null);
  };
}

export const indicesOf = (packed: Uint8Array): ReadonlyMap<string, number> =>
  new Map(unpackTopology(packed).symbols.map((symbol, index) => [symbol, index]));

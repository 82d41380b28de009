import { unpackTopology } from '../../analysis/diffusion/packed.ts';
import type { Queryable } from '../../database/database.ts';
import { newestTopology, readTopology, type TopologyName } from '../../graph/topology.ts';

/** A topology in memory that threads share. */
export interface LoadedTopology extends TopologyName {
  readonly packed: Uint8Array;
  readonly indices: ReadonlyMap<string, number>;
}

/** Caches the newest topology. Each use reads its name from the database, and its bytes when the name is new. */
export class TopologyCache {
  readonly #database: Queryable;
  #loading: { readonly digest: string; readonly topology: Promise<LoadedTopology | null> } | null = null;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Null before the first is built. */
  async newest(): Promise<LoadedTopology | null> {
    const name = await newestTopology(this.#database);
    if (name === null) return null;
    if (this.#loading?.digest !== name.digest) {
      const topology = this.#load(name);
      this.#loading = { digest: name.digest, topology };
      topology.catch(() => {
        if (this.#loading?.topology === topology) this.#loading = null;
      });
    }
    return this.#loading!.topology;
  }

  async #load(name: TopologyName): Promise<LoadedTopology | null> {
    const packed = await readTopology(this.#database, name.digest);
    return packed === null ? null : { ...name, packed, indices: indicesOf(packed) };
  }
}

export const indicesOf = (packed: Uint8Array): ReadonlyMap<string, number> =>
  new Map(unpackTopology(packed).symbols.map((symbol, index) => [symbol, index]));

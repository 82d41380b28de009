import type { Queryable } from '../../database/database.ts';
import { newestTopology, readTopology, type TopologyName } from '../../graph/topology.ts';

/** A topology that is ready for use, its bytes shared with every thread. */
export interface LoadedTopology extends TopologyName {
  readonly packed: Uint8Array;
  /** Places of its symbols. */
  readonly places: ReadonlyMap<string, number>;
}

/**
 * The newest topology, held in memory and swapped whole when a newer one has been built, by whichever process. Each use
 * asks the database for its name; the bytes are read when that is a new one, once for all who ask meanwhile.
 */
export class TopologyCache {
  readonly #database: Queryable;
  readonly #placesOf: (packed: Uint8Array) => ReadonlyMap<string, number>;
  #loading: { readonly digest: string; readonly topology: Promise<LoadedTopology | null> } | null = null;

  /** @param placesOf reads the symbols of a packed topology */
  constructor(database: Queryable, placesOf: (packed: Uint8Array) => ReadonlyMap<string, number>) {
    this.#database = database;
    this.#placesOf = placesOf;
  }

  /** Null where none has been built. */
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
    return packed === null ? null : { ...name, packed, places: this.#placesOf(packed) };
  }
}

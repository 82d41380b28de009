/** A topology as one run of bytes, under the name of its content. */
interface PackedTopology {
  readonly digest: string;
  readonly packed: Uint8Array;
}

/** Returns to be measured against the peers of a topology. */
interface DiffusionTask {
  readonly topology: PackedTopology;
  /** By the place of each symbol in the topology, simple returns as fractions; NaN where there is none. */
  readonly returns: Float64Array;
}

export interface DiffusionScores {
  /** JSON array of the score items, UTF-8. */
  readonly scores: Uint8Array;
  readonly computed: number;
}

/** Measures returns away from the event loop. */
export interface Diffuser {
  /** @throws CodedError overloaded */
  scores(task: DiffusionTask): Promise<DiffusionScores>;
  close(): Promise<void>;
}

/** Returns to be measured, and the bytes of the topology that they are measured against. */
export interface DiffuseTask {
  readonly digest: string;
  readonly packed: Uint8Array;
  readonly returns: Float64Array;
}

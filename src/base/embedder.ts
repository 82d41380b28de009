/** Makes vectors of texts, so that texts of like meaning lie near each other. */
export interface Embedder {
  /** Names the model and its version: vectors of two names cannot be compared. */
  readonly model: string;
  /** Null until the first vector has come, where only the provider knows. */
  readonly dimensions: number | null;
  /**
   * One vector of unit length for each text, in their order; all zeros for a text of which the model knows no word.
   *
   * @throws CodedError embedder_unavailable when the model cannot be reached or loaded
   */
  embed(texts: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<Float32Array[]>;
  /** Loads what the first text would wait for; absent where there is nothing to load. */
  warm?(): Promise<void>;
  close(): Promise<void>;
}

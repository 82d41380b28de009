/** Makes vectors of texts, so that texts of similar meaning are close to each other. */
export interface Embedder {
  /** Names the model and its version: vectors of two names cannot be compared. */
  readonly model: string;
  /**
   * One vector of unit length for each text, in their order; all zeros for a text without content.
   *
   * @throws CodedError embedder_unavailable when the model does not answer as it should
   */
  embed(texts: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<Float32Array[]>;
}

/** Two stocks that are peers of one another, the earlier symbol first. */
export interface PeerEdge {
  readonly one: string;
  readonly other: string;
  readonly weight: number;
  readonly correlation: number;
  readonly reasons: readonly string[];
}

/** A topology as it is written. */
export interface BuiltTopology {
  readonly tradeDate: string;
  readonly stocks: number;
  /** One run of bytes; null where too few stocks had a history. */
  readonly packed: Uint8Array | null;
  readonly edges: readonly PeerEdge[];
  /** Trade dates of the first and the last session that it follows from. */
  readonly windowFrom: string;
  readonly windowTo: string;
  /** By symbol the JSON text of its divergence on the trade date. */
  readonly days: ReadonlyMap<string, string>;
}

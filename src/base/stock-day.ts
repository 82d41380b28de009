/**
 * What travels from derivation to the graph. Blocks make it, sync carries it, the graph keeps it, and none of them
 * needs to know the others.
 */

/** Something that a stock-day is related to: the far node and the edge that leads there. */
export interface Relation {
  /** Edge type, e.g. `HAS_LEVEL`. */
  readonly type: string;
  /** Label of the far node, e.g. `Level`. */
  readonly label: string;
  /** Key of the far node, unique within its label. */
  readonly key: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** What is true of the relation rather than of the far node. */
  readonly edgeProps?: Readonly<Record<string, unknown>>;
  /** Dates between which the far node holds, YYYY-MM-DD. */
  readonly validFrom?: string;
  readonly validTo?: string;
}

/** The list of fields that rows for screens hold, in their order; opaque to whoever carries and keeps it. */
export interface ScreenCatalogue {
  /** Names the list: equal digests, equal lists. */
  readonly digest: string;
  readonly fields: string;
}

/** Every scalar value of a stock-day side by side; opaque to whoever carries and keeps it. */
export interface ScreenRow {
  /** Digest of the catalogue that the values follow. */
  readonly catalogue: string;
  readonly packed: Uint8Array;
  readonly texts: string;
  /** Names the content: equal digests, equal values. */
  readonly digest: string;
}

/** All that one derivation says of a stock on a trade date. */
export interface StockDay {
  readonly symbol: string;
  /** New York calendar date, YYYY-MM-DD. */
  readonly tradeDate: string;
  /** Epoch milliseconds of the instant it speaks for. */
  readonly asOf: number;
  /** Names the content: equal digests, equal content. */
  readonly digest: string;
  /** Block name to wire JSON; `core` holds every field that is always served. */
  readonly facts: Readonly<Record<string, string>>;
  readonly relations: readonly Relation[];
  /** The same facts side by side for screens; a day without it is found by none. */
  readonly screen?: ScreenRow;
}

/** Identifies a stock-day. */
export interface StockDayName {
  readonly symbol: string;
  readonly tradeDate: string;
}

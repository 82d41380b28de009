/** A relation of a stock-day: the far node and the edge to it. */
export interface Relation {
  /** Edge type, e.g. `HAS_LEVEL`. */
  readonly type: string;
  /** Label of the far node, e.g. `Level`. */
  readonly label: string;
  /** Key of the far node, unique within its label. */
  readonly key: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** Properties of the relation rather than of the far node. */
  readonly edgeProps?: Readonly<Record<string, unknown>>;
}

/** The fields of screen rows, in order; opaque outside `derive`. */
export interface ScreenCatalogue {
  /** Names the list: equal digests, equal lists. */
  readonly digest: string;
  readonly fields: string;
}

/** Every scalar value of a stock-day side by side; opaque outside `derive`. */
export interface ScreenRow {
  /** Digest of the catalogue of its values. */
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
  /** Epoch milliseconds. */
  readonly asOf: number;
  /** True as of the end of the trade date: only a correction changes it. */
  readonly isFinal?: boolean;
  /** Names the content: equal digests, equal content. */
  readonly digest: string;
  /** Block name to wire JSON, packed as stored; `core` has every field that is always served. */
  readonly facts: Readonly<Record<string, Uint8Array>>;
  readonly relations: readonly Relation[];
  /** Absent: screens do not find the day. */
  readonly screen?: ScreenRow;
}

/** Identifies a stock-day. */
export interface StockDayName {
  readonly symbol: string;
  readonly tradeDate: string;
}

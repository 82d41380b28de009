import type { Relation } from '../blocks/block.ts';

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

/** Scalar values of stock-days as columns, by part; opaque outside `derive`. */
export type ColumnParts = Readonly<Record<string, Uint8Array>>;

/** The single values that one derivation says of a stock on a trade date. */
export interface ScreenDay extends StockDayName {
  /** Epoch milliseconds. */
  readonly asOf: number;
  /** True as of the end of the trade date: only a correction changes it. */
  readonly isFinal?: boolean;
  /** See `DERIVATION`; absent for a day that no newer program is to derive again. */
  readonly derivation?: number;
  /** Names the content: equal digests, equal content. */
  readonly digest: string;
  /** Absent: screens do not find the day. */
  readonly screen?: ScreenRow;
}

/** All that one derivation says of a stock on a trade date. */
export interface StockDay extends ScreenDay {
  /** Block name to wire JSON, packed as stored; `core` has every field that is always served. */
  readonly facts: Readonly<Record<string, Uint8Array>>;
  readonly relations: readonly Relation[];
}

/** Identifies a stock-day. */
export interface StockDayName {
  readonly symbol: string;
  /** New York calendar date, YYYY-MM-DD. */
  readonly tradeDate: string;
}

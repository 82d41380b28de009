import type { StockDayName } from './stock-day.ts';

/** Two stocks that are peers of one another, the earlier symbol first. */
export interface PeerEdge {
  readonly one: string;
  readonly other: string;
  readonly weight: number;
  readonly correlation: number;
  readonly reasons: readonly string[];
}

/** The peers of a calendar month, from the sessions before it. */
export interface BuiltTopology {
  /** The first day of the month. */
  readonly month: string;
  readonly stocks: number;
  /** One run of bytes; null where too few stocks had a history. */
  readonly packed: Uint8Array | null;
  readonly edges: readonly PeerEdge[];
  /** Trade dates of the first and the last session that it follows from. */
  readonly windowFrom: string;
  readonly windowTo: string;
}

/** Sessions of a month measured against its peers. */
export interface MeasuredPeers {
  /** Null where a kept one was used. */
  readonly topology: BuiltTopology | null;
  /** By trade date and symbol the JSON text of the divergence. */
  readonly days: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Peers change from month to month: the month of a date, by its first day. */
export const monthOf = (tradeDate: string): string => `${tradeDate.slice(0, 7)}-01`;

/** The divergence of one stock on a measured date as JSON text; null where it has none. */
export interface PeerDayText extends StockDayName {
  readonly value: string | null;
}

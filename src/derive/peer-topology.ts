import type { StockDayName } from './stock-day.ts';

/** Two stocks that are peers of one another, the earlier symbol first. */
export interface PeerEdge {
  readonly one: string;
  readonly other: string;
  readonly weight: number;
  readonly correlation: number;
  readonly reasons: readonly string[];
}

/** The peers of a calendar month, computed from the sessions before it. */
export interface BuiltTopology {
  /** The first day of the month. */
  readonly month: string;
  readonly stocks: number;
  /** Null with too few stocks of sufficient history. */
  readonly packed: Uint8Array | null;
  /** How many. */
  readonly edges: number;
  /** Trade dates of the first and last session of the window. */
  readonly windowFrom: string;
  readonly windowTo: string;
}

/** With its edges, which follow from the packed bytes; those of the newest alone are asked for. */
export interface EdgedTopology extends BuiltTopology {
  readonly readEdges: () => readonly PeerEdge[];
}

/** Divergences of sessions of a month. */
export interface MeasuredPeers {
  /** Null when a stored topology was used. */
  readonly topology: BuiltTopology | null;
  /** By trade date and symbol the divergence as JSON text. */
  readonly days: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Callers who wait for the divergences of sessions: they have them before they are stored. */
export interface PeersWaiting {
  /** Ends the work. */
  readonly signal: AbortSignal;
  /** Receives by symbol the divergences of a session. */
  readonly onMeasured: (tradeDate: string, divergences: ReadonlyMap<string, string>) => void;
}

/** The divergence of one stock on a measured date as JSON text; null where it has none. */
export interface PeerDayText extends StockDayName {
  readonly value: string | null;
}

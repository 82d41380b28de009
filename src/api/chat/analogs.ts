/** Past days similar to a day, and what followed them. */
export interface Analogs {
  /** The day that is compared: the requested session, or the newest completed one that the viewer may see. */
  readonly of: { readonly symbol: string; readonly tradeDate: string };
  /** Stock-days that were compared, every one. */
  readonly candidates: number;
  /** Nearest first; of the stocks that the viewer may see. */
  readonly items: readonly Analog[];
  readonly followed: readonly Followed[];
}

export interface Analog {
  readonly symbol: string;
  readonly tradeDate: string;
  /** 1 for the same state, falling towards 0 with distance. */
  readonly similarity: number;
  /** Euclidean distance of the two states. */
  readonly distance: number;
  /** Return from the analog's close over so many sessions, percent; by sessions, null where the tape has a hole. */
  readonly returnsPct: ReadonlyMap<number, number | null>;
}

/** What followed the analogs over a number of sessions; null where too few of them have it. */
export interface Followed {
  readonly sessions: number;
  readonly n: number;
  readonly meanPct: number | null;
  readonly medianPct: number | null;
  /** Sample deviation, percent. */
  readonly deviationPct: number | null;
  /** Quartiles, percent. */
  readonly q1Pct: number | null;
  readonly q3Pct: number | null;
  /** Share that rose, 0-1. */
  readonly shareUp: number | null;
}

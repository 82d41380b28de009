/**
 * How the live feed of a process fares: written by the loop that carries it, read by whoever watches. Instants are epoch
 * milliseconds.
 */
export interface LiveStatus {
  /** The feed and the session that it carries; null while none runs. */
  running: { readonly feed: string; readonly tradeDate: string } | null;
  /** End of the newest minute that is derived; null before the first. */
  at: number | null;
  /** How far the machine's time had gone on when that minute was derived, from the moment it was taken up. */
  tookMs: number | null;
  /** Minutes carried, those that were carried together with a later one, and those that the feed never told. */
  minutes: number;
  merged: number;
  skipped: number;
  /** Rows that came after their minute had been told, and rows and facts that did not pass the door. */
  lateRows: number;
  refused: number;
  /** Stock-days that could not be derived. */
  failed: number;
}

export function idleLiveStatus(): LiveStatus {
  return {
    running: null,
    at: null,
    tookMs: null,
    minutes: 0,
    merged: 0,
    skipped: 0,
    lateRows: 0,
    refused: 0,
    failed: 0,
  };
}

/**
 * How the return of a stock on a completed session compared with those of its peers, as an earlier pass derived it for
 * the whole market. The peers follow from the sessions before the trade date alone, so that the day that is measured has
 * no part in its own measure.
 */
export interface PeerDay {
  /** Own return less the implied one at each scale, in deviations of the stock's own history; null without peers. */
  readonly local: number | null;
  readonly medium: number | null;
  readonly broad: number | null;
  readonly composite: number;
  readonly signal: 'bullish_divergence' | 'bearish_divergence' | 'neutral';
  readonly peersLocal: number;
  readonly peersMedium: number;
  readonly peersBroad: number;
  /** The scales that the composite is made of, e.g. `local_medium_broad`. */
  readonly weightConfig: string;
  readonly contamination: 'none' | 'one_peer' | 'peer_events';
  readonly returnPct: number;
  /** What the peers implied at each scale, percent. */
  readonly impliedLocalPct: number | null;
  readonly impliedMediumPct: number | null;
  readonly impliedBroadPct: number | null;
  /** One deviation of the stock's ordinary divergence at each scale, percent. */
  readonly deviationLocalPct: number | null;
  readonly deviationMediumPct: number | null;
  readonly deviationBroadPct: number | null;
  /** Trade dates of the first and the last session that the peers follow from. */
  readonly windowFrom: string;
  readonly windowTo: string;
  /** Direct peers, heaviest first, at most 20. */
  readonly peers: readonly PeerReturn[];
}

export interface PeerReturn {
  readonly symbol: string;
  /** Share of the weight of all direct peers, whether they have a return or not; 0-1. */
  readonly weight: number;
  /** Shrunk correlation of daily returns beyond the market's. */
  readonly correlation: number;
  readonly reasons: readonly string[];
  /** Null where the peer had no return on the day. */
  readonly returnPct: number | null;
  /** Its part of the locally implied return, percent; the parts of all direct peers sum to that. */
  readonly contributionPct: number | null;
}

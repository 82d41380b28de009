/** Who asks, as far as operations care: the label of the feed and how old its data must be. */
export interface Viewer {
  readonly source: 'realtime_sip' | 'delayed' | 'byok';
  readonly delayMs: number;
}

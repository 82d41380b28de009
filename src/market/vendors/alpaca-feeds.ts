/** What Alpaca streams of stocks: one exchange, all of them, all of them 15 minutes late. */
export const ALPACA_FEEDS = ['iex', 'sip', 'delayed_sip'] as const;
export type AlpacaFeed = (typeof ALPACA_FEEDS)[number];

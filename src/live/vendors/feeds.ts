/** What Alpaca streams of stocks: one exchange, all of them, all of them 15 minutes late. */
export const ALPACA_FEEDS = ['iex', 'sip', 'delayed_sip'] as const;
export type AlpacaFeed = (typeof ALPACA_FEEDS)[number];

/** What a plan of Massive gives: sessions once they are over, all exchanges 15 minutes late, or at once. */
export const MASSIVE_FEEDS = ['end_of_day', 'delayed', 'realtime'] as const;
export type MassiveFeed = (typeof MASSIVE_FEEDS)[number];

/**
 * What an earlier pass derived for the whole market at one instant. Blocks read it beside the stock's own view; like
 * that view it holds nothing newer than `asOf`. A part that the tape cannot fill is null.
 */
export interface MarketView {
  readonly tradeDate: string;
  readonly asOf: number;
  readonly vix: VixState | null;
  readonly index: IndexState | null;
  readonly breadth: Breadth | null;
  /** Sectors with at least three stocks, best 20-session return first. */
  readonly sectors: readonly SectorState[];
}

/** The volatility index of the market. */
export interface VixState {
  /** Ticker that was read, e.g. `^VIX`. */
  readonly symbol: string;
  /** The last close, or the newest price of the running session; index points. */
  readonly level: number;
  readonly change1dPct: number | null;
  /** Share of the 252 sessions before that closed lower, percent; null with fewer than 60. */
  readonly percentile252: number | null;
}

/** The index, or a fund that follows it. */
export interface IndexState {
  /** Ticker that was read, e.g. `SPY`. */
  readonly symbol: string;
  readonly last: number;
  readonly return1dPct: number | null;
  readonly return5dPct: number | null;
  readonly return20dPct: number | null;
  readonly sma50: number | null;
  readonly sma200: number | null;
  /** 20-session least-squares slope of ln(close), percent a year. */
  readonly slope20Pct: number | null;
  /**
   * Closes of the last completed sessions, at most 253, oldest first, with their trade dates (midnight UTC), on the
   * basis of the trade date: what a stock's beta is measured against.
   */
  readonly time: readonly number[];
  readonly close: readonly number[];
}

/** How many stocks take part. Shares are 0-1; null where too few stocks have the history. */
export interface Breadth {
  /** Stocks with a bar on the trade date and on the session before it. */
  readonly stocks: number;
  readonly advancers: number;
  readonly decliners: number;
  readonly aboveSma50: number | null;
  readonly aboveSma200: number | null;
  readonly newHighs252: number;
  readonly newLows252: number;
}

export interface SectorState {
  readonly sector: string;
  readonly stocks: number;
  /** Mean returns of its stocks, equally weighted, percent. */
  readonly return1dPct: number | null;
  readonly return5dPct: number | null;
  readonly return20dPct: number | null;
  /** 1 is the best of `of` by 20-session return. */
  readonly rank: number;
  readonly of: number;
}

/** A market of which nothing is known. */
export function unknownMarket(tradeDate: string, asOf: number): MarketView {
  return { tradeDate, asOf, vix: null, index: null, breadth: null, sectors: [] };
}

/** Benchmarks of the market and of its volatility, in the order of preference. */
export const INDEX_SYMBOLS: readonly string[] = ['SPY', '^GSPC', 'SIMX'];
export const VIX_SYMBOLS: readonly string[] = ['^VIX', 'VIX', '^SIMVIX'];

/** The symbol to show of a market: its index, since the first by name may have left it, else that one. */
export const shownSymbol = (symbols: readonly string[]): string | undefined =>
  INDEX_SYMBOLS.find((index) => symbols.includes(index)) ?? symbols[0];

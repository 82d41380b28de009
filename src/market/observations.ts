/**
 * Market data in neutral terms: the strict shapes that every feed fills and the rest of the program reads.
 *
 * Times are epoch milliseconds UTC. Prices are US dollars as traded, volumes are shares. Daily rows have the trade
 * date as midnight UTC of that calendar date, so one column type serves every interval.
 */

export type { SessionBounds } from '../base/calendar.ts';

/** Bar lengths on the tape. `1d` is one regular session. */
export type Interval = '1m' | '5m' | '1h' | '1d';

export const INTERVAL_MS: Readonly<Record<Interval, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '1h': 3_600_000,
  '1d': 86_400_000,
};

/**
 * Bars of one symbol and interval as columns, strictly ascending in `time` (the start of the bar). All columns have the
 * same length. Intraday gaps are real: a minute without a trade has no row.
 */
export interface BarColumns {
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

/** Bars whose columns a function makes. */
export const barColumns = (make: (name: keyof BarColumns) => Float64Array): BarColumns => ({
  time: make('time'),
  open: make('open'),
  high: make('high'),
  low: make('low'),
  close: make('close'),
  volume: make('volume'),
});

/** One bar. */
export interface Bar {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Best bid and ask over an interval as OHLC of each side; NaN where that side had no quote. Sizes are shares. */
export interface QuoteBarColumns {
  readonly time: Float64Array;
  readonly bidOpen: Float64Array;
  readonly bidHigh: Float64Array;
  readonly bidLow: Float64Array;
  readonly bidClose: Float64Array;
  readonly bidSize: Float64Array;
  readonly askOpen: Float64Array;
  readonly askHigh: Float64Array;
  readonly askLow: Float64Array;
  readonly askClose: Float64Array;
  readonly askSize: Float64Array;
}

/** Columns of quote bars, in the order in which rows and files have them. */
export const QUOTE_BAR_COLUMNS = [
  'time',
  'bidOpen',
  'bidHigh',
  'bidLow',
  'bidClose',
  'bidSize',
  'askOpen',
  'askHigh',
  'askLow',
  'askClose',
  'askSize',
] as const satisfies readonly (keyof QuoteBarColumns)[];

/**
 * A change of the share itself, effective from the start of `exDate` (midnight UTC of the calendar date).
 * `split`: `value` new shares for one old (7 for AAPL 2014-06-09). `dividend`: `value` dollars per share.
 */
export interface CorporateAction {
  readonly kind: 'split' | 'dividend';
  readonly exDate: number;
  readonly value: number;
}

/**
 * Classified trade ticks of one minute, summed. Volumes are shares, notional is dollars. Unclassified shares are
 * `volume` less the four sums by side.
 */
export interface FlowMinuteColumns {
  readonly time: Float64Array;
  readonly trades: Float64Array;
  readonly volume: Float64Array;
  readonly notional: Float64Array;
  /** Through FINRA facilities. */
  readonly offExchangeVolume: Float64Array;
  /** Prints of at least 10,000 shares or 200,000 dollars, and their shares. */
  readonly blockTrades: Float64Array;
  readonly blockVolume: Float64Array;
  /** Above and below the midpoint of the quote before the print. */
  readonly buyByQuote: Float64Array;
  readonly sellByQuote: Float64Array;
  /** At the midpoint or without a usable quote: on an uptick, on a downtick. */
  readonly buyByTick: Float64Array;
  readonly sellByTick: Float64Array;
  /** Shares that printed while the best quote was locked or crossed. */
  readonly lockedVolume: Float64Array;
}

/** What is summed over the prints of a minute, in the order in which files have it. */
export const FLOW_SUMS = [
  'trades',
  'volume',
  'notional',
  'offExchangeVolume',
  'blockTrades',
  'blockVolume',
  'buyByQuote',
  'sellByQuote',
  'buyByTick',
  'sellByTick',
  'lockedVolume',
] as const satisfies readonly (keyof FlowMinuteColumns)[];

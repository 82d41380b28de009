/**
 * Market data in neutral terms: the strict shapes that every feed fills and the rest of the program reads.
 *
 * Times are epoch milliseconds UTC. Prices are US dollars as traded, volumes are shares. Daily rows have the trade
 * date as midnight UTC of that calendar date, so one column type serves every interval.
 */

export type { SessionBounds } from '../base/calendar.ts';

/** Bar lengths on the tape. `1d` is one regular session. */
export type Interval = '1m' | '2m' | '3m' | '5m' | '10m' | '15m' | '30m' | '1h' | '1d';

export const INTERVAL_MS: Readonly<Record<Interval, number>> = {
  '1m': 60_000,
  '2m': 120_000,
  '3m': 180_000,
  '5m': 300_000,
  '10m': 600_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '1d': 86_400_000,
};

/** Columns by name, made one by one in the order of the names. */
export function namedColumns<Name extends string, Values extends Float64Array = Float64Array>(
  names: readonly Name[],
  make: (name: Name, index: number) => Values,
): Readonly<Record<Name, Values>> {
  const columns = {} as Record<Name, Values>;
  for (const [index, name] of names.entries()) columns[name] = make(name, index);
  return columns;
}

/** Lists of columns have the order of rows and files. */
export const BAR_COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/**
 * Bars of one symbol and interval as columns, strictly ascending in `time` (the start of the bar). All columns have the
 * same length. Intraday gaps are real: a minute without a trade has no row. A volume that nobody has stated of the whole
 * market is NaN.
 */
export type BarColumns = Readonly<Record<(typeof BAR_COLUMNS)[number], Float64Array>>;

export const barColumns = (make: (name: keyof BarColumns, index: number) => Float64Array): BarColumns =>
  namedColumns(BAR_COLUMNS, make);

export type Bar = Readonly<Record<keyof BarColumns, number>>;

/** Best bid and ask over an interval as OHLC of each side; NaN where that side had no quote. Sizes are shares. */
export type QuoteBarColumns = Readonly<Record<(typeof QUOTE_BAR_COLUMNS)[number], Float64Array>>;

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
] as const;

/**
 * A change of the share itself, effective from the start of `exDate` (midnight UTC of the calendar date).
 * `split`: `value` new shares for one old (7 for AAPL 2014-06-09). `dividend`: `value` dollars per share.
 */
export interface CorporateAction {
  readonly kind: 'split' | 'dividend';
  readonly exDate: number;
  readonly value: number;
}

/** Classified ticks of one minute, summed; shares and dollars. Unclassified is `volume` less the four sums by side. */
export type FlowMinuteColumns = Readonly<Record<'time' | (typeof FLOW_SUMS)[number], Float64Array>>;

export const FLOW_SUMS = [
  'trades',
  'volume',
  'notional',
  // Through FINRA facilities.
  'offExchangeVolume',
  // Prints of at least 10,000 shares or 200,000 dollars, and their shares.
  'blockTrades',
  'blockVolume',
  // Above and below the midpoint of the quote before the print.
  'buyByQuote',
  'sellByQuote',
  // At the midpoint or without a usable quote: on an uptick, on a downtick.
  'buyByTick',
  'sellByTick',
  // Shares that printed while the best quote was locked or crossed.
  'lockedVolume',
] as const;

import { DAY_MS } from '../base/dates.ts';
import { CONTRACT_COLUMNS, type VolatilityColumns } from './chains.ts';
import type { Delivery } from './feed.ts';
import {
  BAR_COLUMNS,
  type BarColumns,
  FLOW_SUMS,
  type FlowMinuteColumns,
  type Interval,
  namedColumns,
  QUOTE_BAR_COLUMNS,
} from './observations.ts';

export { rowAtOrAfter } from '../base/columns.ts';

/**
 * The series that the tape keeps and the columns of each, in file order. Every column is a float64 but `time`, which
 * is a millisecond timestamp on disk; the reader turns it into the same Float64Array as the rest.
 */
export const SERIES = {
  'bars-1d': BAR_COLUMNS,
  'bars-1h': BAR_COLUMNS,
  'bars-30m': BAR_COLUMNS,
  'bars-15m': BAR_COLUMNS,
  'bars-10m': BAR_COLUMNS,
  'bars-5m': BAR_COLUMNS,
  'bars-3m': BAR_COLUMNS,
  'bars-2m': BAR_COLUMNS,
  'bars-1m': BAR_COLUMNS,
  'quotes-1m': QUOTE_BAR_COLUMNS,
  'flow-minutes': ['time', ...FLOW_SUMS],
  'volatility-1d': ['time', 'implied', 'realised'],
} as const satisfies Record<string, readonly string[]>;

export type SeriesKind = keyof typeof SERIES;

/** Contracts of option chains; files of the first kind, which is written no more, do not say how a contract settles. */
const CHAINS = {
  chains: ['takenAt', ...CONTRACT_COLUMNS.filter((name) => name !== 'settlement')],
  'classed-chains': ['takenAt', ...CONTRACT_COLUMNS],
} as const satisfies Record<string, readonly string[]>;

export type ChainKind = keyof typeof CHAINS;

/** What a segment file may hold: rows of a series, or the contracts of option chains. */
export type SegmentKind = SeriesKind | ChainKind;

/** The columns of a segment file in file order. */
export const SEGMENT_COLUMNS: Readonly<Record<SegmentKind, readonly string[]>> = {
  ...SERIES,
  ...CHAINS,
};

/** The name of a column or field in files. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Columns that are millisecond timestamps on disk. */
export const isTimestamp = (column: string): boolean =>
  column === 'time' || column === 'takenAt' || column === 'expiration';

/** Rows of one series as columns by name, all of one length. */
export type Columns = { readonly [name: string]: Float64Array } & { readonly time: Float64Array };

type RowsDelivery = Extract<Delivery, { readonly columns: unknown }>;

export function rowsOf(delivery: RowsDelivery): { kind: SeriesKind; columns: Columns } {
  const columns = delivery.columns as unknown as Columns;
  if (delivery.kind === 'bars') return { kind: barSeries(delivery.interval), columns };
  if (delivery.kind === 'volatility') return { kind: 'volatility-1d', columns };
  return { kind: delivery.kind === 'quotes' ? 'quotes-1m' : 'flow-minutes', columns };
}

/** Rows of a series as the delivery that brought them. */
export function rowsDelivery(symbol: string, kind: SeriesKind, rows: Columns): RowsDelivery {
  const columns = rows as unknown as never;
  if (kind === 'flow-minutes') return { kind, symbol, columns };
  if (kind === 'quotes-1m') return { kind: 'quotes', symbol, interval: '1m', columns };
  if (kind === 'volatility-1d') return { kind: 'volatility', symbol, columns };
  return { kind: 'bars', symbol, interval: barsInterval(kind)!, columns };
}

export const barSeries = (interval: Interval): SeriesKind => `bars-${interval}`;

/** The length of the bars of a series; null where it has none. */
export const barsInterval = (kind: SeriesKind): Interval | null =>
  kind.startsWith('bars-') ? (kind.slice('bars-'.length) as Interval) : null;

/** Intraday series index their rows by trade date; a row of a daily series is itself a trade date. */
export const isIntraday = (kind: SeriesKind): boolean => !kind.endsWith('-1d');

export function emptyColumns(kind: SeriesKind): Columns {
  return columnsOf(kind, () => new Float64Array(0));
}

export const columnsOf = (kind: SeriesKind, make: (name: string, index: number) => Float64Array): Columns =>
  namedColumns<string>(SERIES[kind], make) as Columns;

/** @param columns in the order of `SERIES` */
export const columnsInOrder = (kind: SeriesKind, columns: readonly Float64Array[]): Columns =>
  columnsOf(kind, (_, index) => columns[index]!);

export const asBars = (columns: Columns): BarColumns => columns as unknown as BarColumns;

export const asFlow = (columns: Columns): FlowMinuteColumns => columns as unknown as FlowMinuteColumns;

export const asVolatility = (columns: Columns): VolatilityColumns => columns as unknown as VolatilityColumns;

/** Rows `from` (inclusive) to `to` (exclusive) as views on the same memory. */
export function sliceRows(columns: Columns, from: number, to: number): Columns {
  const sliced: Record<string, Float64Array> = {};
  for (const name in columns) sliced[name] = columns[name]!.subarray(from, to);
  return sliced as Columns;
}

export function concatRows(kind: SeriesKind, parts: readonly Columns[]): Columns {
  if (parts.length === 1) return parts[0]!;
  let rows = 0;
  for (const part of parts) rows += part.time.length;
  return columnsOf(kind, (name) => {
    const whole = new Float64Array(rows);
    let at = 0;
    for (const part of parts) {
      whole.set(part[name]!, at);
      at += part.time.length;
    }
    return whole;
  });
}

/** Rows of several parts in ascending time; of one time the later part wins: so a correction replaces a row. */
export function mergeRows(kind: SeriesKind, parts: readonly Columns[]): Columns {
  const filled = parts.filter((part) => part.time.length > 0);
  if (filled.length === 0) return emptyColumns(kind);
  if (isAscending(filled)) return concatRows(kind, filled);
  const whole = concatRows(kind, filled);
  const order = Uint32Array.from(whole.time, (_, row) => row);
  // A stable sort keeps the parts' order among equal times, so the last of them is the newest.
  order.sort((a, b) => whole.time[a]! - whole.time[b]! || a - b);
  const rows: number[] = [];
  for (let i = 0; i < order.length; i++) {
    if (i + 1 < order.length && whole.time[order[i]!] === whole.time[order[i + 1]!]) continue;
    rows.push(order[i]!);
  }
  return columnsOf(kind, (name) => Float64Array.from(rows, (row) => whole[name]![row]!));
}

function isAscending(parts: readonly Columns[]): boolean {
  let previous = Number.NEGATIVE_INFINITY;
  for (const { time } of parts) {
    for (let row = 0; row < time.length; row++) {
      if (time[row]! <= previous) return false;
      previous = time[row]!;
    }
  }
  return true;
}

/**
 * Milliseconds to take from an instant of a trade date (04:00-20:00 New York, UTC-4 or UTC-5) so that the UTC calendar
 * names that trade date: 04:00 in summer becomes 03:00 and 20:00 in winter 20:00 of the same day.
 */
const INTRADAY_SHIFT_MS = 18_000_000;

/** The trade date of a row, as days since 1970-01-01. */
export function tradeDay(kind: SeriesKind, time: number): number {
  return Math.floor((isIntraday(kind) ? time - INTRADAY_SHIFT_MS : time) / DAY_MS);
}

/** The first instant that belongs to a trade date, or to the gap before it. */
export function startOfTradeDay(kind: SeriesKind, day: number): number {
  return day * DAY_MS + (isIntraday(kind) ? INTRADAY_SHIFT_MS : 0);
}

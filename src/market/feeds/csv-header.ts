import { type fieldScanner, fieldText } from './fields.ts';
import { CSV_FIELDS, type CsvField, type CsvOptions } from './csv-options.ts';

/** Place of each field among the columns, counted from 0; -1 where the file has none. */
export type ColumnPlaces = Readonly<Record<CsvField, number>>;

export interface Header {
  readonly places: ColumnPlaces;
  /** How many columns a row must have. */
  readonly columns: number;
}

/** The usual names of each field, best first, as they look once lower-cased and with `_` for spaces. */
const USUAL_NAMES: Readonly<Record<CsvField, readonly string[]>> = {
  date: ['datetime', 'date_time', 'timestamp', 'date', 'trade_date', 'time'],
  time: [],
  open: ['open', 'open_price', 'o'],
  high: ['high', 'high_price', 'h'],
  low: ['low', 'low_price', 'l'],
  close: ['close', 'close_price', 'c', 'last', 'close/last'],
  volume: ['volume', 'vol', 'vol.', 'v'],
  symbol: ['symbol', 'ticker', 'sym'],
  dividend: ['dividend_amount', 'dividends', 'dividend', 'divcash', 'div_cash'],
  split: ['split_coefficient', 'split_factor', 'splitfactor', 'stock_splits', 'split'],
};

const REQUIRED: readonly CsvField[] = ['date', 'open', 'high', 'low', 'close'];

/** The header's names, as written. */
export function headerNames(
  bytes: Uint8Array,
  start: number,
  end: number,
  fields: ReturnType<typeof fieldScanner>,
) {
  const count = Math.max(fields.scan(bytes, start, end), 0);
  return Array.from({ length: count }, (_, place) =>
    fieldText(bytes, fields.starts[place]!, fields.ends[place]!),
  );
}

/** Where each field stands, or a sentence that says which column is missing. */
export function readHeader(names: readonly string[], mapping: CsvOptions['mapping'] = {}): Header | string {
  const plain = names.map(plainName);
  const places = {} as Record<CsvField, number>;
  for (const field of CSV_FIELDS) {
    const named = mapping[field];
    places[field] =
      named === undefined ? firstOf(plain, USUAL_NAMES[field]) : plain.indexOf(plainName(named));
    if (named !== undefined && places[field] < 0) return `no column ${named} among ${names.join(', ')}`;
  }
  // A clock column of its own is one only beside a pure date; `timestamp` and the like hold both.
  if (places.time < 0 && places.date >= 0 && isDateName(plain[places.date]!))
    places.time = plain.indexOf('time');
  if (places.time === places.date) places.time = -1;
  const missing = REQUIRED.filter((field) => places[field] < 0);
  if (missing.length > 0) return `no column for ${missing.join(', ')} among ${names.join(', ')}`;
  return { places, columns: names.length };
}

function firstOf(plain: readonly string[], usual: readonly string[]): number {
  for (const name of usual) {
    const place = plain.indexOf(name);
    if (place >= 0) return place;
  }
  return -1;
}

function isDateName(name: string): boolean {
  return name === 'date' || name === 'trade_date';
}

function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[<>"']/g, '')
    .replace(/\s+/g, '_');
}

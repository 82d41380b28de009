import { midnightUtc } from '../../base/dates.ts';
import type { Delivery } from '../feed.ts';
import { QuoteColumnBuilder } from '../quote-column-builder.ts';
import type { RefusalReason } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import { decimal, type FieldScanner, fieldScanner } from './fields.ts';
import { deliverLines } from './source-file.ts';
import type { LeanContext } from './lean-bars.ts';
import { spanOf } from './lean-map-files.ts';
import { PRICE_SCALE } from './lean-rows.ts';

const QUOTE_FIELDS = 11;
/** The first columns of the two sides; each has open, high, low, close and last size. */
const BID = 1;
const ASK = 6;
const MINUTE_MS = 60_000;

/**
 * A file of one session's minute quotes: milliseconds since midnight, then open, high, low, close and last size of the
 * bid, then of the ask. A side without a quote becomes NaN.
 */
export async function* minuteQuotes(
  file: TextFile,
  ticker: string,
  date: string,
  { calendar, history, tally }: LeanContext,
): AsyncGenerator<Delivery> {
  const fields = fieldScanner(',');
  const builder = new QuoteColumnBuilder();
  const span = spanOf(history, ticker, midnightUtc(date));
  const session = calendar.session(date);
  const row = new Float64Array(QUOTE_FIELDS);

  const take = (bytes: Uint8Array, start: number, end: number): RefusalReason | null => {
    if (fields.scan(bytes, start, end) < QUOTE_FIELDS) return 'wrong_columns';
    const sinceMidnight = decimal(bytes, fields.starts[0]!, fields.ends[0]!);
    if (!(sinceMidnight >= 0 && sinceMidnight % MINUTE_MS === 0)) return 'bad_time';
    if (span === null) return 'foreign_listing';
    row[0] = session === null ? Number.NaN : session.midnight + sinceMidnight;
    if (session === null || row[0] < session.preOpen || row[0] >= session.postClose) return 'outside_session';
    if (!(readSide(bytes, fields, BID, row) && readSide(bytes, fields, ASK, row))) return 'not_a_number';
    return builder.push(row);
  };
  yield* deliverLines(file, tally, take, function* (finished) {
    if (!finished || builder.rows === 0 || span === null) return;
    yield { kind: 'quotes', symbol: span.symbol, interval: '1m', columns: builder.take() };
  });
}

/**
 * Reads the five fields of a side; false when one that must be a number is not. A side without a quote has four empty
 * prices and a size that is empty or 0, and none of them is then a number.
 */
function readSide(
  bytes: Uint8Array,
  { starts, ends }: FieldScanner,
  first: number,
  row: Float64Array,
): boolean {
  const size = first + 4;
  let prices = 0;
  for (let column = first; column <= size; column++) {
    const value = decimal(bytes, starts[column]!, ends[column]!);
    const isEmpty = ends[column] === starts[column];
    if (Number.isNaN(value) && !isEmpty) return false;
    if (column < size && !isEmpty) prices++;
    row[column] = column === size ? value : value / PRICE_SCALE;
  }
  if (prices > 0) return prices === 4 && !Number.isNaN(row[size]!);
  const isQuoteless = Number.isNaN(row[size]!) || row[size] === 0;
  row[size] = Number.NaN;
  return isQuoteless;
}

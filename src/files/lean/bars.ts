import type { Calendar, Session } from '../../base/calendar.ts';
import { dateOf, HOUR_MS, MINUTE_MS, midnightUtc } from '../../base/dates.ts';
import { newYorkMidnightOf } from '../../base/time-zone.ts';
import { BarColumnBuilder, QuoteColumnBuilder } from '../../market/column-builder.ts';
import type { Delivery } from '../../market/feed.ts';
import type { RefusalReason, RefusalTally } from '../../market/refusals.ts';
import type { TextFile } from '../archive.ts';
import { decimal, digitsAt, type FieldScanner, fieldScanner } from '../fields.ts';
import { DELIVERY_ROWS, deliverRows, readRows } from '../source-file.ts';
import { dayAt, PRICE_SCALE, spanOf, type TickerHistory, type TickerSpan } from './reference.ts';

const BAR_FIELDS = 6;
const QUOTE_FIELDS = 11;
/** The first columns of the two sides; each has open, high, low, close and last size. */
const BID = 1;
const ASK = 6;

/** What a Lean reader needs beside the file. */
export interface LeanContext {
  readonly calendar: Calendar;
  readonly history: TickerHistory;
  readonly tally: RefusalTally;
}

/**
 * A file of daily or hour bars, which has one ticker over all its years: `YYYYMMDD HH:MM`, open, high, low, close,
 * volume. Where the ticker passed from one security to another, the rows are divided between them.
 */
export async function* longBars(
  file: TextFile,
  interval: '1d' | '1h',
  ticker: string,
  { calendar, history, tally }: LeanContext,
): AsyncGenerator<Delivery> {
  const fields = fieldScanner(',');
  const builders = new Map<string, BarColumnBuilder>();
  let span: TickerSpan | null = null;

  const take = (bytes: Uint8Array, start: number, end: number): RefusalReason | null => {
    if (fields.scan(bytes, start, end) < BAR_FIELDS) return 'wrong_columns';
    const [from, to] = [fields.starts[0]!, fields.ends[0]!];
    const sinceMidnight =
      digitsAt(bytes, from + 9, from + 11) * HOUR_MS + digitsAt(bytes, from + 12, to) * MINUTE_MS;
    const day = to - from === 14 && sinceMidnight < 24 * HOUR_MS ? dayAt(bytes, from) : Number.NaN;
    if (Number.isNaN(day)) return 'bad_time';
    if (span === null || day < span.from || day > span.to) span = spanOf(history, ticker, day);
    if (span === null) return 'foreign_listing';
    const isDaily = interval === '1d';
    const time = isDaily ? day : newYorkMidnightOf(day) + sinceMidnight;
    const inSession = isDaily ? calendar.isSession(dateOf(day)) : calendar.sessionHolding(time) !== null;
    if (!inSession) return 'outside_session';
    return pushBar(
      builders.getOrInsertComputed(span.symbol, () => new BarColumnBuilder()),
      time,
      bytes,
      fields,
    );
  };
  yield* deliverRows(file, tally, take, function* (finished): Generator<Delivery> {
    for (const [symbol, builder] of builders) {
      if (builder.rows === 0 || (!finished && builder.rows < DELIVERY_ROWS)) continue;
      yield { kind: 'bars', symbol, interval, columns: builder.take() };
    }
  });
}

/**
 * A file of one session's minute bars: milliseconds since midnight in New York, open, high, low, close, volume.
 *
 * @param date the trade date of the file's name, YYYY-MM-DD
 */
export async function* minuteBars(
  file: TextFile,
  ticker: string,
  date: string,
  context: LeanContext,
): AsyncGenerator<Delivery> {
  const builder = new BarColumnBuilder();
  const take = (time: number, bytes: Uint8Array, fields: FieldScanner): RefusalReason | null =>
    pushBar(builder, time, bytes, fields);
  const symbol = await readMinutes(file, BAR_FIELDS, ticker, date, context, take);
  if (builder.rows > 0) yield { kind: 'bars', symbol: symbol!, interval: '1m', columns: builder.take() };
}

/**
 * A file of one session's minute quotes: milliseconds since midnight, then open, high, low, close and last size of the
 * bid, then of the ask. A side without a quote becomes NaN.
 */
export async function* minuteQuotes(
  file: TextFile,
  ticker: string,
  date: string,
  context: LeanContext,
): AsyncGenerator<Delivery> {
  const builder = new QuoteColumnBuilder();
  const row = new Float64Array(QUOTE_FIELDS);
  const take = (time: number, bytes: Uint8Array, fields: FieldScanner): RefusalReason | null => {
    row[0] = time;
    if (!(readSide(bytes, fields, BID, row) && readSide(bytes, fields, ASK, row))) return 'not_a_number';
    return builder.push(row);
  };
  const symbol = await readMinutes(file, QUOTE_FIELDS, ticker, date, context, take);
  if (builder.rows > 0) yield { kind: 'quotes', symbol: symbol!, interval: '1m', columns: builder.take() };
}

/** Passes the minutes of a session's file to `take`; resolves with the symbol, or null when the ticker is foreign. */
async function readMinutes(
  file: TextFile,
  columns: number,
  ticker: string,
  date: string,
  { calendar, history, tally }: LeanContext,
  take: (time: number, bytes: Uint8Array, fields: FieldScanner) => RefusalReason | null,
): Promise<string | null> {
  const fields = fieldScanner(',');
  const span = spanOf(history, ticker, midnightUtc(date));
  const session: Session | null = calendar.session(date);
  await readRows(file, tally, (bytes, start, end) => {
    if (fields.scan(bytes, start, end) < columns) return 'wrong_columns';
    const sinceMidnight = decimal(bytes, fields.starts[0]!, fields.ends[0]!);
    if (!(sinceMidnight >= 0 && sinceMidnight % MINUTE_MS === 0)) return 'bad_time';
    if (span === null) return 'foreign_listing';
    const time = session === null ? Number.NaN : session.midnight + sinceMidnight;
    if (session === null || time < session.preOpen || time >= session.postClose) return 'outside_session';
    return take(time, bytes, fields);
  });
  return span?.symbol ?? null;
}

function pushBar(
  builder: BarColumnBuilder,
  time: number,
  bytes: Uint8Array,
  { starts, ends }: FieldScanner,
): RefusalReason | null {
  const price = (column: number): number => decimal(bytes, starts[column]!, ends[column]!) / PRICE_SCALE;
  const [open, high, low, close] = [price(1), price(2), price(3), price(4)];
  const volume = decimal(bytes, starts[5]!, ends[5]!);
  if (Number.isNaN(open + high + low + close + volume)) return 'not_a_number';
  return builder.push(time, open, high, low, close, volume);
}

/**
 * Reads the five fields of a side; false when one that must be a number is not. A side without a quote has four empty
 * prices and a size that is empty or 0; all five become NaN.
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
  const hasNoSize = Number.isNaN(row[size]!) || row[size] === 0;
  row[size] = Number.NaN;
  return hasNoSize;
}

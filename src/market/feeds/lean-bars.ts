import type { Calendar } from '../../base/calendar.ts';
import { midnightUtc } from '../../base/dates.ts';
import { BarColumnBuilder } from '../column-builder.ts';
import type { Delivery } from '../feed.ts';
import type { RefusalReason } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import { decimal, type FieldScanner, fieldScanner } from './fields.ts';
import type { RefusalTally } from './refusal-tally.ts';
import { DELIVERY_ROWS, deliverLines } from './source-file.ts';
import { spanOf, type TickerHistory, type TickerSpan } from './lean-map-files.ts';
import { longBarClock, PRICE_SCALE } from './lean-rows.ts';

const BAR_FIELDS = 6;
const MINUTE_MS = 60_000;

/** What a Lean reader needs to know beside the file. */
export interface LeanContext {
  readonly calendar: Calendar;
  readonly history: TickerHistory;
  readonly tally: RefusalTally;
}

/**
 * A file of daily or hour bars, which holds one ticker over all its years: `YYYYMMDD HH:MM`, open, high, low, close,
 * volume. Where the ticker passed from one security to another, the rows are divided between them.
 */
export async function* longBars(
  file: TextFile,
  interval: '1d' | '1h',
  ticker: string,
  { calendar, history, tally }: LeanContext,
): AsyncGenerator<Delivery> {
  const fields = fieldScanner(',');
  const clock = longBarClock(interval, calendar);
  const builders = new Map<string, BarColumnBuilder>();
  let span: TickerSpan | null = null;

  const take = (bytes: Uint8Array, start: number, end: number): RefusalReason | null => {
    if (fields.scan(bytes, start, end) < BAR_FIELDS) return 'wrong_columns';
    const { day, time, inSession } = clock(bytes, fields.starts[0]!, fields.ends[0]!);
    if (Number.isNaN(day)) return 'bad_time';
    if (span === null || day < span.from || day > span.to) span = spanOf(history, ticker, day);
    if (span === null) return 'foreign_listing';
    if (!inSession) return 'outside_session';
    return pushBar(builderOf(builders, span.symbol), time, bytes, fields);
  };
  yield* deliverLines(file, tally, take, function* (finished) {
    for (const [symbol, builder] of builders) {
      if (builder.rows === 0 || (!finished && builder.rows < DELIVERY_ROWS)) continue;
      yield { kind: 'bars', symbol, interval, columns: builder.take() };
    }
  });
}

/**
 * A file of one session's minute bars: milliseconds since midnight in New York, open, high, low, close, volume.
 *
 * @param date the trade date that the file's name tells, YYYY-MM-DD
 */
export async function* minuteBars(
  file: TextFile,
  ticker: string,
  date: string,
  { calendar, history, tally }: LeanContext,
): AsyncGenerator<Delivery> {
  const fields = fieldScanner(',');
  const builder = new BarColumnBuilder();
  const span = spanOf(history, ticker, midnightUtc(date));
  const session = calendar.session(date);

  const take = (bytes: Uint8Array, start: number, end: number): RefusalReason | null => {
    if (fields.scan(bytes, start, end) < BAR_FIELDS) return 'wrong_columns';
    const sinceMidnight = decimal(bytes, fields.starts[0]!, fields.ends[0]!);
    if (!(sinceMidnight >= 0 && sinceMidnight % MINUTE_MS === 0)) return 'bad_time';
    if (span === null) return 'foreign_listing';
    const time = session === null ? Number.NaN : session.midnight + sinceMidnight;
    if (session === null || time < session.preOpen || time >= session.postClose) return 'outside_session';
    return pushBar(builder, time, bytes, fields);
  };
  yield* deliverLines(file, tally, take, function* (finished) {
    if (!finished || builder.rows === 0 || span === null) return;
    yield { kind: 'bars', symbol: span.symbol, interval: '1m', columns: builder.take() };
  });
}

function builderOf(builders: Map<string, BarColumnBuilder>, symbol: string): BarColumnBuilder {
  const known = builders.get(symbol);
  if (known !== undefined) return known;
  const builder = new BarColumnBuilder();
  builders.set(symbol, builder);
  return builder;
}

function pushBar(
  builder: BarColumnBuilder,
  time: number,
  bytes: Uint8Array,
  { starts, ends }: FieldScanner,
): RefusalReason | null {
  const open = decimal(bytes, starts[1]!, ends[1]!) / PRICE_SCALE;
  const high = decimal(bytes, starts[2]!, ends[2]!) / PRICE_SCALE;
  const low = decimal(bytes, starts[3]!, ends[3]!) / PRICE_SCALE;
  const close = decimal(bytes, starts[4]!, ends[4]!) / PRICE_SCALE;
  const volume = decimal(bytes, starts[5]!, ends[5]!);
  if (Number.isNaN(open + high + low + close + volume)) return 'not_a_number';
  return builder.push(time, open, high, low, close, volume);
}

import { dateOf } from '../../base/dates.ts';
import type { Delivery } from '../feed.ts';
import { INTERVAL_MS } from '../observations.ts';
import type { RefusalReason } from '../refusals.ts';
import { sensibleSplit } from './actions.ts';
import type { TextFile } from './archive.ts';
import { decimal, type FieldScanner, fieldScanner, fieldText } from './fields.ts';
import type { RefusalTally } from './refusal-tally.ts';
import { deliverLines } from './source-file.ts';
import { pricedTickerOf } from './ticker.ts';
import type { CsvOptions } from './csv-options.ts';
import { type ReadingPlan, zoneOf } from './csv-sample.ts';
import { type Series, type SeriesShelf, seriesShelf } from './csv-series.ts';
import { timeReader, type WrittenTime } from './csv-times.ts';

/**
 * The rows of one file as bars and, from its dividend and split columns, corporate actions with the row's date as
 * ex-date.
 *
 * @param symbol the symbol of every row, or null when a column tells it
 */
export function csvRows(
  file: TextFile,
  plan: ReadingPlan,
  symbol: string | null,
  options: CsvOptions,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const { places, columns } = plan.header;
  const fields = fieldScanner(plan.delimiter);
  const { starts, ends } = fields;
  const readTime = timeReader(options.dateFormat ?? 'auto', zoneOf(options));
  const timeOf = barClock(plan, options);
  const shelf = seriesShelf(plan.interval, plan.newestFirst);
  const seriesOf = seriesReader(shelf, symbol, places.symbol, fields);
  const needsVolume = (ticker: string): boolean => options.noVolume !== true && !ticker.startsWith('^');

  const take = (bytes: Uint8Array, start: number, end: number, line: number): RefusalReason | null => {
    if (line === plan.headerLine) return null;
    const count = fields.scan(bytes, start, end);
    // Fields beyond the header's are allowed when they are empty: some writers end each row with a delimiter.
    if (count < columns || (count > columns && hasText(fields, columns, count))) return 'wrong_columns';
    const series = seriesOf(bytes);
    if (series === null) return 'bad_symbol';
    if (places.volume < 0 && needsVolume(series.symbol)) return 'wrong_columns';
    const clockStart = places.time < 0 ? 0 : starts[places.time]!;
    const clockEnd = places.time < 0 ? 0 : ends[places.time]!;
    const time = timeOf(readTime(bytes, starts[places.date]!, ends[places.date]!, clockStart, clockEnd));
    if (typeof time === 'string') return time;
    const open = decimal(bytes, starts[places.open]!, ends[places.open]!);
    const high = decimal(bytes, starts[places.high]!, ends[places.high]!);
    const low = decimal(bytes, starts[places.low]!, ends[places.low]!);
    const close = decimal(bytes, starts[places.close]!, ends[places.close]!);
    const volume = places.volume < 0 ? 0 : decimal(bytes, starts[places.volume]!, ends[places.volume]!);
    if (Number.isNaN(open + high + low + close + volume)) return 'not_a_number';
    const reason = series.push(time, open, high, low, close, volume);
    if (reason === null && plan.interval === '1d' && (places.dividend >= 0 || places.split >= 0)) {
      const wasTaken = takeActions(series, time, plan, bytes, fields);
      if (!wasTaken) tally.row('bad_action', file.where, line, bytes, start, end);
    }
    return reason;
  };
  return deliverLines(file, tally, take, shelf.due);
}

function hasText({ starts, ends }: FieldScanner, from: number, to: number): boolean {
  for (let place = from; place < to; place++) if (ends[place]! > starts[place]!) return true;
  return false;
}

/** Time of a bar from what its row says, or why it has no place in any session. */
function barClock({ interval }: ReadingPlan, { calendar }: CsvOptions) {
  let knownDay = Number.NaN;
  let isSession = false;
  const length = INTERVAL_MS[interval];
  const isMinutes = interval === '1m' || interval === '5m';

  const daily = ({ day }: WrittenTime): number | RefusalReason => {
    if (Number.isNaN(day)) return 'bad_time';
    if (day !== knownDay) {
      knownDay = day;
      isSession = calendar.isSession(dateOf(day));
    }
    return isSession ? day : 'outside_session';
  };
  const intraday = ({ instant }: WrittenTime): number | RefusalReason => {
    // A bar that begins between the minutes is of another length than the file was said to hold.
    if (Number.isNaN(instant) || (isMinutes && instant % length !== 0)) return 'bad_time';
    return calendar.sessionHolding(instant) === null ? 'outside_session' : instant;
  };
  return interval === '1d' ? daily : intraday;
}

/** Finds the series of the row scanned last; the symbol's text is only made when it differs from the row before. */
function seriesReader(
  shelf: SeriesShelf,
  symbol: string | null,
  place: number,
  { starts, ends }: FieldScanner,
) {
  if (symbol !== null) {
    const series = shelf.of(symbol);
    return () => series;
  }
  let known: Series | null = null;
  let knownBytes: Uint8Array = new Uint8Array(0);
  return (bytes: Uint8Array): Series | null => {
    const start = starts[place]!;
    const end = ends[place]!;
    if (isSame(knownBytes, bytes, start, end)) return known;
    const ticker = pricedTickerOf(fieldText(bytes, start, end));
    knownBytes = bytes.slice(start, end);
    known = ticker === null ? null : shelf.of(ticker);
    return known;
  };
}

function isSame(known: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let at = 0; at < known.length; at++) if (known[at] !== bytes[start + at]) return false;
  return true;
}

/** Adds the row's dividend and split, if it has any; false when one of them is impossible. */
function takeActions(
  { actions }: Series,
  exDate: number,
  { header: { places } }: ReadingPlan,
  bytes: Uint8Array,
  fields: FieldScanner,
): boolean {
  const dividend = amountAt(places.dividend, bytes, fields);
  const split = amountAt(places.split, bytes, fields);
  if (!(dividend >= 0 && split >= 0 && Number.isFinite(dividend + split))) return false;
  if (dividend > 0) actions.push({ kind: 'dividend', exDate, value: dividend });
  // Vendors write 1 or 0 on days without a split.
  if (split > 0 && split !== 1) actions.push({ kind: 'split', exDate, value: sensibleSplit(split) });
  return true;
}

/** The number in a column; 0 when the file has no such column or the field is empty. */
function amountAt(place: number, bytes: Uint8Array, { starts, ends }: FieldScanner): number {
  if (place < 0 || starts[place] === ends[place]) return 0;
  return decimal(bytes, starts[place]!, ends[place]!);
}

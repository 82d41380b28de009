import type { Calendar, Session } from '../base/calendar.ts';
import { DAY_MS, dateOf } from '../base/dates.ts';
import { BAR_COLUMNS, type Bar, INTERVAL_MS } from './observations.ts';
import {
  barsInterval,
  type Columns,
  columnsOf,
  isIntraday,
  mergeRows,
  type SeriesKind,
  tradeDay,
} from './series.ts';

/**
 * Rows in which nothing traded. Vendors write one for a minute or a day without a trade: the last price four times and
 * volume 0. Such a row is no bar. The tape keeps it without prices where it takes the place of a bar, and not at all
 * elsewhere; whatever reads bars never sees it.
 */

/** What a source brought of one series, in ascending time. */
export interface DeliveredSeries {
  readonly kind: SeriesKind;
  readonly symbol: string;
  readonly columns: Columns;
}

export interface SortedRows {
  readonly columns: Columns;
  /** Rows in which nothing traded, and the first of them. */
  readonly count: number;
  readonly example: string;
}

/** Calendar days before rows of volume 0 in which other rows of their series are looked for. */
export const VOLUMES_REACH_DAYS = 40;

/** Whether a series may hold rows in which nothing traded: nobody trades an index. */
export const mayBeUntraded = (kind: SeriesKind, symbol: string): boolean =>
  barsInterval(kind) !== null && !symbol.startsWith('^');

/** Whether a volume of 0 means something beside these rows: a source that states no volume states none above 0. */
export const statesVolumes = ({ volume }: Columns): boolean => volume!.some((shares) => shares > 0);

/**
 * The rows of a series whose source states volumes: of those of volume 0 only the time is left. The last regular bar
 * takes the price of one at the bell, which is the closing auction; repeated prices change nothing there.
 *
 * @param before the last bar with a trade that is known before these rows
 */
export function withoutUntradedPrices(
  { kind, symbol, columns }: DeliveredSeries,
  calendar: Pick<Calendar, 'sessionHolding'>,
  before: Bar | null = null,
): SortedRows {
  const sorted = columnsOf(kind, (name) => columns[name]!.slice());
  const added: Bar[] = [];
  let last = -1;
  let count = 0;
  let example = '';
  for (let row = 0; row < columns.time.length; row++) {
    if (columns.volume![row] !== 0) {
      last = row;
      continue;
    }
    if (count++ === 0) example = textOf(kind, symbol, barAt(columns, row));
    setBar(sorted, row, withoutPrices(columns.time[row]!));
    const session = isIntraday(kind) ? calendar.sessionHolding(columns.time[row]!) : null;
    if (session?.close !== columns.time[row]) continue;
    const closing = closedBy(columns.close![row]!, kind, session!, last < 0 ? before : barAt(sorted, last));
    if (closing === null) continue;
    if (closing.time === sorted.time[last]) setBar(sorted, last, closing);
    else added.push(closing);
  }
  return { columns: mergeRows(kind, [sorted, columnsOfBars(kind, added)]), count, example };
}

/**
 * The same of a series of which the source states no volume, where the tape knows volumes of it: nothing traded on a
 * date on which the price stays at the close before. Where it moves, its volume is unknown, and the rows are bars.
 *
 * @param closeBefore close of the last bar before these rows, dollars
 */
export function withoutRepeatedDays(
  { kind, symbol, columns }: DeliveredSeries,
  closeBefore: number,
): SortedRows {
  const bars = Array.from(columns.time.keys(), (at) => barAt(columns, at));
  const rows: Bar[] = [];
  let close = closeBefore;
  let count = 0;
  let example = '';
  for (const day of Map.groupBy(bars, ({ time }) => tradeDay(kind, time)).values()) {
    const isRepeated = day.every((bar) => bar.volume === 0 && bar.high === close && bar.low === close);
    rows.push(...(isRepeated ? day.map(({ time }) => withoutPrices(time)) : day));
    close = day.at(-1)!.close;
    if (!isRepeated) continue;
    if (count === 0) example = textOf(kind, symbol, day[0]!);
    count += day.length;
  }
  return { columns: columnsOfBars(kind, rows), count, example };
}

/** The last bar of a session with the price of a row at its end; null where that repeats a price, or nothing traded. */
function closedBy(
  price: number,
  kind: SeriesKind,
  { open, close: bell }: Pick<Session, 'open' | 'close'>,
  last: Bar | null,
): Bar | null {
  if (last === null || last.time < open || Number.isNaN(price) || price === last.close) return null;
  const slot = bell - INTERVAL_MS[barsInterval(kind)!];
  // Hours may end at the bell with half of one.
  if (last.time >= slot || kind === 'bars-1h')
    return { ...last, high: Math.max(last.high, price), low: Math.min(last.low, price), close: price };
  return { time: slot, open: price, high: price, low: price, close: price, volume: 0 };
}

/** Rows of the tape without those that only say that nothing traded. */
export function tradedRows(kind: SeriesKind, columns: Columns): Columns {
  if (barsInterval(kind) === null || !columns.close!.includes(Number.NaN)) return columns;
  const rows = Array.from(columns.time.keys()).filter((row) => !isUntraded(columns, row));
  return columnsOf(kind, (name) => Float64Array.from(rows, (row) => columns[name]![row]!));
}

/** Whether a row of bars on the tape says that nothing traded. */
export const isUntraded = ({ close }: Columns, row: number): boolean => Number.isNaN(close![row]!);

const withoutPrices = (time: number): Bar => {
  const none = Number.NaN;
  return { time, open: none, high: none, low: none, close: none, volume: 0 };
};

/** Rows without prices at some times, for bars that are none any more. */
export const untradedRows = (kind: SeriesKind, times: readonly number[]): Columns =>
  columnsOfBars(kind, times.map(withoutPrices));

const barAt = (columns: Columns, row: number): Bar =>
  Object.fromEntries(BAR_COLUMNS.map((name) => [name, columns[name]![row]!])) as Bar;

function setBar(columns: Columns, row: number, bar: Bar): void {
  for (const name of BAR_COLUMNS) columns[name]![row] = bar[name];
}

const columnsOfBars = (kind: SeriesKind, bars: readonly Bar[]): Columns =>
  columnsOf(kind, (name) => Float64Array.from(bars, (bar) => bar[name as keyof Bar]));

const textOf = (kind: SeriesKind, symbol: string, { time, close }: Bar): string =>
  `${symbol} ${isIntraday(kind) ? new Date(time).toISOString() : dateOf(time - (time % DAY_MS))} at ${close}`;

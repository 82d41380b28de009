import { type Calendar, DAY_MS, dateOf } from '../../base/calendar.ts';
import type { Queryable } from '../../database/database.ts';
import {
  type Bar,
  type BarColumns,
  INTERVAL_MS,
  type Interval,
  type SessionBounds,
} from '../observations.ts';
import { adjustForSplits, coversSession, liesBeforeHole, regularBar } from './read-view.ts';
import type { SegmentReader } from './segment-reader.ts';
import {
  asBars,
  barSeries,
  barsInterval,
  type Columns,
  columnsOf,
  isIntraday,
  rowAtOrAfter,
  sliceRows,
} from './series.ts';
import { holdsDays, type Slice, type SymbolTape } from './symbol-tape.ts';

/**
 * The whole daily history of a symbol up to and including a day, on the basis of that day, cut at holes of more
 * than a few sessions, oldest first.
 *
 * @param lastDay days since 1970-01-01
 */
export function readDailyHistory(
  reader: SegmentReader,
  tape: SymbolTape,
  calendar: Calendar,
  lastDay: number,
): BarColumns[] {
  const rows = reader.rows(tape, 'bars-1d', Number.NEGATIVE_INFINITY, lastDay);
  const splits = tape.actions.filter((action) => action.kind === 'split');
  const pieces: BarColumns[] = [];
  let first = 0;
  for (let row = 1; row <= rows.time.length; row++) {
    const [day, nextDay] = [rows.time[row - 1]! / DAY_MS, (rows.time[row] ?? Infinity) / DAY_MS];
    if (row < rows.time.length && !liesBeforeHole(calendar, day, nextDay)) continue;
    if (row > first) pieces.push(adjustForSplits(asBars(sliceRows(rows, first, row)), splits, lastDay));
    first = row;
  }
  return pieces;
}

/**
 * Daily bars of sessions of which the tape holds intraday bars from end to end but no daily bar, so that a symbol
 * known only by the minute has history too. A daily bar that is reported later replaces the summed one.
 *
 * @returns `bars-1d` columns, ascending; empty when nothing is missing
 */
export async function missingDailyBars(
  reader: SegmentReader,
  tape: SymbolTape,
  calendar: Calendar,
): Promise<Columns> {
  await reader.fetchAhead(() => tape.slices.filter(({ kind }) => kind === 'bars-1d'));
  const known = reader.rows(tape, 'bars-1d', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY).time;
  const isKnown = (day: number): boolean => known[rowAtOrAfter(known, day * DAY_MS)] === day * DAY_MS;
  const days = intradayDays(tape).filter((day) => !isKnown(day));
  await reader.fetchAhead(() =>
    tape.slices.filter((slice) => isIntradayBars(slice) && days.some((day) => holdsDays(slice, day, day))),
  );
  const bars: Bar[] = [];
  for (const day of days) {
    const bar = dailyBar(reader, tape, calendar, day);
    // The minutes of one exchange make no day of the stock.
    if (bar !== null && !Number.isNaN(bar.volume)) bars.push(bar);
  }
  return columnsOf('bars-1d', (name) => Float64Array.from(bars, (bar) => bar[name as keyof Bar]));
}

/** Lengths of bars that build a day, finest first. */
const INTRADAY = (Object.keys(INTERVAL_MS) as Interval[]).filter((interval) => interval !== '1d');

const isIntradayBars = ({ kind }: Slice): boolean => isIntraday(kind) && barsInterval(kind) !== null;

/** Trade dates with intraday bars, ascending. */
function intradayDays(tape: SymbolTape): number[] {
  const days = new Set<number>();
  for (const slice of tape.slices) {
    if (isIntradayBars(slice)) for (const day of slice.days) days.add(day);
  }
  return [...days].sort((a, b) => a - b);
}

function dailyBar(reader: SegmentReader, tape: SymbolTape, calendar: Calendar, day: number): Bar | null {
  const session = calendar.session(dateOf(day * DAY_MS));
  if (session === null) return null;
  for (const interval of INTRADAY) {
    const bars = asBars(reader.rows(tape, barSeries(interval), day, day));
    const isWhole = interval === '1h' ? areHoursOf(bars, session) : coversSession(bars, session);
    if (isWhole) return regularBar(bars, session, day);
  }
  return null;
}

/** Whether bars of an hour begin at the open and end at the close: by the clock one of them straddles the open. */
function areHoursOf({ time }: BarColumns, { open, close }: SessionBounds): boolean {
  const last = rowAtOrAfter(time, close) - 1;
  // What comes behind the half hour before the close may begin in it.
  const isCut = time[last]! + INTERVAL_MS['1h'] === close || (time[last + 1] ?? close) === close;
  return time[rowAtOrAfter(time, open)] === open && time[last]! + INTERVAL_MS['1h'] >= close && isCut;
}

/**
 * By symbol a digest of its daily history up to a day: another bar or split gives another digest. Symbols without a
 * daily bar in a segment are left out.
 *
 * @param lastDay days since 1970-01-01
 */
export async function readDailySources(
  database: Queryable,
  symbols: readonly string[],
  lastDay: number,
): Promise<Map<string, string>> {
  const rows = await database.query<{ symbol: string; source: string }>(
    `select requested.symbol, md5(concat_ws('|',
       (select string_agg(s.segment_id || ':' || s.body_offset, ' ' order by s.segment_id, s.body_offset)
          || ' ' || least(max(s.last_day), $2::integer)
        from tape_slice s where s.symbol = requested.symbol and s.kind = 'bars-1d' and s.first_day <= $2::integer),
       (select string_agg(r.time || ':' || array_to_string(r.columns, ' '), ' ' order by r.time)
        from running_row r where r.symbol = requested.symbol and r.kind = 'bars-1d' and r.time <= $2::bigint * 86400000),
       (select string_agg(a.ex_date || ':' || a.value, ' ' order by a.ex_date)
        from corporate_action a
        where a.symbol = requested.symbol and a.kind = 'split' and a.ex_date <= date '1970-01-01' + $2::integer))) as source
     from unnest($1::text[]) as requested (symbol)
     where exists (select from tape_slice s where s.symbol = requested.symbol and s.kind = 'bars-1d' and s.first_day <= $2::integer)`,
    [symbols, lastDay],
  );
  return new Map(rows.map(({ symbol, source }) => [symbol, source]));
}

import { type Calendar, DAY_MS, dateOf } from '../base/calendar.ts';
import { nextTurn } from '../base/timers.ts';
import type { Queryable } from '../database/database.ts';
import {
  BAR_COLUMNS,
  type Bar,
  type BarColumns,
  INTERVAL_MS,
  type SessionBounds,
} from '../market/observations.ts';
import {
  asBars,
  barSeries,
  barsInterval,
  type Columns,
  columnsOf,
  isIntraday,
  mergeRows,
  rowAtOrAfter,
  sliceRows,
} from '../market/series.ts';
import { untradedRows } from '../market/untraded.ts';
import {
  adjustForSplits,
  INTRADAY_INTERVALS,
  liesBeforeHole,
  makesDay,
  priorIntraday,
  regularBar,
} from './read-view.ts';
import type { SegmentReader } from './segment-reader.ts';
import { holdsDays, type Slice, SUMMED_FEED, type SymbolTape } from './symbol-tape.ts';

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
 * Daily bars of sessions that are known only by intraday bars, as far as the tape holds others or none: so a symbol known
 * by the minute has history too, and its days follow corrected minutes. A reported daily bar takes the place of the sum.
 *
 * @param days trade dates to look at, since 1970-01-01
 * @returns `bars-1d` columns, ascending; a sum that does not hold any more is a row without prices
 */
export async function sumDailyBars(
  reader: SegmentReader,
  tape: SymbolTape,
  calendar: Calendar,
  days: readonly number[],
): Promise<Columns> {
  await reader.fetchAhead(() => tape.slices.filter(({ kind }) => kind === 'bars-1d'));
  const reported = dailyRows(reader, withoutSums(tape));
  const held = dailyRows(reader, tape);
  const due = days.filter((day) => rowOf(reported, day) === null);
  await reader.fetchAhead(() =>
    tape.slices.filter((slice) => isIntradayBars(slice) && due.some((day) => holdsDays(slice, day, day))),
  );
  const bars: Bar[] = [];
  const overtaken: number[] = [];
  for (const day of due) {
    // A process that answers too: callers have the thread between two days.
    await nextTurn();
    const sum = summedBar(reader, tape, calendar, day);
    const row = rowOf(held, day);
    if (sum === null) {
      if (row !== null) overtaken.push(day * DAY_MS);
    } else if (row === null || BAR_COLUMNS.some((name) => !Object.is(held[name]![row], sum[name]))) {
      bars.push(sum);
    }
  }
  return mergeRows('bars-1d', [
    columnsOf('bars-1d', (name) => Float64Array.from(bars, (bar) => bar[name as keyof Bar])),
    untradedRows('bars-1d', overtaken),
  ]);
}

/** Trade dates of intraday bars that lie in some segments, or are in the reach of their daily bars; ascending. */
export function daysToSum(tape: SymbolTape, segments: ReadonlySet<number>): number[] {
  const intraday = tape.slices.filter(isIntradayBars);
  const days = new Set<number>();
  for (const { segmentId, kind, days: own, firstDay, lastDay } of tape.slices) {
    if (!segments.has(segmentId)) continue;
    // A reported day that is none any more leaves it to the minutes.
    const reached = kind !== 'bars-1d' ? [own] : intraday.map((slice) => slice.days);
    if (barsInterval(kind) === null) continue;
    for (const some of reached) for (const day of some) if (day >= firstDay && day <= lastDay) days.add(day);
  }
  return [...days].sort((a, b) => a - b);
}

const dailyRows = (reader: SegmentReader, tape: SymbolTape): Columns =>
  reader.rows(tape, 'bars-1d', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);

/** The tape with reported daily bars alone. */
const withoutSums = (tape: SymbolTape): SymbolTape => ({
  ...tape,
  slices: tape.slices.filter(({ feed }) => feed !== SUMMED_FEED),
  running: tape.running.filter(({ feed }) => feed !== SUMMED_FEED),
});

function rowOf({ time }: Columns, day: number): number | null {
  const row = rowAtOrAfter(time, day * DAY_MS);
  return time[row] === day * DAY_MS ? row : null;
}

const isIntradayBars = ({ kind }: Slice): boolean => isIntraday(kind) && barsInterval(kind) !== null;

/** The sum of a session's intraday bars, of the finest that make its day; null where none do. */
function summedBar(reader: SegmentReader, tape: SymbolTape, calendar: Calendar, day: number): Bar | null {
  const session = calendar.session(dateOf(day * DAY_MS));
  if (session === null) return null;
  for (const interval of INTRADAY_INTERVALS) {
    const bars = asBars(reader.rows(tape, barSeries(interval), day, day));
    const isWhole =
      interval === '1h'
        ? areHoursOf(bars, session)
        : makesDay({ bars, interval }, session, priorIntraday(reader, tape, calendar, session));
    // The minutes of one exchange make no day of the stock.
    const bar = isWhole ? regularBar(bars, session, day) : null;
    if (bar !== null) return Number.isNaN(bar.volume) ? null : bar;
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

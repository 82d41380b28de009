import { DAY_MS } from '../../base/calendar.ts';
import type { Queryable } from '../../database/database.ts';
import type { Refused } from '../feed.ts';
import type { CorporateAction } from '../observations.ts';
import { type Columns, columnsOf, isIntraday, SERIES, type SeriesKind } from './series.ts';
import { type RunningRows, type Slice, type SymbolTape, startOfTradeDay } from './symbol-tape.ts';

/** Everything of the tape that lives in the database: which rows are in which file, and the facts beside the bars. */

interface SymbolTapeRow {
  readonly symbol: string;
  readonly slices: Slice[] | null;
  readonly running: RunningRow[] | null;
  readonly actions: { kind: CorporateAction['kind']; day: number; value: number }[] | null;
  /** Whether anything is reported of the symbol or a chain of it is kept; what it is, is read apart. */
  readonly reported: boolean;
}

export interface RunningRow {
  readonly kind: SeriesKind;
  readonly simulated: boolean;
  /** Time and columns; JSON has no NaN, so one arrives as the word. */
  readonly row: (number | 'NaN')[];
}

/** One statement answers for any number of symbols, so that a cold read of one stock is one round trip. */
const SYMBOL_TAPES = `
select wanted.symbol,
  (select json_agg(json_build_object('kind', s.kind, 'segmentId', s.segment_id, 'file', g.file,
      'simulated', g.simulated, 'bodyOffset', s.body_offset, 'rows', s.rows, 'checksum', s.checksum, 'firstDay', s.first_day,
      'lastDay', s.last_day, 'days', s.days, 'starts', s.starts) order by s.segment_id)
    from tape_slice s join tape_segment g on g.id = s.segment_id where s.symbol = wanted.symbol) as slices,
  (select json_agg(json_build_object('kind', r.kind, 'simulated', r.simulated,
      'row', array_prepend(r.time::double precision, r.columns)) order by r.kind, r.time)
    from running_row r where r.symbol = wanted.symbol) as running,
  (select json_agg(json_build_object('kind', a.kind, 'day', a.ex_date - date '1970-01-01', 'value', a.value)
      order by a.ex_date, a.kind)
    from corporate_action a where a.symbol = wanted.symbol) as actions,
  exists (select from reported_fact f where f.symbol = wanted.symbol)
    or exists (select from chain_slice c where c.symbol = wanted.symbol) as reported
from unnest($1::text[]) as wanted (symbol)`;

/** The tapes of the named symbols; a symbol of which the tape knows nothing is left out. */
export async function readSymbolTapes(
  database: Queryable,
  symbols: readonly string[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<SymbolTape[]> {
  const rows = await database.query<SymbolTapeRow>(SYMBOL_TAPES, [symbols], options);
  const tapes: SymbolTape[] = [];
  for (const row of rows) {
    if (row.slices === null && row.running === null && !row.reported) continue;
    tapes.push({
      symbol: row.symbol,
      slices: row.slices ?? [],
      running: runningRows(row.running ?? []),
      actions: (row.actions ?? []).map(({ kind, day, value }) => ({ kind, exDate: day * DAY_MS, value })),
      facts: [],
      chains: [],
    });
  }
  return tapes;
}

export function runningRows(rows: readonly RunningRow[]): RunningRows[] {
  const byKind = Map.groupBy(rows, (row) => row.kind);
  return Array.from(byKind, ([kind, bars]) => ({
    kind,
    simulated: bars.some((bar) => bar.simulated),
    columns: SERIES[kind].map((_, column) => Float64Array.from(bars, (bar) => Number(bar.row[column]!))),
  }));
}

/** Every symbol with at least one bar, in alphabetical order. */
export async function listSymbols(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ symbol: string }>(
    `select symbol from tape_slice where kind like 'bars-%'
     union select symbol from running_row where kind like 'bars-%' order by symbol`,
  );
  return rows.map((row) => row.symbol);
}

/** What a feed has delivered already, by unit key. */
export async function readDeliveredUnits(
  database: Queryable,
  feed: string,
): Promise<Map<string, FinishedUnit>> {
  const rows = await database.query<{
    key: string;
    fingerprint: string;
    rows_kept: number;
    facts_kept: number;
    refusals: Refused[];
  }>('select key, fingerprint, rows_kept, facts_kept, refusals from tape_unit where feed = $1', [feed]);
  const units = rows.map(({ key, fingerprint, rows_kept, facts_kept, refusals }) => ({
    key,
    fingerprint,
    rowsKept: rows_kept,
    factsKept: facts_kept,
    refusals,
  }));
  return new Map(units.map((unit) => [unit.key, unit]));
}

/** A unit that was read to its end, and how the source looked when it was. */
export interface FinishedUnit {
  readonly key: string;
  readonly fingerprint: string;
  readonly rowsKept: number;
  readonly factsKept: number;
  readonly refusals: readonly Refused[];
}

/** Rows of sessions that ended before a day (since 1970-01-01) and still lie among the running ones. */
export interface EndedRows {
  readonly symbol: string;
  readonly kind: SeriesKind;
  readonly feed: string;
  readonly simulated: boolean;
  readonly columns: Columns;
}

/**
 * Such rows, those of one feed and series together and about `rowsMax` of them at a time: a session of thousands of
 * symbols is millions of rows.
 */
export async function* readEndedRows(
  database: Queryable,
  day: number,
  rowsMax: number,
): AsyncIterable<EndedRows[]> {
  const bounds = [startOfTradeDay('bars-1d', day), startOfTradeDay('bars-1m', day)];
  const series = await database.query<EndedSeries>(
    `select feed, simulated, kind, symbol, count(*) as rows from running_row
     where time < case when kind like '%-1d' then $1::bigint else $2::bigint end
     group by feed, simulated, kind, symbol order by feed, simulated, kind, symbol`,
    bounds,
  );
  for (const stretch of stretchesOf(series, rowsMax)) {
    const { feed, simulated, kind } = stretch[0]!;
    const rows = await database.query<RunningRow & { symbol: string }>(
      `select symbol, kind, simulated, array_prepend(time::double precision, columns) as row from running_row
       where feed = $1 and simulated = $2 and kind = $3 and symbol = any($4::text[]) and time < $5::bigint
       order by symbol, time`,
      [feed, simulated, kind, stretch.map(({ symbol }) => symbol), bounds[isIntraday(kind) ? 1 : 0]],
    );
    yield Array.from(
      Map.groupBy(rows, ({ symbol }) => symbol),
      ([symbol, own]) => ({ symbol, kind, feed, simulated, columns: columnsOfRows(kind, own) }),
    );
  }
}

interface EndedSeries {
  readonly feed: string;
  readonly simulated: boolean;
  readonly kind: SeriesKind;
  readonly symbol: string;
  readonly rows: number;
}

/** Neighbours of one feed and series in stretches of about `rowsMax` rows. */
function* stretchesOf(series: readonly EndedSeries[], rowsMax: number): Iterable<EndedSeries[]> {
  let stretch: EndedSeries[] = [];
  let rows = 0;
  for (const one of series) {
    const [first] = stretch;
    const isAlike = first?.feed === one.feed && first.simulated === one.simulated && first.kind === one.kind;
    if (first !== undefined && (!isAlike || rows + one.rows > rowsMax)) {
      yield stretch;
      stretch = [];
      rows = 0;
    }
    stretch.push(one);
    rows += one.rows;
  }
  if (stretch.length > 0) yield stretch;
}

const columnsOfRows = (kind: SeriesKind, rows: readonly RunningRow[]): Columns =>
  columnsOf(kind, (_, column) => Float64Array.from(rows, ({ row }) => Number(row[column]!)));

/** Stretches of dates that new data touched and no derivation has looked at. */
export interface DirtyRange {
  readonly symbol: string;
  /** A series kind, `action`, `fact` or `chain`. */
  readonly kind: string;
  /** Days since 1970-01-01, inclusive. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** Which word of the tape this is; later news about the same stretch has another. */
  readonly version: string;
}

export async function readDirtyRanges(
  database: Queryable,
  symbols?: readonly string[],
): Promise<DirtyRange[]> {
  return database.query<DirtyRange>(
    `select symbol, kind, first_day as "firstDay", last_day as "lastDay", touched_at::text as version
     from tape_touched where $1::text[] is null or symbol = any($1::text[]) order by symbol, last_day, kind`,
    [symbols ?? null],
  );
}

/** Forgets stretches that were looked at, unless newer data touched them in the meantime. */
export async function clearDirtyRanges(database: Queryable, touched: readonly DirtyRange[]): Promise<void> {
  await database.query(
    `delete from tape_touched t
     using unnest($1::text[], $2::text[], $3::integer[], $4::timestamptz[]) as done (symbol, kind, last_day, version)
     where t.symbol = done.symbol and t.kind = done.kind and t.last_day = done.last_day and t.touched_at = done.version`,
    [
      touched.map((row) => row.symbol),
      touched.map((row) => row.kind),
      touched.map((row) => row.lastDay),
      touched.map((row) => row.version),
    ],
  );
}

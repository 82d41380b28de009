import { DAY_MS } from '../base/calendar.ts';
import { at } from '../base/fault-points.ts';
import { inOrder } from '../base/in-order.ts';
import type { Queryable, QueryOptions, Statement } from '../database/database.ts';
import { readInTurns } from '../database/read-in-turns.ts';
import { ofMarket } from '../database/symbol-market.ts';
import type { CorporateAction } from '../market/observations.ts';
import type { Refused } from '../market/refusals.ts';
import { type Columns, columnsInOrder, SERIES, type SeriesKind, startOfTradeDay } from '../market/series.ts';
import type { RowSource, RunningRows, Slice, SymbolTape } from './symbol-tape.ts';

/** Everything of the tape that lives in the database: which rows are in which file, and the facts beside the bars. */

interface SymbolTapeRow {
  readonly symbol: string;
  readonly slices: Slice[] | null;
  readonly running: PackedRows[] | null;
  readonly actions: CorporateAction[] | null;
  /** Whether the symbol has a reported fact or a chain, which are read separately. */
  readonly reported: boolean;
}

/** Rows of one symbol and series of the running session. */
export interface PackedRows extends RowSource {
  readonly kind: SeriesKind;
  /** See `packed`. */
  readonly rows: string;
}

/**
 * The times, then the columns row by row, as PostgreSQL sends arrays, without their heads, in base64: a session of thousands
 * of symbols is a million rows, whose numbers would take longest to write and read as decimal digits.
 *
 * @param order of the rows; without one, that in which they come
 * @param ofValues rows with values; of the others there are times alone
 */
const packed = (order: string, ofValues = ''): string =>
  `encode(substring(array_send(array_agg(r.time::double precision${order})) from 21)
  || coalesce(substring(array_send(array_agg(r.columns${order})${ofValues}) from 29), ''), 'base64') as rows`;
const IN_TIME = ' order by r.time';
const ROWS = packed(IN_TIME);
/** @param timesOf the parameter that names series of which there are times alone */
const butOf = (timesOf: string): string => ` filter (where r.kind <> all(${timesOf}::text[]))`;
const SOURCE = `(array_agg(r.feed order by r.time))[count(*)] as feed, bool_or(r.simulated) as simulated`;
/** Of a group of rows of `running_row r`. */
export const PACKED_ROWS = `${SOURCE}, ${ROWS}`;

/** The slices of a requested symbol, and its rows of the running session; what follows may say which. */
export const SLICES_OF_SYMBOL = `
  select json_agg(json_build_object('kind', s.kind, 'segmentId', s.segment_id, 'file', g.file,
      'feed', g.feed, 'simulated', g.simulated, 'bodyOffset', s.body_offset, 'rows', s.rows, 'checksum', s.checksum, 'firstDay', s.first_day,
      'lastDay', s.last_day, 'days', s.days, 'starts', s.starts) order by s.segment_id)
  from tape_slice s join tape_segment g on g.id = s.segment_id where s.symbol = requested.symbol`;
export const runningOfSymbol = (condition = 'true', rows = ROWS): string => `
  select json_agg(packed order by packed.kind) from (
    select r.kind, ${SOURCE}, ${rows} from running_row r where r.symbol = requested.symbol and (${condition})
    group by r.kind) packed`;

/** One statement for any number of symbols: a cold read of one stock is one round trip. */
const symbolTapes = (running: string): string => `
select requested.symbol, (${SLICES_OF_SYMBOL}) as slices, (${running}) as running,
  (select json_agg(json_build_object('kind', a.kind, 'exDate', (a.ex_date - date '1970-01-01') * ${DAY_MS}::bigint,
      'value', a.value) order by a.ex_date, a.kind)
    from corporate_action a where a.symbol = requested.symbol) as actions,
  exists (select from reported_fact f where f.symbol = requested.symbol)
    or exists (select from chain_slice c where c.symbol = requested.symbol) as reported
from unnest($1::text[]) as requested (symbol)`;
const SYMBOL_TAPES = symbolTapes(runningOfSymbol('true', packed(IN_TIME, butOf('$2'))));
const TAPES_WITHOUT_RUNNING = symbolTapes(`select '[]'::json`);

/** Symbols of a statement, which takes some milliseconds. */
const TAPES_AT_ONCE = 10;

/**
 * The tapes of the named symbols; a symbol of which the tape knows nothing is left out.
 *
 * @param ofTimes series of which running rows have their times alone; null for no running rows, of symbols that may have
 *   these alone
 */
export async function readSymbolTapes(
  database: Queryable,
  symbols: readonly string[],
  { ofTimes = [], ...options }: QueryOptions & { readonly ofTimes?: readonly SeriesKind[] | null } = {},
): Promise<SymbolTape[]> {
  const read = (some: readonly string[]) =>
    ofTimes === null
      ? database.query<SymbolTapeRow>(TAPES_WITHOUT_RUNNING, [some], { ...options, keepsPlan: true })
      : database.query<SymbolTapeRow>(SYMBOL_TAPES, [some, ofTimes], { ...options, keepsPlan: true });
  const rows = await readInTurns(database, symbols, TAPES_AT_ONCE, read);
  const tapes: SymbolTape[] = [];
  for (const row of rows) {
    if (row.slices === null && row.running === null && !row.reported) continue;
    tapes.push({
      symbol: row.symbol,
      slices: row.slices ?? [],
      running: runningRows(row.running ?? [], ofTimes ?? []),
      actions: row.actions ?? [],
      facts: [],
      chains: [],
    });
  }
  return tapes;
}

export const runningRows = (
  packed: readonly PackedRows[],
  ofTimes: readonly SeriesKind[] = [],
): RunningRows[] =>
  packed.map(({ kind, feed, simulated, rows }) => ({
    kind,
    feed,
    simulated,
    columns: unpackRows(kind, rows, ofTimes.includes(kind) ? ['time'] : SERIES[kind]),
  }));

/** Pages of a statement, which takes some 20 milliseconds: 25,000 rows. */
const PAGES_AT_ONCE = 500;
/** Rows that a statement looks up by their symbols. */
const ROWS_AT_ONCE = 25_000;

const IN_PAGES = `r.ctid >= format('(%s,0)', $1::bigint)::tid and r.ctid < format('(%s,0)', $2::bigint)::tid`;

const ROWS_OF_PAGES = `
select r.kind, r.feed, string_agg(r.symbol, ' ') as symbols, ${packed('', butOf('$4'))}
from running_row r where ${IN_PAGES} and r.simulated = $3
group by r.kind, r.feed`;

/** The pages of the rows of running sessions: bounds of statements, the upper one exclusive. */
async function pagesOfRunning(database: Queryable): Promise<(readonly [from: number, to: number])[]> {
  const [table] = await database.query<{ pages: number }>(
    `select pg_relation_size('running_row') / current_setting('block_size')::integer as pages`,
  );
  return Array.from({ length: Math.ceil(table!.pages / PAGES_AT_ONCE) }, (_, at) => {
    return [at * PAGES_AT_ONCE, (at + 1) * PAGES_AT_ONCE] as const;
  });
}

/**
 * Rows of the running session of a market, in the order in which they lie in the store. A session is written minute by
 * minute, so that the rows of a symbol lie far apart: looking each of them up takes seven times as long.
 *
 * @param ofTimes series of which rows have their times alone
 */
export async function* readRunningRows(
  database: Queryable,
  simulated: boolean,
  ofTimes: readonly SeriesKind[],
): AsyncIterable<RunningRows & { readonly symbol: string }> {
  const read = (pages: readonly [number, number]) =>
    database.query<Omit<PackedRows, 'simulated'> & { readonly symbols: string }>(
      ROWS_OF_PAGES,
      [...pages, simulated, ofTimes],
      { keepsPlan: true },
    );
  for await (const groups of inOrder(await pagesOfRunning(database), read, 2)) {
    for (const { symbols, ...group } of groups) {
      const [{ columns, ...source }] = runningRows([{ ...group, simulated }], ofTimes) as [RunningRows];
      const [time] = columns as [Float64Array];
      const symbolOf = symbols.split(' ');
      for (const [symbol, rows] of Map.groupBy(time.keys(), (row) => symbolOf[row]!)) {
        rows.sort((one, other) => time[one]! - time[other]!);
        const own = columns.map((column) => Float64Array.from(rows, (row) => column[row]!));
        yield { ...source, symbol, columns: own };
      }
    }
  }
}

/** Bytes of a number: its length and itself. */
const ELEMENT_BYTES = 12;

/**
 * @returns the columns in their order
 * @throws Error for rows of another number of columns, whose numbers would lie in each other's places
 */
export function unpackRows(
  kind: SeriesKind,
  rows: string,
  names: readonly string[] = SERIES[kind],
): Float64Array[] {
  const bytes = Buffer.from(rows, 'base64');
  const count = bytes.length / (names.length * ELEMENT_BYTES);
  if (!Number.isInteger(count)) throw new Error(`rows of ${kind} that run have other columns`);
  return names.map((_, index) => {
    const column = new Float64Array(count);
    const [first, step] = index === 0 ? [0, 1] : [count + index - 1, names.length - 1];
    for (let row = 0; row < count; row++) {
      column[row] = bytes.readDoubleBE((first + row * step) * ELEMENT_BYTES + 4);
    }
    return column;
  });
}

/** Every symbol with at least one bar, or those of a market, in alphabetical order. */
export async function listSymbols(database: Queryable, simulated: boolean | null = null): Promise<string[]> {
  const rows = await database.query<{ symbol: string }>(
    `select symbol from (
       select symbol from tape_slice where kind like 'bars-%'
       union select symbol from running_row where kind like 'bars-%') as known
     where $1::boolean is null or ${ofMarket('known.symbol', '$1')} order by symbol`,
    [simulated],
  );
  return rows.map((row) => row.symbol);
}

export async function readDeliveredUnits(
  database: Queryable,
  feed: string,
): Promise<Map<string, FinishedUnit>> {
  const units = await database.query<FinishedUnit>(
    `select key, fingerprint, rows_kept as "rowsKept", facts_kept as "factsKept", refusals
     from tape_unit where feed = $1`,
    [feed],
  );
  return new Map(units.map((unit) => [unit.key, unit]));
}

/** A unit of a source that is on the tape as a whole. */
export interface FinishedUnit {
  readonly key: string;
  /** Of the source. */
  readonly fingerprint: string;
  /** Bars, quote bars, flow minutes, contracts of option chains and days of volatility. */
  readonly rowsKept: number;
  /** Splits, dividends and reported facts. */
  readonly factsKept: number;
  /** Summed by reason. */
  readonly refusals: readonly Refused[];
}

/** Running rows of sessions that ended before a day (since 1970-01-01). */
export interface EndedRows {
  readonly symbol: string;
  readonly kind: SeriesKind;
  readonly feed: string;
  readonly simulated: boolean;
  readonly columns: Columns;
}

const hasEnded = (daily: string, intraday: string): string =>
  `time < ${intraday}::bigint and (kind not like '%-1d' or time < ${daily}::bigint)`;

/** By feed and series and about `rowsMax` at a time: a session of thousands of symbols is millions of rows. */
export async function* readEndedRows(
  database: Queryable,
  day: number,
  rowsMax: number,
): AsyncIterable<EndedRows[]> {
  const bounds = [startOfTradeDay('bars-1d', day), startOfTradeDay('bars-1m', day)];
  // Mostly none has: to find that page by page takes twice as long.
  const anyEnded = await database.query(
    `select from running_row where ${hasEnded('$1', '$2')} limit 1`,
    bounds,
  );
  const series = new Map<string, EndedSeries>();
  for (const pages of anyEnded.length === 0 ? [] : await pagesOfRunning(database)) {
    const found = await database.query<EndedSeries>(
      `select feed, simulated, kind, symbol, count(*) as rows from running_row r
       where ${IN_PAGES} and ${hasEnded('$3', '$4')}
       group by feed, simulated, kind, symbol`,
      [...pages, ...bounds],
    );
    for (const { rows, ...of } of found) {
      const name = [of.feed, of.simulated, of.kind, of.symbol].join(' ');
      series.set(name, { ...of, rows: rows + (series.get(name)?.rows ?? 0) });
    }
  }
  const sorted = [...series].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, of]) => of);
  for (const group of groupsOf(sorted, rowsMax)) {
    const { feed, simulated, kind } = group[0]!;
    const ended: EndedRows[] = [];
    for (const part of groupsOf(group, ROWS_AT_ONCE)) {
      const found = await database.query<{ symbol: string; rows: string }>(
        `select r.symbol, ${ROWS} from running_row r
         where r.feed = $1 and r.simulated = $2 and r.kind = $3 and r.symbol = any($4::text[]) and r.time < $5::bigint
         group by r.symbol order by r.symbol`,
        [feed, simulated, kind, part.map(({ symbol }) => symbol), startOfTradeDay(kind, day)],
      );
      for (const { symbol, rows } of found)
        ended.push({ symbol, kind, feed, simulated, columns: columnsInOrder(kind, unpackRows(kind, rows)) });
    }
    if (ended.length > 0) yield ended;
  }
}

type EndedSeries = Omit<EndedRows, 'columns'> & { readonly rows: number };

/** Neighbours of one feed and series in stretches of about `rowsMax` rows. */
function* groupsOf(series: readonly EndedSeries[], rowsMax: number): Iterable<EndedSeries[]> {
  let group: EndedSeries[] = [];
  let rows = 0;
  for (const one of series) {
    const [first] = group;
    const isAlike = first?.feed === one.feed && first.simulated === one.simulated && first.kind === one.kind;
    if (first !== undefined && (!isAlike || rows + one.rows > rowsMax)) {
      yield group;
      group = [];
      rows = 0;
    }
    group.push(one);
    rows += one.rows;
  }
  if (group.length > 0) yield group;
}

/** A range of dates with new data that no derivation has read. */
export interface DirtyRange {
  readonly symbol: string;
  /** A series kind, `action`, `fact` or `chain`. */
  readonly kind: string;
  /** Days since 1970-01-01, inclusive. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** Instant of the newest change; a later change has another. */
  readonly version: string;
}

/** Dirty ranges of all symbols, or the named ones, of both markets, or of one. */
export async function readDirtyRanges(
  database: Queryable,
  symbols?: readonly string[],
  simulated: boolean | null = null,
): Promise<DirtyRange[]> {
  return database.query<DirtyRange>(
    `select symbol, kind, first_day as "firstDay", last_day as "lastDay", touched_at::text as version
     from tape_touched t
     where ($1::text[] is null or symbol = any($1::text[])) and ($2::boolean is null or ${ofMarket('t.symbol', '$2')})
     order by symbol, last_day, kind`,
    [symbols ?? null, simulated],
  );
}

/** Clears ranges that were derived, unless newer data changed them meanwhile. */
export async function clearDirtyRanges(database: Queryable, ranges: readonly DirtyRange[]): Promise<void> {
  await database.write(
    `delete from tape_touched t
     using unnest($1::text[], $2::text[], $3::integer[], $4::timestamptz[]) as done (symbol, kind, last_day, version)
     where t.symbol = done.symbol and t.kind = done.kind and t.last_day = done.last_day and t.touched_at = done.version`,
    [
      ranges.map((row) => row.symbol),
      ranges.map((row) => row.kind),
      ranges.map((row) => row.lastDay),
      ranges.map((row) => row.version),
    ],
  );
  at('touched.cleared');
}

/** Which minutes of a running session are on the tape, and the market as a whole at each. Instants are epoch milliseconds. */

/** The newest minute of a session that is on the tape; null while none is. */
export async function newestMinute(
  database: Queryable,
  simulated: boolean,
  tradeDate: string,
): Promise<number | null> {
  const [row] = await database.query<{ at: Date | null }>(
    'select max(at) as at from running_minute where simulated = $2 and trade_date = $1::date',
    [tradeDate, simulated],
  );
  return row!.at?.getTime() ?? null;
}

/** Says that a minute is on the tape. A minute that a late row reaches back to has no market any more, nor those after. */
export function recordingMinute(
  tradeDate: string,
  {
    simulated,
    at,
    lateFrom,
  }: { readonly simulated: boolean; readonly at: number; readonly lateFrom: number | null },
): Statement[] {
  const record = {
    sql: `insert into running_minute (simulated, trade_date, at) values ($3, $1::date, $2::timestamptz)
     on conflict do nothing`,
    parameters: [tradeDate, new Date(at).toISOString(), simulated],
  };
  if (lateFrom === null) return [record];
  const forget = {
    sql: `update running_minute set market = null
     where simulated = $3 and trade_date = $1::date and at >= $2::timestamptz`,
    parameters: [tradeDate, new Date(lateFrom).toISOString(), simulated],
  };
  return [record, forget];
}

export async function writeMinuteMarket(
  database: Queryable,
  simulated: boolean,
  tradeDate: string,
  instant: number,
  market: string,
): Promise<void> {
  await database.write(
    `insert into running_minute (simulated, trade_date, at, market) values ($4, $1::date, $2::timestamptz, $3)
     on conflict (simulated, trade_date, at) do update set market = excluded.market`,
    [tradeDate, new Date(instant).toISOString(), market, simulated],
  );
  at('minute-market.stored');
}

/** JSON text of the market at a minute of a running session; null where none was derived, or a late row has moved it. */
export async function readMinuteMarket(
  database: Queryable,
  simulated: boolean,
  tradeDate: string,
  at: number,
  options: QueryOptions = {},
): Promise<string | null> {
  const [row] = await database.query<{ market: string | null }>(
    `select market from running_minute
     where simulated = $3 and trade_date = $1::date and at = $2::timestamptz`,
    [tradeDate, new Date(at).toISOString(), simulated],
    { ...options, keepsPlan: true },
  );
  return row?.market ?? null;
}

/** Deletes the minutes of sessions before a date: their rows are in files, their markets stored by day. */
export async function forgetMinutes(database: Queryable, before: string): Promise<void> {
  await database.write('delete from running_minute where trade_date < $1::date', [before]);
  at('minutes.forgotten');
}

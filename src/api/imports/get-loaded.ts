import { type Calendar, DAY_MS, dateOf, midnightUtc } from '../../base/calendar.ts';
import { dottedSymbol } from '../../base/symbols.ts';
import { instantOrNull } from '../../base/wire.ts';
import type { Queryable, QueryOptions } from '../../database/database.ts';
import type { Refused } from '../../market/refusals.ts';
import { isIntraday, SERIES, type SeriesKind, tradeDay } from '../../market/series.ts';
import { SegmentReader, type SymbolTape } from '../../tape/index.ts';
import { IMPATIENT_MS } from '../../tape/segments/segment-store.ts';
import { foreignCursor } from '../answers/refusals.ts';
import type { AppContext } from '../context/app-context.ts';
import { nameAt } from '../context/symbol-index.ts';
import { IMPORT_SAYS, type Importable } from '../stocks/import-next.ts';
import { refusedRowsOf } from './refused-rows.ts';
import type { LoadedAnswer, LoadedKind } from './schema.ts';

export interface LoadedRequest {
  readonly q?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

type LoadedSymbol = LoadedAnswer['loaded'][number];
type LoadedSeries = LoadedSymbol['series'][number];

/** Holes that are named, the newest. */
const HOLES_MAX = 50;

/** Minutes are of any length up to an hour. */
function kindOf(series: SeriesKind): LoadedKind {
  if (series === 'bars-1d') return 'days';
  if (series === 'flow-minutes') return 'prints';
  if (series === 'volatility-1d') return 'volatility';
  return series.startsWith('quotes-') ? 'quotes' : 'minutes';
}

/** Trade dates as days since 1970-01-01. */
type Days = ReadonlySet<number>;

/**
 * What is loaded of each symbol, with the sessions that are missing in between, and what was refused of the newest
 * sources. For the operator: of every symbol, without a delay.
 *
 * @throws ValidationRefusal for a cursor that is none
 */
export async function getLoaded(
  context: AppContext,
  { q = '', limit, cursor }: LoadedRequest,
  signal: AbortSignal,
): Promise<LoadedAnswer> {
  const { database, calendar, clock, tapes } = context;
  const options = { signal };
  const matching = await matchingSymbols(context, dottedSymbol(q), options);
  const from = cursor === undefined ? 0 : matching.indexOf(cursor);
  if (from < 0) throw foreignCursor(cursor!);
  const symbols = matching.slice(from, from + limit);
  const [held, chains, facts, listed] = await Promise.all([
    tapes.symbolTapes(symbols, options),
    chainDays(database, symbols, options),
    factCounts(database, symbols, options),
    context.symbols.all(),
  ]);
  const names = new Map(listed.map((one) => [one.symbol, nameAt(one, clock.now()).name]));
  const bySymbol = new Map(held.map((tape) => [tape.symbol, tape]));
  const days = await daysByKind(context, held);
  const loaded = symbols.map((symbol): LoadedSymbol => {
    const tape = bySymbol.get(symbol);
    const kinds = [
      ...(days.get(symbol) ?? []),
      ...(chains.has(symbol) ? [['chains', chains.get(symbol)!] as const] : []),
    ];
    const rows = [...(tape?.slices ?? []), ...(tape?.running ?? [])];
    const series = [...kinds.map(([kind, of]) => seriesOf(calendar, kind, of)), ...(facts.get(symbol) ?? [])];
    return {
      symbol,
      name: names.get(symbol) ?? null,
      simulated: rows.some(({ simulated }) => simulated),
      series,
      next: nextOf(series),
    };
  });
  return {
    newest: instantOrNull(await newestInstant(context, matching, options)),
    symbols: matching.length,
    loaded,
    deliveries: cursor === undefined ? await deliveries(database, options) : [],
    next_cursor: matching[from + limit] ?? null,
  };
}

/** Sessions in a row that most averages and scores need. */
const SESSIONS_ENOUGH = 60;

/** What to import of a symbol so that more of it is known. */
function nextOf(series: readonly LoadedSeries[]): LoadedSymbol['next'] {
  const sessionsOf = (kind: LoadedKind): number => series.find((one) => one.kind === kind)?.sessions ?? 0;
  const lacking: readonly Importable[] = [
    ...(sessionsOf('days') < SESSIONS_ENOUGH ? (['daily_bars'] as const) : []),
    ...(sessionsOf('minutes') === 0 ? (['minute_bars'] as const) : []),
    ...(sessionsOf('chains') === 0 ? (['option_chain'] as const) : []),
  ];
  return lacking.map((data) => ({ data, says: IMPORT_SAYS[data] }));
}

/** The symbols of a table, by one look into its index for each. */
const walkOf = (table: string): string => `(with recursive walk as (
    (select symbol from ${table} order by symbol limit 1)
    union all
    select (select t.symbol from ${table} t where t.symbol > walk.symbol order by t.symbol limit 1)
    from walk where walk.symbol is not null)
  select symbol from walk where symbol is not null)`;

const SYMBOLS = ['tape_slice', 'chain_slice', 'reported_fact'].map(walkOf).join(' union ');

/** Symbols with a row of any kind, ascending. */
async function matchingSymbols(
  { database, symbols: index }: Pick<AppContext, 'database' | 'symbols'>,
  start: string,
  options: QueryOptions,
): Promise<string[]> {
  const rows = await database.query<{ symbol: string }>(SYMBOLS, [], options);
  const known = new Set([...rows, ...(await index.all())].map(({ symbol }) => symbol));
  const bare = (symbol: string): string => symbol.replace(/^\^/, '');
  return [...known].filter((symbol) => bare(symbol).startsWith(bare(start))).sort();
}

async function daysByKind(
  { tape: { location } }: Pick<AppContext, 'tape'>,
  tapes: readonly SymbolTape[],
): Promise<Map<string, Map<LoadedKind, Days>>> {
  const reader = new SegmentReader(location);
  reader.retryFor(IMPATIENT_MS);
  try {
    await reader.fetchAhead(() =>
      tapes.flatMap(({ slices }) => slices.filter(({ kind }) => !isIntraday(kind))),
    );
    return new Map(tapes.map((tape) => [tape.symbol, daysOf(reader, tape)]));
  } finally {
    reader.close();
  }
}

function daysOf(reader: SegmentReader, tape: SymbolTape): Map<LoadedKind, Days> {
  const days = new Map<LoadedKind, Set<number>>();
  for (const series of Object.keys(SERIES) as SeriesKind[]) {
    const tradeDays = (times: Float64Array): number[] => Array.from(times, (time) => tradeDay(series, time));
    // Slices of daily rows do not list their dates.
    const found = isIntraday(series)
      ? [
          ...tape.slices.flatMap((slice) => (slice.kind === series ? slice.days : [])),
          ...tape.running.flatMap((rows) => (rows.kind === series ? tradeDays(rows.columns[0]!) : [])),
        ]
      : tradeDays(reader.rows(tape, series, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY).time);
    if (found.length === 0) continue;
    const known = days.getOrInsertComputed(kindOf(series), () => new Set());
    for (const day of found) known.add(day);
  }
  return days;
}

async function chainDays(
  database: Queryable,
  symbols: readonly string[],
  options: QueryOptions,
): Promise<Map<string, Days>> {
  const rows = await database.query<{ symbol: string; days: number[] }>(
    `select symbol, array_agg(distinct (taken_at at time zone 'America/New_York')::date - date '1970-01-01') as days
     from chain_slice where symbol = any($1::text[]) group by symbol`,
    [symbols],
    options,
  );
  return new Map(rows.map(({ symbol, days }) => [symbol, new Set(days)]));
}

async function factCounts(
  database: Queryable,
  symbols: readonly string[],
  options: QueryOptions,
): Promise<Map<string, LoadedSeries[]>> {
  const rows = await database.query<{ symbol: string; first: string; last: string; facts: number }>(
    `select symbol, to_char(min(known_at) at time zone 'America/New_York', 'YYYY-MM-DD') as first,
       to_char(max(known_at) at time zone 'America/New_York', 'YYYY-MM-DD') as last, count(*)::integer as facts
     from reported_fact where symbol = any($1::text[]) group by symbol`,
    [symbols],
    options,
  );
  return new Map(
    rows.map(({ symbol, first, last, facts }) => [
      symbol,
      [{ kind: 'facts', first, last, sessions: facts, holes: [], missing: 0 }],
    ]),
  );
}

function seriesOf(calendar: Calendar, kind: LoadedKind, days: Days): LoadedSeries {
  const dates = [...days].sort((one, other) => one - other).map((day) => dateOf(day * DAY_MS));
  const [first, last] = [dates[0]!, dates.at(-1)!];
  const holes: LoadedSeries['holes'] = [];
  let missing = 0;
  let isOpen = false;
  for (const date of calendar.sessionsBetween(first, last)) {
    if (days.has(midnightUtc(date) / DAY_MS)) {
      isOpen = false;
      continue;
    }
    missing++;
    const hole = holes.at(-1);
    if (isOpen) Object.assign(hole!, { to: date, sessions: hole!.sessions + 1 });
    else holes.push({ from: date, to: date, sessions: 1 });
    isOpen = true;
  }
  return { kind, first, last, sessions: days.size, holes: holes.slice(-HOLES_MAX), missing };
}

/** End of the newest session or minute of symbols, of any kind, epoch milliseconds. */
async function newestInstant(
  { database, calendar }: Pick<AppContext, 'database' | 'calendar'>,
  symbols: readonly string[],
  options: QueryOptions,
): Promise<number | null> {
  const [row] = await database.query<{ day: number | null; time: number | null }>(
    `select (select max(last_day) from tape_slice where symbol = any($1::text[])) as day,
       greatest((select max(time) + 60000 from running_row where symbol = any($1::text[]))::float8,
         (select extract(epoch from max(taken_at)) * 1000 from chain_slice where symbol = any($1::text[]))::float8) as time`,
    [symbols],
    options,
  );
  const { day, time } = row!;
  const close = day === null ? null : (calendar.session(dateOf(day * DAY_MS))?.close ?? null);
  return close === null || time === null ? (close ?? time) : Math.max(close, time);
}

/** The newest sources. */
async function deliveries(database: Queryable, options: QueryOptions): Promise<LoadedAnswer['deliveries']> {
  interface Row {
    readonly feed: string;
    readonly key: string;
    readonly at: number;
    readonly rows: number;
    readonly refusals: readonly Refused[];
  }
  const rows = await database.query<Row>(
    `select feed, key, extract(epoch from imported_at)::float8 * 1000 as at,
       (rows_kept + facts_kept)::float8 as rows, refusals
     from tape_unit order by imported_at desc limit 50`,
    [],
    options,
  );
  return rows.map(({ feed, key, at, rows: kept, refusals }) => ({
    feed,
    source: key,
    imported_at: instantOrNull(Math.round(at))!,
    rows: kept,
    refused: refusals.map(refusedRowsOf),
  }));
}

import type { Database, Queryable, QueryOptions } from '../base/database.ts';
import type { NewStateYear, StateDay, StateYear } from '../base/stock-state.ts';

/** By symbol the name of what its states were derived from. */
export async function readStateSources(
  database: Queryable,
  symbols: readonly string[],
): Promise<Map<string, string>> {
  const rows = await database.query<{ symbol: string; source: string }>(
    'select symbol, source from stock_state_source where symbol = any($1::text[])',
    [symbols],
  );
  return new Map(rows.map(({ symbol, source }) => [symbol, source]));
}

/** The years of states that are whole in the store. */
export async function readStateYears(database: Queryable, symbols: readonly string[]): Promise<StateYear[]> {
  return database.query<StateYear>(
    `select symbol, year, through::text as through, digest from stock_state_year
     where symbol = any($1::text[]) order by symbol, year`,
    [symbols],
  );
}

/** Writes states that are new or have changed, in one statement; answers how many. */
export async function putStates(database: Queryable, days: readonly StateDay[]): Promise<number> {
  const [row] = await database.query<{ written: number }>(
    `with put as (
       insert into stock_state as known (symbol, trade_date, log_return, state)
       select symbol, trade_date, log_return, state::vector(32)
       from unnest($1::text[], $2::date[], $3::float8[], $4::text[]) as day (symbol, trade_date, log_return, state)
       order by symbol, trade_date
       on conflict (symbol, trade_date) do update set log_return = excluded.log_return, state = excluded.state
       where known.log_return <> excluded.log_return or known.state <> excluded.state
       returning trade_date, xmax = 0 as is_new),
     counted as (
       insert into stock_state_session as session (trade_date, states)
       select trade_date, count(*) from put where is_new group by trade_date order by trade_date
       on conflict (trade_date) do update set states = session.states + excluded.states)
     select count(*) as written from put`,
    [
      days.map((day) => day.symbol),
      days.map((day) => day.tradeDate),
      days.map((day) => day.logReturn),
      days.map((day) => day.state),
    ],
  );
  return row!.written;
}

/**
 * Says that the states of symbols are whole in the store: what their rewritten years no longer have goes, and the names of
 * years and sources are kept. To come after `putStates` of all their days.
 *
 * @param sources by symbol the name of what the states were derived from
 */
export async function settleStates(
  database: Database,
  years: readonly NewStateYear[],
  sources: ReadonlyMap<string, string>,
): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const year of years.filter((one) => one.isRewritten)) await removeStale(transaction, year);
    const [gone, kept] = [
      years.filter(({ digest }) => digest === ''),
      years.filter(({ digest }) => digest !== ''),
    ];
    await transaction.query(
      `delete from stock_state_year y using unnest($1::text[], $2::integer[]) as gone (symbol, year)
       where y.symbol = gone.symbol and y.year = gone.year`,
      [gone.map(({ symbol }) => symbol), gone.map(({ year }) => year)],
    );
    await transaction.query(
      `insert into stock_state_year (symbol, year, through, digest)
       select * from unnest($1::text[], $2::integer[], $3::date[], $4::text[])
       on conflict (symbol, year) do update set through = excluded.through, digest = excluded.digest`,
      [
        kept.map(({ symbol }) => symbol),
        kept.map(({ year }) => year),
        kept.map(({ through }) => through),
        kept.map(({ digest }) => digest),
      ],
    );
    await transaction.query(
      `insert into stock_state_source (symbol, source) select * from unnest($1::text[], $2::text[])
       on conflict (symbol) do update set source = excluded.source`,
      [[...sources.keys()], [...sources.values()]],
    );
  });
}

async function removeStale(
  database: Queryable,
  { symbol, year, through, days }: NewStateYear,
): Promise<void> {
  await database.query(
    `with gone as (
       delete from stock_state
       where symbol = $1 and trade_date between make_date($2::integer, 1, 1) and $3::date
         and trade_date <> all($4::date[])
       returning trade_date)
     update stock_state_session session set states = states - 1 from gone where session.trade_date = gone.trade_date`,
    [symbol, year, through, days.map(({ tradeDate }) => tradeDate)],
  );
}

/** How many bytes a state takes while the index is built in memory, and the most that is asked for. */
const BUILD_BYTES = 700;
const BUILD_MEGABYTES_MAX = 1_024;

/** Without its index the table takes rows ten times as fast, and is searched row by row. */
export async function dropStateIndex(database: Queryable): Promise<void> {
  await database.query('drop index if exists stock_state_near');
}

export async function hasStateIndex(database: Queryable, options: QueryOptions = {}): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(
    `select to_regclass('stock_state_near') is not null as found`,
    [],
    options,
  );
  return row!.found;
}

/** Builds the index over the states that are there, as the migration defines it. It holds the embedded backend meanwhile. */
export async function buildStateIndex(database: Database, states: number): Promise<void> {
  await database.transaction(async (transaction) => {
    const megabytes = Math.ceil((states * BUILD_BYTES) / 1_048_576) + 64;
    await transaction.query(`select set_config('maintenance_work_mem', $1, true)`, [
      `${Math.min(BUILD_MEGABYTES_MAX, megabytes)}MB`,
    ]);
    await transaction.query(
      `create index if not exists stock_state_near on stock_state using hnsw (state vector_l2_ops)
       with (m = 8, ef_construction = 32)`,
    );
  });
}

/** The state of one day. */
export interface KeptState {
  readonly tradeDate: string;
  /** Text of a vector. */
  readonly state: string;
}

/** The newest state of a symbol at or before a date; null where it has none. */
export async function newestState(
  database: Queryable,
  symbol: string,
  until: string,
  options: QueryOptions = {},
): Promise<KeptState | null> {
  const [row] = await database.query<KeptState>(
    `select trade_date::text as "tradeDate", state::text as state from stock_state
     where symbol = $1 and trade_date <= $2::date order by trade_date desc limit 1`,
    [symbol, until],
    options,
  );
  return row ?? null;
}

/** How many states there are at or before a date. */
export async function countStates(
  database: Queryable,
  until: string,
  options: QueryOptions = {},
): Promise<number> {
  const [row] = await database.query<{ states: number }>(
    'select coalesce(sum(states), 0)::bigint as states from stock_state_session where trade_date <= $1::date',
    [until],
    options,
  );
  return row!.states;
}

/** A stock-day and how far its state lies from another. */
export interface NearState {
  readonly symbol: string;
  readonly tradeDate: string;
  /** Euclidean. */
  readonly distance: number;
}

/** Equal distances by name, so that the same rows answer in the same order on every store. */
const byDistance = (one: NearState, other: NearState): number =>
  one.distance - other.distance ||
  (one.tradeDate < other.tradeDate ? -1 : one.tradeDate > other.tradeDate ? 1 : 0) ||
  (one.symbol < other.symbol ? -1 : 1);

/** Whether any stock has a state after a date. */
export async function hasStatesAfter(
  database: Queryable,
  date: string,
  options: QueryOptions = {},
): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(
    'select exists (select from stock_state_session where trade_date > $1::date and states > 0) as found',
    [date],
    options,
  );
  return row!.found;
}

/** So few states are found by their date and compared in one statement. */
const FEW = 10_000;
/** Pages of the table that one statement compares: some 45,000 states, 20 ms of the embedded backend. */
const PAGES_AT_ONCE = 1_000;

/**
 * The states at or before a date that lie nearest, every one of them compared: stretch by stretch of the table, so that
 * other callers of the embedded backend pass in between.
 *
 * @param candidates how many states there are at or before the date
 */
export async function nearestExactly(
  database: Queryable,
  state: string,
  until: string,
  limit: number,
  candidates: number,
  options: QueryOptions = {},
): Promise<NearState[]> {
  const pages = candidates <= FEW ? null : await pagesOfStates(database, options);
  let nearest: NearState[] = [];
  for (let page = 0; page < (pages ?? 1); page += PAGES_AT_ONCE) {
    const found = await database.query<NearState>(
      `with compared as materialized (
         select symbol, trade_date, state <-> $1::vector(32) as distance from stock_state
         where trade_date <= $2::date ${pages === null ? '' : STRETCH})
       select symbol, trade_date::text as "tradeDate", distance from compared
       order by distance, trade_date, symbol limit $3`,
      pages === null ? [state, until, limit] : [state, until, limit, page, page + PAGES_AT_ONCE],
      options,
    );
    nearest = [...nearest, ...found].sort(byDistance).slice(0, limit);
  }
  return nearest;
}

const STRETCH = `and ctid >= format('(%s,0)', $4::bigint)::tid and ctid < format('(%s,0)', $5::bigint)::tid`;

async function pagesOfStates(database: Queryable, options: QueryOptions): Promise<number> {
  const [table] = await database.query<{ pages: number }>(
    `select pg_relation_size('stock_state') / current_setting('block_size')::integer as pages`,
    [],
    options,
  );
  return table!.pages;
}

/** Candidates that the index keeps in sight: at 120 it finds 99 of 100 true neighbours of 200,000 states. */
const IN_SIGHT = 120;

/**
 * The states at or before a date that lie nearest, as the index finds them: about 99 of 100 are the true ones. It goes on
 * past states after the date until it has as many as wanted, or has seen some 20,000; the answer may then be shorter.
 */
export async function nearestByIndex(
  database: Database,
  state: string,
  until: string,
  limit: number,
  options: QueryOptions = {},
): Promise<NearState[]> {
  return database.transaction(async (transaction) => {
    // No plan but the walk over the index: what a planner thinks of vectors must not decide how long a caller waits.
    await transaction.query(
      `select set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
         set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
         set_config('enable_sort', 'off', true)`,
      [String(Math.min(1_000, Math.max(IN_SIGHT, limit)))],
      options,
    );
    const rows = await transaction.query<NearState>(
      `select symbol, trade_date::text as "tradeDate", state <-> $1::vector(32) as distance from stock_state
       where trade_date <= $2::date order by state <-> $1::vector(32) limit $3`,
      [state, until, limit],
      options,
    );
    return rows.sort(byDistance);
  });
}

/** Log returns after a stock-day: one for each of the dates asked for, null where the stock has no bar on it. */
export async function logReturnsAfter(
  database: Queryable,
  days: readonly {
    readonly symbol: string;
    readonly tradeDate: string;
    readonly until: readonly (string | null)[];
  }[],
  options: QueryOptions = {},
): Promise<(number | null)[][]> {
  const asked = days.flatMap(({ symbol, tradeDate, until }, day) =>
    until.map((date, horizon) => ({ day, horizon, symbol, tradeDate, date })),
  );
  const rows = await database.query<{ day: number; horizon: number; logReturn: number | null }>(
    `select asked.day, asked.horizon, case when bool_or(s.trade_date = asked.until) then sum(s.log_return) end as "logReturn"
     from unnest($1::integer[], $2::integer[], $3::text[], $4::date[], $5::date[]) as asked (day, horizon, symbol, since, until)
     join stock_state s on s.symbol = asked.symbol and s.trade_date > asked.since and s.trade_date <= asked.until
     group by asked.day, asked.horizon`,
    [
      asked.map(({ day }) => day),
      asked.map(({ horizon }) => horizon),
      asked.map(({ symbol }) => symbol),
      asked.map(({ tradeDate }) => tradeDate),
      asked.map(({ date }) => date),
    ],
    options,
  );
  const returns = days.map(({ until }) => until.map((): number | null => null));
  for (const { day, horizon, logReturn } of rows) returns[day]![horizon] = logReturn;
  return returns;
}

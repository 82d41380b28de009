import type { Queryable, QueryOptions } from '../../database/database.ts';
import type { Status } from './schema.ts';

/** Newest rows of each kind of data, epoch milliseconds or days since 1970-01-01; null without one. */
export interface NewestRows {
  /** Begin of the newest minute of a running session, by series. */
  readonly quoteTime: number | null;
  readonly minuteTime: number | null;
  readonly fiveMinuteTime: number | null;
  /** Newest ended session in a segment, by series. */
  readonly quoteDay: number | null;
  readonly minuteDay: number | null;
  readonly dailyDay: number | null;
  readonly chainTime: number | null;
  readonly simulated: boolean;
  readonly postgresql: string;
}

/** Its instant in epoch milliseconds. */
type PassRow = Omit<Status['passes'], 'derived_at'> & { readonly derived_at: number | null };

/** What is read: the symbols of the caller, the instant, its trade date, and the newest session that was over by then. */
export interface StatusView {
  readonly symbols: readonly string[];
  readonly asOf: number;
  readonly tradeDate: string;
  readonly endedDay: number;
}

// One look into the index for each symbol: a running session has a row for each of its minutes.
const newestRunning = (kind: string, lengthMs: number): string =>
  `(select max(newest.time) from asked cross join lateral (select max(r.time) as time from running_row r
    where r.symbol = asked.symbol and r.kind = '${kind}' and r.time <= $3::bigint - ${lengthMs}) as newest)`;

const newestDay = (kind: string): string =>
  `(select max(least(s.last_day, $2::integer)) from tape_slice s
    where s.kind = '${kind}' and s.first_day <= $2::integer and s.symbol = any($1::text[]))`;

const NEWEST = `
with asked as (select unnest($1::text[]) as symbol)
select ${newestRunning('quotes-1m', 60_000)}::float8 as "quoteTime",
  ${newestRunning('bars-1m', 60_000)}::float8 as "minuteTime",
  ${newestRunning('bars-5m', 300_000)}::float8 as "fiveMinuteTime",
  ${newestDay('quotes-1m')} as "quoteDay", ${newestDay('bars-1m')} as "minuteDay", ${newestDay('bars-1d')} as "dailyDay",
  (select extract(epoch from max(c.taken_at)) * 1000 from chain_slice c
    where c.taken_at <= $4::timestamptz and c.symbol = any($1::text[]))::float8 as "chainTime",
  exists (select from tape_segment where simulated) as simulated,
  current_setting('server_version') as postgresql`;

// A slice lists the trade dates of intraday rows and where each begins; one of daily rows that goes on has no such count.
const SERIES = `
select kind as series, count(distinct symbol)::integer as symbols,
  case when bool_and(last_day <= $2::integer or cardinality(days) > 0) then sum(case when last_day <= $2::integer then rows
    else starts[(select count(*) from unnest(days) as day where day <= $2::integer) + 1] end)::float8 end as rows,
  to_char(date '1970-01-01' + min(first_day), 'YYYY-MM-DD') as first_session,
  to_char(date '1970-01-01' + max(least(last_day, $2::integer)), 'YYYY-MM-DD') as last_session
from tape_slice where first_day <= $2::integer and symbol = any($1::text[]) group by kind
union all
select 'chains', count(distinct symbol)::integer, coalesce(sum(rows), 0)::float8,
  to_char(min(taken_at) at time zone 'America/New_York', 'YYYY-MM-DD'),
  to_char(max(taken_at) at time zone 'America/New_York', 'YYYY-MM-DD')
from chain_slice where taken_at <= $3::timestamptz and symbol = any($1::text[]) having count(*) > 0
order by 1`;

// Rows of the running date count once the caller may see all of them: those that are old enough before would be just the
// stocks that did not trade.
const PASSES = `
with newest as (
  select d.trade_date as date from stock_day d
  where d.symbol = any($1::text[]) and (d.trade_date < $2::date or (d.trade_date = $2::date and not exists
    (select from stock_day n where n.trade_date = $2::date and n.as_of > $3::timestamptz)))
  order by d.trade_date desc limit 1),
days as (select d.derived_at from stock_day d, newest where d.trade_date = newest.date and d.symbol = any($1::text[])),
ended as (select date '1970-01-01' + $4::integer as date)
select (select to_char(date, 'YYYY-MM-DD') from newest) as newest_stock_day,
  (select extract(epoch from max(derived_at)) * 1000 from days where derived_at <= $3::timestamptz)::float8 as derived_at,
  (select count(*)::integer from days) as stock_days,
  (select count(distinct symbol)::integer from tape_touched where first_day <= $4::integer and symbol = any($1::text[]))
    as waiting_symbols,
  (select to_char(max(m.trade_date), 'YYYY-MM-DD') from market_day m, ended where m.trade_date <= ended.date)
    as newest_market,
  (select to_char(max(p.month), 'YYYY-MM-DD') from peer_topology p, ended
    where p.month <= $2::date and p.window_to <= ended.date) as newest_peers`;

export async function readNewestRows(
  database: Queryable,
  { symbols, asOf, endedDay }: StatusView,
  options: QueryOptions,
): Promise<NewestRows> {
  const parameters = [symbols, endedDay, asOf, new Date(asOf).toISOString()];
  return (await database.query<NewestRows>(NEWEST, parameters, options))[0]!;
}

export const readSeries = (
  database: Queryable,
  { symbols, asOf, endedDay }: StatusView,
  options: QueryOptions,
): Promise<Status['series']> =>
  database.query<Status['series'][number]>(
    SERIES,
    [symbols, endedDay, new Date(asOf).toISOString()],
    options,
  );

export async function readPasses(
  database: Queryable,
  { symbols, asOf, tradeDate, endedDay }: StatusView,
  options: QueryOptions,
): Promise<PassRow> {
  const parameters = [symbols, tradeDate, new Date(asOf).toISOString(), endedDay];
  return (await database.query<PassRow>(PASSES, parameters, options))[0]!;
}

export interface TapeSize {
  readonly series: string;
  readonly files: number;
  readonly bytes: number;
}

export const readTapeSizes = (database: Queryable, options: QueryOptions): Promise<readonly TapeSize[]> =>
  database.query<TapeSize>(
    'select kind as series, count(*)::integer as files, sum(bytes)::float8 as bytes from tape_segment group by kind',
    [],
    options,
  );

export interface Waiting {
  /** Seconds since the oldest change of the tape that no pass has derived; 0 without one. */
  readonly factsBehindSeconds: number;
  readonly symbols: number;
  readonly pendingRuns: number;
  readonly runningRuns: number;
}

export async function readWaiting(database: Queryable, options: QueryOptions): Promise<Waiting> {
  const [row] = await database.query<Waiting>(
    `select (select coalesce(greatest(extract(epoch from clock_timestamp() - min(touched_at)), 0), 0)::float8
        from tape_touched) as "factsBehindSeconds",
      (select count(distinct symbol)::integer from tape_touched) as symbols,
      (select count(*)::integer from backtest_run where status = 'pending') as "pendingRuns",
      (select count(*)::integer from backtest_run where status = 'running') as "runningRuns"`,
    [],
    options,
  );
  return row!;
}

import { at } from '../base/fault-points.ts';
import type { Database, Queryable, QueryOptions } from '../database/database.ts';
import { ofMarket } from '../database/symbol-market.ts';
import type { StockDayName } from '../derive/stock-day.ts';
import { columns } from './columns.ts';

/** Identifies the stored market of a completed session. */
export interface MarketDayName {
  readonly tradeDate: string;
  readonly digest: string;
}

/** The stored market of a completed session. */
export interface MarketDay extends MarketDayName {
  /** JSON. */
  readonly text: string;
}

/** Dirty ranges of these kinds can move the market of every date from their first day on. */
const MARKET_KINDS = ['bars-1d', 'action', 'fact'];
/** A dirty range for one stock-day that could not be derived against its market. */
const MARKET_KIND = 'market';

export const movesMarket = (kind: string): boolean => MARKET_KINDS.includes(kind);

/** Stored markets that no newer data can have moved; other dates are left out. */
export async function readSettledMarkets(
  database: Queryable,
  simulated: boolean,
  dates: readonly string[],
  options: QueryOptions = {},
): Promise<Pick<MarketDay, 'tradeDate' | 'text'>[]> {
  if (dates.length === 0) return [];
  return database.query(
    `select trade_date::text as "tradeDate", snapshot as text from market_day
     where simulated = $3 and trade_date = any($1::date[]) and not exists (select from tape_touched
       where kind = any($2::text[]) and first_day <= trade_date - date '1970-01-01')`,
    [dates, MARKET_KINDS, simulated],
    options,
  );
}

/** Stored markets; dates without one are left out. */
export async function readMarketDays(
  database: Queryable,
  simulated: boolean,
  dates: readonly string[],
): Promise<MarketDay[]> {
  return database.query<MarketDay>(
    `select trade_date::text as "tradeDate", digest, snapshot as text from market_day
     where simulated = $2 and trade_date = any($1::date[])`,
    [dates, simulated],
  );
}

/** The newest dates up to a bound with a stored market, of a pass or of a running session; newest first. */
export async function newestMarketDates(
  database: Queryable,
  simulated: boolean,
  until: string,
  options: QueryOptions = {},
): Promise<string[]> {
  const rows = await database.query<{ date: string }>(
    `select distinct date::text from (
       (select trade_date as date from market_day where simulated = $2 and trade_date <= $1::date
         order by trade_date desc limit 2)
       union all
       (select trade_date from running_minute where simulated = $2 and trade_date <= $1::date
         order by trade_date desc limit 1)) as kept
     order by 1 desc`,
    [until, simulated],
    options,
  );
  return rows.map((row) => row.date);
}

/** Dates with a stored market from a day (since 1970-01-01) on. */
export async function marketDatesSince(
  database: Queryable,
  simulated: boolean,
  day: number,
): Promise<string[]> {
  const rows = await database.query<{ date: string }>(
    `select trade_date::text as date from market_day
     where simulated = $2 and trade_date >= date '1970-01-01' + $1::integer order by trade_date`,
    [day, simulated],
  );
  return rows.map((row) => row.date);
}

/** Stores markets that are new or changed; their dates are stale until `markMarketDaysClean`. */
export async function writeMarketDays(
  database: Queryable,
  simulated: boolean,
  days: readonly MarketDay[],
): Promise<void> {
  if (days.length === 0) return;
  await database.write(
    `insert into market_day (simulated, trade_date, digest, snapshot, unsettled)
     select $4, trade_date, digest, snapshot, true
     from unnest($1::date[], $2::text[], $3::text[]) as day (trade_date, digest, snapshot)
     on conflict (simulated, trade_date) do update set digest = excluded.digest, snapshot = excluded.snapshot, unsettled = true,
       derived_at = clock_timestamp()
     where market_day.digest <> excluded.digest`,
    [...columns(days, ['tradeDate', 'digest', 'text']), simulated],
  );
  at('markets.committed');
}

/** Dates whose market may be newer than their stock-days. */
export async function staleMarketDays(database: Queryable, simulated: boolean): Promise<MarketDayName[]> {
  return database.query(
    `select trade_date::text as "tradeDate", digest from market_day
     where unsettled and simulated = $1 order by trade_date`,
    [simulated],
  );
}

/**
 * Marks dates clean whose stored stock-days are all derived against their market. Failed days become dirty, so that the
 * pass after the fix finds them.
 */
export async function markMarketDaysClean(
  database: Database,
  simulated: boolean,
  days: readonly MarketDayName[],
  failed: readonly StockDayName[],
): Promise<void> {
  if (days.length === 0) return;
  await database.atomically([
    {
      sql: `insert into tape_touched (symbol, kind, first_day, last_day)
       select symbol, $3, trade_date - date '1970-01-01', trade_date - date '1970-01-01'
       from unnest($1::text[], $2::date[]) as day (symbol, trade_date)
       on conflict (symbol, kind, last_day) do update set touched_at = clock_timestamp()`,
      parameters: [...columns(failed, ['symbol', 'tradeDate']), MARKET_KIND],
    },
    {
      sql: `update market_day m set unsettled = false
       from unnest($1::date[], $2::text[]) as done (trade_date, digest)
       where m.simulated = $3 and m.trade_date = done.trade_date and m.digest = done.digest`,
      parameters: [...columns(days, ['tradeDate', 'digest']), simulated],
    },
  ]);
  at('markets.settled');
}

/**
 * Marks dates stale whose stored market another process replaced meanwhile: stock-days written against the older one
 * look newer than they are.
 */
export async function markOvertakenStale(
  database: Queryable,
  simulated: boolean,
  used: readonly MarketDayName[],
): Promise<void> {
  if (used.length === 0) return;
  await database.write(
    `update market_day m set unsettled = true, derived_at = clock_timestamp()
     from unnest($1::date[], $2::text[]) as used (trade_date, digest)
     where m.simulated = $3 and m.trade_date = used.trade_date and m.digest <> used.digest`,
    [...columns(used, ['tradeDate', 'digest']), simulated],
  );
  at('markets.compared');
}

/** Symbols with a stock-day on any of the dates that is older than its market, in alphabetical order. */
export async function symbolsBehindMarket(
  database: Queryable,
  simulated: boolean,
  dates: readonly string[],
): Promise<string[]> {
  const rows = await database.query<{ symbol: string }>(
    `select distinct d.symbol from stock_day d join market_day m on m.trade_date = d.trade_date
     where d.trade_date = any($1::date[]) and d.derived_at < m.derived_at
       and m.simulated = $2 and ${ofMarket('d.symbol', '$2')} order by d.symbol`,
    [dates, simulated],
  );
  return rows.map((row) => row.symbol);
}

/** Stock-days of some symbols of a market on some dates that are older than it. */
export async function daysBehindMarket(
  database: Queryable,
  simulated: boolean,
  symbols: readonly string[],
  dates: readonly string[],
): Promise<StockDayName[]> {
  return database.query<StockDayName>(
    `select d.symbol, d.trade_date::text as "tradeDate"
     from stock_day d join market_day m on m.trade_date = d.trade_date
     where m.simulated = $3 and d.symbol = any($1::text[]) and d.trade_date = any($2::date[])
       and d.derived_at < m.derived_at
     order by d.symbol, d.trade_date`,
    [symbols, dates, simulated],
  );
}

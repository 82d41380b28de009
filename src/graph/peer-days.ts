import type { Queryable } from '../base/database.ts';
import type { StockDayName } from './market-days.ts';

/** The divergence of one stock on one date as JSON text. */
export interface PeerDayText extends StockDayName {
  readonly value: string;
}

/** The divergences of those stock-days that have one. */
export async function readPeerDays(
  database: Queryable,
  days: readonly StockDayName[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<PeerDayText[]> {
  if (days.length === 0) return [];
  return database.query<PeerDayText>(
    `select p.symbol, p.trade_date::text as "tradeDate", p.value
     from unnest($1::text[], $2::date[]) as wanted (symbol, trade_date)
     join peer_day p on p.trade_date = wanted.trade_date and p.symbol = wanted.symbol
     where p.value is not null`,
    [days.map((day) => day.symbol), days.map((day) => day.tradeDate)],
    options,
  );
}

/** The divergences of a date, by symbol. */
export async function peerDaysOn(database: Queryable, tradeDate: string): Promise<PeerDayText[]> {
  return database.query<PeerDayText>(
    `select symbol, trade_date::text as "tradeDate", value from peer_day
     where trade_date = $1::date and value is not null order by symbol`,
    [tradeDate],
  );
}

/** Dates up to a bound with a divergence of the stock, newest first. */
export async function peerDatesOf(
  database: Queryable,
  symbol: string,
  until: string,
  limit: number,
  options: { readonly signal?: AbortSignal } = {},
): Promise<string[]> {
  const rows = await database.query<{ date: string }>(
    `select t.trade_date::text as date from peer_topology t
     where t.trade_date <= $2::date and exists (
       select from peer_day p where p.trade_date = t.trade_date and p.symbol = $1 and p.value is not null)
     order by t.trade_date desc limit $3`,
    [symbol, until, limit],
    options,
  );
  return rows.map((row) => row.date);
}

/** Stored stock-days of unsettled dates that were derived before the divergences that there are now. */
export async function daysBehindPeers(database: Queryable): Promise<StockDayName[]> {
  return database.query<StockDayName>(
    `select d.symbol, d.trade_date::text as "tradeDate"
     from peer_topology t
     join peer_day p on p.trade_date = t.trade_date
     join stock_day d on d.trade_date = p.trade_date and d.symbol = p.symbol
     where t.unsettled and d.derived_at < p.derived_at
     order by d.symbol, d.trade_date`,
  );
}

/** Settles the dates of which no stored stock-day is behind. */
export async function settlePeers(database: Queryable): Promise<void> {
  await database.query(
    `update peer_topology t set unsettled = false where unsettled and not exists (
       select from peer_day p join stock_day d on d.trade_date = p.trade_date and d.symbol = p.symbol
       where p.trade_date = t.trade_date and d.derived_at < p.derived_at)`,
  );
}

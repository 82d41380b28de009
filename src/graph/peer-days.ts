import { at } from '../base/fault-points.ts';
import type { Queryable, QueryOptions } from '../database/database.ts';
import { ofMarket } from '../database/symbol-market.ts';
import type { PeerDayText } from '../derive/peer-topology.ts';
import type { StockDayName } from '../derive/stock-day.ts';
import { columns } from './columns.ts';
import { onDates } from './months.ts';

/** Divergences of stock-days; dates that are not measured are left out. */
export async function readPeerDays(
  database: Queryable,
  days: readonly StockDayName[],
  options: QueryOptions = {},
): Promise<PeerDayText[]> {
  if (days.length === 0) return [];
  return database.query<PeerDayText>(
    `select wanted.symbol, wanted.trade_date::text as "tradeDate", p.value
     from unnest($1::text[], $2::date[]) as wanted (symbol, trade_date)
     join peer_session s on s.trade_date = wanted.trade_date and s.changed_at is not null
     left join peer_day p on p.trade_date = wanted.trade_date and p.symbol = wanted.symbol
       ${onDates(database, 'p', '$2')}`,
    columns(days, ['symbol', 'tradeDate']),
    { ...options, keepsPlan: true },
  );
}

/** Divergences of a date by symbol, of a market. */
export async function peerDaysOn(
  database: Queryable,
  simulated: boolean,
  tradeDate: string,
): Promise<(StockDayName & { readonly value: string })[]> {
  return database.query(
    `select symbol, trade_date::text as "tradeDate", value from peer_day d
     where trade_date = $1::date and value is not null and ${ofMarket('d.symbol', '$2')} order by symbol`,
    [tradeDate, simulated],
  );
}

/** A date with the version of its divergences. */
export interface PeerDate {
  readonly tradeDate: string;
  readonly version: string;
}

/** Dates whose stock-days may have been derived from other divergences. */
export async function stalePeerDates(database: Queryable): Promise<PeerDate[]> {
  return database.query<PeerDate>(
    `select trade_date::text as "tradeDate", changed_at::text as version from peer_session
     where unsettled order by trade_date`,
  );
}

/** Stock-days that are older than the divergences of their date. */
export async function daysBehindPeers(
  database: Queryable,
  dates: readonly PeerDate[],
): Promise<StockDayName[]> {
  return database.query<StockDayName>(
    `select d.symbol, d.trade_date::text as "tradeDate"
     from peer_session s join stock_day d on d.trade_date = s.trade_date
     where s.trade_date = any($1::date[]) and d.derived_at < s.changed_at
       ${onDates(database, 'd', '$1')} order by d.symbol, d.trade_date`,
    [dates.map(({ tradeDate }) => tradeDate)],
  );
}

/** Marks dates clean whose stock-days are all derived from these versions. */
export async function markPeersClean(database: Queryable, dates: readonly PeerDate[]): Promise<void> {
  await database.write(
    `update peer_session s set unsettled = false
     from unnest($1::date[], $2::timestamptz[]) as done (trade_date, version)
     where s.trade_date = done.trade_date and s.changed_at = done.version`,
    columns(dates, ['tradeDate', 'version']),
  );
  at('peers.settled');
}

import { at } from '../base/fault-points.ts';
import { factsAnnouncement } from '../database/changes.ts';
import type { Database, Queryable, Statement } from '../database/database.ts';
import type { StockDayName } from '../derive/stock-day.ts';
import { columns } from './columns.ts';
import { stockDayId } from './identity.ts';
import { dropMonth, monthsBefore } from './months.ts';
import { dayRowsRemoval } from './screen-rows.ts';

/** Stock-days of one transaction: some hundredths of a second of the embedded database. */
const DAYS_A_REMOVAL = 100;

/**
 * Drops what is stored of the trade dates before one, the first day of a month: stock-days with facts, screen rows and
 * relations, markets and divergences. On a PostgreSQL server whole months go as partitions. Interrupted, it continues with
 * the next call.
 *
 * @returns stock-days; null where some remain: a table was in use for long, or the signal aborted
 */
export async function dropDaysBefore(
  database: Database,
  date: string,
  signal?: AbortSignal,
): Promise<number | null> {
  let dropped = 0;
  const months = await monthsBefore(database, date);
  if (months.length > 0) {
    for await (const days of daysBefore(database, date, signal)) {
      await database.atomically(relationsRemoval(days));
      dropped += days.length;
    }
  }
  for (const month of months) {
    if (signal?.aborted || !(await dropMonth(database, month))) return null;
  }
  const isFirst = months.length === 0;
  for await (const days of daysBefore(database, date, signal)) {
    await database.atomically(daysRemoval(days));
    at('days.dropped');
    if (isFirst) dropped += days.length;
  }
  for (const session of await sessionsBefore(database, date)) {
    if (signal?.aborted) return null;
    await database.atomically(sessionRemoval(session));
    at('date.dropped');
  }
  return signal?.aborted ? null : dropped;
}

/** Stored stock-days before a date in pages, oldest first. */
async function* daysBefore(
  database: Queryable,
  date: string,
  signal: AbortSignal | undefined,
): AsyncIterable<StockDayName[]> {
  for (let after: StockDayName = { symbol: '', tradeDate: '-infinity' }; !signal?.aborted; ) {
    const days: StockDayName[] = await database.query<StockDayName>(
      `select symbol, trade_date::text as "tradeDate" from stock_day
       where trade_date < $1::date and (trade_date, symbol) > ($2::date, $3)
       order by trade_date, symbol limit ${DAYS_A_REMOVAL}`,
      [date, after.tradeDate, after.symbol],
    );
    if (days.length > 0) yield days;
    if (days.length < DAYS_A_REMOVAL) return;
    after = days.at(-1)!;
  }
}

/** The nodes of days, their edges, and the news and sessions that no other day leads to. */
function relationsRemoval(days: readonly StockDayName[]): Statement[] {
  const ids = days.map(({ symbol, tradeDate }) => stockDayId(symbol, tradeDate));
  return [
    { sql: 'delete from node where id = any($1::uuid[])', parameters: [ids] },
    {
      // The outer statement still sees the removed edges.
      sql: `with gone as (delete from edge where source = any($1::uuid[]) returning target)
       delete from node n where n.id in (select target from gone) and n.label in ('News', 'Session')
         and not exists (select from edge e where e.target = n.id and e.source <> all($1::uuid[]))`,
      parameters: [ids],
    },
    factsAnnouncement(...columns(days, ['symbol', 'tradeDate'])),
  ];
}

/** Everything that is stored of some stock-days alone. */
export const daysRemoval = (days: readonly StockDayName[]): Statement[] => [
  ...relationsRemoval(days),
  ...factsRemoval(days),
];

const factsRemoval = (days: readonly StockDayName[]): Statement[] =>
  ['fact', 'screen_row', 'stock_day'].map((table) => dayRowsRemoval(table, days));

/** Dates with a stored market or measured peers. */
async function sessionsBefore(database: Queryable, date: string): Promise<string[]> {
  const rows = await database.query<{ date: string }>(
    `select trade_date::text as date from peer_session where trade_date < $1::date
     union select trade_date::text from market_day where trade_date < $1::date order by 1`,
    [date],
  );
  return rows.map((row) => row.date);
}

/** In this order: of a session that counts as measured a stock without a row has no divergence. */
const sessionRemoval = (tradeDate: string): Statement[] =>
  ['peer_day', 'peer_session', 'market_day'].map((table) => ({
    sql: `delete from ${table} where trade_date = $1::date`,
    parameters: [tradeDate],
  }));

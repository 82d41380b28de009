import type { Queryable, QueryOptions } from '../database/database.ts';
import { onDates } from './months.ts';
import type { StoredScreenRow } from './screen-rows.ts';

export interface ScreenDay extends Omit<StoredScreenRow, 'symbol'> {
  readonly tradeDate: string;
}

/**
 * The screen rows of a symbol on some trade dates (ascending), without those that newer data have outdated; one
 * look-up a date, since the key has the date first.
 */
export async function readScreenHistory(
  database: Queryable,
  symbol: string,
  tradeDates: readonly string[],
  options: QueryOptions = {},
): Promise<ScreenDay[]> {
  return database.query(
    `select r.trade_date::text as "tradeDate", (extract(epoch from r.as_of) * 1000)::double precision as "asOf",
       r.catalogue, r.digest, r.packed, r.texts
     from unnest($2::date[]) as wanted (trade_date)
     join screen_row r on r.trade_date = wanted.trade_date and r.symbol = $1
     where r.trade_date - date '1970-01-01'
       < coalesce((select min(t.first_day) from tape_touched t where t.symbol = $1), 2147483647) ${onDates(database, 'r', '$2')}`,
    [symbol, tradeDates],
    options,
  );
}

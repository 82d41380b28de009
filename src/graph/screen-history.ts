import type { Queryable, QueryOptions } from '../database/database.ts';
import { onDates } from './months.ts';
import type { StoredScreenRow } from './screen-rows.ts';

export interface ScreenDay extends StoredScreenRow {
  readonly tradeDate: string;
}

/**
 * The screen rows of symbols on trade dates (each with one), without those that newer data have outdated; one look-up a
 * row, since the key has the date first.
 */
export async function readScreenHistory(
  database: Queryable,
  symbols: readonly string[],
  tradeDates: readonly string[],
  options: QueryOptions = {},
): Promise<ScreenDay[]> {
  return database.query(
    `select r.symbol, r.trade_date::text as "tradeDate",
       (extract(epoch from r.as_of) * 1000)::double precision as "asOf", r.catalogue, r.digest, r.packed, r.texts
     from unnest($1::text[], $2::date[]) as wanted (symbol, trade_date)
     join screen_row r on r.trade_date = wanted.trade_date and r.symbol = wanted.symbol
     where r.trade_date - date '1970-01-01'
       < coalesce((select min(t.first_day) from tape_touched t where t.symbol = r.symbol), 2147483647) ${onDates(database, 'r', '$2')}`,
    [symbols, tradeDates],
    options,
  );
}

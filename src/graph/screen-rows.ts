import type { Queryable, QueryOptions, Statement } from '../database/database.ts';
import type { ScreenCatalogue, ScreenRow, StockDay } from '../base/stock-day.ts';

/** A row for screens as it is stored. */
export interface StoredScreenRow extends ScreenRow {
  readonly symbol: string;
  /** Epoch milliseconds of the instant that it speaks for. */
  readonly asOf: number;
}

/** What there is of a trade date for screens. */
export interface ScreenDate {
  readonly tradeDate: string;
  readonly rows: number;
  /** The latest instant that one of its rows speaks for, epoch milliseconds. */
  readonly newestAsOf: number;
}

/** Makes a catalogue known, so that rows which follow it can be read. Knowing it already costs one query. */
export async function keepScreenCatalogue(
  database: Queryable,
  { digest, fields }: ScreenCatalogue,
): Promise<void> {
  await database.query(
    'insert into screen_catalogue (digest, fields) values ($1, $2) on conflict (digest) do nothing',
    [digest, fields],
  );
}

/** The fields of every catalogue that rows may follow, by its digest. */
export async function readScreenCatalogues(
  database: Queryable,
  options: QueryOptions = {},
): Promise<Map<string, string>> {
  const rows = await database.query<ScreenCatalogue>(
    'select digest, fields from screen_catalogue',
    [],
    options,
  );
  return new Map(rows.map(({ digest, fields }) => [digest, fields]));
}

/** Writes the rows of stock-days beside their facts; a day that brings none loses the one that it had. */
export async function writeScreenRows(transaction: Queryable, days: readonly StockDay[]): Promise<void> {
  for (const { sql, parameters } of screenRowStatements(days)) await transaction.query(sql, parameters);
}

/** The statements by which `writeScreenRows` does so. */
export function screenRowStatements(days: readonly StockDay[]): Statement[] {
  const without = days.filter(({ screen }) => screen === undefined);
  const rows = days.flatMap(({ symbol, tradeDate, asOf, screen }) =>
    screen === undefined ? [] : [{ symbol, tradeDate, asOf, screen }],
  );
  const removal = without.length === 0 ? [] : [screenRowsRemoval(without)];
  if (rows.length === 0) return removal;
  const upsert = {
    sql: `insert into screen_row (trade_date, symbol, as_of, catalogue, digest, packed, texts)
     select * from unnest($1::date[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::bytea[], $7::text[])
     on conflict (trade_date, symbol) do update set as_of = excluded.as_of, catalogue = excluded.catalogue,
       digest = excluded.digest, packed = excluded.packed, texts = excluded.texts
     where (screen_row.as_of, screen_row.catalogue, screen_row.digest)
       is distinct from (excluded.as_of, excluded.catalogue, excluded.digest)`,
    parameters: columnsOf(rows),
  };
  return [...removal, upsert];
}

const screenRowsRemoval = (days: readonly StockDay[]): Statement => ({
  sql: `delete from screen_row r using unnest($1::text[], $2::date[]) as day (symbol, trade_date)
     where r.symbol = day.symbol and r.trade_date = day.trade_date`,
  parameters: [days.map((day) => day.symbol), days.map((day) => day.tradeDate)],
});

/** A row that a stock-day brings. */
export interface DayScreenRow extends Pick<StockDay, 'symbol' | 'tradeDate' | 'asOf'> {
  readonly screen: ScreenRow;
}

const columnsOf = (rows: readonly DayScreenRow[]): unknown[] => [
  rows.map((row) => row.tradeDate),
  rows.map((row) => row.symbol),
  rows.map((row) => new Date(row.asOf).toISOString()),
  rows.map((row) => row.screen.catalogue),
  rows.map((row) => row.screen.digest),
  rows.map((row) => row.screen.packed),
  rows.map((row) => row.screen.texts),
];

/**
 * Writes rows that were made of stored facts, each only where there is none of its catalogue: one that a pass has written
 * meanwhile is of newer facts.
 *
 * @returns the symbols whose row was written
 */
export async function fillScreenRows(
  transaction: Queryable,
  rows: readonly DayScreenRow[],
): Promise<string[]> {
  const written = await transaction.query<{ symbol: string }>(
    `insert into screen_row (trade_date, symbol, as_of, catalogue, digest, packed, texts)
     select * from unnest($1::date[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::bytea[], $7::text[])
     on conflict (trade_date, symbol) do update set as_of = excluded.as_of, catalogue = excluded.catalogue,
       digest = excluded.digest, packed = excluded.packed, texts = excluded.texts
     where screen_row.catalogue <> excluded.catalogue
     returning symbol`,
    columnsOf(rows),
  );
  return written.map(({ symbol }) => symbol);
}

/** Whether stock-days may be stored without a row of a catalogue. */
export async function isScreenUnfilled(database: Queryable, { digest }: ScreenCatalogue): Promise<boolean> {
  const rows = await database.query('select from screen_catalogue where digest = $1 and filled', [digest]);
  return rows.length === 0;
}

export async function setScreenFilled(database: Queryable, { digest }: ScreenCatalogue): Promise<void> {
  await database.query('update screen_catalogue set filled = true where digest = $1', [digest]);
}

/** Trade dates with a stock-day that has no row of a catalogue, newest first. */
export async function datesWithoutScreenRows(
  database: Queryable,
  { digest }: ScreenCatalogue,
): Promise<string[]> {
  const rows = await database.query<{ date: string }>(
    `select distinct d.trade_date::text as date from stock_day d
     where not exists (select from screen_row r
       where r.trade_date = d.trade_date and r.symbol = d.symbol and r.catalogue = $1)
     order by 1 desc`,
    [digest],
  );
  return rows.map(({ date }) => date);
}

/** Facts of a stock-day that has no row of a catalogue. */
export interface UnprojectedDay {
  readonly symbol: string;
  readonly tradeDate: string;
  readonly asOf: number;
  /** Block name to wire JSON. */
  readonly facts: Readonly<Record<string, string>>;
}

/** The first few stock-days of a trade date without a row of a catalogue, after a symbol, with their facts. One query. */
export async function daysWithoutScreenRow(
  database: Queryable,
  { digest }: ScreenCatalogue,
  tradeDate: string,
  limit: number,
): Promise<UnprojectedDay[]> {
  const rows = await database.query<{ symbol: string; as_of: number; block: string; value: string }>(
    `with day as (
       select d.symbol, d.trade_date, d.as_of from stock_day d
       where d.trade_date = $1::date and not exists (select from screen_row r
         where r.trade_date = d.trade_date and r.symbol = d.symbol and r.catalogue = $2)
         and exists (select from fact f where f.symbol = d.symbol and f.trade_date = d.trade_date)
       order by d.symbol limit $3)
     select day.symbol, (extract(epoch from day.as_of) * 1000)::double precision as as_of, f.block, f.value
     from day join fact f on f.symbol = day.symbol and f.trade_date = day.trade_date
     order by day.symbol`,
    [tradeDate, digest, limit],
  );
  const days = new Map<string, UnprojectedDay & { readonly facts: Record<string, string> }>();
  for (const { symbol, as_of, block, value } of rows) {
    const day = days.getOrInsertComputed(symbol, () => ({
      symbol,
      tradeDate,
      asOf: as_of,
      facts: {},
    }));
    day.facts[block] = value;
  }
  return [...days.values()];
}

/** What names the content of a stored row. */
export type ScreenRowName = Omit<StoredScreenRow, 'packed' | 'texts'>;

const NAME = `symbol, (extract(epoch from as_of) * 1000)::double precision as "asOf", catalogue, digest`;

/**
 * The rows of a trade date that come after a symbol in the store's order of symbols, at most `limit`.
 *
 * @param after null for the first ones
 */
export async function readScreenRows(
  database: Queryable,
  tradeDate: string,
  after: string | null,
  limit: number,
): Promise<StoredScreenRow[]> {
  return database.query(
    `select ${NAME}, packed, texts from screen_row
     where trade_date = $1::date and ($2::text is null or symbol > $2) order by symbol limit $3`,
    [tradeDate, after, limit],
  );
}

/** The rows of some symbols on a trade date; a symbol without one is left out. */
export async function readScreenRowsOf(
  database: Queryable,
  tradeDate: string,
  symbols: readonly string[],
): Promise<StoredScreenRow[]> {
  return database.query(
    `select ${NAME}, packed, texts from screen_row where trade_date = $1::date and symbol = any($2::text[])`,
    [tradeDate, symbols],
  );
}

/** What the rows of a trade date are called; of some symbols, or with null of all. */
export async function readScreenRowNames(
  database: Queryable,
  tradeDate: string,
  symbols: readonly string[] | null,
): Promise<ScreenRowName[]> {
  return database.query(
    `select ${NAME} from screen_row
     where trade_date = $1::date and ($2::text[] is null or symbol = any($2::text[]))`,
    [tradeDate, symbols],
  );
}

/** Trade dates that have rows, newest first, none after `until`. */
export async function readScreenDates(
  database: Queryable,
  until: string,
  limit: number,
): Promise<ScreenDate[]> {
  return database.query(
    `with recursive dates as (
       (select trade_date from screen_row where trade_date <= $1::date order by trade_date desc limit 1)
       union all
       select (select r.trade_date from screen_row r where r.trade_date < d.trade_date order by r.trade_date desc limit 1)
       from dates d where d.trade_date is not null)
     select d.trade_date::text as "tradeDate", c.rows,
       (extract(epoch from c.newest) * 1000)::double precision as "newestAsOf"
     from (select trade_date from dates where trade_date is not null limit $2) d,
       lateral (select count(*)::integer as rows, max(as_of) as newest from screen_row r where r.trade_date = d.trade_date) c
     order by d.trade_date desc`,
    [until, limit],
  );
}

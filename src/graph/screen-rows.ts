import { at } from '../base/fault-points.ts';
import { unpackText } from '../base/packed-text.ts';
import { byteaArray } from '../database/binary-array.ts';
import type { Queryable, QueryOptions, Statement } from '../database/database.ts';
import { ofMarket } from '../database/symbol-market.ts';
import type { ScreenCatalogue, ScreenDay, ScreenRow, StockDayName } from '../derive/stock-day.ts';
import { columns } from './columns.ts';
import { searchedSince } from './months.ts';

export interface StoredScreenRow extends ScreenRow {
  readonly symbol: string;
  /** Epoch milliseconds. */
  readonly asOf: number;
}

export interface ScreenDate {
  readonly tradeDate: string;
  readonly rows: number;
  /** The latest `asOf` of its rows, epoch milliseconds. */
  readonly newestAsOf: number;
}

/** Stores a catalogue, so that its rows can be read; one query. */
export async function writeScreenCatalogue(
  database: Queryable,
  { digest, fields }: ScreenCatalogue,
): Promise<void> {
  await database.write(
    'insert into screen_catalogue (digest, fields) values ($1, $2) on conflict (digest) do nothing',
    [digest, fields],
  );
  at('catalogue.stored');
}

/** The fields of every catalogue by digest. */
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

const UPSERT = `insert into screen_row (trade_date, symbol, as_of, catalogue, digest, packed, texts)
  select * from unnest($1::date[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::bytea[], $7::text[])
  on conflict (trade_date, symbol) do update set as_of = excluded.as_of, catalogue = excluded.catalogue,
    digest = excluded.digest, packed = excluded.packed, texts = excluded.texts`;

/** Statements that write the rows of stock-days beside their facts; a day without a row loses the stored one. */
export function screenRowStatements(days: readonly ScreenDay[]): Statement[] {
  const without = days.filter(({ screen }) => screen === undefined);
  const rows = days.flatMap(({ symbol, tradeDate, asOf, screen }) =>
    screen === undefined ? [] : [{ symbol, tradeDate, asOf, screen }],
  );
  const removal = without.length === 0 ? [] : [dayRowsRemoval('screen_row', without)];
  if (rows.length === 0) return removal;
  const upsert = {
    sql: `${UPSERT} where (screen_row.as_of, screen_row.catalogue, screen_row.digest)
       is distinct from (excluded.as_of, excluded.catalogue, excluded.digest)`,
    parameters: columnsOf(rows),
  };
  return [...removal, upsert];
}

/** Removes the rows of stock-days from a table. */
export const dayRowsRemoval = (table: string, days: readonly StockDayName[]): Statement => ({
  sql: `delete from ${table} t using unnest($1::text[], $2::date[]) as day (symbol, trade_date)
     where t.symbol = day.symbol and t.trade_date = day.trade_date and t.trade_date = any($2::date[])`,
  parameters: columns(days, ['symbol', 'tradeDate']),
});

export interface DayScreenRow extends Pick<ScreenDay, 'symbol' | 'tradeDate' | 'asOf'> {
  readonly screen: ScreenRow;
}

const columnsOf = (rows: readonly DayScreenRow[]): unknown[] => [
  ...columns(rows, ['tradeDate', 'symbol']),
  rows.map((row) => new Date(row.asOf).toISOString()),
  rows.map((row) => row.screen.catalogue),
  rows.map((row) => row.screen.digest),
  byteaArray(rows.map((row) => row.screen.packed)),
  rows.map((row) => row.screen.texts),
];

/**
 * Writes rows made from stored facts where no row of their catalogue exists, and returns their symbols; a row that a
 * pass wrote meanwhile has newer facts.
 */
export async function fillScreenRows(
  transaction: Queryable,
  rows: readonly DayScreenRow[],
): Promise<string[]> {
  const written = await transaction.write<{ symbol: string }>(
    `${UPSERT} where screen_row.catalogue <> excluded.catalogue
     returning symbol`,
    columnsOf(rows),
  );
  return written.map(({ symbol }) => symbol);
}

/** Whether stock-days may lack a row of a catalogue. */
export async function isScreenUnfilled(database: Queryable, { digest }: ScreenCatalogue): Promise<boolean> {
  const rows = await database.query('select from screen_catalogue where digest = $1 and filled', [digest]);
  return rows.length === 0;
}

export async function setScreenFilled(database: Queryable, { digest }: ScreenCatalogue): Promise<void> {
  await database.write('update screen_catalogue set filled = true where digest = $1', [digest]);
  at('catalogue.filled');
}

/** Trade dates with a stock-day without a row of a catalogue, newest first. */
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

/** Facts of a stock-day without a row of a catalogue. */
export interface UnprojectedDay {
  readonly symbol: string;
  readonly tradeDate: string;
  readonly asOf: number;
  /** Block name to wire JSON. */
  readonly facts: Readonly<Record<string, string>>;
}

/** The first stock-days of a trade date without a row of a catalogue, with their facts. One query. */
export async function daysWithoutScreenRow(
  database: Queryable,
  { digest }: ScreenCatalogue,
  tradeDate: string,
  limit: number,
): Promise<UnprojectedDay[]> {
  const rows = await database.query<{ symbol: string; as_of: number; block: string; value: Uint8Array }>(
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
    const day = days.getOrInsertComputed(symbol, () => ({ symbol, tradeDate, asOf: as_of, facts: {} }));
    day.facts[block] = unpackText(value);
  }
  return [...days.values()];
}

/** Identifies the content of a stored row. */
export type ScreenRowName = Omit<StoredScreenRow, 'packed' | 'texts'>;

const NAME = `symbol, (extract(epoch from as_of) * 1000)::double precision as "asOf", catalogue, digest`;

/** Rows of a market on a trade date after a symbol (null: the first), in the store's order of symbols. */
export async function readScreenRows(
  database: Queryable,
  simulated: boolean,
  tradeDate: string,
  after: string | null,
  limit: number,
): Promise<StoredScreenRow[]> {
  return database.query(
    `select ${NAME}, packed, texts from screen_row r
     where trade_date = $1::date and ($2::text is null or symbol > $2) and ${ofMarket('r.symbol', '$4')}
     order by symbol limit $3`,
    [tradeDate, after, limit, simulated],
  );
}

/** Rows of some symbols on a trade date; symbols without one, or of the other market, are left out. */
export async function readScreenRowsOf(
  database: Queryable,
  simulated: boolean,
  tradeDate: string,
  symbols: readonly string[],
): Promise<StoredScreenRow[]> {
  return database.query(
    `select ${NAME}, packed, texts from screen_row r
     where trade_date = $1::date and symbol = any($2::text[]) and ${ofMarket('r.symbol', '$3')}`,
    [tradeDate, symbols, simulated],
  );
}

/** The row of the newest stock-day of each symbol that was known at an instant; symbols without one are left out. */
export async function readNewestScreenRows(
  database: Queryable,
  symbols: readonly string[],
  asOf: number,
  options: QueryOptions = {},
): Promise<StoredScreenRow[]> {
  const instant = new Date(asOf).toISOString();
  const found: StoredScreenRow[] = [];
  let others = symbols;
  for (const since of searchedSince(database, instant.slice(0, 10))) {
    if (others.length === 0) break;
    const rows = await database.query<StoredScreenRow>(
      `select ${NAME}, packed, texts
       from unnest($1::text[]) as requested (name)
       cross join lateral (
         select d.trade_date from stock_day d
         where d.symbol = requested.name and d.as_of <= $2::timestamptz and d.trade_date >= $3::date
         order by d.trade_date desc limit 1) newest
       join screen_row r on r.trade_date = newest.trade_date and r.symbol = requested.name
       where r.trade_date >= $3::date`,
      [others, instant, since],
      options,
    );
    found.push(...rows);
    const names = new Set(rows.map(({ symbol }) => symbol));
    others = others.filter((symbol) => !names.has(symbol));
  }
  return found;
}

/** Names of the rows of a market on a trade date, of some symbols or with null of all. */
export async function readScreenRowNames(
  database: Queryable,
  simulated: boolean,
  tradeDate: string,
  symbols: readonly string[] | null,
): Promise<ScreenRowName[]> {
  return database.query(
    `select ${NAME} from screen_row r
     where trade_date = $1::date and ($2::text[] is null or symbol = any($2::text[])) and ${ofMarket('r.symbol', '$3')}`,
    [tradeDate, symbols, simulated],
  );
}

/** Trade dates with rows of a market, newest first, up to `until`. */
export async function readScreenDates(
  database: Queryable,
  simulated: boolean,
  until: string,
  limit: number,
): Promise<ScreenDate[]> {
  let dates: ScreenDate[] = [];
  for (const since of searchedSince(database, until)) {
    dates = await readScreenDatesSince(database, simulated, since, until, limit);
    if (dates.length === limit) break;
  }
  return dates;
}

const OF_ROW = ofMarket('r.symbol', '$4');

function readScreenDatesSince(
  database: Queryable,
  simulated: boolean,
  since: string,
  until: string,
  limit: number,
): Promise<ScreenDate[]> {
  return database.query(
    `with recursive dates as (
       (select trade_date from screen_row r where trade_date <= $1::date and trade_date >= $3::date
          and ${OF_ROW}
        order by trade_date desc limit 1)
       union all
       select (select r.trade_date from screen_row r where r.trade_date < d.trade_date and r.trade_date >= $3::date
           and ${OF_ROW}
         order by r.trade_date desc limit 1)
       from dates d where d.trade_date is not null)
     select d.trade_date::text as "tradeDate", c.rows,
       (extract(epoch from c.newest) * 1000)::double precision as "newestAsOf"
     from (select trade_date from dates where trade_date is not null limit $2) d,
       lateral (select count(*)::integer as rows, max(as_of) as newest from screen_row r
         where r.trade_date = d.trade_date and r.trade_date >= $3::date and ${OF_ROW}) c
     order by d.trade_date desc`,
    [until, limit, since, simulated],
  );
}

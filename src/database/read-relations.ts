import pg from 'pg';
import { type CodedError, isCoded } from '../base/errors.ts';
import type { Database } from './database.ts';

/** A table of the application, or a partition of one, with the indexes that find each of its rows. */
export interface StoredTable {
  readonly name: string;
  readonly pages: number;
  readonly indexes: readonly OrderedIndex[];
}

interface OrderedIndex {
  readonly name: string;
  /** Its columns, as SQL. */
  readonly keys: string;
}

const TABLES = `
select c.relname as name, ceil(pg_relation_size(c.oid) / current_setting('block_size')::float8) as pages,
  coalesce((select json_agg(json_build_object('name', x.relname, 'keys',
      (select string_agg(pg_get_indexdef(x.oid, k, false), ', ' order by k) from generate_series(1, i.indnkeyatts) k))
      order by x.relname)
    from pg_index i join pg_class x on x.oid = i.indexrelid join pg_am a on a.oid = x.relam
    where i.indrelid = c.oid and a.amname = 'btree' and i.indisvalid and i.indpred is null and i.indexprs is null), '[]') as indexes
from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'm')
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by c.relname`;

export const listStoredTables = (database: Database): Promise<StoredTable[]> =>
  database.query<StoredTable>(TABLES);

/** Pages of a table that one statement reads: on the embedded database others wait for it. */
const PAGES_AT_ONCE = 256;

/**
 * Reads every value of every row, some pages at a time.
 *
 * @returns rows
 * @throws CodedError data_damaged
 */
export async function readEveryRow(database: Database, { name, pages }: StoredTable): Promise<number> {
  let rows = 0;
  for (let page = 0; page < pages; page += PAGES_AT_ONCE) {
    const [part] = await database.query<{ rows: number; characters: number }>(
      `select count(*) as rows, sum(length(t::text)) as characters from ${pg.escapeIdentifier(name)} t
       where ctid >= '(${page},0)' and ctid < '(${page + PAGES_AT_ONCE},0)'`,
    );
    rows += part!.rows;
  }
  return rows;
}

/** Leaves the planner only the index in its order, and has it look at each row in the table. */
const BY_INDEX = ['seqscan', 'bitmapscan', 'indexonlyscan', 'sort', 'incremental_sort']
  .map((way) => `set local enable_${way} = off`)
  .join(';');

/**
 * Follows every entry of an index to its row.
 *
 * @returns how many rows the index finds, and how many the table has
 * @throws CodedError data_damaged
 */
export function followIndex(database: Database, { name }: StoredTable, { keys }: OrderedIndex) {
  const table = pg.escapeIdentifier(name);
  return database.transaction(async (transaction) => {
    await transaction.query(BY_INDEX);
    const [counts] = await transaction.query<{ found: number; rows: number }>(
      `select (select count(*) from (select from ${table} order by ${keys} offset 0) entry) as found,
         (select count(*) from ${table} where ctid >= '(0,0)') as rows`,
    );
    return counts!;
  });
}

/** What PostgreSQL says of damage that a statement has met; other errors are thrown on. */
export function damageMet(error: unknown): string {
  if (!isCoded(error, 'data_damaged')) throw error;
  return ((error as CodedError).cause as Error).message;
}

/** What a file of the embedded cluster holds. */
export interface FileOwner {
  readonly name: string;
  /** Path of a B-tree that names every block in use: of a table by its rows, of a B-tree by its neighbours; or null. */
  readonly namedBy: string | null;
  readonly isTable: boolean;
}

interface OwnerRow extends FileOwner {
  readonly path: string;
}

/** By the path that PostgreSQL gives a file, without its part and fork. */
export async function ownersOfFiles(database: Database): Promise<ReadonlyMap<string, FileOwner>> {
  const rows = await database.query<OwnerRow>(
    `select pg_relation_filepath(c.oid) as path, c.relkind in ('r', 'm', 't') as "isTable",
       case when a.amname = 'btree' then pg_relation_filepath(c.oid) else (
         select min(pg_relation_filepath(i.indexrelid)) from pg_index i join pg_class x on x.oid = i.indexrelid
           join pg_am m on m.oid = x.relam
         where i.indrelid = c.oid and m.amname = 'btree' and i.indisvalid and i.indpred is null) end as "namedBy",
       case c.relkind when 'i' then 'index ' || c.relname when 'S' then 'sequence ' || c.relname
         when 't' then 'long values of table ' || coalesce(t.relname, c.relname) else 'table ' || c.relname end as name
     from pg_class c left join pg_am a on a.oid = c.relam left join pg_class t on t.reltoastrelid = c.oid
     where pg_relation_filepath(c.oid) is not null`,
  );
  return new Map(rows.map(({ path, ...owner }) => [path, owner]));
}

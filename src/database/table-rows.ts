import pg from 'pg';
import type { Queryable } from './queryable.ts';

/** Rows of whole tables as PostgreSQL prints and reads them: exact for every type, and the same in both stores. */
export interface Table {
  readonly name: string;
  /** In the order of the row's text. */
  readonly columns: readonly string[];
}

/** The next value of an identity column. */
export interface Sequence {
  readonly table: string;
  readonly column: string;
  readonly lastValue: number;
  readonly isCalled: boolean;
}

interface TableRow extends Table {
  /** Tables that its foreign keys name. */
  readonly references: readonly string[];
}

const TABLES = `
select c.relname as name,
  (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
  (select coalesce(array_agg(distinct r.relname::text), '{}') from pg_constraint f join pg_class r on r.oid = f.confrelid
    where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as "references"
from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relname <> 'schema_migration'
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by c.relname`;

/** The tables of the application, each after those that its foreign keys name. */
export async function listTables(database: Queryable): Promise<Table[]> {
  const waiting = await database.query<TableRow>(TABLES);
  const ordered = new Map<string, Table>();
  while (waiting.length > 0) {
    const at = waiting.findIndex(({ references }) => references.every((name) => ordered.has(name)));
    if (at === -1) throw new Error(`Foreign keys form a circle: ${waiting.map(({ name }) => name).join()}.`);
    const [{ name, columns }] = waiting.splice(at, 1) as [TableRow];
    ordered.set(name, { name, columns });
  }
  return [...ordered.values()];
}

/** Whether any table of the application, but those that do not count, has a row. */
export async function hasRows(database: Queryable, uncounted: readonly string[]): Promise<boolean> {
  for (const { name } of await listTables(database)) {
    if (uncounted.includes(name)) continue;
    const [row] = await database.query<{ filled: boolean }>(
      `select exists (select from ${pg.escapeIdentifier(name)}) as filled`,
    );
    if (row!.filled) return true;
  }
  return false;
}

/** Bytes of text that one statement moves, as far as rows allow. */
const BYTES_AT_ONCE = 1_048_576;
const ROWS_FIRST = 100;
const ROWS_MAX = 5_000;

/** The rows of a table in groups of about a megabyte, in no particular order. @param transaction an open one */
export async function* readRows(transaction: Queryable, { name }: Table): AsyncIterable<string[]> {
  // As the server may be set up otherwise; all of them decide how a value is printed.
  await transaction.write(
    `set local extra_float_digits = 1; set local bytea_output = hex; set local datestyle = 'ISO, YMD';
     set local intervalstyle = postgres; set local timezone = 'UTC'`,
  );
  await transaction.query(
    `declare row_reader no scroll cursor for select t::text as row from ${pg.escapeIdentifier(name)} t`,
  );
  for (let count = ROWS_FIRST; ; ) {
    const rows = (await transaction.query<{ row: string }>(`fetch ${count} from row_reader`)).map(
      ({ row }) => row,
    );
    if (rows.length === 0) break;
    const meanBytes = rows.reduce((sum, { length }) => sum + length, 0) / rows.length;
    count = Math.max(1, Math.min(ROWS_MAX, Math.floor(BYTES_AT_ONCE / Math.max(1, meanBytes))));
    yield rows;
  }
  await transaction.query('close row_reader');
}

/** Inserts rows of `readRows`. The subquery parses each once, where a bare `(row::t).*` would for each column. */
export async function insertRows(
  database: Queryable,
  { name, columns }: Table,
  rows: readonly string[],
): Promise<void> {
  const table = pg.escapeIdentifier(name);
  const names = columns.map((column) => pg.escapeIdentifier(column));
  await database.write(
    `insert into ${table} (${names.join()}) overriding system value
     select ${names.map((column) => `(parsed.value).${column}`).join()}
     from (select row::${table} as value from unnest($1::text[]) as row offset 0) parsed`,
    [rows],
  );
}

/** Sequences of identity columns. Read after the rows: they may be ahead of them, never behind. */
export async function readSequences(database: Queryable): Promise<Sequence[]> {
  const owned = await database.query<{ sequence: string; table: string; column: string }>(
    `select quote_ident(s.relname) as sequence, t.relname as "table", a.attname as "column"
     from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S' join pg_class t on t.oid = d.refobjid
       join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     where d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i') and t.relnamespace = current_schema()::regnamespace
     order by t.relname, a.attname`,
  );
  const sequences: Sequence[] = [];
  for (const { sequence, table, column } of owned) {
    const [row] = await database.query<Pick<Sequence, 'lastValue' | 'isCalled'>>(
      `select last_value as "lastValue", is_called as "isCalled" from ${sequence}`,
    );
    sequences.push({ table, column, ...row! });
  }
  return sequences;
}

export async function setSequences(database: Queryable, sequences: readonly Sequence[]): Promise<void> {
  for (const { table, column, lastValue, isCalled } of sequences) {
    await database.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3::bigint, $4)', [
      table,
      column,
      lastValue,
      isCalled,
    ]);
  }
}

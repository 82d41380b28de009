import { monthOf } from '../base/dates.ts';
import { at } from '../base/fault-points.ts';
import type { Database, Queryable } from '../database/database.ts';

/**
 * Tables with a row or more of every stock and trade date. On a PostgreSQL server they are partitioned by month of the
 * trade date, so that a month is dropped in a moment and an index fits memory; rows of a month without a partition are in
 * the default one. The embedded store keeps plain tables: a second table to plan for costs a read of one stock a
 * twentieth of its time.
 */
const TABLES = ['fact', 'screen_row', 'stock_day', 'peer_day'] as const;
/** Stock-days that are moved out of the default partition, during which its readers wait; more stay in it. */
const MOVED_MAX = 5_000;
/** Arbitrary, but the same in every version of the program. */
const MONTHS_LOCK = 7_461_726_172;
/** Below PostgreSQL's `deadlock_timeout` of a second, so that this gives way and never a reader. */
const LOCK_TIMEOUT = '500ms';
const LOCK_NOT_AVAILABLE = '55P03';

/** Months of each store with partitions, or with too many rows in the default one. */
const settled = new WeakMap<Database, Set<string>>();

/**
 * Makes the partitions of the months of trade dates that will be written, and of the month after them, so that one is
 * there before it is needed; on the embedded store nothing. Where a table is in use for long it gives up, rows go to the
 * default partition, and the next call moves them.
 *
 * @returns whether there are new ones
 */
export async function createMonths(database: Database, tradeDates: Iterable<string>): Promise<boolean> {
  if (database.kind === 'embedded') return false;
  const known = settled.get(database) ?? new Set();
  settled.set(database, known);
  let created = false;
  for (const month of withNext(new Set(Array.from(tradeDates, monthOf)))) {
    if (known.has(month)) continue;
    const outcome = await unlessInUse(() => database.transaction((work) => createMonth(work, month)));
    if (outcome === null) continue;
    if (outcome) at('month.created');
    known.add(month);
    created ||= outcome;
  }
  return created;
}

function withNext(months: ReadonlySet<string>): string[] {
  const sorted = [...months].sort();
  const last = sorted.at(-1);
  return last === undefined ? [] : [...sorted, monthsLater(last, 1)];
}

/** The first day of the month that lies so many months after that of a date. */
export const monthsLater = (date: string, months: number): string =>
  Temporal.PlainDate.from(monthOf(date)).add({ months }).toString();

/** Collects statistics of whole tables: a server's autovacuum does so for partitions only. */
export async function analyzeMonths(database: Queryable): Promise<void> {
  await database.write(`analyze ${TABLES.join()}`);
}

/**
 * Says the dates of a joined table once more: only a list of its own leads the planner of a server to the months to read.
 * Nothing on the embedded store, where a look-up would cost a twentieth more.
 *
 * @param parameter the place of the dates, e.g. `$2`
 */
export const onDates = (database: Queryable, table: string, parameter: string): string =>
  database.kind === 'embedded' ? '' : `and ${table}.trade_date = any(${parameter}::date[])`;

/**
 * From which dates on a search for the newest rows up to a date looks, one after the other until it has found them: on a
 * server first the last two months, because a plan over ten years of months takes longer than the rest; on the embedded
 * store everything at once.
 */
export const searchedSince = (database: Queryable, until: string): readonly string[] =>
  database.kind === 'embedded' ? ['-infinity'] : [monthsLater(until, -2), '-infinity'];

/** The partitions of months before a date, oldest first; empty on the embedded store. */
export async function monthsBefore(database: Database, date: string): Promise<string[]> {
  if (database.kind === 'embedded') return [];
  const rows = await database.query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = any($1::regclass[]) and relname ~ '_\\d{4}_\\d{2}$' order by right(relname, 7)`,
    [TABLES],
  );
  const months = rows.map(({ name }) => `${name.slice(-7).replace('_', '-')}-01`);
  return [...new Set(months)].filter((month) => month < monthOf(date));
}

/**
 * Drops the partitions of a month and what says that its peers are measured, unless a table is in use for long.
 *
 * @returns whether they are gone
 */
export async function dropMonth(database: Database, month: string): Promise<boolean> {
  const dropped = await unlessInUse(() =>
    database.transaction(async (work) => {
      await work.write(`set local lock_timeout to '${LOCK_TIMEOUT}'`);
      const tables = TABLES.map((table) => [table, partitionOf(table, month)] as const);
      for (const [table, partition] of tables) {
        const [there] = await work.query('select where to_regclass($1) is not null', [partition]);
        if (there === undefined) continue;
        await work.write(`alter table ${table} detach partition ${partition}`);
        await work.write(`drop table ${partition}`);
      }
      // Last: of a session that counts as measured a stock without a row has no divergence.
      for (const table of ['peer_session', 'market_day']) {
        await work.write(`delete from ${table} where trade_date >= $1::date and trade_date < $2::date`, [
          month,
          monthsLater(month, 1),
        ]);
      }
      return true;
    }),
  );
  if (dropped) at('month.dropped');
  settled.get(database)?.delete(month);
  return dropped ?? false;
}

const partitionOf = (table: string, month: string): string =>
  `${table}_${month.slice(0, 7).replace('-', '_')}`;

/** Null where a lock was not to be had. */
async function unlessInUse<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    return null;
  }
}

/** @returns false where it is there already, or has too many rows in the default partition */
async function createMonth(work: Queryable, month: string): Promise<boolean> {
  await work.write(`set local lock_timeout to '${LOCK_TIMEOUT}'`);
  await work.write('select pg_advisory_xact_lock($1)', [MONTHS_LOCK]);
  const [there] = await work.query('select where to_regclass($1) is not null', [
    partitionOf('stock_day', month),
  ]);
  if (there !== undefined) return false;
  for (const table of TABLES) await partition(work, table);
  await work.write(`lock table ${TABLES.map((table) => `${table}_rest`).join()}`);
  const rows = await work.query(
    `select from stock_day_rest
     where trade_date >= $1::date and trade_date < $2::date limit $3`,
    [month, monthsLater(month, 1), MOVED_MAX + 1],
  );
  if (rows.length > MOVED_MAX) return false;
  for (const table of TABLES) await attachMonth(work, table, month);
  return true;
}

/**
 * Turns a plain table into the default partition of one with its name, its key and its indexes, which keep their names. No
 * row is read or written.
 */
async function partition(work: Queryable, table: string): Promise<void> {
  const [plain] = await work.query(`select from pg_class where oid = $1::regclass and relkind = 'r'`, [
    table,
  ]);
  if (plain === undefined) return;
  await work.write(`lock table ${table}`);
  const indexes = await work.query<{ name: string; definition: string; isKey: boolean }>(
    `select relname as name, indisprimary as "isKey",
       coalesce(pg_get_constraintdef(c.oid), pg_get_indexdef(indexrelid)) as definition
     from pg_index join pg_class on pg_class.oid = indexrelid
     left join pg_constraint c on c.conindid = indexrelid and c.contype = 'p'
     where indrelid = $1::regclass order by relname`,
    [table],
  );
  for (const { name } of indexes) await work.write(`alter index ${name} rename to ${name}_rest`);
  await work.write(`alter table ${table} rename to ${table}_rest`);
  await work.write(
    `create table ${table} (like ${table}_rest including all excluding indexes) partition by range (trade_date)`,
  );
  for (const { name, definition, isKey } of indexes) {
    await work.query(isKey ? `alter table ${table} add constraint ${name} ${definition}` : definition);
  }
  await work.write(`alter table ${table} attach partition ${table}_rest default`);
}

/** A partition with the rows that the default one has of its month. */
async function attachMonth(work: Queryable, table: string, month: string): Promise<void> {
  const name = partitionOf(table, month);
  const next = monthsLater(month, 1);
  await work.write(`create table ${name} (like ${table} including all)`);
  await work.write(
    `with moved as (delete from ${table}_rest where trade_date >= $1::date and trade_date < $2::date returning *)
     insert into ${name} select * from moved`,
    [month, next],
  );
  await work.write(
    `alter table ${table} attach partition ${name} for values from ('${month}') to ('${next}')`,
  );
}

import type pg from 'pg';

/**
 * What PostgreSQL's background processes do elsewhere. The embedded server is a single backend, which by itself would
 * never write a checkpoint, so that its log grew for ever, nor vacuum a table, nor learn how many rows one holds.
 */
export interface HousekeepingLimits {
  /** Log written since the last checkpoint that calls for another one. */
  readonly logBytesMax: number;
  /** Rows changed, and the share of a table, before it is vacuumed or analysed; autovacuum's own are 50 and 0.1-0.2. */
  readonly changedRowsMin: number;
  readonly changedShareMin: number;
}

const LIMITS: HousekeepingLimits = {
  logBytesMax: 64 * 1024 * 1024,
  changedRowsMin: 500,
  changedShareMin: 0.15,
};

/** Each table is a statement of its own, so that queries pass in between. */
export async function housekeep(client: pg.Client, limits: HousekeepingLimits = LIMITS): Promise<void> {
  const tables = await client.query<{ name: string; vacuum: boolean }>(
    `select format('%I.%I', schemaname, relname) as name, n_dead_tup >= $1::float8 + $2::float8 * n_live_tup as vacuum
     from pg_stat_user_tables
     where n_dead_tup >= $1::float8 + $2::float8 * n_live_tup or n_mod_since_analyze >= $1::float8 + $2::float8 * n_live_tup`,
    [limits.changedRowsMin, limits.changedShareMin],
  );
  for (const { name, vacuum } of tables.rows)
    await client.query(`${vacuum ? 'vacuum (analyze)' : 'analyze'} ${name}`);
  const log = await client.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) as bytes from pg_control_checkpoint()',
  );
  if (log.rows[0]!.bytes >= limits.logBytesMax) await client.query('checkpoint');
}

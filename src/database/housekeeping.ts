import type pg from 'pg';

/**
 * Replaces PostgreSQL's background processes: the single backend of the embedded server writes no checkpoints, vacuums
 * no table and collects no statistics by itself.
 */
export interface HousekeepingLimits {
  /** Log since the last checkpoint that triggers another. */
  readonly logBytesMax: number;
  /** Changed rows, and their share of a table, that trigger vacuum or analyze; autovacuum uses 50 and 0.1-0.2. */
  readonly changedRowsMin: number;
  readonly changedShareMin: number;
}

const LIMITS: HousekeepingLimits = {
  logBytesMax: 64 * 1024 * 1024,
  changedRowsMin: 500,
  changedShareMin: 0.15,
};

/**
 * One statement for each table, so that queries run in between.
 *
 * @param mayCheckpoint asked at the last moment: a checkpoint drops the log that a copy of the cluster needs
 */
export async function housekeep(
  client: pg.Client,
  mayCheckpoint: () => boolean,
  limits: HousekeepingLimits = LIMITS,
): Promise<void> {
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
  if (log.rows[0]!.bytes >= limits.logBytesMax && mayCheckpoint()) await client.query('checkpoint');
}

import { CodedError } from '../base/errors.ts';
import { at } from '../base/fault-points.ts';
import type { Queryable } from './queryable.ts';

/** What tells this installation from others that share a bus or a bucket with it. */
export async function installationId(database: Queryable): Promise<string> {
  await database.write('insert into installation default values on conflict (only_one) do nothing');
  at('installation.named');
  const [row] = await database.query<{ id: string }>('select id from installation');
  return row!.id;
}

/**
 * The number of the newest announcement that has committed; 0 before the first.
 *
 * @param query runs one statement
 */
export async function newestAnnouncement(
  query: (sql: string) => Promise<readonly unknown[]>,
): Promise<number> {
  const [row] = await query('select announced from installation');
  return (row as { readonly announced: number } | undefined)?.announced ?? 0;
}

/** Processes with a bus say so this often, and count as gone after the other. */
export const BUS_HEARTBEAT_MS = 5_000;
const BUS_GONE_MS = 20_000;

/** Says that a process with a bus runs, which processes without one respect. */
export async function noteBus(database: Queryable): Promise<void> {
  await database.write(
    `insert into lease (name, holder, expires_at) values ('bus', 'all', clock_timestamp() + $1 * interval '1 ms')
     on conflict (name) do update set expires_at = excluded.expires_at`,
    [BUS_GONE_MS],
  );
}

/**
 * Makes announcements of the whole installation go through a bus, or not. Processes with and without one would not hear
 * each other.
 *
 * @throws CodedError bad_setting while processes of the other kind run
 */
export async function chooseAnnouncements(database: Queryable, withBus: boolean): Promise<void> {
  const [others] = await database.query(
    `select from lease where expires_at > clock_timestamp() and (name = 'bus') <> $1 limit 1`,
    [withBus],
  );
  if (others !== undefined) {
    const sentence = withBus
      ? 'Processes without NATS_URL run on this database: stop them, or start them with NATS_URL.'
      : 'Other processes on this database use NATS: set NATS_URL for this one too.';
    throw new CodedError('bad_setting', sentence, { facts: { setting: 'NATS_URL' } });
  }
  await installationId(database);
  await database.write('update installation set bus = $1 where bus <> $1', [withBus]);
}

/** Tables of a database that programs have only opened: no row of them is anybody's data. */
export const TABLES_OF_PROCESSES = [
  'installation',
  'lease',
  'announcement',
  'serving_process',
  'backtest_slice',
  'screen_catalogue',
] as const;

/** More than a lost store can have counted on after its backup. */
const COUNTED_ON = 1_000_000;

/**
 * Makes a restored store an installation, without what the processes of the original had under way: their leases, bus
 * and announcements, and outcomes on their way between them.
 *
 * @param id of the original where the store takes its place. Then plans and leases count on far above it: messages on the
 *   bus and processes that still run know later ones than the backup.
 */
export async function becomeInstallation(database: Queryable, id: string): Promise<void> {
  await database.write('delete from announcement');
  await database.write('delete from serving_process');
  await database.write('delete from backtest_slice');
  const same = await database.write(
    'update installation set bus = false, announced = announced + $2 where id = $1 returning id',
    [id, COUNTED_ON],
  );
  if (same.length === 0) {
    await database.write('delete from lease');
    await database.write('delete from installation');
    await database.write('insert into installation (id) values ($1)', [id]);
  } else {
    await database.write(
      `update lease set token = token + $1, holder = '', expires_at = '-infinity', note = null`,
      [COUNTED_ON],
    );
    await database.write(`select setval('derivation_plan', nextval('derivation_plan') + $1)`, [COUNTED_ON]);
  }
}

/** @throws CodedError conflict while processes work on the database */
export async function refuseRunning(database: Queryable): Promise<void> {
  const held = await database.query('select from lease where expires_at > clock_timestamp() limit 1');
  if (held.length > 0)
    throw new CodedError(
      'conflict',
      'Processes run on this database: stop them, and try again 20 seconds later.',
    );
}

/** True for the one process that shall look for orphans now: one a day, of all that share the database. */
export async function takeOrphanRound(database: Queryable): Promise<boolean> {
  const taken = await database.write(
    `update installation set orphans_removed_at = now()
     where orphans_removed_at is null or orphans_removed_at < now() - interval '1 day' returning id`,
  );
  return taken.length > 0;
}

import { CodedError } from '../base/errors.ts';
import type { Queryable } from './queryable.ts';

/** What tells this installation from others that share a bus or a bucket with it. */
export async function installationId(database: Queryable): Promise<string> {
  await database.query('insert into installation default values on conflict (only_one) do nothing');
  const [row] = await database.query<{ id: string }>('select id from installation');
  return row!.id;
}

/** Processes with a bus say so this often, and count as gone after the other. */
export const BUS_HEARTBEAT_MS = 5_000;
const BUS_GONE_MS = 20_000;

/** Says that a process with a bus runs, which processes without one respect. */
export async function noteBus(database: Queryable): Promise<void> {
  await database.query(
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
  await database.query('update installation set bus = $1 where bus <> $1', [withBus]);
}

/** Forgets what the processes of a store that was restored had under way: their leases, bus and announcements. */
export async function forgetProcesses(database: Queryable): Promise<void> {
  await database.query(`update lease set expires_at = '-infinity', note = null`);
  await database.query('update installation set bus = false where bus');
  await database.query('delete from announcement');
}

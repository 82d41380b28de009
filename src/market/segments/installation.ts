import type { Queryable } from '../../database/database.ts';

/** The identity of this installation: made with its first tape in a bucket, and kept with its database. */
export async function installationId(database: Queryable): Promise<string> {
  await database.query('insert into installation default values on conflict do nothing');
  const [row] = await database.query<{ id: string }>('select id from installation');
  return row!.id;
}

/** True for the one process that shall look for orphans now: one a day, of all that share the database. */
export async function takeOrphanRound(database: Queryable): Promise<boolean> {
  const taken = await database.query(
    `update installation set orphans_removed_at = now()
     where orphans_removed_at is null or orphans_removed_at < now() - interval '1 day' returning id`,
  );
  return taken.length > 0;
}

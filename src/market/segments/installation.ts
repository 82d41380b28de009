import type { Queryable } from '../../database/database.ts';

/** True for the one process that shall look for orphans now: one a day, of all that share the database. */
export async function takeOrphanRound(database: Queryable): Promise<boolean> {
  const taken = await database.query(
    `update installation set orphans_removed_at = now()
     where orphans_removed_at is null or orphans_removed_at < now() - interval '1 day' returning id`,
  );
  return taken.length > 0;
}

import type { Database } from '../database/database.ts';
import { type Leases, nextToken } from '../database/leases.ts';
import type { Bucket } from './nats-connection.ts';

/** Leases as keys of a bucket that forgets them when they are not renewed; tokens come from the database. */
export function bucketLeases(leases: Bucket, database: Database, holder: string): Leases {
  return {
    async take(name) {
      let revision = await leases((bucket) => bucket.create(name, holder)).catch(() => null);
      if (revision === null) return null;
      const token = await nextToken(database, name, holder);
      return {
        name,
        token,
        async renew() {
          revision = await leases((bucket) => bucket.update(name, holder, revision!));
          return true;
        },
        async release() {
          await leases((bucket) => bucket.delete(name, { previousSeq: revision! }));
        },
      };
    },
  };
}

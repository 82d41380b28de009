import type { KV } from '@nats-io/kv';
import type { Database } from '../database/database.ts';
import { type Leases, nextToken } from '../database/leases.ts';

/** Leases as keys of a bucket that forgets them when they are not renewed; tokens come from the database. */
export function bucketLeases(bucket: () => Promise<KV>, database: Database, holder: string): Leases {
  return {
    async take(name) {
      const leases = await bucket();
      let revision = await leases.create(name, holder).catch(() => null);
      if (revision === null) return null;
      const token = await nextToken(database, name, holder);
      return {
        name,
        token,
        async renew() {
          revision = await leases.update(name, holder, revision!);
          return true;
        },
        async release() {
          await leases.delete(name, { previousSeq: revision! });
        },
      };
    },
  };
}

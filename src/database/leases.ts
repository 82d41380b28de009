import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Database, Queryable } from './database.ts';
import { takeLock } from './lock.ts';
import { isMissing, type Statement } from './queryable.ts';

const NAMES = ['live', 'scheduler', 'states', 'alerts'] as const;

/** Work that one process of an installation does at a time. */
export type LeaseName = (typeof NAMES)[number];

export interface Lease {
  readonly name: LeaseName;
  /** Grows with every holder; null where the operating system ends a lease only with its process. */
  readonly token: number | null;
  /** Whether the lease still holds, for `LEASE_MS` from now. */
  renew(): Promise<boolean>;
  /** Lets another process take it at once. */
  release(): Promise<void>;
}

export interface Leases {
  /** Takes the lease; null while another process has it. */
  take(name: LeaseName): Promise<Lease | null>;
}

/** A lease that is not renewed ends after this long. */
export const LEASE_MS = 10_000;

/** Leases of the processes of one machine that share an embedded database: file locks, which end with their process. */
export function fileLeases(dataDirectory: string): Leases {
  const directory = join(dataDirectory, 'leases');
  return {
    async take(name) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const lock = takeLock(join(directory, name));
      if (lock === null) return null;
      return { name, token: null, renew: async () => true, release: async () => lock.release() };
    },
  };
}

/** Leases as rows of a PostgreSQL server, by its clock. */
export function rowLeases(database: Database, holder: string): Leases {
  return {
    async take(name) {
      const [row] = await database.write<{ token: number }>(
        `insert into lease (name, holder, expires_at) values ($1, $2, clock_timestamp() + $3 * interval '1 ms')
         on conflict (name) do update
           set holder = excluded.holder, token = lease.token + 1, expires_at = excluded.expires_at, note = null
           where lease.expires_at < clock_timestamp()
         returning token`,
        [name, holder, LEASE_MS],
      );
      if (row === undefined) return null;
      const { token } = row;
      return {
        name,
        token,
        async renew() {
          const renewed = await database.write(
            `update lease set expires_at = clock_timestamp() + $3 * interval '1 ms' where name = $1 and token = $2 returning name`,
            [name, token, LEASE_MS],
          );
          return renewed.length > 0;
        },
        async release() {
          await database.write(
            `update lease set expires_at = '-infinity', note = null where name = $1 and token = $2`,
            [name, token],
          );
        },
      };
    },
  };
}

/** The next token of a lease that something else than its row grants. */
export async function nextToken(database: Queryable, name: LeaseName, holder: string): Promise<number> {
  const [row] = await database.write<{ token: number }>(
    `insert into lease (name, holder) values ($1, $2)
     on conflict (name) do update set holder = excluded.holder, token = lease.token + 1, note = null
     returning token`,
    [name, holder],
  );
  return row!.token;
}

/**
 * Writes for the holder of a lease.
 *
 * @param write puts the statements that it gets into its transaction: they fail for an earlier holder, and until it
 *   commits no other process gets a token
 * @throws CodedError lease_lost
 */
export async function writeHolding<Written>(
  lease: Lease | undefined,
  write: (holding: readonly Statement[]) => Promise<Written>,
): Promise<Written> {
  if (lease === undefined || lease.token === null) return write([]);
  const { name, token } = lease;
  // The column takes no null.
  const sql = `insert into lease (name, holder)
     select $1, null where not exists (select from lease where name = $1 and token = $2 for share)`;
  try {
    return await write([{ sql, parameters: [name, token] }]);
  } catch (error) {
    if (!isMissing(error, 'lease')) throw error;
    throw new CodedError('lease_lost', `Another process has taken the lease ${name}.`);
  }
}

/** Says on the lease what its holder is at; the note goes with the lease. */
export async function noteOnLease(database: Queryable, { name, token }: Lease, note: string | null) {
  await database.write('update lease set note = $3 where name = $1 and token = $2', [name, token, note]);
}

/** What the last holder of a lease has said on it. */
export async function noteOf(database: Queryable, name: LeaseName): Promise<string | null> {
  const [row] = await database.query<{ note: string | null }>('select note from lease where name = $1', [
    name,
  ]);
  return row?.note ?? null;
}

/** Leases that show which of them this process owns. */
export function watchLeases(leases: Leases, metrics: Metrics): Leases {
  const owned = new Set<Lease>();
  metrics.gauge('tigraph_lease_owned', 'Whether this process owns a lease.', () =>
    NAMES.map((lease) => ({
      labels: { lease },
      value: Number([...owned].some(({ name }) => name === lease)),
    })),
  );
  return {
    async take(name) {
      const lease = await leases.take(name);
      if (lease === null) return null;
      const watched: Lease = {
        ...lease,
        async release() {
          owned.delete(watched);
          await lease.release();
        },
      };
      owned.add(watched);
      return watched;
    },
  };
}

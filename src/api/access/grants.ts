import type { Database } from '../../database/database.ts';
import { CodedError } from '../../base/errors.ts';
import { announceAccessChange } from './changes.ts';
import { readClient } from './clients.ts';
import type { Scope } from './scopes.ts';
import { isId, makeId } from './secrets.ts';

/** What one client may do through its agents. A grant never changes: another wish is another grant. */
export interface GrantTerms {
  readonly scopes: readonly Scope[];
  readonly feed: 'delayed' | 'realtime_sip';
  /** Symbols in capitals; null for all. */
  readonly symbols: readonly string[] | null;
  /** Agents that may hold its tokens; null for any. */
  readonly agents: readonly string[] | null;
  readonly callsPerMinute: number | null;
  readonly callsPerDay: number | null;
  readonly expiresAt: Date | null;
}

export interface Grant extends GrantTerms {
  readonly id: string;
  readonly clientId: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

const COLUMNS = `id, client_id as "clientId", scopes, feed, symbols, agents, calls_per_minute as "callsPerMinute",
  calls_per_day as "callsPerDay", expires_at as "expiresAt", created_at as "createdAt", revoked_at as "revokedAt"`;

/** @throws CodedError unknown_client; conflict, when the client is revoked */
export async function createGrant(
  database: Database,
  clientId: string,
  terms: GrantTerms,
  now: number,
): Promise<Grant> {
  const client = await readClient(database, clientId);
  if (client.revokedAt !== null) {
    throw new CodedError('conflict', `${clientId} was revoked; a revoked client can be given nothing.`);
  }
  const [grant] = await database.query<Grant>(
    `insert into access_grant (id, client_id, scopes, feed, symbols, agents, calls_per_minute, calls_per_day,
       expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${COLUMNS}`,
    [
      makeId('grant'),
      clientId,
      terms.scopes,
      terms.feed,
      terms.symbols,
      terms.agents,
      terms.callsPerMinute,
      terms.callsPerDay,
      terms.expiresAt,
      new Date(now),
    ],
  );
  return grant!;
}

/** @throws CodedError unknown_client */
export async function listGrants(database: Database, clientId: string): Promise<Grant[]> {
  await readClient(database, clientId);
  return database.query<Grant>(
    `select ${COLUMNS} from access_grant where client_id = $1 order by created_at, id`,
    [clientId],
  );
}

/**
 * Ends a grant and every token of it, at once. Doing it again changes nothing.
 *
 * @throws CodedError unknown_grant
 */
export async function revokeGrant(database: Database, id: string, now: number): Promise<Grant> {
  return database.transaction(async (transaction) => {
    const [grant] = isId(id)
      ? await transaction.query<Grant>(
          `update access_grant set revoked_at = coalesce(revoked_at, $2::timestamptz) where id = $1
           returning ${COLUMNS}`,
          [id, new Date(now)],
        )
      : [];
    if (grant === undefined) throw new CodedError('unknown_grant', `There is no grant ${JSON.stringify(id)}`);
    await announceAccessChange(transaction);
    return grant;
  });
}

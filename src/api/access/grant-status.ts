import type { Database } from '../../database/database.ts';
import type { Grant } from './grants.ts';
import { isId } from './secrets.ts';

/** What the store has of a client and one of its grants. */
export interface GrantStatus {
  /** Null when there is no such client. */
  readonly clientId: string | null;
  readonly secretHash: string | null;
  readonly clientRevokedAt: Date | null;
  /** Null when the client has no such grant: none at all, or another's. */
  readonly grant: Grant | null;
}

interface Row extends Omit<GrantStatus, 'grant'>, Omit<Grant, 'id' | 'clientId'> {
  readonly grantId: string | null;
}

/**
 * Reads client and grant in one statement that does the same for those that exist and those that do not: one row,
 * always. What cannot be an identifier is looked up as one that nobody has, since the store refuses some characters.
 */
export async function readGrantStatus(
  database: Database,
  clientId: string,
  grantId: string,
): Promise<GrantStatus> {
  const [row] = await database.query<Row>(
    `select c.id as "clientId", c.secret_hash as "secretHash", c.revoked_at as "clientRevokedAt",
       g.id as "grantId", g.scopes, g.feed, g.symbols, g.agents, g.calls_per_minute as "callsPerMinute", g.calls_per_day as "callsPerDay", g.expires_at as "expiresAt",
       g.created_at as "createdAt", g.revoked_at as "revokedAt"
     from (select 1) as one
     left join access_client c on c.id = $1
     left join access_grant g on g.id = $2 and g.client_id = c.id`,
    [isId(clientId) ? clientId : '', isId(grantId) ? grantId : ''],
  );
  const { clientId: id, secretHash, clientRevokedAt, grantId: found, ...terms } = row!;
  const grant = id === null || found === null ? null : { ...terms, id: found, clientId: id };
  return { clientId: id, secretHash, clientRevokedAt, grant };
}

/** The grant, where it may be used now: neither it nor its client revoked, and its time not over. */
export function validGrant({ clientRevokedAt, grant }: GrantStatus, now: number): Grant | null {
  if (grant === null || clientRevokedAt !== null || grant.revokedAt !== null) return null;
  return grant.expiresAt !== null && grant.expiresAt.getTime() <= now ? null : grant;
}

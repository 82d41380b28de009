import { CodedError } from '../../base/errors.ts';
import { at } from '../../base/fault-points.ts';
import type { Database } from '../../database/database.ts';
import { announceAccessChange } from './changes.ts';
import type { AccessScope } from './scopes.ts';
import { hashSecret, isId, makeId, makeSecret } from './secrets.ts';

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

const CLIENT_COLUMNS = 'id, name, created_at as "createdAt", revoked_at as "revokedAt"';

/** A new client and its secret; only the secret's hash is stored. */
export async function createClient(
  database: Database,
  name: string,
  now: number,
): Promise<{ readonly client: Client; readonly secret: string }> {
  const secret = makeSecret();
  const [client] = await database.write<Client>(
    `insert into access_client (id, name, secret_hash, created_at) values ($1, $2, $3, $4) returning ${CLIENT_COLUMNS}`,
    [makeId('client'), name, await hashSecret(secret), new Date(now)],
  );
  at('client.created');
  return { client: client!, secret };
}

export const listClients = (database: Database): Promise<Client[]> =>
  database.query<Client>(`select ${CLIENT_COLUMNS} from access_client order by created_at, id`);

/** @throws CodedError unknown_client */
export async function readClient(database: Database, id: string): Promise<Client> {
  const [client] = isId(id)
    ? await database.query<Client>(`select ${CLIENT_COLUMNS} from access_client where id = $1`, [id])
    : [];
  if (client === undefined)
    throw new CodedError('unknown_client', `There is no client ${JSON.stringify(id)}`);
  return client;
}

/**
 * Ends a client with its secret, grants and tokens at once. Idempotent.
 *
 * @throws CodedError unknown_client
 */
export async function revokeClient(database: Database, id: string, now: number): Promise<Client> {
  await readClient(database, id);
  await database.transaction(async (transaction) => {
    await transaction.write(
      'update access_client set revoked_at = coalesce(revoked_at, $2::timestamptz) where id = $1',
      [id, new Date(now)],
    );
    await announceAccessChange(transaction);
  });
  at('client.revoked');
  return readClient(database, id);
}

/** What one client may do through its agents. A grant never changes; other terms are another grant. */
export interface GrantTerms {
  readonly scopes: readonly AccessScope[];
  /** `byok` is real time too, under the contract of the operator's own key of a vendor. */
  readonly feed: 'delayed' | 'realtime_sip' | 'byok';
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

const GRANT_COLUMNS = `id, client_id as "clientId", scopes, feed, symbols, agents, calls_per_minute as "callsPerMinute",
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
  const [grant] = await database.write<Grant>(
    `insert into access_grant (id, client_id, scopes, feed, symbols, agents, calls_per_minute, calls_per_day,
       expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${GRANT_COLUMNS}`,
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
  at('grant.created');
  return grant!;
}

/** @throws CodedError unknown_client */
export async function listGrants(database: Database, clientId: string): Promise<Grant[]> {
  await readClient(database, clientId);
  return database.query<Grant>(
    `select ${GRANT_COLUMNS} from access_grant where client_id = $1 order by created_at, id`,
    [clientId],
  );
}

/**
 * Ends a grant and all its tokens at once. Idempotent.
 *
 * @throws CodedError unknown_grant
 */
export async function revokeGrant(database: Database, id: string, now: number): Promise<Grant> {
  const revoked = await database.transaction(async (transaction) => {
    const [grant] = isId(id)
      ? await transaction.write<Grant>(
          `update access_grant set revoked_at = coalesce(revoked_at, $2::timestamptz) where id = $1
           returning ${GRANT_COLUMNS}`,
          [id, new Date(now)],
        )
      : [];
    if (grant === undefined) throw new CodedError('unknown_grant', `There is no grant ${JSON.stringify(id)}`);
    await announceAccessChange(transaction);
    return grant;
  });
  at('grant.revoked');
  return revoked;
}

/** A client and one of its grants, as stored. */
export interface GrantStatus {
  /** Null for an unknown client. */
  readonly clientId: string | null;
  readonly secretHash: string | null;
  readonly clientRevokedAt: Date | null;
  /** Null when the client has no such grant. */
  readonly grant: Grant | null;
}

interface GrantStatusRow extends Omit<GrantStatus, 'grant'>, Omit<Grant, 'id' | 'clientId'> {
  readonly grantId: string | null;
}

/**
 * Reads client and grant in one statement that does the same work whether they exist or not: always one row. Text that
 * cannot be an identifier is looked up as the empty one, since the store refuses some characters.
 */
export async function readGrantStatus(
  database: Database,
  clientId: string,
  grantId: string,
): Promise<GrantStatus> {
  const [row] = await database.query<GrantStatusRow>(
    `select c.id as "clientId", c.secret_hash as "secretHash", c.revoked_at as "clientRevokedAt",
       g.id as "grantId", g.scopes, g.feed, g.symbols, g.agents, g.calls_per_minute as "callsPerMinute",
       g.calls_per_day as "callsPerDay", g.expires_at as "expiresAt", g.created_at as "createdAt",
       g.revoked_at as "revokedAt"
     from (select 1) as one
     left join access_client c on c.id = $1
     left join access_grant g on g.id = $2 and g.client_id = c.id`,
    [isId(clientId) ? clientId : '', isId(grantId) ? grantId : ''],
  );
  const { clientId: client, secretHash, clientRevokedAt, grantId: id, ...terms } = row!;
  const grant = client === null || id === null ? null : { ...terms, id, clientId: client };
  return { clientId: client, secretHash, clientRevokedAt, grant };
}

/** The grant if it is in force: not expired, and neither it nor its client revoked. */
export function validGrant({ clientRevokedAt, grant }: GrantStatus, now: number): Grant | null {
  if (grant === null || clientRevokedAt !== null || grant.revokedAt !== null) return null;
  return grant.expiresAt !== null && grant.expiresAt.getTime() <= now ? null : grant;
}

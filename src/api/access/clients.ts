import { CodedError } from '../../base/errors.ts';
import { at } from '../../base/fault-points.ts';
import type { Database } from '../../database/database.ts';
import { announceAccessChange } from './changes.ts';
import { hashSecret, isId, makeId, makeSecret } from './secrets.ts';

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

const COLUMNS = 'id, name, created_at as "createdAt", revoked_at as "revokedAt"';

/** A new client and its secret; only the secret's hash is stored. */
export async function createClient(
  database: Database,
  name: string,
  now: number,
): Promise<{ readonly client: Client; readonly secret: string }> {
  const secret = makeSecret();
  const [client] = await database.write<Client>(
    `insert into access_client (id, name, secret_hash, created_at) values ($1, $2, $3, $4) returning ${COLUMNS}`,
    [makeId('client'), name, await hashSecret(secret), new Date(now)],
  );
  at('client.created');
  return { client: client!, secret };
}

/** Every client, the oldest first. */
export const listClients = (database: Database): Promise<Client[]> =>
  database.query<Client>(`select ${COLUMNS} from access_client order by created_at, id`);

/** @throws CodedError unknown_client */
export async function readClient(database: Database, id: string): Promise<Client> {
  const [client] = isId(id)
    ? await database.query<Client>(`select ${COLUMNS} from access_client where id = $1`, [id])
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

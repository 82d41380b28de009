import type { Database, Queryable } from '../../database/database.ts';

/** How a running service learns that a client, a grant or a key is no longer what it was. */
const CHANNEL = 'tigraph_access';

/** Within the transaction of the change, so that it is heard of when it is true and never before. */
export async function announceAccessChange(transaction: Queryable): Promise<void> {
  await transaction.query('select pg_notify($1, $2)', [CHANNEL, '']);
}

/** Calls back after any change, and whenever one may have been missed. Returns the way to stop it. */
export const onAccessChange = (database: Database, handler: () => void): Promise<() => void> =>
  database.listen(CHANNEL, handler, handler);

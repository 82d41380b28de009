import { at } from '../../base/fault-points.ts';
import type { Database, Queryable } from '../../database/database.ts';

/** Tells running services that a client, a grant or a key has changed. */
const CHANNEL = 'tigraph_access';

/** Announces a change when its transaction commits. */
export async function announceAccessChange(transaction: Queryable): Promise<void> {
  await transaction.announce(CHANNEL, '');
}

/** Calls back after any change, and when one may have been missed. Returns a function that stops it. */
export const onAccessChange = (database: Database, handler: () => void): Promise<() => void> =>
  database.listen(CHANNEL, handler, handler);

/** Drops the signing keys, which ends every token at once. The next exchange makes a new key. */
export async function dropKeys(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.write('delete from access_key');
    await announceAccessChange(transaction);
  });
  at('signing-keys.dropped');
}

import { rm } from 'node:fs/promises';
import { isDiskFull } from '../base/errors.ts';
import { copyCluster } from './cluster-copy.ts';
import { behindReaders, type Database, type DatabaseOptions, openDatabase } from './database.ts';
import type { Queryable } from './queryable.ts';

/** The host may end while its cluster is copied, which takes the backup of the session with it. */
const ATTEMPTS = 3;

/**
 * Reads the whole store as of one instant while others read and write it: on a PostgreSQL server in one repeatable-read
 * transaction, of the embedded server, whose one session that would keep from everybody, from a copy of the cluster.
 *
 * @param scratch directory for the copy, which is removed afterwards
 * @param work receives an open transaction, and an instant whose earlier commits are all visible in it
 */
export async function withSnapshot<T>(
  options: DatabaseOptions,
  scratch: string,
  work: (snapshot: Queryable, at: Date) => Promise<T>,
): Promise<T> {
  const inOneView = { isolation: 'repeatable read' } as const;
  const database = await openDatabase(options);
  let copied: Awaited<ReturnType<typeof openCopy>>;
  try {
    if (database.kind === 'postgres') {
      return await database.transaction(async (snapshot) => {
        const [row] = await snapshot.query<{ at: Date }>('select now() as at');
        return work(snapshot, row!.at);
      }, inOneView);
    }
    copied = await openCopy(database, options.dataDirectory, scratch);
  } finally {
    await database.close();
  }
  try {
    return await copied.copy.transaction((snapshot) => work(snapshot, copied.at), inOneView);
  } finally {
    await copied.copy.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function openCopy(database: Database, dataDirectory: string, scratch: string) {
  for (let attempt = 1; ; attempt++) {
    try {
      await rm(scratch, { recursive: true, force: true });
      const at = await behindReaders(() => copyCluster(database, dataDirectory, scratch));
      return { copy: await openDatabase({ dataDirectory: scratch }), at };
    } catch (error) {
      if (attempt === ATTEMPTS || isDiskFull(error)) throw error;
    }
  }
}

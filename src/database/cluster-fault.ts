import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** PostgreSQL's major version of the embedded engine. */
const MAJOR = '18';
/** PostgreSQL writes its control file in one piece of this size. */
const CONTROL_FILE_BYTES = 8_192;

/** What an operator does about a damaged store; ends a message. */
export const RESTORE_HINT =
  'Restore a backup into a new data directory: TIGRAPH_DATA_DIR=/new npm run tigraph -- restore PLACE.';

/**
 * Why the folder of an embedded database cannot be opened, in one sentence and with the way out; null for one that the
 * engine may try. Only what PostgreSQL would not say plainly is looked at.
 *
 * @param cluster a folder that exists
 */
export function clusterFault(cluster: string): string | null {
  const version = textOf(join(cluster, 'PG_VERSION'));
  if (version === null) {
    return readdirSync(cluster).length === 0
      ? `${cluster} is empty where the database should be; a disk may not be mounted. ${RESTORE_HINT} To begin without data, remove the folder.`
      : `${cluster} has no file PG_VERSION, so the database in it is incomplete. ${RESTORE_HINT}`;
  }
  if (version !== MAJOR) {
    return `${join(cluster, 'PG_VERSION')} says ${JSON.stringify(version.slice(0, 20))}, and this program reads the files of PostgreSQL ${MAJOR} only. Run the version of the program that wrote them, make a backup with it and restore that here.`;
  }
  const control = join(cluster, 'global', 'pg_control');
  const bytes = existsSync(control) ? statSync(control).size : 0;
  if (bytes === CONTROL_FILE_BYTES) return null;
  return `${control} has ${bytes} bytes and should have ${CONTROL_FILE_BYTES}: the database is damaged. ${RESTORE_HINT}`;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

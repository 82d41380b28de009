import { existsSync } from 'node:fs';
import { constants, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { at } from '../base/fault-points.ts';
import { realTimers, rest, stopwatch } from '../base/timers.ts';
import { CLUSTER } from './embedded-host.ts';
import { type FileLock, takeLock } from './lock.ts';
import type { Queryable } from './queryable.ts';

/** Held by the process that copies a cluster; the kernel releases it, however the process ends. */
const LOCK_FILE = 'copying.lock';
const LOG = 'pg_wal';
/** PostgreSQL's code for a backup that is, or is not, in progress. */
const WRONG_STATE = '55000';
/** The host looks at the lock for a moment every ten seconds. */
const LOCK_WAIT_MS = 1_000;
const RECHECK_MS = 20;

/**
 * Copies the cluster of a running embedded server by PostgreSQL's own online backup: the log, which is copied last,
 * makes the files consistent when the copy is opened. Nobody waits, beside the checkpoint at the begin. Meanwhile the
 * host makes no checkpoint, which would drop the log.
 *
 * @param to directory that gets the cluster, as if it were a data directory
 * @returns an instant whose earlier commits are all in the copy
 * @throws CodedError conflict when another process copies it
 */
export async function copyCluster(database: Queryable, dataDirectory: string, to: string): Promise<Date> {
  const lock = await lockCopying(dataDirectory);
  try {
    // All connections share one session: a process that was killed has left its backup there.
    await database.query('select pg_backup_stop(false)').catch(unlessWrongState);
    await database.query(`select pg_backup_start('tigraph', true)`);
    const cluster = join(dataDirectory, CLUSTER);
    const copy = join(to, CLUSTER);
    await copyFolder(cluster, copy, (path) => path !== LOG);
    const [label] = await database.query<{ text: string }>(
      'select labelfile as text from pg_backup_stop(false)',
    );
    const copiedAt = new Date(realTimers.now());
    await copyFolder(join(cluster, LOG), join(copy, LOG));
    await writeFile(join(copy, 'backup_label'), label!.text, { mode: 0o600 });
    at('backup.copied');
    return copiedAt;
  } finally {
    lock.release();
  }
}

/** Whether a process copies the cluster of a data directory at the moment. */
export function isBeingCopied(dataDirectory: string): boolean {
  const path = join(dataDirectory, LOCK_FILE);
  if (!existsSync(path)) return false;
  const lock = takeLock(path);
  lock?.release();
  return lock === null;
}

async function lockCopying(dataDirectory: string): Promise<FileLock> {
  for (const end = stopwatch() + LOCK_WAIT_MS; ; await rest(realTimers, RECHECK_MS)) {
    const lock = takeLock(join(dataDirectory, LOCK_FILE));
    if (lock !== null) return lock;
    if (stopwatch() > end)
      throw new CodedError('conflict', `Another process makes a backup of ${dataDirectory} already.`);
  }
}

function unlessWrongState(error: unknown): void {
  if ((error as { code?: unknown }).code !== WRONG_STATE) throw error;
}

/** A file that the server deletes meanwhile is left out: the log deletes it in the copy too. */
async function copyFolder(
  from: string,
  to: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!isWanted(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target);
    else await copyFile(source, target, constants.COPYFILE_FICLONE).catch(unlessDeleted);
  }
}

function unlessDeleted(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

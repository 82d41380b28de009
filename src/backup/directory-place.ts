import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { at } from '../base/fault-points.ts';
import { sync, writeWhole } from '../base/synced-files.ts';
import { type FileLock, takeLock } from '../database/lock.ts';
import { type BackupPlace, RECORD_FILE, TABLES, TAPE } from './backup-place.ts';
import { directoryFiles } from './file-store.ts';

/** Locked while a backup is written, and removed at its end. */
const LOCK_FILE = 'unfinished.lock';
const SCRATCH = 'scratch';

/** A backup in a directory, which is made where it is missing. */
export function directoryPlace(directory: string): BackupPlace {
  return {
    name: directory,
    files: directoryFiles(directory),
    record: async () =>
      existsSync(join(directory, RECORD_FILE)) ? readFile(join(directory, RECORD_FILE), 'utf8') : null,
    async claim() {
      const lock = await emptied(directory);
      at('backup.claimed');
      return {
        folder: null,
        scratch: join(directory, SCRATCH),
        async finish(record) {
          for (const name of [TABLES, TAPE]) await sync(join(directory, name));
          await writeWhole(join(directory, RECORD_FILE), record);
          at('backup.recorded');
          await rm(join(directory, LOCK_FILE));
          at('backup.unlocked');
        },
        release: async () => lock.release(),
      };
    },
  };
}

/** Takes an empty directory, or that of an interrupted backup, which is emptied. */
async function emptied(directory: string): Promise<FileLock> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const refuse = (reason: string): never => {
    throw new CodedError('validation_failed', `${directory} ${reason}; name an empty or a new directory.`);
  };
  const names = await readdir(directory);
  if (names.includes(RECORD_FILE)) refuse('holds a backup already');
  if (names.length > 0 && !names.includes(LOCK_FILE)) refuse('is not empty');
  const lock = takeLock(join(directory, LOCK_FILE));
  if (lock === null)
    throw new CodedError('conflict', `Another process writes a backup to ${directory} already.`);
  for (const name of [TABLES, TAPE, SCRATCH, `${RECORD_FILE}.unfinished`])
    await rm(join(directory, name), { recursive: true, force: true });
  for (const name of [TABLES, TAPE]) await mkdir(join(directory, name), { mode: 0o700 });
  return lock;
}

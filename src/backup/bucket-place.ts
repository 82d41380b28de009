import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { at } from '../base/fault-points.ts';
import type { DatabaseOptions } from '../database/database.ts';
import { takeLock } from '../database/lock.ts';
import { Bucket } from '../tape/segments/bucket.ts';
import type { BucketAddress } from '../tape/segments/bucket-address.ts';
import { PATIENT_MS } from '../tape/segments/segment-store.ts';
import { START_PATIENCE } from '../tape/segments/tape-prefix.ts';
import { type BackupPlace, RECORD_FILE } from './backup-place.ts';
import { bucketFiles } from './file-store.ts';

const PATIENCE = { patienceMs: PATIENT_MS };
/** An object of a backup, finished or not. */
const OF_A_BACKUP = /^backup-[0-9a-f]{16}\//;

/**
 * A backup under a prefix of a bucket. Every attempt has a folder of its own, and the record names that of the first
 * that ends: no store has to lock anything, and no attempt can touch the files of another until it has lost.
 */
export function bucketPlace(address: BucketAddress): BackupPlace {
  const { name } = address;
  const bucket = new Bucket(address, {
    bucket: 'The bucket of the backup',
    file: 'The file',
    unavailable: 'backup_unavailable',
    damaged: 'backup_damaged',
  });
  return {
    name,
    files: bucketFiles(bucket, name),
    async record() {
      const bytes = await bucket.get(RECORD_FILE, START_PATIENCE);
      return bytes === null ? null : new TextDecoder().decode(bytes);
    },
    async claim(store) {
      await refuseTaken(bucket, name);
      const scratch = takeScratch(store);
      const folder = `backup-${randomBytes(8).toString('hex')}`;
      const isOwn = (file: string): boolean => file.startsWith(`${folder}/`);
      let mayBeWhole = false;
      return {
        folder,
        scratch: scratch.path,
        async finish(record) {
          // Without an answer it may be stored, and then it needs its files.
          mayBeWhole = true;
          mayBeWhole = await bucket.put(RECORD_FILE, new TextEncoder().encode(record), PATIENCE);
          at('backup.recorded');
          if (!mayBeWhole) throw new CodedError('conflict', `Another backup to ${name} was finished first.`);
          await remove(bucket, (file) => OF_A_BACKUP.test(file) && !isOwn(file)).catch(({ message }) =>
            process.emitWarning(`What interrupted backups have left in ${name} was not removed: ${message}`),
          );
        },
        async release() {
          await scratch.release();
          if (!mayBeWhole) await remove(bucket, isOwn).catch(() => {});
        },
      };
    },
  };
}

/** @throws CodedError validation_failed, backup_unavailable */
async function refuseTaken(bucket: Bucket, name: string): Promise<void> {
  const refuse = (reason: string): never => {
    throw new CodedError('validation_failed', `${name} ${reason}; name a prefix without objects.`);
  };
  for await (const objects of bucket.pages(START_PATIENCE, { deep: true })) {
    if (objects.some((object) => object.name === RECORD_FILE)) refuse('holds a backup already');
    if (!objects.every((object) => OF_A_BACKUP.test(object.name))) refuse('is not empty');
  }
}

/** Removes files, and uploads that have not ended. */
async function remove(bucket: Bucket, isWanted: (file: string) => boolean): Promise<void> {
  await bucket.abortUploads(isWanted, PATIENCE);
  for await (const objects of bucket.pages(PATIENCE, { deep: true }))
    for (const { name } of objects) if (isWanted(name)) await bucket.delete(name, PATIENCE);
}

/** A directory for the copy of an embedded database, which one process uses at a time. */
function takeScratch({ dataDirectory, databaseUrl }: DatabaseOptions) {
  const path = join(dataDirectory, 'backup-scratch');
  if (databaseUrl !== undefined) return { path, release: async () => {} };
  const lockFile = `${path}.lock`;
  const lock = takeLock(lockFile);
  if (lock === null)
    throw new CodedError('conflict', `Another process makes a backup of ${dataDirectory} already.`);
  return {
    path,
    async release() {
      await rm(path, { recursive: true, force: true });
      await rm(lockFile);
      lock.release();
    },
  };
}

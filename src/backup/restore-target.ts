import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { at } from '../base/fault-points.ts';
import { sync, writeWhole } from '../base/synced-files.ts';
import { type Database, hasCluster, openDatabase } from '../database/database.ts';
import { CLUSTER } from '../database/embedded-host.ts';
import { refuseRunning, TABLES_OF_PROCESSES } from '../database/installation.ts';
import { hasRows, listTables } from '../database/table-rows.ts';
import { Bucket } from '../tape/segments/bucket.ts';
import type { BucketAddress } from '../tape/segments/bucket-address.ts';
import { PATIENT_MS } from '../tape/segments/segment-store.ts';
import { markPrefix, ownerOf } from '../tape/segments/tape-prefix.ts';
import { TAPE } from './backup-place.ts';
import type { BackedUpSegment, BackupRecord } from './backup-record.ts';
import {
  bringFile,
  digestFile,
  type FileStore,
  filesIn,
  type StoreOptions,
  tapeFiles,
} from './file-store.ts';
import type { OnStep } from './take-backup.ts';
import { refuseOtherFile, verifyTable } from './verify-backup.ts';

const PATIENCE = { patienceMs: PATIENT_MS };

/**
 * Refuses a store that holds data. A database that programs have only opened holds none.
 *
 * @throws CodedError validation_failed; conflict while another process has the database
 */
export async function refuseFilled(store: StoreOptions): Promise<void> {
  const { dataDirectory, databaseUrl } = store;
  const { directory } = tapeFiles(store);
  const hasFiles = directory !== null && existsSync(directory) && readdirSync(directory).length > 0;
  if (hasFiles) throw notEmpty(`The data directory ${dataDirectory}`);
  if (databaseUrl === undefined && !hasCluster(dataDirectory)) return;
  const database = await openDatabase({ dataDirectory, databaseUrl });
  try {
    if (database.isGuest())
      throw new CodedError('conflict', `Another process has ${dataDirectory} open: stop it first.`);
    if (await holdsData(database)) throw notEmpty('The database');
    if ((await listTables(database)).some(({ name }) => name === 'lease')) await refuseRunning(database);
  } finally {
    await database.close();
  }
}

export const holdsData = (database: Database): Promise<boolean> => hasRows(database, TABLES_OF_PROCESSES);

export const notEmpty = (what: string): CodedError =>
  new CodedError('validation_failed', `${what} holds data already; a backup is restored into an empty one.`);

/** Removes what programs that only opened it, or an interrupted restore, have left. */
export async function emptyDirectory(store: StoreOptions): Promise<void> {
  const { directory } = tapeFiles(store);
  if (directory !== null) {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { mode: 0o700 });
  }
  if (store.databaseUrl === undefined)
    await rm(join(store.dataDirectory, CLUSTER), { recursive: true, force: true });
  at('restore.emptied');
}

/** The identity of a store that is being restored: run again, the restore finds the prefix of the tape marked with it. */
const identityFile = (dataDirectory: string): string => join(dataDirectory, 'restoring.id');

/**
 * The installation that a restored store shall be: that of the backup, or a new one.
 *
 * @param how `wasInterrupted` for the one that an interrupted restore has begun
 */
export async function identityOf(
  { dataDirectory }: StoreOptions,
  backup: FileStore,
  record: BackupRecord,
  how: { readonly sameInstallation: boolean; readonly wasInterrupted: boolean },
): Promise<string> {
  const former = how.sameInstallation ? await formerIdentity(backup, record) : null;
  if (former !== null) return former;
  const path = identityFile(dataDirectory);
  if (how.wasInterrupted && existsSync(path)) return readFileSync(path, 'utf8');
  const made = randomUUID();
  await writeWhole(path, made);
  at('restore.named');
  return made;
}

export const forgetIdentity = (dataDirectory: string): Promise<void> =>
  rm(identityFile(dataDirectory), { force: true });

/** Null of a store that has been backed up before it had one. */
async function formerIdentity(backup: FileStore, { tables }: BackupRecord): Promise<string | null> {
  const table = tables.find(({ name }) => name === 'installation');
  if (table === undefined) return null;
  const rows: string[] = [];
  await verifyTable(backup, table, (row) => rows.push(row));
  // The identifier is the first column.
  return rows[0]?.slice(1, rows[0].indexOf(',')) ?? null;
}

/**
 * Refuses the prefix of a tape in a bucket unless it is empty or marked as that of the store.
 *
 * @param how `mark` to mark it
 * @throws CodedError tape_of_another_installation, tape_unavailable
 */
export async function claimTape(
  address: BucketAddress,
  own: string,
  { mark }: { readonly mark: boolean },
): Promise<void> {
  const bucket = new Bucket(address);
  const found = await ownerOf(bucket, async () => null);
  const owner = found ?? (mark ? await markPrefix(bucket, own) : own);
  if (owner === own) return;
  throw new CodedError(
    'tape_of_another_installation',
    `${address.name} belongs to the installation ${owner}, and the restored store is ${own}: name an empty prefix, or restore with --same-installation where its database was lost.`,
  );
}

/**
 * Brings the segment files of a backup to the tape. In a bucket, those that are there already stay.
 *
 * @throws CodedError backup_damaged, backup_unavailable, tape_unavailable, tape_damaged
 */
export async function bringTape(
  store: StoreOptions,
  backup: FileStore,
  segments: readonly BackedUpSegment[],
  onStep: OnStep,
): Promise<void> {
  const [source, tape] = [filesIn(backup, TAPE), tapeFiles(store)];
  const bucket = store.tapeBucket ? new Bucket(store.tapeBucket) : null;
  // Of a restore that was interrupted: a service stores each file of a tape in one piece.
  await bucket?.abortUploads((name) => !name.includes('/'), PATIENCE);
  for (const [done, segment] of segments.entries()) {
    const { file } = segment;
    onStep({ done, total: segments.length, detail: `file ${file}` });
    if (bucket !== null && (await holds(bucket, tape, segment))) continue;
    const digest = await bringFile(source, tape, file);
    at('restore.segment-stored');
    // A link is the file that has been verified.
    if (digest !== null) refuseOtherFile(source.nameOf(file), segment, digest);
    if (bucket !== null && !(await holds(bucket, tape, segment)))
      throw new CodedError('tape_damaged', `${tape.nameOf(file)} does not hold what was stored.`);
  }
  if (tape.directory !== null) await sync(tape.directory);
}

/** Whether the bucket has a file with the right bytes; one with others is removed. */
async function holds(
  bucket: Bucket,
  tape: FileStore,
  { file, bytes, sha256 }: BackedUpSegment,
): Promise<boolean> {
  const found = await bucket.size(file, PATIENCE);
  if (found === null) return false;
  if (found === bytes && (await digestFile(tape, file)).sha256 === sha256) return true;
  await bucket.delete(file, PATIENCE);
  return false;
}

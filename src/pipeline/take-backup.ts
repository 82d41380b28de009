import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { type DatabaseOptions, hasCluster, type Queryable } from '../database/database.ts';
import { type FileLock, takeLock } from '../database/lock.ts';
import { readApplied } from '../database/migrate.ts';
import { withSnapshot } from '../database/snapshot.ts';
import { listTables, readRows, readSequences } from '../database/table-rows.ts';
import { refuseHalfRestored } from '../database/unfinished-restore.ts';
import { digestFile, keepFile, sync, writeRows, writeWhole } from './backup-files.ts';
import {
  BACKUP_FORMAT,
  type BackedUpSegment,
  type BackedUpTable,
  type BackupRecord,
  RECORD_FILE,
} from './backup-record.ts';

/** Steps done, their number, and the present one. */
export type OnStep = (step: {
  readonly done: number;
  readonly total: number;
  readonly detail: string;
}) => void;

/** Locked while a backup is written, and removed at its end. */
const LOCK_FILE = 'unfinished.lock';
const TABLES = 'tables';
const TAPE = 'tape';
const SCRATCH = 'scratch';

export const tableFile = (directory: string, table: string): string =>
  join(directory, TABLES, `${table}.zst`);
/** Segment files of a data directory. */
export const tapeOf = ({ dataDirectory }: Pick<DatabaseOptions, 'dataDirectory'>): string =>
  join(dataDirectory, TAPE);
export const segmentFile = (directory: string, file: string): string => join(directory, TAPE, file);

/**
 * Makes a backup of the whole store while others read and write it: every row of one instant, then the segment files
 * that its manifest names, then checksums, and the record last. What an interrupted backup left in the directory is
 * removed first.
 *
 * @param directory empty, absent, or of an interrupted backup
 * @param program version of the program
 * @throws CodedError validation_failed for another directory, conflict, restore_unfinished, tape_damaged when a file is
 *   missing
 */
export async function takeBackup(
  store: DatabaseOptions,
  directory: string,
  program: string,
  onStep: OnStep = () => {},
): Promise<BackupRecord> {
  refuseHalfRestored(store.dataDirectory);
  if (store.databaseUrl === undefined && !hasCluster(store.dataDirectory))
    throw new CodedError('validation_failed', `There is no database in ${store.dataDirectory} to back up.`);
  const lock = await claim(directory);
  try {
    await Promise.all([TABLES, TAPE].map((name) => mkdir(join(directory, name), { mode: 0o700 })));
    onStep({ done: 0, total: 1, detail: 'a snapshot of the database' });
    const snapshot = await withSnapshot(store, join(directory, SCRATCH), (transaction, at) =>
      writeSnapshot(transaction, store, directory, at, onStep),
    );
    const segments = await digestSegments(directory, snapshot, onStep);
    for (const name of [TABLES, TAPE]) await sync(join(directory, name));
    const record = { format: BACKUP_FORMAT, program, ...snapshot.record, segments };
    await writeWhole(join(directory, RECORD_FILE), `${JSON.stringify(record, null, 1)}\n`);
    await rm(join(directory, LOCK_FILE));
    return record;
  } finally {
    lock.release();
  }
}

/** Takes an empty directory, or that of an interrupted backup, which is emptied. */
async function claim(directory: string): Promise<FileLock> {
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
  return lock;
}

interface Snapshot {
  readonly record: Omit<BackupRecord, 'format' | 'program' | 'segments'>;
  readonly files: readonly ManifestFile[];
  /** Steps done, of each table once and of each file twice. */
  readonly done: number;
  readonly total: number;
}

interface ManifestFile {
  readonly file: string;
  readonly bytes: number;
}

/** The files first: they are linked in a moment, and may be deleted once the store has moved on. */
async function writeSnapshot(
  transaction: Queryable,
  store: DatabaseOptions,
  directory: string,
  at: Date,
  onStep: OnStep,
): Promise<Snapshot> {
  const files = await transaction.query<ManifestFile>(
    'select file, bytes::float8 as bytes from tape_segment order by id',
  );
  const all = await listTables(transaction);
  const total = all.length + 2 * files.length;
  let done = 0;
  for (const { file } of files) {
    onStep({ done: done++, total, detail: `file ${file}` });
    await keepSegment(tapeOf(store), directory, file);
  }
  const tables: BackedUpTable[] = [];
  for (const table of all) {
    onStep({ done: done++, total, detail: `rows of ${table.name}` });
    const written = await writeRows(tableFile(directory, table.name), readRows(transaction, table));
    tables.push({ name: table.name, columns: [...table.columns], ...written });
  }
  const sequences = (await readSequences(transaction)).map(({ table, column, lastValue, isCalled }) => ({
    table,
    column,
    last_value: lastValue,
    is_called: isCalled,
  }));
  const kind = store.databaseUrl === undefined ? 'embedded' : 'postgres';
  const migrations = await readApplied(transaction);
  const record = { taken_at: at.toISOString(), store: kind, migrations, tables, sequences } as const;
  return { record: { ...record, migrations: [...migrations] }, files, done, total };
}

async function keepSegment(tape: string, directory: string, file: string): Promise<void> {
  try {
    await keepFile(join(tape, file), segmentFile(directory, file));
  } catch (error) {
    if (existsSync(join(tape, file))) throw error;
    throw notWhole(file, error);
  }
}

const notWhole = (file: string, cause?: unknown): CodedError =>
  new CodedError(
    'tape_damaged',
    `The segment file ${file} is not what the manifest names; there is no backup.`,
    {
      cause,
    },
  );

async function digestSegments(
  directory: string,
  { files, done, total }: Snapshot,
  onStep: OnStep,
): Promise<BackedUpSegment[]> {
  const segments: BackedUpSegment[] = [];
  for (const { file, bytes } of files) {
    onStep({ done: done + segments.length, total, detail: `checksum of ${file}` });
    const digest = await digestFile(segmentFile(directory, file));
    if (digest.bytes !== bytes) throw notWhole(file);
    segments.push({ file, ...digest });
  }
  return segments;
}

import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, isCoded } from '../base/errors.ts';
import { RowDigest } from '../base/row-digest.ts';
import {
  type Database,
  type DatabaseOptions,
  hasCluster,
  openDatabase,
  type Queryable,
} from '../database/database.ts';
import { CLUSTER } from '../database/embedded-host.ts';
import { forgetProcesses } from '../database/installation.ts';
import { takeLock } from '../database/lock.ts';
import { migrate, readMigrations, refuseOtherHistory } from '../database/migrate.ts';
import { hasRows, insertRows, listTables, readRows, setSequences } from '../database/table-rows.ts';
import { restoringFile } from '../database/unfinished-restore.ts';
import { keepFile, readRowsOf, sync } from './backup-files.ts';
import { type BackedUpTable, type BackupRecord, damaged, readRecord } from './backup-record.ts';
import { type OnStep, segmentFile, tableFile, tapeOf } from './take-backup.ts';
import { refuseOtherRows, verifyBackup, verifyFile } from './verify-backup.ts';

/**
 * Fills an empty store from a backup of either kind of store, reads every row back and compares it with the record, and
 * brings the schema up to date. On a PostgreSQL server all rows become visible at once; in a data directory a file says
 * until the end that they are not complete. What an interrupted restore left is removed first.
 *
 * @throws CodedError validation_failed where the store is not empty, backup_damaged, data_newer_than_program,
 *   migration_changed, conflict while another restore fills the data directory
 */
export async function restoreBackup(
  store: DatabaseOptions,
  directory: string,
  onStep: OnStep = () => {},
): Promise<BackupRecord> {
  readRecord(directory);
  await mkdir(store.dataDirectory, { recursive: true, mode: 0o700 });
  const marker = restoringFile(store.dataDirectory);
  const wasInterrupted = existsSync(marker);
  const lock = takeLock(marker);
  if (lock === null)
    throw new CodedError('conflict', `Another process restores into ${store.dataDirectory} already.`);
  let isHalfDone = wasInterrupted;
  try {
    if (!wasInterrupted) refuseFilledDirectory(store);
    const record = await verifyBackup(directory, onStep);
    refuseOtherHistory(record.migrations, readMigrations());
    isHalfDone = true;
    await emptyDirectory(store);
    await restoreSegments(directory, record, tapeOf(store), onStep);
    const database = await openDatabase(store);
    try {
      await restoreDatabase(database, directory, record, { wasInterrupted, onStep });
      isHalfDone = false;
      await rm(marker);
      await sync(store.dataDirectory);
      await migrate(database);
      await forgetProcesses(database);
    } finally {
      await database.close();
    }
    return record;
  } finally {
    if (!isHalfDone) await rm(marker, { force: true });
    lock.release();
  }
}

function refuseFilledDirectory({ dataDirectory, databaseUrl }: DatabaseOptions): void {
  const tape = tapeOf({ dataDirectory });
  const hasFiles = existsSync(tape) && readdirSync(tape).length > 0;
  if (hasFiles || (databaseUrl === undefined && hasCluster(dataDirectory)))
    throw notEmpty(`The data directory ${dataDirectory}`);
}

const notEmpty = (what: string): CodedError =>
  new CodedError('validation_failed', `${what} holds data already; a backup is restored into an empty one.`);

/** Removes what an interrupted restore left. */
async function emptyDirectory({ dataDirectory, databaseUrl }: DatabaseOptions): Promise<void> {
  await rm(tapeOf({ dataDirectory }), { recursive: true, force: true });
  if (databaseUrl === undefined) await rm(join(dataDirectory, CLUSTER), { recursive: true, force: true });
}

async function restoreSegments(
  directory: string,
  { segments }: BackupRecord,
  tape: string,
  onStep: OnStep,
): Promise<void> {
  await mkdir(tape, { mode: 0o700 });
  for (const [done, segment] of segments.entries()) {
    onStep({ done, total: segments.length, detail: `file ${segment.file}` });
    const target = join(tape, segment.file);
    // A link is the file that has been verified.
    if ((await keepFile(segmentFile(directory, segment.file), target)) === 'copied')
      await verifyFile(target, segment);
  }
  await sync(tape);
}

async function restoreDatabase(
  database: Database,
  directory: string,
  record: BackupRecord,
  { wasInterrupted, onStep }: { readonly wasInterrupted: boolean; readonly onStep: OnStep },
): Promise<void> {
  if (await hasRows(database)) {
    // Interrupted between its commit and its last step.
    if (wasInterrupted && (await isRestored(database, record))) return;
    throw notEmpty('The database');
  }
  await migrate(database, readMigrations().slice(0, record.migrations.length));
  await refuseOtherColumns(database, record);
  if (database.kind === 'postgres') {
    await database.transaction(async (transaction) => {
      await fill(transaction, directory, record, onStep);
      await prove(transaction, record, onStep);
    });
  } else {
    // One transaction would keep the log of all rows; the file of the restore makes it one step all the same.
    await fill(database, directory, record, onStep);
    await database.transaction((transaction) => prove(transaction, record, onStep));
  }
}

async function isRestored(database: Database, record: BackupRecord): Promise<boolean> {
  try {
    await database.transaction((transaction) => prove(transaction, record, () => {}));
    return true;
  } catch (error) {
    if (isCoded(error, 'backup_damaged')) return false;
    throw error;
  }
}

async function refuseOtherColumns(database: Queryable, { tables }: BackupRecord): Promise<void> {
  const present = new Map((await listTables(database)).map(({ name, columns }) => [name, columns.join()]));
  const other = tables.find(({ name, columns }) => present.get(name) !== columns.join());
  if (other !== undefined || present.size !== tables.length)
    throw damaged(`Table ${other?.name} of the backup is not that of its migrations.`);
}

async function fill(
  database: Queryable,
  directory: string,
  { tables, sequences }: BackupRecord,
  onStep: OnStep,
): Promise<void> {
  await inRowSteps(tables, onStep, async (table, count) => {
    for await (const rows of readRowsOf(tableFile(directory, table.name))) {
      await insertRows(database, table, rows);
      count(rows.length);
    }
  });
  await setSequences(
    database,
    sequences.map(({ table, column, last_value: lastValue, is_called: isCalled }) => ({
      table,
      column,
      lastValue,
      isCalled,
    })),
  );
}

/** Reads every row back. */
async function prove(transaction: Queryable, { tables }: BackupRecord, onStep: OnStep): Promise<void> {
  await inRowSteps(tables, onStep, async (table, count) => {
    const digest = new RowDigest();
    for await (const rows of readRows(transaction, table)) {
      for (const row of rows) digest.add(row);
      count(rows.length);
    }
    refuseOtherRows(table, digest);
  });
}

async function inRowSteps(
  tables: readonly BackedUpTable[],
  onStep: OnStep,
  work: (table: BackedUpTable, count: (rows: number) => void) => Promise<void>,
): Promise<void> {
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const table of tables) {
    await work(table, (rows) => {
      done += rows;
      onStep({ done, total, detail: `rows of ${table.name}` });
    });
  }
}

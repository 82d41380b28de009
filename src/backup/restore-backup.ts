import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { CodedError, isCoded } from '../base/errors.ts';
import { at } from '../base/fault-points.ts';
import { RowDigest } from '../base/row-digest.ts';
import { sync } from '../base/synced-files.ts';
import { type Database, openDatabase, type Queryable } from '../database/database.ts';
import { becomeInstallation, TABLES_OF_PROCESSES } from '../database/installation.ts';
import { takeLock } from '../database/lock.ts';
import { migrate, readApplied, readMigrations, refuseOtherHistory } from '../database/migrate.ts';
import { insertRows, listTables, readRows, setSequences } from '../database/table-rows.ts';
import { restoringFile } from '../database/unfinished-restore.ts';
import { type BackupPlace, tableFile } from './backup-place.ts';
import { type BackedUpTable, type BackupRecord, damaged, filesOf, readRecord } from './backup-record.ts';
import { readRowsOf } from './backup-rows.ts';
import type { FileStore, StoreOptions } from './file-store.ts';
import {
  bringTape,
  claimTape,
  emptyDirectory,
  forgetIdentity,
  holdsData,
  identityOf,
  notEmpty,
  refuseFilled,
} from './restore-target.ts';
import type { OnStep } from './take-backup.ts';
import { refuseOtherRows, verifyBackup } from './verify-backup.ts';

/**
 * Fills an empty store from a backup of either kind of store, reads every row back and compares it with the record, and
 * brings the schema up to date. On a PostgreSQL server all rows become visible at once; in a data directory a file says
 * until the end that they are not complete. What an interrupted restore left is removed first, or kept where it is right.
 *
 * @param how `sameInstallation` for a store that takes the place of the one backed up, else it becomes a new installation
 * @throws CodedError validation_failed where the store is not empty, backup_damaged, backup_unavailable,
 *   data_newer_than_program, migration_changed, tape_of_another_installation, tape_unavailable, conflict while another
 *   process has the store
 */
export async function restoreBackup(
  store: StoreOptions,
  place: BackupPlace,
  {
    sameInstallation = false,
    onStep = () => {},
  }: { readonly sameInstallation?: boolean; readonly onStep?: OnStep } = {},
): Promise<BackupRecord> {
  const record = await readRecord(place);
  const files = filesOf(place, record);
  await mkdir(store.dataDirectory, { recursive: true, mode: 0o700 });
  const marker = restoringFile(store.dataDirectory);
  const wasInterrupted = existsSync(marker);
  const lock = takeLock(marker);
  if (lock === null)
    throw new CodedError('conflict', `Another process restores into ${store.dataDirectory} already.`);
  at('restore.marked');
  let isHalfDone = wasInterrupted;
  try {
    if (!wasInterrupted) await refuseFilled(store);
    refuseOtherHistory(record.migrations, readMigrations());
    const id = await identityOf(store, files, record, { sameInstallation, wasInterrupted });
    // Before a long wait, and again after it.
    if (store.tapeBucket) await claimTape(store.tapeBucket, id, { mark: false });
    await verifyBackup(place, onStep);
    isHalfDone = true;
    if (store.tapeBucket) await claimTape(store.tapeBucket, id, { mark: true });
    await emptyDirectory(store);
    await bringTape(store, files, record.segments, onStep);
    const database = await openDatabase(store);
    try {
      await restoreDatabase(database, { files, record, id }, { wasInterrupted, onStep });
      at('restore.committed');
      isHalfDone = false;
      await rm(marker);
      await sync(store.dataDirectory);
      at('restore.unmarked');
      await migrate(database);
      // The schema of an older backup had no place for it.
      if (!hasIdentity(record)) await becomeInstallation(database, id);
    } finally {
      await database.close();
    }
    return record;
  } finally {
    if (!isHalfDone) {
      await rm(marker, { force: true });
      await forgetIdentity(store.dataDirectory);
    }
    lock.release();
  }
}

const hasIdentity = ({ tables }: BackupRecord): boolean => tables.some(({ name }) => name === 'installation');

interface Restored {
  readonly files: FileStore;
  readonly record: BackupRecord;
  readonly id: string;
}

async function restoreDatabase(
  database: Database,
  restored: Restored,
  { wasInterrupted, onStep }: { readonly wasInterrupted: boolean; readonly onStep: OnStep },
): Promise<void> {
  const { record, id } = restored;
  if (await holdsData(database)) {
    // Interrupted between its commit and its last step.
    if (!wasInterrupted || !(await isRestored(database, record))) throw notEmpty('The database');
    if (hasIdentity(record)) await database.transaction((transaction) => becomeInstallation(transaction, id));
    return;
  }
  if ((await readApplied(database)).length > record.migrations.length)
    throw new CodedError('validation_failed', NEWER_SCHEMA);
  await migrate(database, readMigrations().slice(0, record.migrations.length));
  await refuseOtherColumns(database, record);
  // In an embedded database it would keep the log of all rows; the file of the restore makes it one step all the same.
  const isOneTransaction = database.kind === 'postgres';
  if (!isOneTransaction) await fill(database, restored, onStep);
  await database.transaction(async (transaction) => {
    if (isOneTransaction) await fill(transaction, restored, onStep);
    await prove(transaction, record.tables, onStep);
    if (hasIdentity(record)) await becomeInstallation(transaction, id);
  });
}

const NEWER_SCHEMA =
  'The backup is of an older schema than the empty database has, since a program has opened it: drop it, create it anew, and restore before a program opens it.';

async function isRestored(database: Database, record: BackupRecord): Promise<boolean> {
  try {
    const tables = record.tables.filter(({ name }) => !isOfProcesses(name));
    await database.transaction((transaction) => prove(transaction, tables, () => {}));
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

const isOfProcesses = (table: string): boolean => TABLES_OF_PROCESSES.some((name) => name === table);

async function fill(
  database: Queryable,
  { files, record: { tables, sequences } }: Restored,
  onStep: OnStep,
): Promise<void> {
  await inRowSteps(tables, onStep, async (table, count) => {
    // Of programs that have opened the database.
    if (isOfProcesses(table.name)) await database.write(`delete from ${table.name}`);
    for await (const rows of readRowsOf(files.read(tableFile(table.name)))) {
      await insertRows(database, table, rows);
      at('restore.rows-loaded');
      count(rows.length);
    }
  });
  const positions = sequences.map(({ last_value: lastValue, is_called: isCalled, ...sequence }) => ({
    ...sequence,
    lastValue,
    isCalled,
  }));
  await setSequences(database, positions);
}

/** Reads every row back. */
async function prove(database: Queryable, tables: readonly BackedUpTable[], onStep: OnStep): Promise<void> {
  await inRowSteps(tables, onStep, async (table, count) => {
    const digest = new RowDigest();
    for await (const rows of readRows(database, table)) {
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

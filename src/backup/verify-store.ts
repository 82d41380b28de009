import { join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { isBeingCopied } from '../database/cluster-copy.ts';
import { RESTORE_HINT } from '../database/cluster-fault.ts';
import {
  blocksNamed,
  checkFile,
  type FilePages,
  isSuspect,
  listRelationFiles,
  mainPathOf,
} from '../database/cluster-pages.ts';
import { behindReaders, type Database, hasCluster, openDatabase } from '../database/database.ts';
import { CLUSTER } from '../database/embedded-host.ts';
import { readApplied, readMigrations, refuseOtherHistory } from '../database/migrate.ts';
import {
  damageMet,
  type FileOwner,
  followIndex,
  listStoredTables,
  ownersOfFiles,
  readEveryRow,
  type StoredTable,
} from '../database/read-relations.ts';
import { refuseHalfRestored } from '../database/unfinished-restore.ts';
import { type StoreOptions, tapeFiles } from './file-store.ts';
import type { OnStep } from './take-backup.ts';
import { faultOfFile, readDescribedFiles } from './verify-tape.ts';

/** What has been read of a store, and what of it is damaged. */
export interface StoreReport {
  /** Pages whose checksums were compared; null where the server has the files, or where pages have no checksum. */
  pages: number | null;
  tables: number;
  rows: number;
  indexes: number;
  /** Segment files of the tape; null where the manifest could not be read. */
  files: number | null;
  /** Each in one line. */
  readonly damage: string[];
}

/** What an operator does about a damaged store. */
export const wayOutFor = ({ databaseUrl }: Pick<StoreOptions, 'databaseUrl'>): string =>
  databaseUrl === undefined
    ? RESTORE_HINT
    : 'Restore a backup into an empty database: DATABASE_URL=postgres://… npm run tigraph -- restore PLACE.';

/**
 * Reads the whole store while others read and write it: the embedded database's files page by page, every row, every
 * index that has an entry for each row, and every segment file that the manifest names.
 *
 * @throws CodedError validation_failed where there is no store, restore_unfinished, conflict while it is backed up,
 *   data_directory_locked, data_directory_unusable, data_newer_than_program, database_unavailable, tape_unavailable
 */
export async function verifyStore(store: StoreOptions, onStep: OnStep = () => {}): Promise<StoreReport> {
  refuseHalfRestored(store.dataDirectory);
  const isEmbedded = store.databaseUrl === undefined;
  if (isEmbedded && !hasCluster(store.dataDirectory))
    throw new CodedError('validation_failed', `There is no database in ${store.dataDirectory} to verify.`);
  const report: StoreReport = { pages: null, tables: 0, rows: 0, indexes: 0, files: null, damage: [] };
  const database = await openDatabase(store);
  try {
    await behindReaders(() => verifyOpened({ database, store, report, onStep }));
  } catch (error) {
    report.damage.push(`the catalogue of the database: ${damageMet(error)}`);
  } finally {
    await database.close();
  }
  return report;
}

/** An opened store, and what has been found of it. */
interface Verification {
  readonly database: Database;
  readonly store: StoreOptions;
  readonly report: StoreReport;
  readonly onStep: OnStep;
}

async function verifyOpened(run: Verification): Promise<void> {
  const { database, store, report } = run;
  refuseOtherHistory(await readApplied(database), readMigrations());
  const isEmbedded = store.databaseUrl === undefined;
  await verifyTables(run, isEmbedded ? await verifyPages(run) : new Set());
  // A database whose first start has not ended has no manifest.
  const [manifest] = await database.query<{ is_here: boolean }>(
    `select to_regclass('chain_slice') is not null as is_here`,
  );
  if (manifest!.is_here) await verifyTape(run);
  else report.files = 0;
}

const clusterOf = ({ store }: Verification): string => join(store.dataDirectory, CLUSTER);

/** @returns names of the damaged relations, which PostgreSQL need not be asked for */
async function verifyPages(run: Verification): Promise<Set<string>> {
  const { database, report, onStep } = run;
  const [setting] = await database.query<{ on: boolean }>(
    `select current_setting('data_checksums')::boolean as on`,
  );
  if (!setting!.on) return new Set();
  const cluster = clusterOf(run);
  const files = await listRelationFiles(cluster);
  const suspects: string[] = [];
  report.pages = 0;
  for (const [done, file] of files.entries()) {
    onStep({ done, total: files.length, detail: `pages of ${file}` });
    const found = await checkFile(cluster, file);
    report.pages += found?.pages ?? 0;
    if (found !== null && isSuspect(found)) suspects.push(file);
  }
  if (suspects.length === 0) return new Set();
  await writeEverything(run);
  const owners = await ownersOfFiles(database).catch((error) => {
    report.damage.push(`the catalogue of the database: ${damageMet(error)}`);
    return new Map<string, FileOwner>();
  });
  const damaged = new Set<string>();
  for (const file of suspects) {
    const found = await checkFile(cluster, file);
    const owner = owners.get(mainPathOf(file));
    const fault = found === null ? null : faultOfPages(found, await lostPages(run, found, owner));
    if (fault === null) continue;
    report.damage.push(`${owner?.name ?? 'a part of the database'} (${file}): ${fault}`);
    if (owner !== undefined) damaged.add(owner.name);
  }
  return damaged;
}

/** Afterwards no page on disk is half written, or empty because what it holds is still in memory. */
async function writeEverything({ database, store: { dataDirectory } }: Verification): Promise<void> {
  const sentence = `A backup of ${dataDirectory} is being made, and some pages have to be read again after it: verify then.`;
  if (isBeingCopied(dataDirectory)) throw new CodedError('conflict', sentence);
  await database.query('checkpoint');
}

/**
 * Empty blocks that once had content, since a B-tree names them. A crash leaves others: appended, and never written. What
 * a running server has only in memory is on disk after another checkpoint.
 */
async function lostPages(
  run: Verification,
  { file, empty }: FilePages,
  owner: FileOwner | undefined,
): Promise<number[]> {
  const namedBy = owner?.namedBy ?? null;
  if (empty.length === 0 || namedBy === null) return [];
  const cluster = clusterOf(run);
  const named = await blocksNamed(cluster, namedBy, owner!.isTable ? 'rows' : 'neighbours');
  const missing = empty.filter((block) => named.has(block));
  if (missing.length === 0) return [];
  await writeEverything(run);
  const still = new Set((await checkFile(cluster, file))?.empty);
  return missing.filter((block) => still.has(block));
}

function faultOfPages(found: FilePages, lost: readonly number[]): string | null {
  const faults = [];
  if (found.damaged.length > 0) faults.push(`${blocks(found.damaged)} with a wrong checksum`);
  if (lost.length > 0) faults.push(`${blocks(lost)} overwritten with zeros`);
  if (found.isCut) faults.push('the file ends within a page');
  return faults.length === 0 ? null : faults.join('; ');
}

const BLOCKS_NAMED = 5;

function blocks(numbers: readonly number[]): string {
  const named = numbers.slice(0, BLOCKS_NAMED).join(', ');
  const more = numbers.length > BLOCKS_NAMED ? ` and ${numbers.length - BLOCKS_NAMED} more` : '';
  return `${numbers.length === 1 ? 'page' : 'pages'} ${named}${more}`;
}

async function verifyTables(run: Verification, damaged: ReadonlySet<string>): Promise<void> {
  const { database, report, onStep } = run;
  const tables = await listStoredTables(database);
  for (const [done, table] of tables.entries()) {
    onStep({ done, total: tables.length, detail: `rows of ${table.name}` });
    if (damaged.has(`table ${table.name}`) || damaged.has(`long values of table ${table.name}`)) continue;
    const rows = await readEveryRow(database, table).catch((error) => {
      report.damage.push(`table ${table.name}: ${damageMet(error)}`);
      return null;
    });
    if (rows === null) continue;
    report.tables++;
    report.rows += rows;
    await verifyIndexes(run, table, damaged);
  }
}

async function verifyIndexes(
  { database, report }: Verification,
  table: StoredTable,
  damaged: ReadonlySet<string>,
): Promise<void> {
  for (const index of table.indexes) {
    if (damaged.has(`index ${index.name}`)) continue;
    report.indexes++;
    const fault = await followIndex(database, table, index).then(
      ({ found, rows }) => (found === rows ? null : `finds ${found} of ${rows} rows`),
      damageMet,
    );
    if (fault !== null) report.damage.push(`index ${index.name} of table ${table.name}: ${fault}`);
  }
}

async function verifyTape({ database, store, report, onStep }: Verification): Promise<void> {
  const tape = tapeFiles(store);
  const files = await readDescribedFiles(database);
  report.files = files.length;
  for (const [done, described] of files.entries()) {
    onStep({ done, total: files.length, detail: `file ${described.file}` });
    const fault = await faultOfFile(tape, described);
    if (fault !== null) report.damage.push(`${tape.nameOf(described.file)} ${fault}`);
  }
}

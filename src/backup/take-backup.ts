import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { at } from '../base/fault-points.ts';
import { hasCluster, type Queryable } from '../database/database.ts';
import { readApplied } from '../database/migrate.ts';
import { withSnapshot } from '../database/snapshot.ts';
import { listTables, readRows, readSequences } from '../database/table-rows.ts';
import { refuseHalfRestored } from '../database/unfinished-restore.ts';
import { type BackupPlace, TAPE, tableFile } from './backup-place.ts';
import { type BackedUpSegment, type BackedUpTable, type BackupRecord, formatOf } from './backup-record.ts';
import { writeRows } from './backup-rows.ts';
import {
  bringFile,
  digestFile,
  type FileStore,
  filesIn,
  type StoreOptions,
  tapeFiles,
} from './file-store.ts';

/** Steps done, their number, and the present one. */
export type OnStep = (step: {
  readonly done: number;
  readonly total: number;
  readonly detail: string;
}) => void;

/**
 * Makes a backup of the whole store while others read and write it: every row of one instant, then the segment files
 * that its manifest names with checksums, and the record last. What an interrupted backup left in the place is removed.
 *
 * @param place without a backup or anything else; that of an interrupted backup will do
 * @param program version of the program
 * @throws CodedError validation_failed for another place, conflict, restore_unfinished, tape_damaged when a file is
 *   missing, tape_unavailable, backup_unavailable
 */
export async function takeBackup(
  store: StoreOptions,
  place: BackupPlace,
  program: string,
  onStep: OnStep = () => {},
): Promise<BackupRecord> {
  refuseHalfRestored(store.dataDirectory);
  if (store.databaseUrl === undefined && !hasCluster(store.dataDirectory))
    throw new CodedError('validation_failed', `There is no database in ${store.dataDirectory} to back up.`);
  const claim = await place.claim(store);
  try {
    const files = claim.folder === null ? place.files : filesIn(place.files, claim.folder);
    onStep({ done: 0, total: 1, detail: 'a snapshot of the database' });
    const { manifest, done, ...rows } = await withSnapshot(store, claim.scratch, (transaction, takenAt) =>
      writeSnapshot(transaction, store, files, takenAt, onStep),
    );
    const segments = await bringSegments(tapeFiles(store), files, manifest, (step) =>
      onStep({ ...step, done: done + step.done, total: done + step.total }),
    );
    const folder = claim.folder === null ? {} : { folder: claim.folder };
    const record = { format: formatOf(claim.folder), program, ...folder, ...rows, segments };
    await claim.finish(`${JSON.stringify(record, null, 1)}\n`);
    return record;
  } finally {
    await claim.release();
  }
}

interface ManifestFile {
  readonly file: string;
  readonly bytes: number;
}

async function writeSnapshot(
  transaction: Queryable,
  { databaseUrl }: StoreOptions,
  files: FileStore,
  takenAt: Date,
  onStep: OnStep,
) {
  const manifest = await transaction.query<ManifestFile>(
    'select file, bytes::float8 as bytes from tape_segment order by id',
  );
  const all = await listTables(transaction);
  const tables: BackedUpTable[] = [];
  for (const [done, table] of all.entries()) {
    onStep({ done, total: all.length + manifest.length, detail: `rows of ${table.name}` });
    const written = await writeRows(files, tableFile(table.name), readRows(transaction, table));
    tables.push({ name: table.name, columns: [...table.columns], ...written });
  }
  const sequences = (await readSequences(transaction)).map(({ lastValue, isCalled, ...sequence }) => ({
    ...sequence,
    last_value: lastValue,
    is_called: isCalled,
  }));
  return {
    taken_at: takenAt.toISOString(),
    store: databaseUrl === undefined ? ('embedded' as const) : ('postgres' as const),
    migrations: [...(await readApplied(transaction))],
    tables,
    sequences,
    manifest,
    /** Steps. */
    done: all.length,
  };
}

/** After the rows, whose transaction need not wait: no file goes while a row of the manifest names it, and none does. */
async function bringSegments(
  tape: FileStore,
  backup: FileStore,
  manifest: readonly ManifestFile[],
  onStep: OnStep,
): Promise<BackedUpSegment[]> {
  const target = filesIn(backup, TAPE);
  const segments: BackedUpSegment[] = [];
  for (const { file, bytes } of manifest) {
    onStep({ done: segments.length, total: manifest.length, detail: `file ${file}` });
    const digest = await bringFile(tape, target, file).catch((error) => {
      if (tape.directory === null || existsSync(join(tape.directory, file))) throw error;
      throw notWhole(file, error);
    });
    at('backup.segment-stored');
    const segment = { file, ...(digest ?? (await digestFile(target, file))) };
    if (segment.bytes !== bytes) throw notWhole(file);
    segments.push(segment);
  }
  return segments;
}

function notWhole(file: string, cause?: unknown): CodedError {
  const sentence = `The segment file ${file} is not what the manifest names; there is no backup.`;
  return new CodedError('tape_damaged', sentence, { cause });
}

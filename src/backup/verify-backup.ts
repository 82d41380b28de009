import { isCoded } from '../base/errors.ts';
import { RowDigest } from '../base/row-digest.ts';
import { type BackupPlace, TAPE, tableFile } from './backup-place.ts';
import { type BackedUpTable, type BackupRecord, damaged, filesOf, readRecord } from './backup-record.ts';
import { readRowsOf } from './backup-rows.ts';
import { type FileDigest, type FileStore, PassingDigest } from './file-store.ts';
import type { OnStep } from './take-backup.ts';

/**
 * Reads every byte of a backup and compares it with the record, without restoring.
 *
 * @throws CodedError backup_damaged, backup_unavailable, data_newer_than_program
 */
export async function verifyBackup(place: BackupPlace, onStep: OnStep = () => {}): Promise<BackupRecord> {
  const record = await readRecord(place);
  const files = filesOf(place, record);
  const total = record.tables.length + record.segments.length;
  let done = 0;
  for (const table of record.tables) {
    onStep({ done: done++, total, detail: `rows of ${table.name}` });
    await verifyTable(files, table);
  }
  for (const segment of record.segments) {
    onStep({ done: done++, total, detail: `file ${segment.file}` });
    await verifyFile(files, `${TAPE}/${segment.file}`, segment, async (bytes) => {
      for await (const _ of bytes);
    });
  }
  return record;
}

/** @param onRow receives each row, before all are compared */
export async function verifyTable(
  files: FileStore,
  table: BackedUpTable,
  onRow: (row: string) => void = () => {},
): Promise<void> {
  const digest = new RowDigest();
  await verifyFile(files, tableFile(table.name), table, async (bytes) => {
    for await (const rows of readRowsOf(bytes)) {
      for (const row of rows) {
        digest.add(row);
        onRow(row);
      }
    }
  });
  refuseOtherRows(table, digest);
}

/** Reads a file once, both for its digest and for what it holds. */
async function verifyFile(
  files: FileStore,
  file: string,
  recorded: FileDigest,
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const passing = new PassingDigest();
  await read(passing.through(files.read(file))).catch((error: Error) => {
    if (isCoded(error)) throw error;
    throw damaged(`${files.nameOf(file)} cannot be read: ${error.message}.`, error);
  });
  refuseOtherFile(files.nameOf(file), recorded, passing.end());
}

/** @throws CodedError backup_damaged */
export function refuseOtherFile(name: string, recorded: FileDigest, found: FileDigest): void {
  if (found.bytes !== recorded.bytes)
    throw damaged(`${name} has ${found.bytes} bytes, and was backed up with ${recorded.bytes}.`);
  if (found.sha256 !== recorded.sha256) throw damaged(`${name} does not hold what was backed up.`);
}

/** @throws CodedError backup_damaged */
export function refuseOtherRows(table: BackedUpTable, digest: RowDigest): void {
  if (digest.rows === table.rows && String(digest) === table.digest) return;
  throw damaged(`Table ${table.name} has ${digest.rows} rows that are not the ${table.rows} backed up.`);
}

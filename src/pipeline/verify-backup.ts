import { RowDigest } from '../base/row-digest.ts';
import { digestFile, type FileDigest, readRowsOf } from './backup-files.ts';
import { type BackedUpTable, type BackupRecord, damaged, readRecord } from './backup-record.ts';
import { type OnStep, segmentFile, tableFile } from './take-backup.ts';

/**
 * Reads every byte of a backup and compares it with the record, without restoring.
 *
 * @throws CodedError backup_damaged, data_newer_than_program
 */
export async function verifyBackup(directory: string, onStep: OnStep = () => {}): Promise<BackupRecord> {
  const record = readRecord(directory);
  const total = record.tables.length + record.segments.length;
  let done = 0;
  for (const table of record.tables) {
    onStep({ done: done++, total, detail: `rows of ${table.name}` });
    await verifyTable(tableFile(directory, table.name), table);
  }
  for (const segment of record.segments) {
    onStep({ done: done++, total, detail: `file ${segment.file}` });
    await verifyFile(segmentFile(directory, segment.file), segment);
  }
  return record;
}

async function verifyTable(path: string, table: BackedUpTable): Promise<void> {
  await verifyFile(path, table);
  const digest = new RowDigest();
  for await (const rows of readRowsOf(path)) for (const row of rows) digest.add(row);
  refuseOtherRows(table, digest);
}

/** @throws CodedError backup_damaged */
export async function verifyFile(path: string, recorded: FileDigest): Promise<void> {
  const found = await digestFile(path).catch((error: Error) => {
    throw damaged(`${path} cannot be read: ${error.message}.`, error);
  });
  if (found.bytes !== recorded.bytes)
    throw damaged(`${path} has ${found.bytes} bytes, and was backed up with ${recorded.bytes}.`);
  if (found.sha256 !== recorded.sha256) throw damaged(`${path} does not hold what was backed up.`);
}

/** @throws CodedError backup_damaged */
export function refuseOtherRows(table: BackedUpTable, digest: RowDigest): void {
  if (digest.rows === table.rows && String(digest) === table.digest) return;
  throw damaged(`Table ${table.name} has ${digest.rows} rows that are not the ${table.rows} backed up.`);
}

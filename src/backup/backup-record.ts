import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { CodedError } from '../base/errors.ts';
import { Type } from '../base/type.ts';
import { type BackupPlace, RECORD_FILE } from './backup-place.ts';
import { type FileStore, filesIn } from './file-store.ts';

/** The record of a backup. */

/** Grows with every change that an older program could not read. */
const NEWEST_FORMAT = 2;

/** A backup whose files lie in a folder of their own is one that the first format did not know. */
export const formatOf = (folder: string | null): number => (folder === null ? 1 : 2);

/** A name that cannot lead out of the directory. */
const FileName = Type.String({ pattern: '^[A-Za-z0-9_-][A-Za-z0-9._-]*$' });
const Count = Type.Integer({ minimum: 0 });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

const Table = Type.Object({
  name: FileName,
  columns: Type.Array(Type.String()),
  rows: Count,
  /** Of the rows in any order: `RowDigest`. */
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  bytes: Count,
  sha256: Sha256,
});

const Segment = Type.Object({ file: FileName, bytes: Count, sha256: Sha256 });

const Record = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  program: Type.String(),
  taken_at: Type.String(),
  /** Where the files lie; without it, beside the record. */
  folder: Type.Optional(FileName),
  store: Type.Enum(['embedded', 'postgres']),
  migrations: Type.Array(Type.Object({ number: Count, name: Type.String(), checksum: Type.String() })),
  tables: Type.Array(Table),
  sequences: Type.Array(
    Type.Object({
      table: Type.String(),
      column: Type.String(),
      last_value: Type.Integer(),
      is_called: Type.Boolean(),
    }),
  ),
  segments: Type.Array(Segment),
});

export type BackupRecord = Static<typeof Record>;
export type BackedUpTable = Static<typeof Table>;
export type BackedUpSegment = Static<typeof Segment>;

/**
 * The record of a backup.
 *
 * @throws CodedError backup_damaged, backup_unavailable, data_newer_than_program
 */
export async function readRecord(place: BackupPlace): Promise<BackupRecord> {
  const text = await place.record();
  if (text === null)
    throw damaged(`${place.name} has no ${RECORD_FILE}: it holds no backup, or one that was interrupted.`);
  const record = parsed(place, text);
  const format = (record as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && format > NEWEST_FORMAT) {
    throw new CodedError(
      'data_newer_than_program',
      `The backup ${place.name} has format ${format}, and this version of the program reads up to ${NEWEST_FORMAT}: run the newer one.`,
    );
  }
  if (Value.Check(Record, record)) return record;
  const [fault] = Value.Errors(Record, record);
  throw damaged(`${RECORD_FILE} is not a record of a backup: ${fault?.instancePath} ${fault?.message}.`);
}

function parsed({ files }: BackupPlace, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(`${files.nameOf(RECORD_FILE)} cannot be read: ${(error as Error).message}.`, error);
  }
}

export const filesOf = ({ files }: BackupPlace, { folder }: BackupRecord): FileStore =>
  folder === undefined ? files : filesIn(files, folder);

export const damaged = (sentence: string, cause?: unknown): CodedError =>
  new CodedError('backup_damaged', sentence, { cause });

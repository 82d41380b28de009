import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { CodedError } from '../base/errors.ts';
import { Type } from '../base/type.ts';

/** The record of a backup. It is written last, so a directory without it holds no backup. */

export const RECORD_FILE = 'backup.json';
/** Grows with every change that an older program could not read. */
export const BACKUP_FORMAT = 1;

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
 * The record of a directory.
 *
 * @throws CodedError backup_damaged, data_newer_than_program
 */
export function readRecord(directory: string): BackupRecord {
  const record = parsed(join(directory, RECORD_FILE));
  const format = (record as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && format > BACKUP_FORMAT) {
    throw new CodedError(
      'data_newer_than_program',
      `The backup ${directory} has format ${format}, and this version of the program reads up to ${BACKUP_FORMAT}: run the newer one.`,
    );
  }
  if (Value.Check(Record, record)) return record;
  const [fault] = Value.Errors(Record, record);
  throw damaged(`${RECORD_FILE} is not a record of a backup: ${fault?.instancePath} ${fault?.message}.`);
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw damaged(`${path} cannot be read: ${(error as Error).message}.`, error);
  }
}

export const damaged = (sentence: string, cause?: unknown): CodedError =>
  new CodedError('backup_damaged', sentence, { cause });

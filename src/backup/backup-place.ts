import type { DatabaseOptions } from '../database/database.ts';
import type { FileStore } from './file-store.ts';

/** Where a backup lies. Its record is stored last: a place without it holds no backup. */
export interface BackupPlace {
  /** As messages name it. */
  readonly name: string;
  readonly files: FileStore;
  /**
   * The text of the record; null without one.
   *
   * @throws CodedError backup_unavailable
   */
  record(): Promise<string | null>;
  /**
   * Takes the place for a new backup of a store.
   *
   * @throws CodedError validation_failed where something else lies, conflict, backup_unavailable
   */
  claim(store: DatabaseOptions): Promise<Claim>;
}

/** A place that is taken for one backup. */
interface Claim {
  /** Folder of the backup's files in the place; null for the place itself. */
  readonly folder: string | null;
  /** Directory for the copy of an embedded database. */
  readonly scratch: string;
  /**
   * Stores the record, which makes a backup of the files, and removes what interrupted backups have left.
   *
   * @throws CodedError conflict when another backup has been made there meanwhile
   */
  finish(record: string): Promise<void>;
  /** Lets go of the place, at the end of a backup that was finished or failed. */
  release(): Promise<void>;
}

export const RECORD_FILE = 'backup.json';
export const TABLES = 'tables';
export const TAPE = 'tape';

export const tableFile = (table: string): string => `${TABLES}/${table}.zst`;

import { join } from 'node:path';
import { type Database, type DatabaseOptions, hasCluster, openDatabase } from '../database/database.ts';
import { migrate, readApplied, readMigrations } from '../database/migrate.ts';
import { refuseHalfRestored } from '../database/unfinished-restore.ts';
import { type BucketSettings, bucketAddress } from './segments/bucket-address.ts';
import { refuseLoneTape } from './segments/directory-store.ts';

/** Progress of creating or migrating a database: steps done, their number, and the present one. */
export type OnStage = (stage: {
  readonly done: number;
  readonly total: number;
  readonly detail: string;
}) => void;

type StoreSettings = DatabaseOptions & BucketSettings;

/**
 * The database with its schema brought up to date.
 *
 * @param onStage receives each step of creating or migrating it
 * @throws CodedError bad_setting, data_directory_locked, data_newer_than_program, database_unavailable
 */
export async function openMigrated(settings: StoreSettings, onStage: OnStage = () => {}): Promise<Database> {
  refuseHalfRestored(settings.dataDirectory);
  const migrations = readMigrations();
  const total = migrations.length + 1;
  const isNew = settings.databaseUrl === undefined && !hasCluster(settings.dataDirectory);
  const refuseTape = (): void => {
    if (bucketAddress(settings) === null) refuseLoneTape(join(settings.dataDirectory, 'tape'));
  };
  if (isNew) {
    refuseTape();
    onStage({ done: 0, total, detail: 'making its files' });
  }
  const database = await openDatabase(settings);
  try {
    if ((await readApplied(database)).length === 0) refuseTape();
    await migrate(database, migrations, ({ number, name }) => onStage({ done: number, total, detail: name }));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens only the database, for work without tape and threads, and closes it afterwards. */
export async function withDatabase<T>(
  settings: StoreSettings,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openMigrated(settings);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

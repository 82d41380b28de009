import { type Database, openDatabase } from '../base/database.ts';
import { migrate } from '../base/migrate.ts';
import type { Config } from '../config.ts';

/** Opens no more than the store, for work that needs neither tape nor threads, and closes it after. */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(config);
  try {
    await migrate(database);
    return await work(database);
  } finally {
    await database.close();
  }
}

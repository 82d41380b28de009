import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CodedError } from '../base/errors.ts';
import { at } from '../base/fault-points.ts';
import type { Database, Queryable } from './database.ts';

/** One file of `migrations/`. Applied files never change; new ones are appended. */
export interface Migration {
  readonly number: number;
  /** The file's name. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, hexadecimal; line ends do not count. */
  readonly checksum: string;
}

export type AppliedMigration = Omit<Migration, 'sql'>;

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
/** Arbitrary, but the same in every version of the program. */
const MIGRATION_LOCK = 7_461_726_170;
const UNDEFINED_TABLE = '42P01';

/**
 * Brings the schema up to date and returns the names of the migrations that this call ran. Each runs in one transaction
 * that first takes its slot, so of several starting processes one runs it and the others wait. Costs one query when
 * there is nothing to do.
 *
 * @throws CodedError data_newer_than_program, migration_changed, migration_failed
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = readMigrations(),
  onMigration: (migration: Migration) => void = () => {},
): Promise<string[]> {
  const applied = await readApplied(database);
  refuseOtherHistory(applied, migrations);
  const names: string[] = [];
  for (const migration of migrations.slice(applied.length)) {
    onMigration(migration);
    if (!(await runMigration(database, migration))) continue;
    at('migration.committed');
    names.push(migration.name);
  }
  return names;
}

/** The migrations of a directory in order: `0001-name.sql`, `0002-…`, without a gap. */
export function readMigrations(directory: URL | string = MIGRATIONS): Migration[] {
  const path = directory instanceof URL ? fileURLToPath(directory) : directory;
  const names = readdirSync(path).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name, index) => {
    const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]);
    if (number !== index + 1)
      throw new Error(`${name} must be named ${String(index + 1).padStart(4, '0')}-….sql.`);
    const sql = readFileSync(`${path}/${name}`, 'utf8').replaceAll('\r\n', '\n');
    return { number, name, sql, checksum: hash('sha256', sql) };
  });
}

/** In order; none where there is no schema. In a transaction of a database without one the transaction fails. */
export async function readApplied(database: Queryable): Promise<AppliedMigration[]> {
  try {
    return await database.query<AppliedMigration>(
      'select number, name, checksum from schema_migration order by number',
    );
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

/**
 * Applied migrations must equal the first ones of the program.
 *
 * @throws CodedError data_newer_than_program, migration_changed
 */
export function refuseOtherHistory(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): void {
  const newest = applied.at(-1);
  if (newest !== undefined && newest.number > migrations.length) {
    throw new CodedError(
      'data_newer_than_program',
      `The database has migration ${newest.name}, which this version of the program does not know: run the newer one.`,
    );
  }
  for (const [index, was] of applied.entries()) {
    const is = migrations[index]!;
    if (was.number === is.number && was.checksum === is.checksum) continue;
    throw new CodedError(
      'migration_changed',
      was.number === is.number
        ? `Migration ${is.name} is not what was applied to this database; restore the file and add a new one instead.`
        : `Migration ${is.name} was never applied to this database, though later ones were.`,
    );
  }
}

/** False when another process ran it first. */
async function runMigration(database: Database, migration: Migration): Promise<boolean> {
  try {
    return await database.transaction(async (transaction) => {
      if (!(await takeSlot(transaction, migration))) return false;
      await transaction.write(migration.sql);
      return true;
    });
  } catch (error) {
    if (error instanceof CodedError) throw error;
    const hint = /extension "vector"/.test((error as Error).message)
      ? ' The server needs the pgvector extension.'
      : '';
    throw new CodedError(
      'migration_failed',
      `Migration ${migration.name} did not run: ${(error as Error).message}.${hint}`,
      { cause: error },
    );
  }
}

/** The lock also covers the creation of the table, where `if not exists` can lose a race. */
async function takeSlot(transaction: Queryable, { number, name, checksum }: Migration): Promise<boolean> {
  await transaction.write('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await transaction.write(
    `create table if not exists schema_migration (
       number integer primary key,
       name text not null,
       checksum text not null,
       applied_at timestamptz not null default now()
     )`,
  );
  const taken = await transaction.write(
    `insert into schema_migration (number, name, checksum) values ($1, $2, $3)
     on conflict (number) do nothing returning number`,
    [number, name, checksum],
  );
  return taken.length === 1;
}

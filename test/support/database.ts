import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/database/database.ts';
import { migrate, readMigrations } from '../../src/database/migrate.ts';

/**
 * A store of a test file's own: embedded in a temporary directory or, when DATABASE_URL is set, a database of its own on
 * that server. The migrated schema is made once for each state of `migrations/` and copied from then on.
 */
export interface TestStore {
  readonly options: DatabaseOptions;
  /** Opens the store; any number of times, also at once. */
  open(options?: Partial<DatabaseOptions>): Promise<Database>;
  /** Closes what was opened and takes the store away. */
  remove(): Promise<void>;
}

const SERVER_URL = process.env.DATABASE_URL;
export const testsRunOn = SERVER_URL === undefined ? 'embedded' : 'postgres';

/** @param kind `migrated` has the schema of `migrations/`; `empty` has nothing */
export async function makeTestStore(kind: 'migrated' | 'empty' = 'migrated'): Promise<TestStore> {
  const { options, drop } =
    SERVER_URL === undefined ? await makeDirectory(kind) : await makeServerDatabase(kind, SERVER_URL);
  const opened: Database[] = [];
  return {
    options,
    async open(more = {}) {
      const database = await openDatabase({ ...options, ...more });
      opened.push(database);
      return database;
    },
    async remove() {
      // The last opened first: the one that hosts the embedded server has nobody left to serve when its turn comes.
      for (const database of opened.reverse()) await database.close();
      await drop();
    },
  };
}

/** A migrated database that is open, and the way to take it away. */
export async function openTestDatabase(): Promise<{ readonly database: Database; remove(): Promise<void> }> {
  const store = await makeTestStore();
  return { database: await store.open(), remove: store.remove };
}

interface Place {
  readonly options: DatabaseOptions;
  drop(): Promise<void>;
}

async function makeDirectory(kind: 'migrated' | 'empty'): Promise<Place> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tigraph-test-'));
  cpSync(await templateDirectory(kind), dataDirectory, { recursive: true });
  return {
    options: { dataDirectory },
    drop: async () => rmSync(dataDirectory, { recursive: true, force: true }),
  };
}

async function templateDirectory(kind: 'migrated' | 'empty'): Promise<string> {
  const path = join(tmpdir(), templateName(kind));
  if (existsSync(path)) return path;
  removeOldTemplates();
  const unfinished = mkdtempSync(`${path}-`);
  await fillTemplate(kind, { dataDirectory: unfinished });
  try {
    renameSync(unfinished, path);
  } catch {
    // Another test file was faster.
    rmSync(unfinished, { recursive: true, force: true });
  }
  return path;
}

const TEMPLATE_AGE_MAX_MS = 24 * 60 * 60 * 1000;

/** Templates of former states of the migrations would otherwise pile up, 40 MB each. */
function removeOldTemplates(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith('tigraph-template-'))) {
    const path = join(tmpdir(), name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > TEMPLATE_AGE_MAX_MS) rmSync(path, { recursive: true, force: true });
  }
}

async function makeServerDatabase(kind: 'migrated' | 'empty', url: string): Promise<Place> {
  const template = await templateDatabase(kind, url);
  const name = `tigraph_test_${randomBytes(6).toString('hex')}`;
  await onServer(url, `create database ${name} template ${template}`);
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tigraph-test-'));
  return {
    options: { dataDirectory, databaseUrl: urlOf(url, name) },
    async drop() {
      rmSync(dataDirectory, { recursive: true, force: true });
      await onServer(url, `drop database ${name} with (force)`);
    },
  };
}

async function templateDatabase(kind: 'migrated' | 'empty', url: string): Promise<string> {
  if (kind === 'empty') return 'template0';
  const name = templateName(kind).replaceAll('-', '_');
  const found = await onServer(url, 'select 1 from pg_database where datname = $1', [name]);
  if (found.length > 0) return name;
  const unfinished = `${name}_${randomBytes(3).toString('hex')}`;
  await onServer(url, `create database ${unfinished} template template0`);
  await fillTemplate(kind, { dataDirectory: tmpdir(), databaseUrl: urlOf(url, unfinished) });
  try {
    await onServer(url, `alter database ${unfinished} rename to ${name}`);
  } catch {
    await onServer(url, `drop database ${unfinished}`);
  }
  return name;
}

async function fillTemplate(kind: 'migrated' | 'empty', options: DatabaseOptions): Promise<void> {
  const database = await openDatabase(options);
  try {
    if (kind === 'migrated') await migrate(database);
  } finally {
    await database.close();
  }
}

/** Another state of the migrations or of the embedded engine is another template. */
function templateName(kind: 'migrated' | 'empty'): string {
  const lock = readFileSync(new URL('../../package.json', import.meta.url));
  const hash = createHash('sha256').update(lock);
  if (kind === 'migrated') for (const migration of readMigrations()) hash.update(migration.checksum);
  return `tigraph-template-${kind}-${hash.digest('hex').slice(0, 12)}`;
}

function urlOf(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

async function onServer(url: string, sql: string, parameters: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, parameters)).rows;
  } finally {
    await client.end();
  }
}

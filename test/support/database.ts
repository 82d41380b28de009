import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/database/database.ts';
import { migrate, readMigrations } from '../../src/database/migrate.ts';

/**
 * A store for one test: embedded in a temporary directory or, when TIGRAPH_TEST_DATABASE is the address of a server, a separate
 * database there. The migrated schema is made once and copied from then on. A store that is removed serves the next test,
 * emptied: starting an embedded server takes half a second, and copying a database more than emptying it.
 */
export interface TestStore {
  readonly options: DatabaseOptions;
  /** Opens the store; any number of times, also at once. */
  open(options?: Partial<DatabaseOptions>): Promise<Database>;
  /** Closes what was opened and takes the store away. */
  remove(): Promise<void>;
}

const SERVER_URL = process.env.TIGRAPH_TEST_DATABASE;
export const testsRunOn = SERVER_URL === undefined ? 'embedded' : 'postgres';

/** `running` and `cold` have the schema of `migrations/`, `empty` has none; only that of `running` is open already. */
type StoreKind = 'running' | 'cold' | 'empty';

export async function makeTestStore(kind: StoreKind = 'running'): Promise<TestStore> {
  const { options, drop } = kind === 'running' ? await takeRunning() : await makePlace(kind);
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

/** Waits until this process has acted on everything that has been announced. An app does so in `idle`. */
export async function allHeard(database: Database): Promise<void> {
  await database.heard(await database.announced());
}

interface Place {
  readonly options: DatabaseOptions;
  drop(): Promise<void>;
}

interface RunningServer {
  readonly place: Place;
  readonly database: Database;
  /** What the schema consists of. */
  readonly schema: string;
}

/** What the server keeps in its data directory: cluster, lock, record, socket. */
const SERVER_FILES = /^(postgres|\.s\.PGSQL)/;
/** Those of this process that no test uses at the moment. */
const idle: RunningServer[] = [];

const makePlace = (kind: StoreKind): Promise<Place> =>
  SERVER_URL === undefined ? makeDirectory(kind) : makeServerDatabase(kind, SERVER_URL);

async function takeRunning(): Promise<Place> {
  const server = idle.pop() ?? (await startServer());
  return {
    options: server.place.options,
    async drop() {
      if (await hasBeenEmptied(server)) idle.push(server);
      else await stopServer(server);
    },
  };
}

async function startServer(): Promise<RunningServer> {
  const place = await makePlace('cold');
  const database = await openDatabase(place.options);
  return { place, database, schema: await schemaOf(database) };
}

async function stopServer({ place, database }: RunningServer): Promise<void> {
  await database.close();
  await place.drop();
}

/** False where a test has changed the schema, or ended the server. */
async function hasBeenEmptied({ place, database, schema }: RunningServer): Promise<boolean> {
  const { dataDirectory } = place.options;
  if (database.isGuest()) return false;
  // It would go on in the store of the next test, take its work and answer for it.
  const serving = await database.query('select id from serving_process');
  if (serving.length > 0) throw new Error('a server outlives the store that it serves: close it before');
  await database.query(`
    do $$ declare name text; filled boolean; names text[]; begin
      for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_migration' loop
        execute format('select exists (select from %I)', name) into filled;
        if filled then names := names || quote_ident(name); end if;
      end loop;
      if names is not null then
        execute format('truncate %s restart identity cascade', array_to_string(names, ','));
      end if;
    end $$`);
  for (const name of readdirSync(dataDirectory)) {
    if (!SERVER_FILES.test(name)) rmSync(join(dataDirectory, name), { recursive: true, force: true });
  }
  return (await schemaOf(database)) === schema;
}

async function schemaOf(database: Database): Promise<string> {
  const [row] = await database.query<{ schema: string }>(`
    select md5(string_agg(line, ';' order by line)) as schema from (
      select attrelid::regclass || ' ' || attname || ' ' || atttypid::regtype as line from pg_attribute
        where attrelid >= 16384 and not attisdropped
      union all select tgname::text from pg_trigger
      union all select oid::regprocedure::text from pg_proc where oid >= 16384
      union all select migration::text from schema_migration migration
    ) lines`);
  return row!.schema;
}

async function makeDirectory(kind: StoreKind): Promise<Place> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tigraph-test-'));
  cpSync(await templateDirectory(kind), dataDirectory, { recursive: true });
  return {
    options: { dataDirectory },
    drop: async () => rmSync(dataDirectory, { recursive: true, force: true }),
  };
}

async function templateDirectory(kind: StoreKind): Promise<string> {
  const path = join(tmpdir(), templateName(kind));
  if (existsSync(path)) return path;
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

async function makeServerDatabase(kind: StoreKind, url: string): Promise<Place> {
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

async function templateDatabase(kind: StoreKind, url: string): Promise<string> {
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

async function fillTemplate(kind: StoreKind, options: DatabaseOptions): Promise<void> {
  const database = await openDatabase(options);
  try {
    if (kind !== 'empty') await migrate(database);
  } finally {
    await database.close();
  }
}

/** Another state of the migrations or of the embedded engine is another template. */
function templateName(kind: StoreKind): string {
  const lock = readFileSync(new URL('../../package.json', import.meta.url));
  const hash = createHash('sha256').update(lock);
  if (kind !== 'empty') for (const migration of readMigrations()) hash.update(migration.checksum);
  return `tigraph-template-${hash.digest('hex').slice(0, 12)}`;
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

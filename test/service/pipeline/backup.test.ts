import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../../../src/app.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../../src/database/database.ts';
import { migrate, readMigrations } from '../../../src/database/migrate.ts';
import { SegmentReader } from '../../../src/market/tape/index.ts';
import { type BackupRecord, readRecord } from '../../../src/pipeline/backup-record.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { importFeed } from '../../../src/pipeline/ingest.ts';
import { restoreBackup } from '../../../src/pipeline/restore-backup.ts';
import { takeBackup } from '../../../src/pipeline/take-backup.ts';
import { verifyBackup } from '../../../src/pipeline/verify-backup.ts';
import { feedOf, freshApp, openTestApp } from '../../support/app.ts';
import { makeTestStore, type TestStore, testsRunOn } from '../../support/database.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { temporaryDirectory } from '../../support/tape.ts';

const SYMBOLS = ['ACME', 'BETA', 'CITY', 'DELL', 'EURO', 'FORD'];

const daily = feedOf(
  Object.fromEntries(SYMBOLS.map((symbol) => [symbol, [dailyBars(symbol, '2023-01-03', '2024-03-05')]])),
);
const minutes = feedOf(
  Object.fromEntries(SYMBOLS.map((symbol) => [symbol, [minuteBars(symbol, '2024-02-26', '2024-03-05')]])),
  'minutes',
);

const DAYS = newYorkCalendar().sessionsBetween('2024-01-02', '2024-03-05').reverse();

/** A store without a schema, of the kind that the tests run on. */
async function emptyStore(): Promise<DatabaseOptions> {
  if (testsRunOn === 'embedded') return { dataDirectory: join(temporaryDirectory(), 'data') };
  const store = await makeTestStore('empty');
  onTestFinished(() => store.remove());
  return store.options;
}

async function within<T>(options: DatabaseOptions, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The rows of every table, sorted, from the database. */
async function rowsIn(database: Database): Promise<Record<string, string[]>> {
  const tables = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname <> 'schema_migration'`,
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables)
    found[name] = (await database.query<{ row: string }>(`select t::text as row from "${name}" t`))
      .map(({ row }) => row)
      .sort();
  return found;
}

/** The same from the files of a backup. */
function rowsOf(directory: string, record: BackupRecord): Record<string, string[]> {
  return Object.fromEntries(
    record.tables.map(({ name }) => {
      const text = zstdDecompressSync(readFileSync(join(directory, 'tables', `${name}.zst`))).toString();
      const rows = text.split('\n').slice(0, -1);
      return [name, rows.map((row) => JSON.parse(row) as string).sort()];
    }),
  );
}

/** What was derived, without the instants at which it was. */
const derivedIn = ({ context: { database } }: App) =>
  database.query(
    `select symbol, trade_date, digest, (select string_agg(md5(value), ' ' order by block) from fact f
       where f.symbol = d.symbol and f.trade_date = d.trade_date) as facts from stock_day d order by 1, 2`,
  );

async function imported(): Promise<{ app: App; store: TestStore }> {
  const { app, store } = await freshApp();
  await importFeed(app.context, daily);
  await syncGraph(app.context, { kind: 'touched' });
  return { app, store };
}

describe('a backup', () => {
  it('of a store that is being written is one instant of it, and restored it finishes the work', async () => {
    const { app, store } = await imported();
    const first = join(temporaryDirectory(), 'backup');
    let isTaken = false;
    const taking = takeBackup(store.options, first, '0').finally(() => {
      isTaken = true;
    });
    const written: string[] = [];
    await importFeed(app.context, minutes);
    for (const day of DAYS) {
      if (isTaken) break;
      written.push(day);
      await syncGraph(app.context, { kind: 'range', from: day, to: day });
    }
    const record = await taking;
    expect(await verifyBackup(first)).toEqual(record);
    const target = await emptyStore();
    await restoreBackup(target, first);
    expect(readdirSync(join(target.dataDirectory, 'tape')).sort()).toEqual(
      record.segments.map(({ file }) => file).sort(),
    );
    const restored = await openTestApp({ options: target } as TestStore);
    onTestFinished(() => restored.close());
    expect(await rowsIn(restored.context.database)).toEqual(rowsOf(first, record));
    // One transaction writes both: a backup of more than one instant would have one without the other.
    const torn = await restored.context.database.query(
      `select * from stock_day d full join screen_row s using (symbol, trade_date) where d.digest is null or s.digest is null`,
    );
    expect(torn).toEqual([]);
    const reader = new SegmentReader(restored.context.tape.location);
    for (const tape of await restored.context.tape.symbolTapes(SYMBOLS))
      for (const { kind } of tape.slices) reader.rows(tape, kind, -1e9, 1e9);
    reader.close();
    await importFeed(restored.context, minutes);
    for (const day of written) await syncGraph(restored.context, { kind: 'range', from: day, to: day });
    expect(await derivedIn(restored)).toEqual(await derivedIn(app));
  });

  it.runIf(testsRunOn === 'postgres')('goes from one kind of store to the other and back', async () => {
    const { store } = await imported();
    const [first, second] = [join(temporaryDirectory(), 'first'), join(temporaryDirectory(), 'second')];
    const before = await takeBackup(store.options, first, '0');
    const embedded = { dataDirectory: join(temporaryDirectory(), 'data') };
    await restoreBackup(embedded, first);
    const between = await takeBackup(embedded, second, '0');
    const target = await emptyStore();
    await restoreBackup(target, second);
    expect(between.tables.map(({ name, digest }) => [name, digest])).toEqual(
      before.tables.map(({ name, digest }) => [name, digest]),
    );
    expect(between.sequences).toEqual(before.sequences);
    expect(await within(target, rowsIn)).toEqual(await within(store.options, rowsIn));
  });

  it('of an older schema is exact for every type of value, and is brought up to date', async () => {
    const source = await emptyStore();
    const target = await emptyStore();
    const migrations = readMigrations();
    const directory = join(temporaryDirectory(), 'backup');
    const before = await within(source, async (database) => {
      await migrate(database, migrations.slice(0, 27));
      await database.query(`insert into running_row values ('A', 'b', 1, array['NaN', 0.1, '-Infinity', 1e-300]::float8[], 'f', true);
        insert into tape_unit values ('f', E'line\\nbreak \u2028 "quoted" \\\\', 'é', 1, 2, '[ 1,\n2]');
        insert into fact values ('A', '2024-01-02', 'core', '\\x00ff28');
        insert into text_model (name, dimensions) values ('http/m', 3);
        insert into node values ('00000000-0000-0000-0000-000000000001', 'News', '', 'null');
        insert into text_vector values (1, '00000000-0000-0000-0000-000000000001', 'News', 'd', '[0.1,2,-3e-20]')`);
      expect((await takeBackup(source, directory, '0')).migrations).toHaveLength(27);
      return rowsIn(database);
    });
    await restoreBackup(target, directory);
    await within(target, async (database) => {
      const after = await rowsIn(database);
      const later = Object.fromEntries(Object.keys(after).map((name) => [name, []]));
      expect(after).toEqual({ ...later, ...before });
      expect(await database.query('select count(*) as migrations from schema_migration')).toEqual([
        { migrations: migrations.length },
      ]);
      const next = `insert into text_model (name, dimensions) values ('http/n', 3) returning id`;
      expect(await database.query(next)).toEqual([{ id: 2 }]);
    });
  });
});

describe('a backup is refused', () => {
  it('where something lies already, and restored where something lies already', async () => {
    const { store } = await imported();
    const directory = join(temporaryDirectory(), 'backup');
    mkdirSync(directory);
    writeFileSync(join(directory, 'letter.txt'), '');
    const again = () => takeBackup(store.options, directory, '0');
    await expect(again()).rejects.toMatchObject({ code: 'validation_failed' });
    rmSync(join(directory, 'letter.txt'));
    await again();
    await expect(again()).rejects.toThrow('holds a backup already');
    await expect(restoreBackup(store.options, directory)).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect(existsSync(join(store.options.dataDirectory, 'restoring'))).toBe(false);
  });

  it('when it is damaged or newer, and the store stays as it was', async () => {
    const { app, store } = await imported();
    // Of a desk with a bus that the restored store may not have.
    await app.context.database.query(
      'insert into installation (bus) values (true) on conflict (only_one) do update set bus = true',
    );
    const directory = join(temporaryDirectory(), 'backup');
    const record = await takeBackup(store.options, directory, '0');
    const target = { ...(await emptyStore()) };
    const refuses = async (change: () => void, undo: () => void, code: string) => {
      change();
      await expect(restoreBackup(target, directory)).rejects.toMatchObject({ code });
      expect(existsSync(join(target.dataDirectory, 'tape'))).toBe(false);
      undo();
    };
    const segment = join(directory, 'tape', record.segments[0]!.file);
    const facts = join(directory, 'tables', 'fact.zst');
    const bytes = readFileSync(facts);
    const wrong = Buffer.from(bytes);
    wrong[wrong.length >> 1]! ^= 1;
    await refuses(
      () => renameSync(segment, `${segment}.gone`),
      () => renameSync(`${segment}.gone`, segment),
      'backup_damaged',
    );
    await refuses(
      () => writeFileSync(facts, wrong),
      () => writeFileSync(facts, bytes),
      'backup_damaged',
    );
    await refuses(
      () => truncateSync(facts, bytes.length - 1),
      () => writeFileSync(facts, bytes),
      'backup_damaged',
    );
    const path = join(directory, 'backup.json');
    const text = readFileSync(path, 'utf8');
    const restoreText = () => writeFileSync(path, text);
    const altered = (change: object) => () =>
      writeFileSync(path, JSON.stringify({ ...readRecord(directory), ...change }));
    await refuses(altered({ format: 2 }), restoreText, 'data_newer_than_program');
    const next = { number: 999, name: '0999-of-tomorrow.sql', checksum: '' };
    await refuses(
      altered({ migrations: [...record.migrations, next] }),
      restoreText,
      'data_newer_than_program',
    );
    await refuses(
      altered({ segments: [{ ...record.segments[0], file: '../x' }] }),
      restoreText,
      'backup_damaged',
    );
    await refuses(() => rmSync(path), restoreText, 'backup_damaged');
    await restoreBackup(target, directory);
    const bus = await within(target, (database) => database.query('select bus from installation'));
    expect(bus).toEqual([{ bus: false }]);
  });

  it('when a segment file is missing, by name', async () => {
    const { store } = await imported();
    const [file] = readdirSync(join(store.options.dataDirectory, 'tape'));
    rmSync(join(store.options.dataDirectory, 'tape', file!));
    const directory = join(temporaryDirectory(), 'backup');
    await expect(takeBackup(store.options, directory, '0')).rejects.toMatchObject({
      code: 'tape_damaged',
      message: expect.stringContaining(file!),
    });
    expect(existsSync(join(directory, 'backup.json'))).toBe(false);
  });
});

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
import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import type { BackupRecord } from '../../../src/backup/backup-record.ts';
import { bucketPlace } from '../../../src/backup/bucket-place.ts';
import { directoryPlace } from '../../../src/backup/directory-place.ts';
import type { StoreOptions } from '../../../src/backup/file-store.ts';
import { restoreBackup } from '../../../src/backup/restore-backup.ts';
import { takeBackup } from '../../../src/backup/take-backup.ts';
import { verifyBackup } from '../../../src/backup/verify-backup.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../../src/database/database.ts';
import { migrate, readMigrations } from '../../../src/database/migrate.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { SegmentReader } from '../../../src/tape/index.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { appOn, bring, feedOf, freshApp, freshStore, openTestApp } from '../../support/app.ts';
import { makeTestBucket, objectStore } from '../../support/bucket.ts';
import { type TestStore, testsRunOn } from '../../support/database.ts';
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
  const store = await freshStore('empty');
  return store.options;
}

/** The store of options, as apps are opened on. */
const storeOn = (options: DatabaseOptions): TestStore => ({ options }) as TestStore;

async function within<T>(options: DatabaseOptions, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** What processes have under way and who they are: a restored store begins without it. */
const OF_PROCESSES = ['installation', 'lease', 'announcement', 'backtest_slice'];

const isData = ({ name }: { readonly name: string }): boolean => !OF_PROCESSES.includes(name);

/** The rows of every table of data, sorted, from the database. */
async function rowsIn(database: Database): Promise<Record<string, string[]>> {
  const tables = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname <> 'schema_migration'`,
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables.filter(isData))
    found[name] = (await database.query<{ row: string }>(`select t::text as row from "${name}" t`))
      .map(({ row }) => row)
      .sort();
  return found;
}

/** The same from the files of a backup. */
function rowsOf(directory: string, record: BackupRecord): Record<string, string[]> {
  return Object.fromEntries(
    record.tables.filter(isData).map(({ name }) => {
      const text = zstdDecompressSync(readFileSync(join(directory, 'tables', `${name}.zst`))).toString();
      const rows = text.split('\n').slice(0, -1);
      return [name, rows.map((row) => JSON.parse(row) as string).sort()];
    }),
  );
}

const digestsOf = ({ tables, segments }: BackupRecord): unknown => [
  tables.filter(isData).map(({ name, digest }) => [name, digest]),
  segments,
];

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
    const taking = takeBackup(store.options, directoryPlace(first), '0').finally(() => {
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
    expect(await verifyBackup(directoryPlace(first))).toEqual(record);
    const target = await emptyStore();
    await restoreBackup(target, directoryPlace(first));
    expect(readdirSync(join(target.dataDirectory, 'tape')).sort()).toEqual(
      record.segments.map(({ file }) => file).sort(),
    );
    const restored = await appOn(storeOn(target));
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
    const before = await takeBackup(store.options, directoryPlace(first), '0');
    const embedded = { dataDirectory: join(temporaryDirectory(), 'data') };
    await restoreBackup(embedded, directoryPlace(first));
    const between = await takeBackup(embedded, directoryPlace(second), '0');
    const target = await emptyStore();
    await restoreBackup(target, directoryPlace(second));
    expect(digestsOf(between)).toEqual(digestsOf(before));
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
      expect((await takeBackup(source, directoryPlace(directory), '0')).migrations).toHaveLength(27);
      return rowsIn(database);
    });
    await restoreBackup(target, directoryPlace(directory));
    await within(target, async (database) => {
      const after = await rowsIn(database);
      const later = Object.fromEntries(Object.keys(after).map((name) => [name, []]));
      // Each symbol joins the market that its rows are of.
      expect(after).toEqual({ ...later, ...before, symbol_market: ['(A,t)'] });
      expect(await database.query('select count(*) as migrations from schema_migration')).toEqual([
        { migrations: migrations.length },
      ]);
      const next = `insert into text_model (name, dimensions) values ('http/n', 3) returning id`;
      expect(await database.query(next)).toEqual([{ id: 2 }]);
    });
  });
});

describe('a backup is refused', async () => {
  const { app, store } = await imported();

  it('where something lies already, and restored where something lies already', async () => {
    const directory = join(temporaryDirectory(), 'backup');
    mkdirSync(directory);
    writeFileSync(join(directory, 'letter.txt'), '');
    const again = () => takeBackup(store.options, directoryPlace(directory), '0');
    await expect(again()).rejects.toMatchObject({ code: 'validation_failed' });
    rmSync(join(directory, 'letter.txt'));
    await again();
    await expect(again()).rejects.toThrow('holds a backup already');
    await expect(restoreBackup(store.options, directoryPlace(directory))).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect(existsSync(join(store.options.dataDirectory, 'restoring'))).toBe(false);
  });

  it('when it is damaged or newer, and the store stays as it was', async () => {
    // Of a desk with a bus that the restored store may not have.
    await app.context.database.query(
      'insert into installation (bus) values (true) on conflict (only_one) do update set bus = true',
    );
    const directory = join(temporaryDirectory(), 'backup');
    const record = await takeBackup(store.options, directoryPlace(directory), '0');
    const target = { ...(await emptyStore()) };
    const refuses = async (change: () => void, undo: () => void, code: string) => {
      change();
      await expect(restoreBackup(target, directoryPlace(directory))).rejects.toMatchObject({ code });
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
    const altered = (change: object) => () => writeFileSync(path, JSON.stringify({ ...record, ...change }));
    await refuses(altered({ format: 3 }), restoreText, 'data_newer_than_program');
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
    await restoreBackup(target, directoryPlace(directory));
    const bus = await within(target, (database) => database.query('select bus from installation'));
    expect(bus).toEqual([{ bus: false }]);
  });

  it('when a segment file is missing, by name', async () => {
    const [file] = readdirSync(join(store.options.dataDirectory, 'tape'));
    rmSync(join(store.options.dataDirectory, 'tape', file!));
    const directory = join(temporaryDirectory(), 'backup');
    await expect(takeBackup(store.options, directoryPlace(directory), '0')).rejects.toMatchObject({
      code: 'tape_damaged',
      message: expect.stringContaining(file!),
    });
    expect(existsSync(join(directory, 'backup.json'))).toBe(false);
  });
});

/** A store whose tape lies in a bucket, with a place for backups in the same one. */
async function importedBeside(tape: 'directory' | 'bucket') {
  const bucket = await makeTestBucket();
  const { app, store } = await freshApp(tape === 'bucket' ? bucket.settings : {});
  await importFeed(app.context, daily);
  const options = { ...store.options, tapeBucket: tape === 'bucket' ? bucket.address : null };
  return { app, bucket, options, place: bucketPlace(bucket.under('backups/one')) };
}

/** What a store holds, from a backup of it. */
const contentOf = async (store: StoreOptions): Promise<unknown> =>
  digestsOf(await takeBackup(store, directoryPlace(join(temporaryDirectory(), 'of-a-copy')), '0'));

const identityOf = async (store: StoreOptions): Promise<string> => {
  const [row] = await within(store, (database) =>
    database.query<{ id: string }>('select id from installation'),
  );
  return row!.id;
};

describe.skipIf(objectStore === null)('a backup in a bucket', () => {
  it.each(['directory', 'bucket'] as const)('is that of a directory, of a tape in a %s', async (tape) => {
    const { bucket, options, place } = await importedBeside(tape);
    await bucket.proxy.set({ status: 503, times: 2 });
    const record = await takeBackup(options, place, '0', ({ detail }) => {
      if (detail === 'rows of tape_slice') void bucket.proxy.set({ cut: 'answer', times: 1 });
    });
    const directory = directoryPlace(join(temporaryDirectory(), 'backup'));
    expect(digestsOf(await takeBackup(options, directory, '0'))).toEqual(digestsOf(record));
    await bucket.proxy.set({ cut: 'body', method: 'GET', times: 1 });
    expect(await verifyBackup(place)).toEqual(record);
    const inDirectory = await emptyStore();
    const inBucket = { ...(await emptyStore()), tapeBucket: bucket.under('desk/copy') };
    const [toDirectory, toBucket] = tape === 'bucket' ? [directory, place] : [place, directory];
    await restoreBackup(inDirectory, toDirectory);
    await bucket.proxy.set({ cut: 'answer', method: 'PUT', times: 1 });
    await restoreBackup(inBucket, toBucket);
    expect(await contentOf(inDirectory)).toEqual(digestsOf(record));
    expect(await contentOf(inBucket)).toEqual(digestsOf(record));
  });

  it('is refused where something lies, and of two at once the first that ends counts', async () => {
    const { bucket, options, place } = await importedBeside('directory');
    await bucket.put('backups/one/letter.txt', Buffer.from('x'));
    await expect(takeBackup(options, place, '0')).rejects.toThrow('s3://');
    await bucket.remove('backups/one/letter.txt');
    // What a killed one leaves.
    await bucket.put('backups/one/backup-0123456789abcdef/tables/fact.zst', Buffer.from('x'));
    await bucket.beginUpload('backups/one/backup-0123456789abcdef/tables/edge.zst');
    const two = await Promise.allSettled([takeBackup(options, place, '0'), takeBackup(options, place, '0')]);
    const [lost] = two.filter(({ status }) => status === 'rejected') as [PromiseRejectedResult];
    expect(lost.reason).toMatchObject({ code: 'conflict' });
    const record = await verifyBackup(place);
    const files = [
      ...record.tables.map(({ name }) => `${record.folder}/tables/${name}.zst`),
      ...record.segments.map(({ file }) => `${record.folder}/tape/${file}`),
    ];
    const names = [...files, 'backup.json'].map((name) => `backups/one/${name}`);
    expect(await bucket.keys()).toEqual(names.sort());
    expect(await bucket.uploads()).toEqual([]);
    await expect(takeBackup(options, place, '0')).rejects.toThrow('holds a backup already');
  });

  it('that is damaged or away is refused before anything is restored', async () => {
    const { bucket, options, place } = await importedBeside('directory');
    const { folder, segments } = await takeBackup(options, place, '0');
    const target = { ...(await emptyStore()), tapeBucket: bucket.under('desk/copy') };
    const refusal = () => restoreBackup(target, place).catch(({ code, message }) => `${code}: ${message}`);
    const key = `backups/one/${folder}/tape/${segments[0]!.file}`;
    await bucket.put(key, new Uint8Array(segments[0]!.bytes));
    expect(await refusal()).toMatch(/^backup_damaged: s3:.* does not hold what was backed up/);
    await bucket.remove(key);
    expect(await refusal()).toMatch(/^backup_damaged: .* is missing/);
    await bucket.proxy.set({ status: 403 });
    expect(await refusal()).toMatch(/^backup_unavailable: .* refuses the credentials/);
    await bucket.proxy.set({});
    const gone = bucketPlace({ ...bucket.address, url: `${bucket.address.url}-gone` });
    expect(await verifyBackup(gone).catch(({ message }) => message)).toMatch('does not exist');
    expect((await bucket.keys()).filter((each) => each.startsWith('desk/copy'))).toEqual([]);
    expect(readdirSync(target.dataDirectory)).toEqual([]);
  });

  it('that fails leaves nothing, and names the file that the tape lacks', async () => {
    const { bucket, options, place } = await importedBeside('bucket');
    const [key] = (await bucket.keys()).filter((each) => each.endsWith('.arrow'));
    await bucket.put(key!, new Uint8Array(7));
    const refusal = () => takeBackup(options, place, '0').catch(({ code, message }) => `${code}: ${message}`);
    const named = expect.stringMatching(new RegExp(`^tape_damaged: .*${key!.split('/').at(-1)}`));
    expect(await refusal()).toEqual(named);
    await bucket.remove(key!);
    expect(await refusal()).toEqual(named);
    expect((await bucket.keys()).filter((each) => each.startsWith('backups'))).toEqual([]);
  });
});

describe.skipIf(objectStore === null)('a restored store', () => {
  it('is a new installation on a prefix of its own, also after an interrupted restore', async () => {
    const { app, bucket, options } = await importedBeside('bucket');
    const { database } = app.context;
    await database.query(`insert into lease values ('live', 'host', 7, 'infinity', 'note')`);
    const place = directoryPlace(join(temporaryDirectory(), 'backup'));
    const record = await takeBackup(options, place, '0');
    const target = { ...(await emptyStore()), tapeBucket: bucket.address };
    // Programs have opened it, and nothing else.
    await (await openTestApp(storeOn(target))).close();
    rmSync(join(target.dataDirectory, 'tape'), { recursive: true });
    await within(target, (own) => own.query(`insert into lease values ('live', 'host', 1, now() + '1 h')`));
    await expect(restoreBackup(target, place)).rejects.toThrow('Processes run on this database');
    await within(target, (own) => own.query('delete from lease'));
    await expect(restoreBackup(target, place)).rejects.toMatchObject({
      code: 'tape_of_another_installation',
    });
    const elsewhere = { ...target, tapeBucket: bucket.under('desk/copy') };
    const interrupted = restoreBackup(elsewhere, place, {
      onStep: ({ detail, done, total }) => {
        if (detail.startsWith('file') && done === 0 && total === record.segments.length)
          void bucket.proxy.set({ status: 403, method: 'PUT', times: 1 });
      },
    });
    await expect(interrupted).rejects.toMatchObject({ code: 'tape_unavailable' });
    const marker = await bucket.text('desk/copy/tigraph-installation.json');
    await restoreBackup(elsewhere, place);
    expect(JSON.parse(marker)).toEqual({ installation: await identityOf(elsewhere) });
    expect(await identityOf(elsewhere)).not.toBe(await identityOf(options));
    expect(await within(elsewhere, (own) => own.query('select from lease'))).toEqual([]);
    const settings = { ...bucket.settings, TIGRAPH_TAPE: elsewhere.tapeBucket.name };
    const restored = await appOn(storeOn(elsewhere), settings);
    expect(await restored.context.tape.isHere({})).toBe(true);
  });

  it('takes the place of a lost one, and keeps what its bucket still has', async () => {
    const { app, bucket, options } = await importedBeside('bucket');
    await importFeed(app.context, minutes);
    await bring(app, [dailyBars('ACME', '2024-03-06', '2024-03-08')]);
    await app.context.database.query(
      `insert into lease values ('live', 'host', 7, 'infinity', 'note'); select announce('changes', '{}');
       update installation set bus = true; select nextval('derivation_plan')`,
    );
    const place = directoryPlace(join(temporaryDirectory(), 'backup'));
    const record = await takeBackup(options, place, '0');
    const [damaged, lost, ...kept] = record.segments.map(({ file }) => `desk/tape/${file}`);
    expect(kept.length).toBeGreaterThan(0);
    await bucket.put(damaged!, new Uint8Array(record.segments[0]!.bytes));
    await bucket.remove(lost!);
    await bucket.proxy.traffic();
    const target = { ...(await emptyStore()), tapeBucket: bucket.address };
    await restoreBackup(target, place, { sameInstallation: true });
    const { requests } = await bucket.proxy.traffic();
    const put = requests.filter((each) => each.startsWith('PUT'));
    expect(put.sort()).toEqual([damaged, lost].map((key) => expect.stringMatching(`${key}$`)).sort());
    expect(await contentOf(target)).toEqual(digestsOf(record));
    expect(await identityOf(target)).toBe(await identityOf(options));
    const state = await within(target, async (own) => [
      await own.query('select bus from installation'),
      await own.query('select token, note from lease'),
      await own.query(`select nextval('derivation_plan') > 1000000 as ahead`),
    ]);
    expect(state).toEqual([[{ bus: false }], [{ token: 1_000_007, note: null }], [{ ahead: true }]]);
    await (await openTestApp(storeOn(target), bucket.settings)).close();
  });
});

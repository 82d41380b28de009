import { createHash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyStore } from '../../../src/backup/verify-store.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../../src/database/database.ts';
import { afterwards, appOn, bring, freshStore, openTestApp, serverOf } from '../../support/app.ts';
import { type TestStore, testsRunOn } from '../../support/database.ts';
import { dailyBars } from '../../support/market.ts';
import { temporaryDirectory } from '../../support/tape.ts';

const PAGE = 8_192;
const HURT_BYTES = 24 * 1024;
/** Each in a file of its own. */
const SYMBOLS = ['ACME', 'BETA', 'CITY'];

/** Writes over a part of a file. */
function overwrite(path: string, from: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, from);
  closeSync(file);
}

const noise = (bytes: number): Buffer =>
  createHash('shake256', { outputLength: bytes }).update('damage').digest();

const middleOf = (path: string): number => Math.floor(statSync(path).size / 2 / PAGE) * PAGE;

async function fill(database: Database): Promise<void> {
  await database.query(
    `insert into fact select 'S' || n, '2026-08-19', 'core', decode(repeat(md5(n::text), 30), 'hex') from generate_series(1, 900) n`,
  );
  // Too long for a page, and without repetition.
  await database.query(
    `insert into fact select 'L' || n, '2026-08-19', 'core',
       decode((select string_agg(md5(n || '.' || part), '') from generate_series(1, 1000) part), 'hex') from generate_series(1, 6) n`,
  );
  await database.query(
    `insert into node (id, label, key, props) select md5(n::text)::uuid, 'News', 'n' || n, '{}' from generate_series(1, 2000) n`,
  );
  await database.query(
    `insert into stock_day (symbol, trade_date, as_of, digest)
     select 'S' || n, '2026-08-19', '2026-08-19T20:00:00Z', md5(n::text) from generate_series(1, 900) n`,
  );
}

/** A copy of the store to damage. */
function copyOfStore(): { readonly options: DatabaseOptions; pathOf(relation: string): string } {
  const dataDirectory = join(temporaryDirectory(), 'data');
  cpSync(store.options.dataDirectory, dataDirectory, { recursive: true });
  return {
    options: { ...store.options, dataDirectory },
    pathOf: (name) => join(dataDirectory, files[name]!),
  };
}

const store = await freshStore('cold');
const app = await openTestApp(store);
const { database } = app.context;
for (const symbol of SYMBOLS) await bring(app, [dailyBars(symbol, '2023-01-03', '2024-03-05')]);
await fill(database);
const rows = await database.query<{ name: string; path: string }>(
  `select c.relname as name, pg_relation_filepath(c.oid) as path from pg_class c where relnamespace = 'public'::regnamespace
   union all select 'fact long values', pg_relation_filepath(reltoastrelid) from pg_class where relname = 'fact'`,
);
const segments = await database.query<{ file: string }>('select file from tape_segment order by id');
/** Files of relations below the data directory. */
const files = Object.fromEntries(rows.map(({ name, path }) => [name, join('postgres', path ?? '')]));
await app.close();

describe('a store that is whole', () => {
  it('is read whole, also while another writes it', async () => {
    const database = await openDatabase(store.options);
    afterwards(() => database.close());
    await database.query(
      `insert into fact select 'W' || n, '2026-08-20', 'core', decode(repeat(md5(n::text), 30), 'hex') from generate_series(1, 900) n`,
    );
    const report = await verifyStore(store.options);
    expect(report).toMatchObject({ damage: [], files: SYMBOLS.length });
    expect(report.rows).toBeGreaterThan(3_800);
    expect(report.indexes).toBeGreaterThan(30);
    if (testsRunOn === 'embedded') expect(report.pages).toBeGreaterThan(2_000);
    await database.query(`delete from fact where symbol like 'W%'`);
  });

  it('says so where there is none', async () => {
    await expect(verifyStore({ dataDirectory: temporaryDirectory() })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });
});

describe('a damaged tape', () => {
  it('is found by the file and by what of it has changed', async () => {
    const { options } = copyOfStore();
    const [changed, cut, missing] = segments.map(({ file }) => join(options.dataDirectory, 'tape', file));
    overwrite(changed!, middleOf(changed!), noise(16));
    truncateSync(cut!, 1_000);
    rmSync(missing!);
    expect((await verifyStore(options)).damage).toEqual([
      `${changed} does not hold what was written: ACME bars-1d`,
      expect.stringContaining(`${cut} has 1000 bytes in place of `),
      expect.stringContaining(`${missing} cannot be read: ENOENT`),
    ]);
  });
});

describe.skipIf(testsRunOn !== 'embedded')('a damaged embedded database', () => {
  it('refuses to answer from 24 KB of noise in its largest relation, and names it', async () => {
    const { options } = copyOfStore();
    const [largest] = Object.entries(files)
      .filter(([, path]) => path !== 'postgres')
      .map(([name, path]) => ({ name, path: join(options.dataDirectory, path) }))
      .sort((one, other) => statSync(other.path).size - statSync(one.path).size);
    expect(largest!.name).toBe('fact');
    const from = middleOf(largest!.path);
    overwrite(largest!.path, from, noise(HURT_BYTES));

    const page = from / PAGE;
    const report = await verifyStore(options);
    expect(report.damage).toEqual([
      `table fact (${files.fact!.slice('postgres/'.length)}): pages ${page}, ${page + 1}, ${page + 2} with a wrong checksum`,
    ]);
    // The rest has been read all the same.
    expect(report).toMatchObject({ files: SYMBOLS.length });
    expect(report.rows).toBeGreaterThan(2_000);

    const database = await openDatabase(options);
    expect(await database.query('show data_checksums')).toEqual([{ data_checksums: 'on' }]);
    await expect(database.query('select sum(length(t::text)) from fact t')).rejects.toMatchObject({
      code: 'data_damaged',
      message: expect.stringMatching(/tigraph -- verify lists the damage, and restore fills/),
    });
    await database.close();
  });

  it('is found in indexes, long values, and where pages have become zeros or rows are gone with the end of the file', async () => {
    const { options, pathOf } = copyOfStore();
    overwrite(pathOf('fact_pkey'), PAGE, noise(PAGE));
    overwrite(pathOf('fact long values'), PAGE, noise(HURT_BYTES));
    overwrite(pathOf('node_pkey'), 2 * PAGE, Buffer.alloc(PAGE));
    overwrite(pathOf('node'), middleOf(pathOf('node')), Buffer.alloc(HURT_BYTES));
    truncateSync(pathOf('tape_slice'), 100);
    truncateSync(pathOf('stock_day'), middleOf(pathOf('stock_day')));
    const { damage } = await verifyStore(options);
    expect(damage.map((line) => line.replace(/ \(.*\)/, '')).sort()).toEqual([
      'index fact_pkey: page 1 with a wrong checksum',
      'index node_pkey: page 2 overwritten with zeros',
      ...['date', 'pkey'].map((name) =>
        expect.stringMatching(`^index stock_day_${name} of table stock_day: could not read blocks`),
      ),
      'long values of table fact: pages 1, 2, 3 with a wrong checksum',
      expect.stringMatching(/^table node: pages \d+, \d+, \d+ overwritten with zeros$/),
      'table tape_slice: the file ends within a page',
    ]);
  });

  it('is not what a crash leaves: pages that were appended and never written', async () => {
    const { options, pathOf } = copyOfStore();
    const pages = statSync(pathOf('node')).size / PAGE;
    truncateSync(pathOf('node'), (pages + 3) * PAGE);
    const database = await openDatabase(options);
    // The last page is tried first, which leaves two empty ones amid the table.
    await database.query(
      `insert into node (id, label, key, props) select md5('w' || n)::uuid, 'News', 'w' || n, to_json(repeat('x', 1000)) from generate_series(1, 20) n`,
    );
    await database.close();
    const node = readFileSync(pathOf('node'));
    expect(node.subarray(pages * PAGE, (pages + 1) * PAGE).every((byte) => byte === 0)).toBe(true);
    expect(node.length).toBeGreaterThan((pages + 3) * PAGE);
    expect((await verifyStore(options)).damage).toEqual([]);
  });

  it('is a 503 with a way out to those who ask for what is damaged', async () => {
    const { options, pathOf } = copyOfStore();
    overwrite(pathOf('tape_slice'), 0, noise(PAGE));
    const server = await serverOf(await appOn({ options } as TestStore));
    const response = await server.inject('/api/graph/v1/stocks/ACME');
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({
      code: 'data_damaged',
      detail: expect.stringContaining('restore fills'),
    });
  });
});

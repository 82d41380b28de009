import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { announceChange, onChange } from '../../../src/database/changes.ts';
import { type Database, onReplica, openDatabase } from '../../../src/database/database.ts';
import { type PostgresServer, startStandby } from '../../engines/postgres.ts';
import { appOn, serverOf } from '../../support/app.ts';
import { makeTestStore, type TestStore } from '../../support/database.ts';

/** Reads on a hot standby that follows the server of `npm run test:postgres`, which says where PostgreSQL lies. */

const { POSTGRES_PROGRAMS: programs, TIGRAPH_TEST_DATABASE: server } = process.env;

/** Two servers run the same database; the one that reads answers true. */
const ON_STANDBY = 'select pg_is_in_recovery() as standby';

describe.skipIf(programs === undefined || server === undefined)('reads on a hot standby', () => {
  let standby: PostgresServer;
  let store: TestStore;
  let database: Database;
  let warnings: string[];

  beforeAll(async () => {
    standby = await startStandby(programs!, server!);
  });

  afterAll(() => standby.stop());

  const standbyOf = (url: string): string => {
    const address = new URL(standby.url);
    address.pathname = new URL(url).pathname;
    return address.href;
  };

  const settings = () => ({
    databaseReadUrl: standbyOf(store.options.databaseUrl!),
    onReplicaFault: (message: string) => warnings.push(message),
  });

  /** Runs on the standby itself. */
  async function onStandby(sql: string): Promise<unknown[]> {
    const own = await openDatabase({ dataDirectory: '', databaseUrl: standby.url, databaseConnections: 1 });
    try {
      return await own.query(sql);
    } finally {
      await own.close();
    }
  }

  const untilServing = () => expect.poll(() => database.replica!.isServing, { timeout: 20_000 }).toBe(true);
  const readsOnStandby = async () =>
    (await onReplica(() => database.query<{ standby: boolean }>(ON_STANDBY)))[0]!.standby;

  beforeEach(async () => {
    warnings = [];
    store = await makeTestStore();
    // A new database takes the standby a moment to copy; until then it does not answer, which is warned of.
    database = await store.open(settings());
    await untilServing();
    warnings = [];
  });

  afterEach(() => store.remove());

  it('answers within its scope, and nothing else', async () => {
    expect(await readsOnStandby()).toBe(true);
    expect(await database.query(ON_STANDBY)).toEqual([{ standby: false }]);
    expect(database.replica).toMatchObject({ served: 1 });
  });

  it('sends what writes to the primary, and what the same work reads after it', async () => {
    await onReplica(async () => {
      await database.write(`insert into text_model (name, dimensions) values ('one', 2)`);
      expect(await database.query('select name from text_model')).toEqual([{ name: 'one' }]);
      expect(await database.query(ON_STANDBY)).toEqual([{ standby: false }]);
      await database.transaction((transaction) => transaction.query(`delete from text_model`));
      expect(await database.query('select name from text_model')).toEqual([]);
    });
  });

  it('leaves to the primary what a standby refuses', async () => {
    const passedOn = database.replica!.passedOn;
    await onReplica(() => database.query(`select pg_notify('any', 'payload')`));
    expect(database.replica!.passedOn).toBe(passedOn + 1);
    await expect(onReplica(() => database.query('select 1 / 0'))).rejects.toThrow('division by zero');
  });

  it('is no older than an announcement, nor than what this process has written', async () => {
    const writer = await store.open();
    await onStandby('select pg_wal_replay_pause()');
    try {
      const heard = Promise.withResolvers<unknown[]>();
      await onChange(database, () => {
        heard.resolve(onReplica(() => database.query('select name from text_model')));
      });
      await writer.transaction(async (transaction) => {
        await transaction.query(`insert into text_model (name, dimensions) values ('new', 2)`);
        await announceChange(transaction, ['ACME']);
      });
      expect(await heard.promise).toEqual([{ name: 'new' }]);
      expect(database.replica!.isServing).toBe(false);
      await database.query(`delete from text_model`);
      expect(await onReplica(() => database.query('select name from text_model'))).toEqual([]);
    } finally {
      await onStandby('select pg_wal_replay_resume()');
    }
    await untilServing();
    expect(await onReplica(() => database.query('select name from text_model'))).toEqual([]);
    expect(await readsOnStandby()).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('goes on with the primary while the standby is away, warns once, and comes back', async () => {
    await standby.stop();
    expect(await readsOnStandby()).toBe(false);
    await expect.poll(() => warnings).toEqual([expect.stringMatching(/^Reads go to the primary: .*standby/)]);
    expect(await readsOnStandby()).toBe(false);
    await standby.startAgain();
    await untilServing();
    expect(await readsOnStandby()).toBe(true);
    expect(warnings).toHaveLength(1);
  });

  it('serves an app, which counts them', async () => {
    const app = await appOn(store, { DATABASE_READ_URL: settings().databaseReadUrl });
    const http = await serverOf(app);
    const read = async (url: string) => (await http.inject({ url })).body;
    await expect.poll(() => read('/metrics'), { timeout: 20_000 }).toContain('tigraph_replica_serving 1');
    // What the app writes meanwhile keeps the standby from serving until it has it.
    const untilServedBy = async (ask: () => Promise<unknown>): Promise<void> => {
      const { served } = app.context.database.replica!;
      await expect.poll(() => ask().then(() => app.context.database.replica!.served)).toBeGreaterThan(served);
    };
    await untilServedBy(async () => {
      expect(JSON.parse(await read('/api/graph/v1/status'))).toMatchObject({ simulated: false });
    });
    const screen = { filter: { field: 'last_price', op: '>', value: 1 } };
    await untilServedBy(() =>
      http.inject({ method: 'POST', url: '/api/graph/v1/screener', payload: screen }),
    );
    expect(await read('/metrics')).toMatch(/tigraph_replica_statements_total [1-9]/);
  });

  it('is refused where it is another database', async () => {
    for (const other of [standby.url, server!.replace(/\/[^/]*$/, '/template1')]) {
      await expect(store.open({ ...settings(), databaseReadUrl: other })).rejects.toMatchObject({
        code: 'bad_setting',
        facts: { setting: 'DATABASE_READ_URL' },
      });
    }
  });
});

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/database/database.ts';
import { embeddedConnector } from '../../../src/database/embedded.ts';
import { takeLock } from '../../../src/database/lock.ts';
import { makeTestStore, type TestStore, testsRunOn } from '../../support/database.ts';
import { sampled } from '../../support/depth.ts';
import { type SecondProcess, startProcess } from '../../support/second-process.ts';

describe.skipIf(testsRunOn !== 'embedded')('the embedded database of one data directory', () => {
  let store: TestStore;
  let directory: string;
  const processes: SecondProcess[] = [];

  beforeEach(async () => {
    store = await makeTestStore('cold');
    directory = store.options.dataDirectory;
  });
  afterEach(async () => {
    for (const each of processes.splice(0)) await each.kill();
    await store.remove();
  });

  /** A second process that has the directory open. */
  async function second(): Promise<SecondProcess> {
    const started = startProcess(directory);
    processes.push(started);
    expect(await started.line()).toBe('open');
    return started;
  }

  async function ask(process: SecondProcess, sql: string): Promise<unknown> {
    process.tell(`query ${sql}`);
    return JSON.parse((await process.line())!);
  }

  it('serves several processes at the same time, and undoes the transaction of one that dies', async () => {
    const database = await store.open();
    const other = await second();
    await database.query('create table seen (by text)');
    await ask(other, `insert into seen values ('the other')`);
    await database.query(`insert into seen values ('this one')`);
    expect(await ask(other, 'select count(*) as rows from seen')).toEqual([{ rows: 2 }]);
    expect(await database.query('select by from seen order by by')).toEqual([
      { by: 'the other' },
      { by: 'this one' },
    ]);
    await database.query('create table kept (writer text, number integer, body text)');
    await database.query('create table kept_count (writer text primary key, rows integer)');
    other.tell('commit doomed');
    expect(await other.line()).toBe('0');
    await other.kill();
    const [row] = await database.query(
      'select (select count(*) from kept) as kept, (select rows from kept_count) as counted',
    );
    expect(row!.kept).toBe(row!.counted);
  });

  it('never lets a cancel that came after its statement hit the next one of the connection', async () => {
    const connector = embeddedConnector(directory, () => {});
    try {
      const client = await connector.connect();
      const answered = client.query('select 1');
      await answered;
      await connector.cancel(client, answered);
      // Looks for interrupts as it runs.
      expect((await client.query('select pg_sleep(0)')).rows).toHaveLength(1);
    } finally {
      await connector.close();
    }
  });

  it('goes on in another process when the host closes in good order', async () => {
    const other = await second();
    const database = await store.open();
    await database.query('create table kept (number integer primary key)');
    other.tell('close');
    // Asked before, while and after the host goes: each is answered once, by whichever process serves then.
    for (let number = 0; number < 200; number++)
      await database.query('insert into kept values ($1)', [number]);
    await other.ended();
    expect(await database.query('select count(*) as rows from kept')).toEqual([{ rows: 200 }]);
  });

  it.each(sampled(['kill', 'exit'] as const, 2))(
    'goes on in another process when the host is gone by %s, with those who listen, who hear that they may have missed something',
    async (way) => {
      const other = await second();
      const database = await store.open();
      await database.query('create table kept (number integer); insert into kept values (1)');
      expect(readRecord()).toMatchObject({ pid: other.child.pid, state: 'listening' });
      const missed = Promise.withResolvers<void>();
      const heard = Promise.withResolvers<string>();
      await database.listen('tape', heard.resolve, missed.resolve);
      if (way === 'exit') other.tell('exit');
      else other.child.kill('SIGKILL');
      await other.ended();
      // Nobody asks the database anything: the listener itself brings it back.
      await missed.promise;
      await database.announce('tape', 'still here');
      expect(await heard.promise).toBe('still here');
      expect(await database.query('select * from kept')).toEqual([{ number: 1 }]);
      expect(readRecord()).toMatchObject({ pid: process.pid, state: 'listening' });
      // And a later process finds the new host.
      const third = await second();
      expect(await ask(third, 'select * from kept')).toEqual([{ number: 1 }]);
    },
  );

  it('leaves neither socket nor record behind when it is closed', async () => {
    await (await store.open()).close();
    expect(readdirSync(directory).sort()).toEqual(['postgres', 'postgres.lock']);
  });

  it('works under a path that is too long for a socket, and makes it for its owner alone', async () => {
    const long = join(directory, 'd'.repeat(60), 'e'.repeat(60));
    mkdirSync(long, { recursive: true });
    rmSync(long, { recursive: true });
    directory = long;
    const first = await openDatabase({ dataDirectory: long });
    expect(statSync(long).mode & 0o777).toBe(0o700);
    const socketDirectory = (readRecord() as { host: string }).host;
    expect(socketDirectory.startsWith(tmpdir())).toBe(true);
    const other = await second();
    expect(await ask(other, 'select 1 as one')).toEqual([{ one: 1 }]);
    await other.kill();
    await first.close();
    expect(existsSync(socketDirectory)).toBe(false);
  });

  it('names the process when somebody holds the directory and does not answer', async () => {
    const lock = takeLock(join(directory, 'postgres.lock'))!;
    const record = { pid: 4711, state: 'listening', host: directory, port: 5432 };
    writeFileSync(join(directory, 'postgres.json'), JSON.stringify(record));
    await expect(store.open()).rejects.toMatchObject({
      code: 'data_directory_locked',
      message: expect.stringContaining('4711'),
    });
    lock.release();
  });

  it('says so when the directory cannot be one', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    await expect(openDatabase({ dataDirectory: join(file, 'data') })).rejects.toMatchObject({
      code: 'data_directory_unusable',
      message: expect.stringContaining('ENOTDIR'),
    });
  });

  it('says so when the cluster is damaged, and can be opened once it is mended', async () => {
    const control = join(directory, 'postgres', 'global', 'pg_control');
    const sound = readFileSync(control);
    writeFileSync(control, Buffer.alloc(sound.length, 7));
    await expect(store.open()).rejects.toMatchObject({ code: 'data_directory_unusable' });
    writeFileSync(control, sound);
    expect(await (await store.open()).query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('makes the cluster anew when the first start was killed before it was whole', async () => {
    const fresh = mkdtempSync(join(tmpdir(), 'tigraph-test-'));
    const first = startProcess(fresh);
    while (!existsSync(join(fresh, 'postgres.new'))) await new Promise(setImmediate);
    await first.kill();
    const database = await openDatabase({ dataDirectory: fresh });
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    await database.close();
    rmSync(fresh, { recursive: true });
  });

  function readRecord(): unknown {
    return JSON.parse(readFileSync(join(directory, 'postgres.json'), 'utf8'));
  }
});

import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { cancelQueued } from '../../../src/database/connection.ts';
import {
  KEPT_PLAN,
  LOW_PRIORITY,
  messageReader,
  messagesIn,
  simpleQuery,
  startupMessage,
} from '../../../src/database/wire-messages.ts';
import { type Backend, WireServer } from '../../../src/database/wire-server.ts';
import { freshStore } from '../../support/app.ts';

const IDLE_IN_TRANSACTION_MS = 60_000;
const SLOW_MS = 20;
/** Its cluster is a copy: to make one takes seconds. */
const { options } = await freshStore('empty');

describe('the wire server', () => {
  let pglite: PGlite;
  let directory: string;
  let server: WireServer;
  let timers: SteppedTimers;
  /** What slow statements have taken. */
  let slowMs = 0;
  const clients: pg.Client[] = [];

  beforeAll(async () => {
    pglite = await PGlite.create(join(options.dataDirectory, 'postgres'));
  });
  afterAll(() => pglite.close());

  beforeEach(async () => {
    slowMs = 0;
    const backend: Backend = (turn) => {
      if (Buffer.from(turn).includes('slow')) slowMs += SLOW_MS;
      const chunks: Buffer[] = [];
      const onRawData = (bytes: Uint8Array) => chunks.push(Buffer.from(bytes));
      void pglite.execProtocolRawStream(turn, { syncToFs: false, onRawData });
      return Buffer.concat(chunks);
    };
    directory = mkdtempSync(join(tmpdir(), 'tigraph-test-'));
    timers = new SteppedTimers();
    const monotonic = () => timers.monotonic() + slowMs;
    server = new WireServer(backend, IDLE_IN_TRANSACTION_MS, { ...timers, monotonic });
    await server.listen(join(directory, '.s.PGSQL.5432'));
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end().catch(() => {});
    await server.close(0);
    rmSync(directory, { recursive: true });
  });

  async function client(application_name = 'test'): Promise<pg.Client> {
    const made = new pg.Client({ host: directory, user: 'postgres', database: 'postgres', application_name });
    made.on('error', () => {});
    await made.connect();
    clients.push(made);
    return made;
  }

  it('serves nobody else while a transaction is open', async () => {
    const [one, two] = [await client(), await client()];
    await one.query('create temporary table held (a int)');
    await one.query('begin');
    await one.query('insert into held values (1)');
    const order: string[] = [];
    const asked = two.query('select count(*) from held').then((result) => {
      order.push('the other');
      return result.rows;
    });
    await one.query('insert into held values (2)').then(() => order.push('within'));
    await one.query('rollback');
    expect(await asked).toEqual([{ count: '0' }]);
    expect(order).toEqual(['within', 'the other']);
    await one.query('drop table held');
  });

  it('serves a connection that is behind after all others, and before long all the same', async () => {
    const [holder, writer] = [await client(), await client(LOW_PRIORITY)];
    const readers = [await client(), await client(), await client()];
    await holder.query('begin');
    const order: string[] = [];
    const allRead = Promise.withResolvers<void>();
    let written = false;
    const writing = writer.query('select 1').then(() => {
      order.push('writer');
      written = true;
    });
    const reading = readers.map(async (reader) => {
      await reader.query('select 1');
      if (order.push('reader') === readers.length) allRead.resolve();
      while (!written) await reader.query('select 1');
    });
    await holder.query('commit');
    await allRead.promise;
    await timers.advance(300);
    await Promise.all([writing, ...reading]);
    expect(order).toEqual(['reader', 'reader', 'reader', 'writer']);
  });

  it('leaves others four fifths of the time while they ask, also between two of their statements', async () => {
    const [reader, writer] = [await client(), await client(LOW_PRIORITY)];
    const order: string[] = [];
    const write = () => writer.query('select 1 as slow').then(() => order.push('write'));
    const read = () => reader.query('select 1').then(() => order.push('read'));
    // Nobody else asks: one follows another.
    await write();
    await write();
    await read();
    const third = write();
    await read();
    await read();
    await timers.advance(4 * SLOW_MS - 1);
    await read();
    await timers.advance(1);
    await third;
    await read();
    expect(order).toEqual(['write', 'write', 'read', 'read', 'read', 'read', 'write', 'read']);
  });

  it('undoes a transaction that is silent for too long and closes its connection', async () => {
    const [silent, other] = [await client(), await client()];
    const ended = new Promise<Error>((resolve) => silent.once('error', resolve));
    await silent.query('create table forgotten (a int)');
    await silent.query('begin');
    await silent.query('insert into forgotten values (1)');
    // It waits for the silent one, and is answered when that one's time is up.
    const counted = other.query('select count(*) from forgotten');
    await timers.advance(IDLE_IN_TRANSACTION_MS);
    expect((await counted).rows).toEqual([{ count: '0' }]);
    expect(await ended).toMatchObject({ code: '25P03' });
  });

  it('takes a waiting turn out of the line when its connection asks', async () => {
    const [holder, waiting] = [await client(), await client()];
    await holder.query('begin');
    const refused = waiting.query('select 1').catch((error: unknown) => error);
    cancelQueued(waiting);
    expect(await refused).toMatchObject({ code: '57014' });
    await holder.query('commit');
    expect((await waiting.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
  });

  it('drops a cancel whose statement has been answered: the next one is another caller’s', async () => {
    const [holder, later] = [await client(), await client()];
    await later.query('select 1');
    await holder.query('begin');
    cancelQueued(later);
    const asked = later.query('select 2 as two');
    await holder.query('commit');
    expect((await asked).rows).toEqual([{ two: 2 }]);
  });

  it('heeds no cancel request of PostgreSQL, which names a connection and no statement', async () => {
    const [holder, waiting] = [await client(), await client()];
    await holder.query('begin');
    const asked = waiting.query('select 1 as one');
    const { processID, secretKey } = waiting as unknown as { processID: number; secretKey: number };
    await requestCancel(processID, secretKey);
    await holder.query('commit');
    expect((await asked).rows).toEqual([{ one: 1 }]);
  });

  it('closes every connection with an error when it closes', async () => {
    const left = await client();
    const closing = new Promise<Error>((resolve) => left.once('error', resolve));
    await server.close(0);
    expect(await closing).toMatchObject({ code: '57P01' });
  });

  it('refuses to copy from the client, and lives on', async () => {
    const copying = await client();
    await copying.query('create table copied (a int)');
    await expect(copying.query('COPY copied FROM STDIN')).rejects.toMatchObject({ code: '57014' });
    await expect(
      copying.query({ text: 'copy copied from stdin', queryMode: 'extended' } as never),
    ).rejects.toMatchObject({
      code: '57014',
    });
    await copying.query('begin');
    await expect(copying.query('copy copied from stdin')).rejects.toMatchObject({ code: '57014' });
    await expect(copying.query('select 1')).rejects.toMatchObject({ code: '25P02' });
    await copying.query('rollback');
    expect((await copying.query(`select 'stdin' as word`)).rows).toEqual([{ word: 'stdin' }]);
  });

  it('declines encryption and then speaks as usual', async () => {
    const socket = await dial();
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    expect((await answerOf(socket, 1)).toString()).toBe('N');
    socket.write(startupMessage('postgres', 'postgres'));
    expect((await answerOf(socket, 1))[0]).toBe('R'.charCodeAt(0));
    socket.destroy();
  });

  describe('with a statement whose plan is kept', () => {
    const kept = (text: string, ...values: unknown[]) => ({
      name: `${KEPT_PLAN}${text}`.slice(0, 60),
      text,
      values,
    });

    it('gives each connection its own rows, and plans other statements as before', async () => {
      const [one, two] = [await client(), await client()];
      const mode = async () => (await one.query('show plan_cache_mode')).rows;
      for (let round = 0; round < 8; round++) {
        const asked = [one, two].map((each, at) => each.query(kept('select $1::int as n', 10 * round + at)));
        const answers = await Promise.all(asked);
        expect(answers.map(({ rows }) => rows)).toEqual([[{ n: 10 * round }], [{ n: 10 * round + 1 }]]);
        expect(await mode()).toEqual([{ plan_cache_mode: 'auto' }]);
      }
      await expect(one.query(kept('select $1::int / 0 as n', 1))).rejects.toThrow('division by zero');
      expect(await mode()).toEqual([{ plan_cache_mode: 'auto' }]);
    });

    it('says what is wrong with it each time, and takes it once that is mended', async () => {
      const [one, two] = [await client(), await client()];
      const count = () => two.query(kept('select count(*)::int as n from coming'));
      for (const each of [one, two, two])
        await expect(each.query(kept('select count(*)::int as n from coming'))).rejects.toThrow(
          'does not exist',
        );
      await one.query('create temporary table coming (a int)');
      expect((await count()).rows).toEqual([{ n: 0 }]);
      await one.query('drop table coming');
      await expect(count()).rejects.toThrow('does not exist');
    });

    it('plans it anew when the table has grown', async () => {
      const one = await client();
      await one.query('create temporary table grown (a int primary key, text text)');
      const find = async (a: number) =>
        (await one.query(kept('select text from grown where a = $1', a))).rows;
      const scans = async () => {
        const { rows } = await one.query(
          `select seq_scan::int as n from pg_stat_xact_all_tables where relname = 'grown'`,
        );
        return rows[0].n as number;
      };
      await one.query('insert into grown select 1');
      await one.query('analyze grown');
      expect(await find(1)).toEqual([{ text: null }]);
      const ofSmall = await scans();
      await one.query(`insert into grown select n, repeat('x', 200) from generate_series(2, 5000) n`);
      const ofGrown = [{ text: 'x'.repeat(200) }];
      expect(await find(4_000)).toEqual(ofGrown);
      expect(await scans()).toBe(ofSmall + 1);
      await timers.advance(5_000);
      expect(await find(4_000)).toEqual(ofGrown);
      expect(await scans()).toBe(ofSmall + 1);
      await one.query('drop table grown');
    });
  });

  it('ends a connection that does not speak the protocol', async () => {
    const socket = await dial();
    socket.write('GET / HTTP/1.1\r\nHost: tigraph\r\n\r\n');
    expect((await answerOf(socket, 1)).toString('latin1')).toContain('08P01');
    socket.destroy();
  });

  async function dial(): Promise<Socket> {
    const socket = connect(join(directory, '.s.PGSQL.5432'));
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  }

  async function requestCancel(processId: number, secretKey: number): Promise<void> {
    const socket = await dial();
    const request = Buffer.alloc(16);
    for (const [index, value] of [16, 80_877_102, processId, secretKey].entries())
      request.writeInt32BE(value, 4 * index);
    socket.write(request);
    await new Promise((resolve) => socket.resume().once('close', resolve));
  }
});

function answerOf(socket: Socket, atLeast: number): Promise<Buffer> {
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0);
    socket.on('data', function collect(chunk: Buffer) {
      answer = Buffer.concat([answer, chunk]);
      if (answer.length < atLeast) return;
      socket.off('data', collect);
      resolve(answer);
    });
  });
}

describe('the reader of messages', () => {
  it('finds the same messages however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { maxLength: 8 }),
        fc.array(fc.nat(40), { minLength: 1 }),
        (queries, cuts) => {
          const messages = queries.map(simpleQuery);
          const bytes = Buffer.concat(messages);
          const reader = messageReader();
          const found: Buffer[] = [];
          for (let at = 0, step = 0; at < bytes.length; step++) {
            const size = 1 + cuts[step % cuts.length]!;
            reader.push(bytes.subarray(at, at + size));
            at += size;
            for (let message = reader.message(); message !== null; message = reader.message())
              found.push(message);
          }
          expect(found).toEqual(messages);
          expect([...messagesIn(bytes)]).toEqual(messages);
        },
      ),
    );
  });

  it('refuses a length that cannot be', () => {
    for (const length of [0, 3, 0x7fffffff]) {
      const reader = messageReader();
      const bytes = Buffer.from('Q0000');
      bytes.writeInt32BE(length, 1);
      reader.push(bytes);
      expect(() => reader.message()).toThrow('bytes was announced');
    }
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/database/database.ts';
import { makeTestStore, type TestStore, testsRunOn } from '../../support/database.ts';

/** A statement that would run for hours and does nothing but compute, and one that writes to files while it runs. */
const COMPUTES = 'do $$ declare n bigint := 0; begin loop n := n + 1; end loop; end $$';
const SPILLS = 'select count(*) from (select n from generate_series(1, 1000000000) as n offset 0) as s';

let store: TestStore;
let database: Database;

describe('a database', () => {
  beforeAll(async () => {
    store = await makeTestStore('cold');
    database = await store.open();
    await database.query('create table quote (symbol text primary key, price double precision)');
  });
  afterAll(() => store.remove());
  beforeEach(async () => {
    await database.query('delete from quote');
  });

  const symbols = async (): Promise<unknown[]> =>
    (await database.query('select symbol from quote order by symbol')).map((row) => row.symbol);

  it('says which kind it is', () => expect(database.kind).toBe(testsRunOn));

  it('returns values as the rest of the house takes them', async () => {
    const rows = await database.query(
      `select 9007199254740991::bigint as bigint, 12.5::numeric as numeric, 0.1::double precision as double,
         date '2014-06-09' as date, timestamptz '2014-06-09 13:30:00.25Z' as instant, '{"a":[1,null]}'::jsonb as json,
         array[1, null, 3]::bigint[] as bigints, array[date '2018-12-05'] as dates, null as nothing, true as yes,
         '\\x00ff'::bytea as bytes`,
    );
    expect(rows).toEqual([
      {
        bigint: 9_007_199_254_740_991,
        numeric: 12.5,
        double: 0.1,
        date: '2014-06-09',
        instant: new Date('2014-06-09T13:30:00.250Z'),
        json: { a: [1, null] },
        bigints: [1, 0, 3],
        dates: ['2018-12-05'],
        nothing: null,
        yes: true,
        bytes: Buffer.from([0, 255]),
      },
    ]);
  });

  it('takes arrays, dates, bytes, null and text of any kind as parameters', async () => {
    const awkward = `it's "quoted" \\ {,} \n\t £ 日本 🙂`;
    const [row] = await database.query(
      'select $1::text[] as texts, $2::timestamptz as instant, $3::bytea as bytes, $4::text as nothing, $5::float8[] as numbers',
      [[awkward, 'plain', null], new Date(0), Buffer.from([1, 2]), null, [1.5, Number.NaN]],
    );
    expect(row).toEqual({
      texts: [awkward, 'plain', null],
      instant: new Date(0),
      bytes: Buffer.from([1, 2]),
      nothing: null,
      numbers: [1.5, Number.NaN],
    });
  });

  it('speaks UTC', async () => {
    expect(await database.query(`select timestamptz '2024-07-01T12:00:00Z'::text as text`)).toEqual([
      { text: '2024-07-01 12:00:00+00' },
    ]);
  });

  it('passes the error of a statement on and goes on', async () => {
    await expect(database.query('select * from nowhere')).rejects.toMatchObject({ code: '42P01' });
    await expect(database.query('select 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' });
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('sends a megabyte in one parameter and back', async () => {
    const large = 'tape '.repeat(400_000);
    const [row] = await database.query<{ large: string }>('select $1::text as large', [large]);
    expect(row!.large === large).toBe(true);
  });

  it('never mixes the answers of callers, however large their questions are', async () => {
    // Large enough that a query reaches the server in many pieces, with others in between.
    const filler = 'x'.repeat(300_000);
    const others = [database, await store.open(), await store.open()];
    const asked = others.flatMap((each, caller) =>
      Array.from({ length: 10 }, async (_, number) => {
        const sql = `select '${caller}' as caller, $1::int as number, length($2) as length`;
        return { caller, number, rows: await each.query(sql, [number, filler]) };
      }),
    );
    for (const { caller, number, rows } of await Promise.all(asked)) {
      expect(rows).toEqual([{ caller: String(caller), number, length: 300_000 }]);
    }
  });

  describe('in a transaction', () => {
    it('commits what the work did and returns what it returned', async () => {
      const result = await database.transaction(async (transaction) => {
        await transaction.query(`insert into quote values ('SPY', 1)`);
        return transaction.query('select count(*) as rows from quote');
      });
      expect(result).toEqual([{ rows: 1 }]);
      expect(await symbols()).toEqual(['SPY']);
    });

    it('undoes everything when the work throws', async () => {
      const failure = new Error('the feed broke');
      await expect(
        database.transaction(async (transaction) => {
          await transaction.query(`insert into quote values ('SPY', 1)`);
          throw failure;
        }),
      ).rejects.toBe(failure);
      expect(await symbols()).toEqual([]);
    });

    it('undoes everything when a statement fails', async () => {
      await expect(
        database.transaction(async (transaction) => {
          await transaction.query(`insert into quote values ('SPY', 1)`);
          await transaction.query(`insert into quote values ('SPY', 2)`);
        }),
      ).rejects.toMatchObject({ code: '23505' });
      expect(await symbols()).toEqual([]);
    });

    it('does not pretend to have committed when a failure was swallowed', async () => {
      await expect(
        database.transaction(async (transaction) => {
          await transaction.query(`insert into quote values ('SPY', 1)`);
          await transaction.query('select 1 / 0').catch(() => {});
        }),
      ).rejects.toThrow('nothing was committed');
      expect(await symbols()).toEqual([]);
    });

    it('names the slip of asking the database instead of the transaction', async () => {
      await expect(database.transaction(() => database.query('select 1'))).rejects.toThrow(
        'must run on the transaction',
      );
      await expect(database.transaction(() => database.transaction(async () => {}))).rejects.toThrow(
        'do not nest',
      );
      expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    });

    it('runs simultaneous statements one after the other, in their order', async () => {
      const numbers = await database.transaction(async (transaction) => {
        const asked = Array.from({ length: 20 }, (_, number) =>
          transaction.query('insert into quote values ($1, $2) returning price', [`S${number}`, number]),
        );
        await Promise.all(asked);
        return transaction.query<{ price: number }>('select price from quote order by ctid');
      });
      expect(numbers.map(({ price }) => price)).toEqual(Array.from({ length: 20 }, (_, number) => number));
    });

    it('releases a caller whose signal aborts while a statement computes, and undoes the rest by itself', async () => {
      const signal = AbortSignal.timeout(100);
      const running = database.transaction(
        async (transaction) => {
          await transaction.query(`insert into quote values ('SPY', 1)`);
          await transaction.query(SPILLS);
        },
        { signal },
      );
      await expect(running).rejects.toMatchObject({ name: 'TimeoutError' });
      expect(await symbols()).toEqual([]);
    });

    it('is closed to statements that come after it', async () => {
      const late = await database.transaction(async (transaction) => ({ transaction }));
      await expect(late.transaction.query('select 1')).rejects.toThrow('is over');
    });

    it('lets nobody see what is not committed', async () => {
      const other = await store.open();
      const seen = database.transaction(async (transaction) => {
        await transaction.query(`insert into quote values ('SPY', 1)`);
        // Asked now; the embedded database answers it once this transaction is over.
        const asked = other.query<{ rows: number }>('select count(*) as rows from quote');
        await transaction.query(`delete from quote`);
        return { asked };
      });
      expect(await (await seen).asked).toEqual([{ rows: 0 }]);
    });

    it('ends at once when its signal aborts, with nothing done', async () => {
      const abort = new AbortController();
      const running = database.transaction(
        async (transaction) => {
          await transaction.query(`insert into quote values ('SPY', 1)`);
          abort.abort(new Error('the caller left'));
          await transaction.query(`insert into quote values ('QQQ', 1)`);
        },
        { signal: abort.signal },
      );
      await expect(running).rejects.toThrow('the caller left');
      expect(await symbols()).toEqual([]);
    });
  });

  describe('atomically', () => {
    const insert = (symbol: string, price: number) => ({
      sql: 'insert into quote values ($1, $2)',
      parameters: [symbol, price],
    });

    it('writes everything that is sent together', async () => {
      await database.atomically([insert('SPY', 1), insert('QQQ', 2)]);
      expect(await symbols()).toEqual(['QQQ', 'SPY']);
    });

    it('writes nothing when one of them fails, and goes on', async () => {
      await expect(
        database.atomically([insert('SPY', 1), insert('SPY', 2), insert('QQQ', 3)]),
      ).rejects.toMatchObject({ code: '23505' });
      expect(await symbols()).toEqual([]);
      await database.atomically([insert('QQQ', 3)]);
      expect(await symbols()).toEqual(['QQQ']);
    });
  });

  describe('when a caller leaves', () => {
    it('does not even begin if the signal had aborted before', async () => {
      const reason = new Error('gone before');
      const asked = database.query(`insert into quote values ('SPY', 1)`, [], {
        signal: AbortSignal.abort(reason),
      });
      await expect(asked).rejects.toBe(reason);
      expect(await symbols()).toEqual([]);
    });

    it('never sends what was still waiting in line', async () => {
      const narrow = await store.open({ databaseConnections: 1 });
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const holder = narrow.transaction(() => gate);
      const abort = new AbortController();
      const left = narrow.query(`insert into quote values ('SPY', 1)`, [], { signal: abort.signal });
      const stayed = narrow.query(`insert into quote values ('QQQ', 1)`);
      abort.abort(new Error('gone while waiting'));
      await expect(left).rejects.toThrow('gone while waiting');
      open();
      await Promise.all([holder, stayed]);
      expect(await symbols()).toEqual(['QQQ']);
    });

    it('stops a statement under way that reads or writes files, and keeps the connection whole', async () => {
      const asked = database.query(SPILLS, [], { signal: AbortSignal.timeout(300) });
      await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
      // The statement would have taken minutes.
      expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    });

    it('gets rid of a statement that only computes', async () => {
      const other = await store.open();
      await expect(database.query(COMPUTES, [], { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
        name: 'TimeoutError',
      });
      expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
      expect(await other.query('select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

  it('refuses what comes when too many wait already', async () => {
    const narrow = await store.open({ databaseConnections: 1, maxWaiting: 2 });
    const asked = Array.from({ length: 4 }, () => narrow.query('select 1 as one'));
    const settled = await Promise.allSettled(asked);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(settled[3]).toMatchObject({ reason: { code: 'overloaded' } });
  });

  it('answers no more once it is closed', async () => {
    const closed = await store.open();
    await closed.close();
    await expect(closed.query('select 1')).rejects.toMatchObject({ code: 'database_unavailable' });
    await closed.close();
  });

  describe('notifications', () => {
    it('reach every listener of the channel, from whichever connection they come', async () => {
      const other = await store.open();
      const here = collector(2);
      const there = collector(2);
      await database.listen('tape', here.handler);
      await other.listen('tape', there.handler);
      await database.announce('another', 'not for them');
      await database.announce('tape', 'one');
      await other.announce('tape', 'two: £');
      expect(await here.payloads).toEqual(['one', 'two: £']);
      expect(await there.payloads).toEqual(['one', 'two: £']);
    });

    it('are sent when the transaction commits, and never when it does not', async () => {
      const heard = collector(2);
      await database.listen('graph', heard.handler);
      const send = (work: () => void) =>
        database.transaction(async (transaction) => {
          await transaction.query(`select pg_notify('graph', 'within')`);
          work();
        });
      await expect(
        send(() => {
          throw new Error('undone');
        }),
      ).rejects.toThrow('undone');
      await send(() => {});
      await database.announce('graph', 'after');
      expect(await heard.payloads).toEqual(['within', 'after']);
    });

    it('stop when they are cancelled', async () => {
      const unwanted: string[] = [];
      const first = collector(1);
      const stop = await database.listen('quiet', (payload) => unwanted.push(payload));
      await database.listen('quiet', first.handler);
      stop();
      await database.announce('quiet', 'x');
      expect(await first.payloads).toEqual(['x']);
      expect(unwanted).toEqual([]);
    });
  });
});

/** A handler and the payloads it got, once there are `count` of them. */
function collector(count: number): { handler: (payload: string) => void; payloads: Promise<string[]> } {
  const heard: string[] = [];
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const handler = (payload: string): void => {
    heard.push(payload);
    if (heard.length === count) resolve(heard);
  };
  return { handler, payloads: promise };
}

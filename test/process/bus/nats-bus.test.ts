import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { NEVER } from '../../../src/base/abortable.ts';
import { Scope } from '../../../src/base/scope.ts';
import { Type } from '../../../src/base/type.ts';
import type { Handle, Queue } from '../../../src/bus/bus.ts';
import { openNatsBus } from '../../../src/bus/nats-bus.ts';
import { chooseAnnouncements } from '../../../src/database/installation.ts';
import { writeHolding } from '../../../src/database/leases.ts';
import { type NatsServers, startNats } from '../../engines/nats.ts';
import { freshStore } from '../../support/app.ts';
import { allHeard, type TestStore, testsRunOn } from '../../support/database.ts';

const DAYS = {
  name: 'days',
  version: 1,
  work: Type.Object({ of: Type.String() }),
  answer: Type.Object({ said: Type.String() }),
} satisfies Queue;

const PROGRAM = process.env.NATS_SERVER;
/** A port that no server has. */
const NOWHERE = 'nats://127.0.0.1:1';

describe.skipIf(PROGRAM === undefined || testsRunOn === 'embedded')(
  'the bus on NATS',
  { timeout: 30_000 },
  () => {
    let nats: NatsServers;

    beforeAll(async () => {
      nats = await startNats(PROGRAM!, 1);
    });
    afterAll(() => nats?.stop());

    /** A store with the identity of another installation than any before: a copy of a database has that of its template. */
    async function newInstallation(): Promise<TestStore> {
      const store = await freshStore();
      const database = await store.open();
      await database.query('delete from installation');
      return store;
    }

    async function openOn(store: TestStore, url = nats.url) {
      const database = await store.open();
      const scope = new Scope('bus');
      const bus = await openNatsBus(url, database, scope, { waitMs: 500 });
      onTestFinished(() => bus.close());
      /** Takes work until the bus closes, or what it returns. */
      const take = (atOnce: number, handle: Handle<typeof DAYS>): Scope => {
        const taking = scope.child('taking');
        bus.take(taking, DAYS, atOnce, handle);
        return taking;
      };
      const ask = (of: string) => bus.ask(DAYS, { of }, NEVER).then(({ said }) => said);
      return { database, bus, ask, take };
    }

    it('hands work to whoever takes it, and brings the answer back to who asked', async () => {
      const store = await newInstallation();
      const asking = await openOn(store);
      const working = await openOn(store);
      const waiting = asking.ask('early');
      working.take(3, async ({ of }) => ({ said: `${of} done` }));
      expect(await waiting).toBe('early done');
      const many = Array.from({ length: 50 }, (_, at) => asking.ask(String(at)));
      expect(await Promise.all(many)).toEqual(many.map((_, at) => `${at} done`));
      const nothing = { waiting: 0, underWay: 0, deadLetters: 0 };
      await expect.poll(() => asking.bus.figures()).toEqual(nothing);
    });

    it('gives work that its process leaves to another one', async () => {
      const store = await newInstallation();
      const { ask, take } = await openOn(store);
      const leaving = await openOn(store);
      const begun = Promise.withResolvers<void>();
      const taking = leaving.take(1, (_work, signal) => {
        begun.resolve();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      });
      const answer = ask('1');
      await begun.promise;
      await taking.close();
      take(1, async () => ({ said: 'by another' }));
      expect(await answer).toBe('by another');
    });

    it('keeps work that fails in every try as a dead letter, and says so to who asked', async () => {
      const { bus, ask, take } = await openOn(await newInstallation());
      let tries = 0;
      take(1, async () => {
        tries++;
        throw new Error('of no use');
      });
      await expect(ask('bad')).rejects.toMatchObject({ code: 'work_failed' });
      expect(tries).toBe(5);
      expect(await bus.deadLetters()).toMatchObject([
        { queue: 'days', work: '{"version":1,"of":"bad"}', error: 'of no use', tries: 5 },
      ]);
      await bus.clearDeadLetters();
      expect(await bus.deadLetters()).toEqual([]);
    });

    it('announces what was committed, also by a process that ended before it could say so', async () => {
      const store = await newInstallation();
      const writing = await openOn(store);
      const reading = await openOn(store);
      const heard: string[] = [];
      await reading.database.listen('channel', (payload) => heard.push(payload));
      await writing.database.transaction((transaction) =>
        transaction.announce('channel', 'within a transaction'),
      );
      const undone = writing.database.transaction(async (transaction) => {
        await transaction.announce('channel', 'undone');
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      await allHeard(reading.database);
      expect(heard).toEqual(['within a transaction']);
      const killed = await store.open();
      await killed.query(`select announce('channel', 'left behind')`);
      await allHeard(reading.database);
      expect(heard).toEqual(['within a transaction', 'left behind']);
      await expect.poll(() => killed.query('select from announcement')).toEqual([]);
    });

    it('grants a lease to one process at a time, and refuses what its former holder still writes', async () => {
      const store = await newInstallation();
      const one = await openOn(store);
      const other = await openOn(store);
      const lease = (await one.bus.leases.take('live'))!;
      expect(await other.bus.leases.take('live')).toBeNull();
      expect(await lease.renew()).toBe(true);
      await writeHolding(lease, one.database.atomically);
      await lease.release();
      const next = (await other.bus.leases.take('live'))!;
      expect(next.token).toBeGreaterThan(lease.token!);
      await expect(lease.renew()).rejects.toThrow();
      await expect(writeHolding(lease, one.database.atomically)).rejects.toMatchObject({
        code: 'lease_lost',
      });
    });

    it('keeps installations apart that share its servers', async () => {
      const one = await openOn(await newInstallation());
      const other = await openOn(await newInstallation());
      const asked = one.ask('1');
      other.take(1, async () => ({ said: 'by the wrong one' }));
      expect(await other.bus.leases.take('live')).not.toBeNull();
      expect(await one.bus.leases.take('live')).not.toBeNull();
      one.take(1, async () => ({ said: 'by its own' }));
      expect(await asked).toBe('by its own');
    });

    it('goes on with servers that have lost all they kept', async () => {
      const lossy = await startNats(PROGRAM!, 1);
      onTestFinished(() => lossy.stop());
      const store = await newInstallation();
      const asking = await openOn(store, lossy.url);
      const working = await openOn(store, lossy.url);
      const heard: string[] = [];
      await asking.database.listen(
        'channel',
        (payload) => heard.push(payload),
        () => heard.push('some may be missing'),
      );
      working.take(1, async ({ of }) => ({ said: `${of} done` }));
      expect(await asking.ask('1')).toBe('1 done');
      const [server] = lossy.servers;
      await server!.kill();
      server!.loseFiles();
      const waiting = asking.ask('2');
      await working.database.announce('channel', 'while it is away');
      await server!.start();
      expect(await waiting).toBe('2 done');
      await allHeard(asking.database);
      // What was announced meanwhile may be one of those that are missing.
      expect(heard).toContain('some may be missing');
      await working.database.announce('channel', 'afterwards');
      await allHeard(asking.database);
      expect(heard).toContain('afterwards');
      expect(await working.bus.leases.take('live')).not.toBeNull();
    });

    it('is refused beside processes that have none, and they beside it', async () => {
      const store = await newInstallation();
      const { database } = await openOn(store);
      await expect(chooseAnnouncements(database, false)).rejects.toMatchObject({ code: 'bad_setting' });
      const plain = await newInstallation();
      const alone = await plain.open();
      await alone.query(
        `insert into lease (name, holder, expires_at) values ('scheduler', 'x', now() + interval '10 s')`,
      );
      await expect(openNatsBus(nats.url, alone, new Scope('bus'))).rejects.toMatchObject({
        code: 'bad_setting',
        message: expect.stringContaining('without NATS_URL'),
      });
    });

    it('names servers that are away, refuse the credentials, or run without JetStream', async () => {
      const store = await newInstallation();
      const locked = await startNats(PROGRAM!, 1, ['--user', 'desk', '--pass', 'right']);
      onTestFinished(() => locked.stop());
      const refusal = (sentence: string) => ({
        code: 'bus_unavailable',
        message: expect.stringContaining(sentence),
      });
      await expect(openOn(store, NOWHERE)).rejects.toMatchObject(refusal('do not answer'));
      const wrong = locked.url.replace('//', '//desk:wrong@');
      await expect(openOn(store, wrong)).rejects.toMatchObject(refusal('refuse its credentials'));
      expect((await openOn(store, wrong.replace('wrong', 'right'))).bus.isHere()).toBe(true);
    });
  },
);

import { describe, expect, it } from 'vitest';
import { flushUsage } from '../../../src/api/access/access.ts';
import { AuditTrail, readAudit } from '../../../src/api/access/audit-trail.ts';
import { Budgets } from '../../../src/api/access/budgets.ts';
import { ExchangeAttempts, FailureLimit } from '../../../src/api/access/exchange-attempts.ts';
import { hashSecret, makeSecret, NOBODYS_HASH, verifySecret } from '../../../src/api/access/secrets.ts';
import type { Holder } from '../../../src/api/access/viewer.ts';
import { networkOf } from '../../../src/base/client-network.ts';
import { isCoded } from '../../../src/base/errors.ts';
import { Scope } from '../../../src/base/scope.ts';
import { Semaphore } from '../../../src/base/semaphore.ts';
import { handClock } from '../../support/access.ts';
import { freshStore } from '../../support/app.ts';

const holder = (grantId: string, limits: Partial<Holder> = {}): Holder => ({
  clientId: 'client_of_budgets',
  grantId,
  agentId: 'agent',
  callsPerMinute: null,
  callsPerDay: null,
  ...limits,
});

/** The code of what a piece of work is refused with, and the seconds to wait; null when it is not. */
function refusal(work: () => void): [code: string, retryAfterS: unknown] | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!isCoded(error)) throw error;
    return [error.code, error.facts.retryAfterS];
  }
}

/** Runs a piece of work while a table is out of reach. */
async function withoutTable(table: string, work: () => Promise<void>): Promise<void> {
  await database.query(`alter table ${table} rename to moved_away`);
  await work();
  await database.query(`alter table moved_away rename to ${table}`);
}

const store = await freshStore();
const database = await store.open();

describe('secrets', () => {
  it('are hashed with argon2id, 19 MiB, two passes, one lane', async () => {
    const secret = makeSecret();
    const hash = await hashSecret(secret);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hash).not.toContain(secret);
    expect([await verifySecret(secret, hash), await verifySecret(`${secret}x`, hash)]).toEqual([true, false]);
  });

  it('have 256 bits, and none like another', () => {
    const secrets = new Set(Array.from({ length: 1_000 }, makeSecret));
    expect(secrets.size).toBe(1_000);
    for (const secret of secrets) expect(Buffer.from(secret.slice(4), 'base64url')).toHaveLength(32);
  });

  it('cost as much for a client that does not exist', () => {
    expect(NOBODYS_HASH).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });
});

describe('failures in a row', () => {
  const rules = { blocksFrom: 3, blockFirstMs: 1_000, blockMaxMs: 5_000, forgetMs: 60_000, keysMax: 3 };

  it('are free at first, then block for twice as long each time, up to a limit', () => {
    const limit = new FailureLimit(rules);
    const blocks = [];
    for (let failure = 1, now = 0; failure <= 7; failure++) {
      limit.noteFailure('key', now);
      const blocked = limit.blockedForMs('key', now);
      blocks.push(blocked);
      if (blocked > 0) {
        expect(limit.blockedForMs('key', now + blocked - 1)).toBe(1);
        expect(limit.blockedForMs('key', now + blocked)).toBe(0);
      }
      now += blocked;
    }
    expect(blocks).toEqual([0, 0, 1_000, 2_000, 4_000, 5_000, 5_000]);
    expect(limit.blockedForMs('other', 0)).toBe(0);
  });

  it('are forgotten after a time without one, and not before', () => {
    for (const [pauseMs, blocked] of [
      [59_999, 1_000],
      [60_000, 0],
    ]) {
      const limit = new FailureLimit(rules);
      limit.noteFailure('key', 0);
      limit.noteFailure('key', 0);
      limit.noteFailure('key', pauseMs!);
      expect(limit.blockedForMs('key', pauseMs!)).toBe(blocked);
    }
  });

  it('are remembered of so many keys and no more', () => {
    const limit = new FailureLimit(rules);
    for (const key of ['a', 'b', 'c', 'a', 'd', 'a']) limit.noteFailure(key, 0);
    expect(limit.size).toBe(3);
    expect(limit.blockedForMs('a', 0)).toBeGreaterThan(0);
  });
});

describe('the origin of an attempt', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['a socket', 'a socket'],
  ])('%s belongs to %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('attempts at an exchange', () => {
  const fail = (attempts: ExchangeAttempts, client: string, address: string, times: number): void => {
    for (let time = 0; time < times; time++) attempts.noteFailure(client, address, 0);
  };
  const blocked = (attempts: ExchangeAttempts, client: string, address: string) =>
    refusal(() => attempts.refuseIfBlocked(client, address, 0));

  it('are refused of a client after five failures, from wherever', () => {
    const attempts = new ExchangeAttempts();
    fail(attempts, 'one', '192.0.2.1', 4);
    expect(blocked(attempts, 'one', '192.0.2.9')).toBeNull();
    fail(attempts, 'one', '192.0.2.2', 1);
    expect(blocked(attempts, 'one', '192.0.2.9')).toEqual(['too_many_failures', 1]);
    expect(blocked(attempts, 'two', '192.0.2.9')).toBeNull();
  });

  it('are refused from an address after ten failures, whatever the client', () => {
    const attempts = new ExchangeAttempts();
    for (let client = 0; client < 9; client++) fail(attempts, `client ${client}`, '192.0.2.1', 1);
    expect(blocked(attempts, 'new', '192.0.2.1')).toBeNull();
    fail(attempts, 'client 9', '192.0.2.1', 1);
    expect(blocked(attempts, 'new', '192.0.2.1')).toEqual(['too_many_failures', 1]);
    expect(blocked(attempts, 'new', '192.0.2.2')).toBeNull();
  });

  it("do not shut a client out of the place where it is known because of a stranger's failures", () => {
    const attempts = new ExchangeAttempts();
    attempts.noteSuccess('one', '192.0.2.1');
    fail(attempts, 'one', '198.51.100.1', 8);
    expect(blocked(attempts, 'one', '192.0.2.1')).toBeNull();
    expect(blocked(attempts, 'one', '192.0.2.2')).toEqual(['too_many_failures', 8]);
  });

  it('are forgiven the client by a success, and the address by time alone', () => {
    const attempts = new ExchangeAttempts();
    fail(attempts, 'one', '192.0.2.1', 10);
    attempts.noteSuccess('one', '192.0.2.1');
    expect(blocked(attempts, 'one', '192.0.2.2')).toBeNull();
    expect(blocked(attempts, 'one', '192.0.2.1')).toEqual(['too_many_failures', 1]);
    expect(refusal(() => attempts.refuseIfBlocked('one', '192.0.2.1', 1_000))).toBeNull();
  });
});

describe('the line for hashing', () => {
  it('lets so many through at once, so many wait, and refuses the rest', async () => {
    const line = new Semaphore(2, 3);
    let running = 0;
    let runningMax = 0;
    const gates: (() => void)[] = [];
    const work = async (): Promise<void> => {
      runningMax = Math.max(runningMax, ++running);
      await new Promise<void>((open) => gates.push(open));
      running--;
    };
    const five = Array.from({ length: 5 }, () => line.run(work));
    await expect(line.run(work)).rejects.toMatchObject({ code: 'overloaded' });
    while (running > 0) {
      gates.shift()!();
      await new Promise(setImmediate);
    }
    await Promise.all(five);
    expect(runningMax).toBe(2);
    await expect(line.run(async () => 'free again')).resolves.toBe('free again');
  });

  it('gives its place back when the work fails', async () => {
    const line = new Semaphore(1, 0);
    await expect(line.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(line.run(async () => 1)).resolves.toBe(1);
  });
});

describe('a budget', () => {
  const NOON = Date.parse('2026-03-02T12:00:15Z');

  it('allows exactly so many calls a minute, and says when the next minute begins', () => {
    const clock = handClock(NOON);
    const budgets = new Budgets(database, clock);
    const limited = holder('grant_minute', { callsPerMinute: 3 });
    const take = () => refusal(() => budgets.take(limited));
    expect([take(), take(), take()]).toEqual([null, null, null]);
    expect([take(), take()]).toEqual([
      ['budget_exhausted', 45],
      ['budget_exhausted', 45],
    ]);
    clock.instant = Date.parse('2026-03-02T12:00:59.999Z');
    expect(take()).toEqual(['budget_exhausted', 1]);
    clock.instant += 1;
    expect(take()).toBeNull();
  });

  it('allows exactly so many calls a day of UTC; refused calls are not counted', () => {
    const clock = handClock(NOON);
    const budgets = new Budgets(database, clock);
    const limited = holder('grant_day', { callsPerMinute: 2, callsPerDay: 3 });
    const take = () => refusal(() => budgets.take(limited))?.[0] ?? null;
    expect([take(), take(), take()]).toEqual([null, null, 'budget_exhausted']);
    clock.instant += 60_000;
    expect([take(), take()]).toEqual([null, 'budget_exhausted']);
    clock.instant = Date.parse('2026-03-02T23:59:59.999Z');
    expect(take()).toBe('budget_exhausted');
    clock.instant += 1;
    expect(take()).toBeNull();
  });

  it('counts nothing where there is no limit', () => {
    const budgets = new Budgets(database, handClock(NOON));
    for (let call = 0; call < 100; call++) budgets.take(holder('grant_free'));
    expect(budgets.hasUnsaved).toBe(false);
  });

  it('outlives the process, and is shared by several', async () => {
    const clock = handClock(NOON);
    const limited = holder('grant_shared', { callsPerDay: 10 });
    const [first, second] = [new Budgets(database, clock), new Budgets(database, clock)];
    const spend = (budgets: Budgets): number => {
      for (let calls = 0; ; calls++) if (refusal(() => budgets.take(limited)) !== null) return calls;
    };
    await first.load(limited);
    await second.load(limited);
    for (let call = 0; call < 4; call++) first.take(limited);
    await first.save();
    second.take(limited);
    await second.save();
    expect(spend(second)).toBe(5);
    await second.save();
    const later = new Budgets(database, clock);
    await later.load(limited);
    expect(spend(later)).toBe(0);
  });

  it('keeps what the store could not save for the next time', async () => {
    const clock = handClock(NOON);
    const limited = holder('grant_patient', { callsPerDay: 5 });
    const budgets = new Budgets(database, clock);
    budgets.take(limited);
    await withoutTable('access_usage', () => expect(budgets.save()).rejects.toThrow('access_usage'));
    budgets.take(limited);
    await budgets.save();
    const later = new Budgets(database, clock);
    await later.load(limited);
    const left = [1, 2, 3, 4].map(() => refusal(() => later.take(limited)) === null);
    expect(left).toEqual([true, true, true, false]);
  });
});

describe('the audit trail', () => {
  const START = Date.parse('2026-03-02T12:00:00Z');
  const named = (clientId: string, agentId = 'agent'): Holder => ({
    ...holder('grant_x'),
    clientId,
    agentId,
  });
  const since = (clientId: string) => readAudit(database, clientId, new Date(0), 100);

  it('has one row for equal calls, with their number and their first and last moment', async () => {
    const clock = handClock(START);
    const trail = new AuditTrail(database, clock);
    const one = named('client_rows');
    trail.note(one, 'getStock', 'SPY', 200);
    clock.instant += 250;
    for (let call = 0; call < 9; call++) trail.note(one, 'getStock', 'SPY', 200);
    trail.note(one, 'getStock', 'SPY', 404);
    trail.note(one, 'getStock', 'IBM', 200);
    trail.note(one, 'runBacktest', null, 200);
    expect(trail.waiting).toBe(4);
    await trail.save();
    expect(trail.waiting).toBe(0);
    const rows = await since('client_rows');
    expect(rows.map(({ operation, symbol, status, calls }) => [operation, symbol, status, calls])).toEqual([
      ['runBacktest', null, 200, 1],
      ['getStock', 'IBM', 200, 1],
      ['getStock', 'SPY', 404, 1],
      ['getStock', 'SPY', 200, 10],
    ]);
    expect(rows[3]).toMatchObject({ firstAt: new Date(START), lastAt: new Date(START + 250) });
  });

  it('drops calls that would need a row too many, and counts them', async () => {
    const trail = new AuditTrail(database, handClock(START), 2);
    const one = named('client_full');
    for (const symbol of ['A', 'B', 'C', 'A', 'D', 'D']) trail.note(one, 'getStock', symbol, 200);
    expect([trail.waiting, trail.dropped]).toEqual([2, 3]);
    await trail.save();
    expect((await since('client_full')).map(({ symbol, calls }) => `${symbol} ${calls}`).sort()).toEqual([
      'A 2',
      'B 1',
    ]);
  });

  it('writes any name that an agent may have', async () => {
    const trail = new AuditTrail(database, handClock(START));
    const names = [
      "x'); drop table access_audit; --",
      'zero \0 inside',
      'half \ud83d a pair',
      '{"a":1}',
      'ü 🐯',
    ];
    for (const name of names) trail.note(named('client_names', name), 'getStock', null, 200);
    await trail.save();
    expect((await since('client_names')).map(({ agentId }) => agentId).sort()).toEqual(
      [
        "x'); drop table access_audit; --",
        'zero \ufffd inside',
        'half \ufffd a pair',
        '{"a":1}',
        'ü 🐯',
      ].sort(),
    );
  });

  it('keeps what could not be written, adds to it, and writes it the next time', async () => {
    const trail = new AuditTrail(database, handClock(START));
    const one = named('client_patient');
    trail.note(one, 'getStock', 'SPY', 200);
    await withoutTable('access_audit', () => expect(trail.save()).rejects.toThrow('access_audit'));
    trail.note(one, 'getStock', 'SPY', 200);
    expect([trail.waiting, trail.dropped]).toEqual([1, 0]);
    await trail.save();
    expect((await since('client_patient')).map(({ calls }) => calls)).toEqual([2]);
  });

  it('is cleared of what is older than ninety days, spent budgets of what is older than two', async () => {
    const clock = handClock(START - 91 * 86_400_000);
    const [trail, budgets] = [new AuditTrail(database, clock), new Budgets(database, clock)];
    const usage = flushUsage(database, clock, trail, budgets, new Scope('usage'));
    const one = { ...named('client_old'), grantId: 'grant_old', callsPerDay: 100 };
    for (const [daysBefore, symbol] of [
      [91, 'OLD'],
      [89, 'YOUNG'],
    ] as const) {
      clock.instant = START - daysBefore * 86_400_000;
      trail.note(one, 'getStock', symbol, 200);
      budgets.take(one);
      await usage.save();
    }
    clock.instant = START;
    trail.note(one, 'getStock', 'NOW', 200);
    budgets.take(one);
    await usage.close();
    expect((await since('client_old')).map(({ symbol }) => symbol)).toEqual(['NOW', 'YOUNG']);
    const spent = await database.query("select from access_usage where grant_id = 'grant_old'");
    expect(spent).toHaveLength(2);
  });
});

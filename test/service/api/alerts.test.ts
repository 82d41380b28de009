import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importJWK, jwtVerify } from 'jose';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { isPrivateAddress } from '../../../src/alerts/channels/private-address.ts';
import { AlertDelivery } from '../../../src/alerts/delivery.ts';
import { type Firing, firingId } from '../../../src/alerts/judge.ts';
import { writeJudged } from '../../../src/alerts/store.ts';
import { createGrant, revokeGrant } from '../../../src/api/access/clients.ts';
import { ALERTS_MAX, SYMBOLS_MAX } from '../../../src/api/alerts/schema.ts';
import { fixedClock } from '../../../src/base/clock.ts';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { bearer, newCredentials, serverByClock, tokenFrom, WIDE } from '../../support/access.ts';
import { bring, freshApp, serverOf } from '../../support/app.ts';
import { mapColumns } from '../../support/bar-columns.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { subscriber } from '../../support/push-message.ts';

const NOW = '2024-03-13T20:05:00Z';
const DATE = '2024-03-13';
const now = Date.parse(NOW);
const { app } = await freshApp({ TIGRAPH_ALERTS_PRIVATE: 'true' }, { clock: fixedClock(now) });
const zigzag = minuteBars('ZIG', '2024-03-13', DATE);
await bring(app, [
  dailyBars('ZIG', '2023-09-01', DATE),
  {
    ...zigzag,
    columns: mapColumns(zigzag.columns, (column, name) =>
      name === 'time' || name === 'volume'
        ? column
        : column.map((_, row) => ({ open: 100, high: 102, low: 98, close: row % 2 === 0 ? 99 : 101 })[name]),
    ),
  },
  ...['ACME', 'BETA', 'C1'].flatMap((symbol) => [
    dailyBars(symbol, '2023-09-01', DATE),
    minuteBars(symbol, '2024-03-11', DATE),
  ]),
]);
const { server } = await serverByClock(app, fixedClock(now));
const { database } = app.context;
const SCOPES = ['stock:read', 'alerts:write', 'market-data:realtime'];
const credentials = await newCredentials(database, {}, now);
const grant = async (terms: Partial<typeof WIDE>) => {
  const { id } = await createGrant(database, credentials.client_id, { ...WIDE, ...terms }, now);
  return { id, token: await tokenFrom(server, { ...credentials, grant_id: id }, SCOPES) };
};
const whole = await tokenFrom(server, credentials, SCOPES);

const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', payload?: object, token = whole) => {
  const url = `/api/graph/v1/alerts${path}`;
  const answer = await server.inject({ method, url, headers: bearer(token), ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json(), text: answer.body };
};

const VWAP = {
  kind: 'crosses',
  parameters: { field: 'last_price', other: 'levels.vwap' },
  symbols: ['ACME'],
};
const add = async (rule: object = VWAP, token = whole): Promise<string> => {
  const { status, body } = await ask('POST', '', { ...rule, anyway: true }, token);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
};
/** What receivers got. */
const got: { readonly path: string; readonly id: string; readonly isSigned: boolean }[] = [];
const remove = (id: string) => ask('DELETE', `/${id}`);

/** Has a rule fire, as a live minute does. */
async function fire(rule: string, symbol: string, at: string): Promise<Firing> {
  const instant = Date.parse(at);
  const [own] = await database.query<{ owner: string }>('select owner from alert_rule where id = $1::uuid', [
    rule,
  ]);
  const firing: Firing = {
    id: firingId(rule, symbol, DATE, instant),
    rule,
    owner: own!.owner,
    symbol,
    tradeDate: DATE,
    at: instant,
    price: 101.5,
    says: 'price crossed above VWAP (101.20), now 101.50',
    sentence: 'ACME, when price crosses VWAP, once a day',
  };
  await writeJudged(database, { simulated: false, at: null, seen: [], firings: [firing] });
  return firing;
}

afterEach(async () => {
  got.length = 0;
  pushed.length = 0;
  for (const table of ['alert_receiver', 'alert_rule', 'alert_firing'])
    await database.write(`delete from ${table}`);
});

describe('an alert', () => {
  it('is kept, changed, paused and gone, for its owner alone', async () => {
    const id = await add();
    expect((await ask('GET', `/${id}`)).body).toMatchObject({
      sentence: 'ACME, when price crosses VWAP, once a day',
      state: 'armed',
      fired: 0,
    });
    const other = await tokenFrom(server, await newCredentials(database, {}, now), SCOPES);
    expect((await ask('GET', `/${id}`, undefined, other)).body).toMatchObject({ code: 'unknown_alert' });
    expect((await ask('GET', '', undefined, other)).body).toEqual({ alerts: [] });
    const paused = { ...VWAP, repeat: 'each', paused: true, anyway: true };
    expect((await ask('PUT', `/${id}`, paused)).body).toMatchObject({ state: 'paused', repeat: 'each' });
    expect((await ask('PUT', `/${id}`, paused, other)).status).toBe(409);
    expect((await ask('GET', `/${id}`)).body).toMatchObject({ state: 'paused' });
    expect((await remove(id)).body).toEqual({ id });
    expect((await remove(id)).status).toBe(404);
  });

  it('answers the same bytes of a past minute before and after later data', async () => {
    const id = await add();
    await fire(id, 'ACME', '2024-03-13T14:00:00Z');
    const asOf = '?as_of=2024-03-13T15:00:00Z';
    const questions = () =>
      Promise.all([
        ask('GET', `/${id}${asOf}`),
        ask('GET', `/firings${asOf}`),
        ask('POST', `/preview${asOf}`, VWAP),
      ]);
    const before = (await questions()).map(({ status, text }) => `${status} ${text}`);
    await fire(id, 'ACME', '2024-03-13T16:00:00Z');
    await bring(app, [minuteBars('ACME', '2024-03-14', '2024-03-14')]);
    expect((await questions()).map(({ status, text }) => `${status} ${text}`)).toEqual(before);
    expect((await ask('GET', `/firings?alert=${id}`)).body.firings).toHaveLength(2);
  });

  it('of a narrowed or delayed owner shows no more than that owner sees elsewhere', async () => {
    const both = { ...VWAP, symbols: ['ACME', 'C1'] };
    const id = await add(both);
    await fire(id, 'C1', '2024-03-13T19:00:00Z');
    await fire(id, 'ACME', '2024-03-13T20:00:00Z');
    const narrow = await grant({ symbols: ['ACME'] });
    expect((await ask('GET', '/firings', undefined, narrow.token)).body.firings).toMatchObject([
      { symbol: 'ACME' },
    ]);
    expect((await ask('GET', `/${id}`, undefined, narrow.token)).body).toMatchObject({
      symbols: ['ACME'],
      fired: 1,
    });
    expect((await ask('POST', '', both, narrow.token)).body).toMatchObject({ code: 'symbol_not_granted' });
    const delayed = await grant({ feed: 'delayed' });
    expect((await ask('GET', '/firings', undefined, delayed.token)).body.firings).toMatchObject([
      { symbol: 'C1' },
    ]);
    const preview = (await ask('POST', '/preview', VWAP, delayed.token)).body;
    expect(preview.as_of).toBe('2024-03-13T19:50:00.000Z');
  });

  it.each([
    [
      'an unknown field, with a near one',
      { ...VWAP, parameters: { field: 'last_prise', value: 3 } },
      /last_price/,
    ],
    [
      'a word that a field never is',
      { ...VWAP, kind: 'enters', parameters: { field: 'bullish_tier', words: ['SUPER'] } },
      /EXCELLENT/,
    ],
    ['a rule that waits for nothing', { ...VWAP, parameters: { field: 'last_price' } }, /send one of them/],
    ['a level that moves', { ...VWAP, kind: 'level', parameters: { level: 'levels.vwap' } }, /kind crosses/],
    [
      'what is never known',
      { ...VWAP, parameters: { field: 'options.iv_rank', value: 50 } },
      /can never fire.*anyway/,
    ],
    [
      'what is beyond its bounds',
      { ...VWAP, parameters: { field: 'technical.rsi_14', value: 120 } },
      /at most 100/,
    ],
    [
      '5,000 stocks',
      { ...VWAP, symbols: Array.from({ length: 5_000 }, (_, at) => `S${at}`) },
      new RegExp(`${SYMBOLS_MAX}.*screen`),
    ],
    ['no stocks', { kind: 'silent', parameters: { minutes: 5 } }, /Name the stocks/],
    ['a stock without data', { ...VWAP, symbols: ['NOPE'] }, /NOPE/],
    [
      'a parameter that there is not',
      { ...VWAP, parameters: { field: 'last_price', value: 3, sound: 'bell' } },
      /kinds/,
    ],
  ])('is refused for %s, with a way on', async (_, rule, says) => {
    const { status, text } = await ask('POST', '', rule);
    expect({ status, text }).toEqual({ status: 422, text: expect.stringMatching(says) });
    expect((await ask('GET')).body.alerts).toEqual([]);
  });

  it('that fires nearly each minute is said to, and kept only anyway', async () => {
    const often = {
      kind: 'crosses',
      parameters: { field: 'last_price', value: 100 },
      symbols: ['ZIG'],
      repeat: 'each',
    };
    const { body } = await ask('POST', '/preview', often);
    expect(body).toMatchObject({
      verdict: 'often',
      says: expect.stringMatching(/times a session.*once a day/),
    });
    expect((await ask('POST', '', often)).text).toMatch(/times a session.*anyway/);
    expect((await ask('POST', '', { ...often, repeat: 'daily' })).status).toBe(200);
    const silent = { ...VWAP, kind: 'silent', parameters: { minutes: 2 } };
    expect((await ask('POST', '/preview', silent)).body).toMatchObject({ verdict: 'quiet', fired: 0 });
  });

  it('is one of a limited number', async () => {
    await database.write(
      `insert into alert_rule (id, owner, kind, parameters, symbols, simulated, hours, repeat, delay_ms, since, created_at)
       select gen_random_uuid(), $1, 'silent', '{"minutes":5}', array['ACME'], false, 'regular', 'daily', 0, now(), now()
       from generate_series(1, $2)`,
      [credentials.client_id, ALERTS_MAX],
    );
    expect((await ask('POST', '', { ...VWAP, anyway: true })).body).toMatchObject({
      code: 'conflict',
      detail: expect.stringMatching(/500 alerts.*delete/),
    });
  });
});

/** What browsers got. */
const pushed: { readonly body: Buffer; readonly headers: IncomingHttpHeaders }[] = [];
/** A receiver that answers as it is told; it notes what it got. */
const secrets = new Map<string, string>();
let wakeHang: () => void = () => {};
const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (bytes) => parts.push(bytes));
  request.on('end', () => {
    const path = request.url!;
    const body = Buffer.concat(parts);
    const text = body.toString();
    if (path.startsWith('/push')) {
      pushed.push({ body, headers: request.headers });
      response.statusCode = path === '/push' ? 201 : Number(path.slice(-3));
      return response.end();
    }
    const headers = request.headers as Record<string, string>;
    const own = secrets.get(path) ?? '';
    const signed = new Webhook(own).sign(
      headers['webhook-id']!,
      new Date(Number(headers['webhook-timestamp']) * 1_000),
      text,
    );
    got.push({ path, id: headers['webhook-id']!, isSigned: signed === headers['webhook-signature'] });
    if (path === '/hangs') return wakeHang();
    if (path === '/moved') response.setHeader('location', '/fine');
    response.statusCode = { '/fine': 204, '/fails': 500, '/gone': 410, '/moved': 302 }[path]!;
    response.end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
afterAll(() => receiver.close());
const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

async function receiverAt(path: string, more: object = {}): Promise<string> {
  const { status, body } = await ask('PUT', `/receivers/${randomUUID()}`, {
    channel: 'webhook',
    address: origin + path,
    ...more,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  secrets.set(path, body.secret);
  return body.id;
}
const deliveriesOf = async (alert: string) =>
  (await ask('GET', `/firings?alert=${alert}`)).body.firings.map(
    ({ deliveries }: { deliveries: { state: string; log: { says: string }[] }[] }) =>
      deliveries.map(({ state, log }) => [state, ...log.map(({ says }) => says)]),
  );
/** A process that delivers begins at an instant; it ends after the test. */
async function begin(at = now) {
  const timers = new SteppedTimers(at);
  const scope = new Scope('delivery', timers);
  onTestFinished(() => scope.close());
  await new AlertDelivery(scope, app.context, (error) => expect.unreachable(String(error))).begin();
  return { scope, timers };
}
async function deliver(at = now): Promise<void> {
  const { scope } = await begin(at);
  await scope.idle();
  await scope.close();
}
const dueAt = async (): Promise<number | null> => {
  const [row] = await database.query<{ next_at: Date | null }>('select next_at from alert_outbox');
  return row!.next_at?.getTime() ?? null;
};

describe('a delivery', () => {
  it('is signed, and comes under the id of its firing', async () => {
    await receiverAt('/fine');
    const firing = await fire(await add(), 'ACME', '2024-03-13T19:00:00Z');
    await deliver();
    expect(got).toEqual([{ path: '/fine', id: firing.id, isSigned: true }]);
    expect(await deliveriesOf(firing.rule)).toEqual([[['delivered', 'delivered']]]);
  });

  it('that fails is tried again later and later, then is given up and reported', async () => {
    await receiverAt('/fails');
    const firing = await fire(await add(), 'ACME', '2024-03-13T19:00:00Z');
    await deliver();
    const waits: number[] = [];
    for (let at = now, next = await dueAt(); next !== null; at = next, next = await dueAt()) {
      waits.push((next - at) / 1_000);
      await deliver(next - 1);
      expect(got).toHaveLength(waits.length);
      await deliver(next);
    }
    for (const [at, least] of [10, 60, 300, 1_800, 7_200, 21_600].entries())
      expect(waits[at]! / least - 1).toSatisfy((more: number) => more >= 0 && more <= 0.2);
    expect(got.map(({ id }) => id)).toEqual(Array(7).fill(firing.id));
    const [[[state, ...log]]] = await deliveriesOf(firing.rule);
    expect([state, log.length, log[0]]).toEqual(['failed', 7, 'it answered 500']);
    expect((await ask('GET', `/${firing.rule}`)).body.notes).toMatchObject([
      { says: expect.stringMatching(/answered 500/) },
    ]);
  });

  it('to one that answers 410 disables it, until a test arrives', async () => {
    const id = await receiverAt('/gone');
    const firing = await fire(await add(), 'ACME', '2024-03-13T19:00:00Z');
    await deliver();
    const says = 'it answered 410: it wants no more';
    expect(await deliveriesOf(firing.rule)).toEqual([[['failed', says]]]);
    expect((await ask('GET', '/receivers')).body.receivers).toMatchObject([{ id, disabled: says }]);
    const next = await fire(firing.rule, 'ACME', '2024-03-13T19:01:00Z');
    await deliver();
    expect(got.map((one) => one.id)).toEqual([firing.id]);
    expect((await deliveriesOf(next.rule))[0]).toEqual([]);
    expect((await ask('POST', `/receivers/${id}`)).body).toMatchObject({ delivered: false });
    const address = JSON.stringify({ address: `${origin}/fine`, secret: secrets.get('/gone') });
    secrets.set('/fine', secrets.get('/gone')!);
    await database.write('update alert_receiver set target = $1::json', [address]);
    expect((await ask('POST', `/receivers/${id}`)).body).toMatchObject({ delivered: true });
    expect((await ask('GET', '/receivers')).body.receivers).toMatchObject([{ disabled: null }]);
  });

  it('is not sent on where it is redirected', async () => {
    await receiverAt('/moved');
    const firing = await fire(await add(), 'ACME', '2024-03-13T19:00:00Z');
    await deliver();
    expect(got.map(({ path }) => path)).toEqual(['/moved']);
    expect(await deliveriesOf(firing.rule)).toEqual([[['waiting', 'it answered 302']]]);
  });

  it('to one that hangs ends in time, and holds up no other', async () => {
    await receiverAt('/hangs');
    await receiverAt('/fine');
    const hung = new Promise<void>((resolve) => {
      wakeHang = resolve;
    });
    const firing = await fire(await add(), 'ACME', '2024-03-13T19:00:00Z');
    const { scope, timers } = await begin();
    await hung;
    await timers.advance(10_000);
    await scope.idle();
    const [states] = await deliveriesOf(firing.rule);
    expect(states.toSorted()).toEqual([
      ['delivered', 'delivered'],
      ['waiting', 'it did not answer within 10 s'],
    ]);
  });

  it('waits for quiet hours to end and for the delay of its owner, and is held by a budget and an ended grant', async () => {
    await receiverAt('/fine', {
      quiet: { from: '13:00', to: '17:00', time_zone: 'America/New_York' },
      per_day: 1,
    });
    const late = await grant({ feed: 'delayed' });
    const [own, delayed] = [await add(), await add(VWAP, late.token)];
    await fire(own, 'ACME', '2024-03-13T19:00:00Z');
    await deliver();
    expect(got).toEqual([]);
    const morning = (await dueAt())!;
    expect(morning - now).toBe(55 * 60_000);
    await deliver(morning);
    expect(got).toHaveLength(1);
    await fire(delayed, 'ACME', '2024-03-13T20:00:00Z');
    await deliver(morning);
    expect(await deliveriesOf(delayed)).toEqual([[['held', 'the budget of 1 a day is used up']]]);
    await database.write('update alert_receiver set per_day = 9, quiet = null');
    // The clock of the market stands still.
    await fire(delayed, 'ACME', '2024-03-13T20:01:00Z');
    await deliver(morning);
    expect(got).toHaveLength(1);
    expect((await ask('GET', `/firings?alert=${delayed}&limit=1`)).body.firings[0].deliveries).toMatchObject([
      { state: 'waiting', log: [] },
    ]);
    await revokeGrant(database, late.id, now);
    await fire(delayed, 'ACME', '2024-03-13T18:00:00Z');
    await deliver(morning);
    expect((await deliveriesOf(delayed)).at(-1)).toEqual([
      ['held', 'the grant of its owner has expired or was revoked'],
    ]);
    const { body } = await ask('GET', `/${delayed}`);
    expect(body).toMatchObject({ state: 'stopped' });
    expect(body.notes.at(-1).says).toMatch(/expired or was revoked/);
  });
});

describe('a browser', () => {
  it('of the example of RFC 8291 reads it', () => {
    const reader = subscriber({
      privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    });
    const body =
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
    expect(reader.read(Buffer.from(body, 'base64url'))).toBe('When I grow up, I want to be a watermelon');
  });

  it('gets what it alone can read, from a service that it knows by its key', async () => {
    const reader = subscriber();
    const receiver = await receiverAt('/push', { channel: 'push', keys: reader.keys });
    const firing = await fire(await add(), 'ACME', '2024-03-13T19:00:00Z');
    await deliver();
    const [{ body, headers }, ...others] = pushed as [(typeof pushed)[number]];
    expect(others).toEqual([]);
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
    expect(JSON.parse(reader.read(body))).toEqual({
      id: firing.id,
      title: 'ACME: price crossed above VWAP (101.20), now 101.50',
      body: 'ACME, when price crosses VWAP, once a day',
      path: '/stocks/ACME?as_of=2024-03-13T19:00:00.000Z',
      at: '2024-03-13T19:00:00.000Z',
    });
    expect(() => subscriber().read(body)).toThrow();
    const { push_key, receivers } = (await ask('GET', '/receivers')).body;
    expect(receivers).toMatchObject([{ id: receiver, channel: 'push', secret: null }]);
    expect(JSON.stringify(receivers)).not.toContain(reader.keys.auth);
    const [, token, key] = /^vapid t=(.+), k=(.+)$/.exec(headers.authorization!)!;
    expect(key).toBe(push_key);
    const point = Buffer.from(key!, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
    const known = await importJWK({ kty: 'EC', crv: 'P-256', x: x!, y: y! }, 'ES256');
    await jwtVerify(token!, known, { audience: origin });
  });

  it.each([404, 410])('whose subscription has ended (%i) is no receiver any more', async (status) => {
    await receiverAt(`/push/${status}`, { channel: 'push', keys: subscriber().keys });
    const firing = await fire(await add(), 'ACME', '2024-03-13T19:00:00Z');
    await deliver();
    expect(pushed).toHaveLength(1);
    expect((await ask('GET', '/receivers')).body.receivers).toEqual([]);
    expect((await ask('GET', `/${firing.rule}`)).body.notes).toMatchObject([
      { says: `Not delivered by push: it answered ${status}: it wants no more.` },
    ]);
  });

  it('gives its keys once, and is refused without them', async () => {
    const reader = subscriber();
    const address = `${origin}/push`;
    const without = await ask('PUT', `/receivers/${randomUUID()}`, { channel: 'push', address });
    expect([without.status, without.text]).toEqual([422, expect.stringMatching(/`keys`/)]);
    const id = await receiverAt('/push', { channel: 'push', keys: reader.keys });
    const quiet = { from: '22:00', to: '07:00', time_zone: 'Europe/Athens' };
    const { body } = await ask('PUT', `/receivers/${id}`, { channel: 'push', address, quiet, per_day: 5 });
    expect(body).toMatchObject({ id, quiet, per_day: 5 });
    expect((await ask('POST', `/receivers/${id}`)).body).toEqual({ delivered: true, says: 'It arrived.' });
    expect(JSON.parse(reader.read(pushed[0]!.body))).toMatchObject({ title: 'tigraph: a test' });
  });
});

describe('an address', () => {
  it.each([
    ['127.0.0.1', true],
    ['10.1.2.3', true],
    ['169.254.169.254', true],
    ['::1', true],
    ['::ffff:10.0.0.1', true],
    ['fd00::1', true],
    ['64:ff9b::a00:1', true],
    ['93.184.216.34', false],
    ['2606:4700::1111', false],
  ])('%s is private: %s', (address, isPrivate) => {
    expect(isPrivateAddress(address)).toBe(isPrivate);
  });

  it('of this network is refused, as a number, as a name and once a name is looked up', async () => {
    const { app: strict } = await freshApp({ TIGRAPH_NOW: NOW });
    const closed = await serverOf(strict);
    const url = `/api/graph/v1/alerts/receivers/${randomUUID()}`;
    for (const host of [
      '127.0.0.1:1',
      'localhost',
      '[::1]',
      '192.168.0.9',
      '2130706433',
      '0x7f.1',
      'a.localhost',
    ]) {
      const payload = { channel: 'webhook', address: `http://${host}/` };
      const answer = await closed.inject({ method: 'PUT', url, payload });
      expect([host, answer.statusCode, answer.body]).toEqual([
        host,
        422,
        expect.stringMatching(/private address.*TIGRAPH_ALERTS_PRIVATE/),
      ]);
    }
    const push = await closed.inject({
      method: 'PUT',
      url,
      payload: { channel: 'push', address: 'https://10.0.0.1/', keys: subscriber().keys },
    });
    expect([push.statusCode, push.body]).toEqual([422, expect.stringMatching(/private address/)]);
    const { publicLookup } = await import('../../../src/alerts/channels/private-address.ts');
    const refused = await new Promise<Error | null>((resolve) => {
      publicLookup('localhost', {}, (error) => resolve(error));
    });
    expect(refused?.message).toMatch(/private address/);
  });
});

import Fastify, { type FastifyInstance } from 'fastify';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { readAudit } from '../../../src/api/access/audit-trail.ts';
import { createGrant, type GrantTerms, revokeClient, revokeGrant } from '../../../src/api/access/clients.ts';
import { SCOPES } from '../../../src/api/access/scopes.ts';
import { authenticate } from '../../../src/api/http/authentication.ts';
import { answerErrors } from '../../../src/api/http/errors.ts';
import { type Credentials, handClock, newCredentials, serverByClock, WIDE } from '../../support/access.ts';
import { expectFaults, expectRefused, faultsOf } from '../../support/answers.ts';
import { freshMarket } from '../../support/app.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { words } from '../../support/tables.ts';

/** The contract of `POST /api/graph/v1/chart-agent-auth/token`, by status, and of what its tokens open. */

const EXCHANGE = '/api/graph/v1/chart-agent-auth/token';
const ACME = '/api/graph/v1/stocks/ACME';
const DELAY_MS = 900_000;
/** The market clock is fixed at noon of New York, in the middle of a session. */
const NOON = '2024-03-05T17:00:00Z';
/** Another process on the same store. */
const serve = (options = {}) => serverByClock(app, clock, options);

/** Every exchange of a test comes from a separate address unless it says otherwise. */
let addresses = 0;
const newAddress = (): string => `10.0.${++addresses >> 8}.${addresses & 255}`;

const post = (payload: unknown, remoteAddress = newAddress(), to = server) =>
  to.inject({ method: 'POST', url: EXCHANGE, remoteAddress, payload: payload as object });

const grantOf = (terms: Partial<GrantTerms> = {}) => newCredentials(app.context.database, terms, clock.now());

const asking = (credentials: Credentials, more: object = {}) => ({
  ...credentials,
  agent_id: 'chart-agent',
  scopes: ['stock:read'],
  ttl_seconds: 300,
  ...more,
});

async function tokenOf(credentials: Credentials, more: object = {}): Promise<string> {
  const response = await post(asking(credentials, more));
  expect(response.statusCode, response.body).toBe(200);
  return response.json().access_token;
}

const listening = new WeakMap<FastifyInstance, Promise<string>>();

/** Over a socket: an injected request does not meet the hot answers, which are sent before the framework. */
async function get(url: string, token?: string, at = server) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const address = listening.getOrInsertComputed(at, () => at.listen({ port: 0, host: '127.0.0.1' }));
  const response = await fetch((await address) + url, { headers });
  const body = await response.text();
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    json: () => JSON.parse(body),
  };
}

const app = await freshMarket({ TIGRAPH_NOW: NOON, TIGRAPH_BODY_LIMIT_BYTES: '100000' }, [
  dailyBars('ACME', '2023-01-03', '2024-03-04'),
  minuteBars('ACME', '2024-03-04', '2024-03-05'),
  dailyBars('BETA', '2023-01-03', '2024-03-04'),
]);
const clock = handClock('2026-03-02T12:00:00Z');
const { access, server } = await serve();

describe('200', () => {
  it('answers a token as RFC 6749 has it, that no cache may keep', async () => {
    const credentials = await grantOf();
    const response = await post(asking(credentials, { scopes: ['stock:read', 'chat:read', 'stock:read'] }));
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    expect(response.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'stock:read chat:read',
      expires_at: '2026-03-02T12:05:00.000Z',
      grant_id: credentials.grant_id,
      agent_id: 'chart-agent',
    });
  });

  it('issues tokens that anybody can verify with the published keys', async () => {
    const credentials = await grantOf();
    const token = await tokenOf(credentials);
    const published = await server.inject({ url: '/.well-known/jwks.json' });
    expect(published.headers['cache-control']).toBe('public, max-age=60');
    const { payload } = await jwtVerify(token, createLocalJWKSet(published.json()), {
      currentDate: new Date(clock.now()),
    });
    expect(payload).toMatchObject({ sub: credentials.client_id, agent_id: 'chart-agent' });
    expect(published.body).not.toMatch(/"d"/);
  });

  it('gives each of many simultaneous requests a different token', async () => {
    const credentials = await grantOf();
    const responses = await Promise.all(Array.from({ length: 40 }, () => post(asking(credentials))));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(40).fill(200));
    expect(new Set(responses.map((response) => response.json().access_token)).size).toBe(40);
  });

  it('reads no header of a caller who has none but an old token', async () => {
    const response = await server.inject({
      method: 'POST',
      url: EXCHANGE,
      remoteAddress: newAddress(),
      headers: { authorization: 'Bearer expired' },
      payload: asking(await grantOf()),
    });
    expect(response.statusCode).toBe(200);
  });

  it('issues to an agent of the list', async () => {
    const credentials = await grantOf({ agents: ['chart-agent'] });
    expect((await post(asking(credentials))).statusCode).toBe(200);
    expect((await post(asking(credentials, { agent_id: 'chart-agent2' }))).statusCode).toBe(401);
  });
});

describe('422', () => {
  const nobody: Credentials = { client_id: 'c', client_secret: 's', grant_id: 'g' };

  it.each<[string, object]>([
    ['client_id of 1', { client_id: 'c' }],
    ['client_id of 128', { client_id: 'c'.repeat(128) }],
    ['client_id of 128 characters of two units', { client_id: '🐯'.repeat(128) }],
    ['client_id that no store takes', { client_id: 'zero \0' }],
    ['client_secret of 1', { client_secret: 's' }],
    ['client_secret of 512', { client_secret: 's'.repeat(512) }],
    ['grant_id of 1', { grant_id: 'g' }],
    ['grant_id of 128', { grant_id: 'g'.repeat(128) }],
    ['agent_id of 1', { agent_id: 'a' }],
    ['agent_id of 128', { agent_id: 'a'.repeat(128) }],
    ['1 scope', { scopes: ['chat:read'] }],
    ['8 scopes', { scopes: SCOPES.slice(0, 8) }],
    ['ttl_seconds of 30', { ttl_seconds: 30 }],
    ['ttl_seconds of 900', { ttl_seconds: 900 }],
  ])('not for %s: that is a client nobody knows', async (_, more) => {
    // A separate client for each, so that no failure counts against another.
    await expectRefused(post(asking({ ...nobody, client_id: newAddress() }, more)), 401, 'invalid_client');
  });

  it.each<[string, object, string]>([
    ['client_id of 0', { client_id: '' }, 'body,client_id,string_too_short'],
    ['client_id of 129', { client_id: 'c'.repeat(129) }, 'body,client_id,string_too_long'],
    ['client_id that is a number', { client_id: 1 }, 'body,client_id,string_type'],
    ['client_id that is null', { client_id: null }, 'body,client_id,string_type'],
    ['client_secret of 0', { client_secret: '' }, 'body,client_secret,string_too_short'],
    ['client_secret of 513', { client_secret: 's'.repeat(513) }, 'body,client_secret,string_too_long'],
    ['grant_id of 0', { grant_id: '' }, 'body,grant_id,string_too_short'],
    ['grant_id of 129', { grant_id: 'g'.repeat(129) }, 'body,grant_id,string_too_long'],
    ['agent_id of 0', { agent_id: '' }, 'body,agent_id,string_too_short'],
    ['agent_id of 129', { agent_id: 'a'.repeat(129) }, 'body,agent_id,string_too_long'],
    ['no scope', { scopes: [] }, 'body,scopes,too_short'],
    ['9 scopes', { scopes: SCOPES }, 'body,scopes,too_long'],
    ['scopes that are one word', { scopes: 'stock:read' }, 'body,scopes,list_type'],
    ['a scope that nobody knows', { scopes: ['stock:read', 'stock:write'] }, 'body,scopes,1,literal_error'],
    ['a scope that is no word', { scopes: [7] }, 'body,scopes,0,literal_error'],
    ['ttl_seconds of 29', { ttl_seconds: 29 }, 'body,ttl_seconds,greater_than_equal'],
    ['ttl_seconds of 901', { ttl_seconds: 901 }, 'body,ttl_seconds,less_than_equal'],
    ['ttl_seconds of 60.5', { ttl_seconds: 60.5 }, 'body,ttl_seconds,int_type'],
    ['ttl_seconds that is text', { ttl_seconds: '60' }, 'body,ttl_seconds,int_type'],
    ['ttl_seconds that is true', { ttl_seconds: true }, 'body,ttl_seconds,int_type'],
    ['a key that does not exist', { ttl: 60 }, 'body,ttl,extra_forbidden'],
  ])('%s', async (_, more, fault) => {
    await expectFaults(post(asking(nobody, more)), fault);
  });

  it.each(['client_id', 'client_secret', 'grant_id', 'agent_id', 'scopes', 'ttl_seconds'])(
    'without %s',
    async (field) => {
      const { [field]: _, ...rest } = asking(nobody) as Record<string, unknown>;
      await expectFaults(post(rest), `body,${field},missing`);
    },
  );

  it('names the bounds and the allowed values', async () => {
    const response = await post(asking(nobody, { ttl_seconds: 901, scopes: ['gossip'] }));
    const [scope, ttl] = response.json().detail;
    expect(ttl).toMatchObject({ ctx: { le: 900 }, input: 901 });
    expect(scope.input).toBe('gossip');
    for (const word of SCOPES) expect(scope.ctx.expected).toContain(`'${word}'`);
  });

  it('reports all faults at once', async () => {
    const response = await post({ client_id: '', scopes: ['x'], ttl_seconds: 1, more: 1 });
    expect(faultsOf(response).sort()).toEqual(
      words`
      body,agent_id,missing body,client_id,string_too_short body,client_secret,missing
      body,grant_id,missing body,more,extra_forbidden body,scopes,0,literal_error
      body,ttl_seconds,greater_than_equal`,
    );
  });

  it.each<[string, unknown]>([
    ['too long', { client_secret: `hush-hush${'x'.repeat(600)}` }],
    ['under a wrong name', { client_secret: 's', clientSecret: 'hush-hush' }],
    ['beside a missing field', { client_secret: 'hush-hush', agent_id: undefined }],
    ['in a list', { client_secret: ['hush-hush'] }],
    ['in an object', { client_secret: { value: 'hush-hush' } }],
  ])('never says a secret back: %s', async (_, more) => {
    const response = await post(asking(nobody, more as object));
    expect(response.statusCode).toBe(422);
    expect(response.body).not.toContain('hush-hush');
  });

  it.each<[string, string, string]>([
    ['broken JSON', '{"client_secret":"hush-hush",', 'body,json_invalid'],
    ['a list', '["hush-hush"]', 'body,dict_type'],
    ['text', '"hush-hush"', 'body,dict_type'],
    ['nothing', '', 'body,json_invalid'],
    ['what would change the program', '{"__proto__":{"client_secret":"hush-hush"}}', 'body,json_invalid'],
  ])('a body that is %s', async (_, payload, fault) => {
    const headers = { 'content-type': 'application/json' };
    const response = await server.inject({ method: 'POST', url: EXCHANGE, headers, payload });
    expect([response.statusCode, faultsOf(response)]).toEqual([422, [fault]]);
    expect(response.body).not.toContain('hush-hush');
  });
});

describe('401', () => {
  /** Every way to be refused, each of a client and grant that is good but for it. */
  async function refusedCredentials(): Promise<Record<string, Credentials>> {
    const good = await grantOf();
    const other = await grantOf();
    const { database } = app.context;
    const revoked = await grantOf();
    await revokeClient(database, revoked.client_id, clock.now());
    const ended = await grantOf();
    await revokeGrant(database, ended.grant_id, clock.now());
    const over = await createGrant(
      database,
      good.client_id,
      { ...WIDE, expiresAt: new Date(clock.now()) },
      clock.now(),
    );
    return {
      'unknown client': { ...good, client_id: 'client_0123456789abcdef0123' },
      'client that cannot be': { ...good, client_id: 'somebody' },
      'wrong secret': { ...good, client_secret: `${good.client_secret.slice(0, -1)}!` },
      "another client's secret": { ...good, client_secret: other.client_secret },
      'unknown grant': { ...good, grant_id: 'grant_0123456789abcdef0123' },
      'foreign grant': { ...good, grant_id: other.grant_id },
      'revoked grant': ended,
      'revoked client': revoked,
      'expired grant': { ...good, grant_id: over.id },
    };
  }

  it('is one answer, whatever is wrong', async () => {
    const answers = new Map<string, string>();
    for (const [why, credentials] of Object.entries(await refusedCredentials())) {
      const { statusCode, headers, body } = await post(asking(credentials));
      const { date: _date, 'x-request-id': _request, ...rest } = headers;
      const { request_id: _id, ...said } = JSON.parse(body);
      answers.set(why, JSON.stringify({ statusCode, said, headers: { ...rest, 'content-length': 0 } }));
    }
    expect(answers.size).toBe(9);
    expect(new Set(answers.values()).size).toBe(1);
    const [answer] = answers.values();
    expect(JSON.parse(answer!)).toMatchObject({
      statusCode: 401,
      said: { code: 'invalid_client' },
      headers: { 'www-authenticate': 'Bearer error="invalid_client"', 'cache-control': 'no-store' },
    });
  });
});

describe('403', () => {
  it('for a scope beyond the grant, disclosed only to a caller with the secret', async () => {
    const credentials = await grantOf({ scopes: ['stock:read'] });
    const refused = post(asking(credentials, { scopes: ['stock:read', 'backtest:run'] }));
    await expectRefused(refused, 403, 'invalid_scope', 'backtest:run');
    const stranger = await post(asking({ ...credentials, client_secret: 'x' }, { scopes: ['backtest:run'] }));
    expect(stranger.statusCode).toBe(401);
  });
});

describe('405, 413, 415', () => {
  it('as everywhere', async () => {
    const got = await server.inject({ url: EXCHANGE });
    expect([got.statusCode, got.headers.allow]).toEqual([405, 'POST']);
    await expectRefused(
      post(asking(await grantOf(), { agent_id: 'a'.repeat(200_000) })),
      413,
      'payload_too_large',
    );
    const form = await server.inject({
      method: 'POST',
      url: EXCHANGE,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'grant_type=client_credentials',
    });
    expect([form.statusCode, form.json().code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('429', () => {
  it('after five failures of a client, until the announced time is over', async () => {
    const credentials = await grantOf();
    const wrong = asking({ ...credentials, client_secret: 'wrong' });
    for (let failure = 0; failure < 5; failure++) expect((await post(wrong)).statusCode).toBe(401);
    const refused = await post(asking(credentials));
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_failures']);
    expect(refused.headers['retry-after']).toBe('1');
    clock.instant += 999;
    expect((await post(asking(credentials))).statusCode).toBe(429);
    clock.instant += 1;
    expect((await post(asking(credentials))).statusCode).toBe(200);
    expect((await post(wrong)).statusCode).toBe(401);
  });

  it('after ten failures from an address, under any client name', async () => {
    const address = newAddress();
    for (let failure = 0; failure < 10; failure++) {
      const nobody = { client_id: `nobody ${failure}`, client_secret: 'x', grant_id: 'x' };
      expect((await post(asking(nobody), address)).statusCode).toBe(401);
    }
    const credentials = await grantOf();
    expect((await post(asking(credentials), address)).statusCode).toBe(429);
    expect((await post(asking(credentials))).statusCode).toBe(200);
  });
});

describe('503', () => {
  it('when more secrets wait to be checked than can be soon', async () => {
    const credentials = await grantOf();
    const responses = await Promise.all(Array.from({ length: 200 }, () => post(asking(credentials))));
    const statuses = Map.groupBy(responses, ({ statusCode }) => statusCode);
    expect([...statuses.keys()].sort()).toEqual([200, 503]);
    expect(statuses.get(200)!.length).toBeGreaterThanOrEqual(52);
    const [refused] = statuses.get(503)!;
    expect(refused!.json().code).toBe('overloaded');
    expect(Number(refused!.headers['retry-after'])).toBeGreaterThan(0);
    expect((await post(asking(credentials))).statusCode).toBe(200);
  });
});

describe('a token on a request', () => {
  const REALTIME = { scopes: ['stock:read', 'market-data:realtime'] };

  it('shows what its grant allows: the market of now, or of fifteen minutes ago', async () => {
    const live = await get(ACME, await tokenOf(await grantOf(), REALTIME));
    const unasked = await get(ACME, await tokenOf(await grantOf()));
    const unentitled = await get(ACME, await tokenOf(await grantOf({ feed: 'delayed' }), REALTIME));
    const anonymous = await get(ACME);
    const seen = [live, unasked, unentitled, anonymous].map((response) => {
      expect(response.statusCode, response.body).toBe(200);
      return [response.json().source, response.json().bar_1min_timestamp];
    });
    expect(seen).toEqual([
      ['realtime_sip', '2024-03-05T17:00:00.000Z'],
      ['delayed', '2024-03-05T16:45:00.000Z'],
      ['delayed', '2024-03-05T16:45:00.000Z'],
      ['delayed', '2024-03-05T16:45:00.000Z'],
    ]);
    expect(live.json().last_price).not.toBe(anonymous.json().last_price);
  });

  it('is never served the answer of another feed, hot or not', async () => {
    const live = await tokenOf(await grantOf(), REALTIME);
    const late = await tokenOf(await grantOf());
    const url = `${ACME}?include=levels`;
    const first = new Map<string | undefined, string>();
    for (let round = 0; round < 6; round++) {
      for (const token of [live, undefined, late, live, 'forged', undefined]) {
        const response = await get(url, token);
        if (token === 'forged') expect(response.statusCode).toBe(401);
        else expect(response.body).toBe(first.getOrInsertComputed(token, () => response.body));
      }
    }
    expect(JSON.parse(first.get(live)!).source).toBe('realtime_sip');
    expect(JSON.parse(first.get(late)!).source).toBe('delayed');
    expect(first.get(late)).toBe(first.get(undefined));
  });

  it('has the same headers from the cache as computed, and declares them to caches', async () => {
    const token = await tokenOf(await grantOf(), REALTIME);
    const url = `${ACME}?include=patterns`;
    const [cold, warm, hot] = [await get(url, token), await get(url, token), await get(url, token)];
    for (const { headers } of [cold, warm, hot]) {
      const { date: _, ...rest } = headers;
      expect({ ...rest, connection: '' }).toEqual({
        ...rest,
        connection: '',
        vary: 'authorization, accept-encoding',
      });
      expect(headers.etag).toBe(cold.headers.etag);
    }
    const known = { authorization: `Bearer ${token}`, 'if-none-match': String(cold.headers.etag) };
    expect((await fetch((await listening.get(server)) + url, { headers: known })).status).toBe(304);
    // The answer of a delayed caller has another cache lifetime than that of a live one.
    const other = { 'if-none-match': String(cold.headers.etag) };
    expect((await fetch((await listening.get(server)) + url, { headers: other })).status).toBe(200);
  });

  it.each([
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer ü',
    'Basic dXNlcjpwYXNz',
    'bearer forged',
    'Token x',
    '',
    `Bearer ${'a'.repeat(9_000)}`,
  ])('is refused as %j, never taken for nobody', async (authorization) => {
    const response = await server.inject({ url: ACME, headers: { authorization } });
    expect([response.statusCode, response.json().code]).toEqual([401, 'invalid_token']);
    expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it.each(['JUNKJUN', 'Bearer-', 'Basic ', 'Bearer\t', '       ', ''])(
    'is refused behind %j instead of its scheme, also when it is known already',
    async (scheme) => {
      const token = await tokenOf(await grantOf());
      expect((await get(ACME, token)).statusCode).toBe(200);
      await expectRefused(
        server.inject({ url: ACME, headers: { authorization: `${scheme}${token}` } }),
        401,
        'invalid_token',
      );
    },
  );

  it('may name its scheme in any case', async () => {
    const token = await tokenOf(await grantOf());
    for (const scheme of ['bearer', 'BEARER', 'Bearer', 'bearer  ']) {
      const response = await server.inject({ url: ACME, headers: { authorization: `${scheme} ${token}` } });
      expect(response.statusCode, scheme).toBe(200);
    }
  });

  it('is refused before anything is said of the request', async () => {
    expect((await get(`${ACME}?dat=1`, 'forged')).statusCode).toBe(401);
    expect((await get('/api/graph/v1/stocks/NOPE', 'forged')).statusCode).toBe(401);
  });

  it('is refused once it is over, also on the short way', async () => {
    const token = await tokenOf(await grantOf(), { ttl_seconds: 30 });
    for (let call = 0; call < 3; call++) expect((await get(ACME, token)).statusCode).toBe(200);
    clock.instant += 29_999;
    expect((await get(ACME, token)).statusCode).toBe(200);
    clock.instant += 1;
    expect((await get(ACME, token)).statusCode).toBe(401);
  });

  it.each(['client', 'grant'] as const)(
    'is refused once its %s is revoked, also on the short way',
    async (what) => {
      const credentials = await grantOf();
      const token = await tokenOf(credentials);
      for (let call = 0; call < 3; call++) expect((await get(ACME, token)).statusCode).toBe(200);
      const { database } = app.context;
      if (what === 'client') await revokeClient(database, credentials.client_id, clock.now());
      else await revokeGrant(database, credentials.grant_id, clock.now());
      await app.idle();
      expect((await get(ACME, token)).statusCode).toBe(401);
    },
  );

  it('opens a second process of the same installation', async () => {
    const token = await tokenOf(await grantOf());
    const second = await serve();
    expect((await get(ACME, token, second.server)).statusCode).toBe(200);
  });

  it('without the scope of an endpoint is 403, with the scope that it takes', async () => {
    const token = await tokenOf(await grantOf(), { scopes: ['chat:read', 'market-data:realtime'] });
    await get(ACME);
    for (let call = 0; call < 3; call++) {
      const response = await get(ACME, token);
      expect([response.statusCode, response.json().code]).toEqual([403, 'insufficient_scope']);
      expect(response.headers['www-authenticate']).toBe(
        'Bearer error="insufficient_scope", scope="stock:read"',
      );
    }
  });

  it('for a symbol of its grant is accepted under each of its names', async () => {
    const token = await tokenOf(await grantOf({ symbols: ['BRK.B'] }));
    for (const name of ['BRK.B', 'brk-b', 'BRK%2FB']) {
      expect((await get(`/api/graph/v1/stocks/${name}`, token)).json().code).toBe('unknown_symbol');
    }
    expect((await get('/api/graph/v1/stocks/BRK-A', token)).statusCode).toBe(403);
  });

  it('for a symbol outside its grant is 403, in any case and on the short way', async () => {
    const token = await tokenOf(await grantOf({ symbols: ['ACME'] }));
    for (let call = 0; call < 3; call++) {
      expect((await get('/api/graph/v1/stocks/BETA')).statusCode).toBe(200);
      await expectRefused(get('/api/graph/v1/stocks/BETA', token), 403, 'symbol_not_granted');
      expect((await get('/api/graph/v1/stocks/beta', token)).statusCode).toBe(403);
      expect((await get('/api/graph/v1/stocks/acme', token)).statusCode).toBe(200);
    }
  });

  it('is 429 beyond the calls of its grant, hot answers among them, and good again after', async () => {
    clock.instant = Date.parse('2026-03-03T12:00:30Z');
    const credentials = await grantOf({ callsPerMinute: 5 });
    const [one, two] = [await tokenOf(credentials), await tokenOf(credentials)];
    const statuses: number[] = [];
    // Both tokens spend the budget of the one grant.
    for (let call = 0; call < 4; call++) {
      statuses.push((await get(ACME, one)).statusCode, (await get(ACME, two)).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    const refused = await get(ACME, one);
    expect([refused.json().code, refused.headers['retry-after']]).toEqual(['budget_exhausted', '30']);
    expect((await get(ACME)).statusCode).toBe(200);
    clock.instant += 30_000;
    expect((await get(ACME, one)).statusCode).toBe(200);
  });

  it('leaves a trail of every call, hot answers among them', async () => {
    const credentials = await grantOf({ symbols: ['ACME'] });
    const token = await tokenOf(credentials, { agent_id: 'the diligent one' });
    for (let call = 0; call < 7; call++) await get('/api/graph/v1/stocks/acme', token);
    await get('/api/graph/v1/stocks/BETA', token);
    await get('/api/graph/v1/stocks/ACME?dat=1', token);
    await post(asking({ ...credentials, client_secret: 'wrong' }, { agent_id: 'a thief' }));
    await access.save();
    const rows = await readAudit(app.context.database, credentials.client_id, new Date(0), 100);
    // Equal calls may be in two rows, where the trail was written between them.
    const calls = new Map<string, number>();
    for (const row of rows) {
      const name = [row.agentId, row.operation, row.symbol, row.status].join();
      calls.set(name, (calls.get(name) ?? 0) + row.calls);
    }
    const counted = Array.from(calls, ([name, count]) => `${name},${count}`);
    expect(counted.sort()).toEqual([
      'a thief,exchangeToken,,401,1',
      'the diligent one,exchangeToken,,200,1',
      'the diligent one,getStock,ACME,200,7',
      'the diligent one,getStock,ACME,422,1',
      'the diligent one,getStock,BETA,403,1',
    ]);
    expect(new Set(rows.map(({ grantId }) => grantId))).toEqual(new Set([credentials.grant_id]));
  });
});

describe('with AUTH_REQUIRED', () => {
  it('callers without a token are refused everything but the way to get one', async () => {
    const strict = await serve({ authRequired: true });
    const refused = await get(ACME, undefined, strict.server);
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'token_required']);
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    const exchanged = await post(asking(await grantOf()), newAddress(), strict.server);
    expect(exchanged.statusCode).toBe(200);
    const token = exchanged.json().access_token;
    for (let call = 0; call < 3; call++) {
      expect((await get(ACME, token, strict.server)).statusCode).toBe(200);
      expect((await get(ACME, undefined, strict.server)).statusCode).toBe(401);
    }
    expect((await get('/.well-known/jwks.json', undefined, strict.server)).statusCode).toBe(200);
    const { paths } = (await get('/openapi.json', undefined, strict.server)).json();
    expect(paths['/api/graph/v1/stocks/{symbol}'].get.security).toEqual([{ bearer: ['stock:read'] }]);
  });
});

describe('what is published', () => {
  it('OpenAPI names the scope of each endpoint, and which of them read no token', async () => {
    const document = (await get('/openapi.json')).json();
    expect(document.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(document.paths['/api/graph/v1/stocks/{symbol}'].get.security).toEqual([
      {},
      { bearer: ['stock:read'] },
    ]);
    const exchange = document.paths[EXCHANGE].post;
    expect(exchange.security).toEqual([]);
    expect(Object.keys(exchange.responses).sort()).toEqual(words`200 401 403 406 413 415 422 429 431 503`);
    const { schema } = exchange.requestBody.content['application/json'];
    expect(schema).toEqual({ $ref: '#/components/schemas/TokenRequest' });
    const body = document.components.schemas.TokenRequest;
    expect(body.required.toSorted()).toEqual(
      words`agent_id client_id client_secret grant_id scopes ttl_seconds`,
    );
    expect(body.properties.client_secret).toMatchObject({ writeOnly: true, minLength: 1, maxLength: 512 });
    expect(body.properties.ttl_seconds).toMatchObject({ minimum: 30, maximum: 900 });
  });

  it('metrics count tokens and audit rows, and name no client', async () => {
    const credentials = await grantOf();
    const token = await tokenOf(credentials);
    await get(ACME, token);
    const { body } = await get('/metrics');
    expect(body).toMatch(/tigraph_verified_tokens [1-9]/);
    expect(body).toMatch(/tigraph_audit_waiting_rows \d/);
    expect(body).toContain('tigraph_audit_dropped_calls_total 0');
    for (const name of Object.values(credentials)) expect(body).not.toContain(name);
    expect(body).not.toContain(token);
  });
});

describe('an internal address', () => {
  /** A server with nothing but the authentication hook and one internal address behind it. */
  async function internalServer(authRequired: boolean): Promise<FastifyInstance> {
    const bare = Fastify();
    answerErrors(bare);
    const authentication = authenticate(bare, { access, authRequired, delayMs: DELAY_MS });
    const route = { url: '/api/internal/sums', operationId: 'sums', scope: 'internal:call' } as const;
    bare.get(route.url, { onRequest: authentication.at(route) }, ({ caller }) => ({
      source: caller!.source,
    }));
    return bare;
  }

  it.each<[string, string, Record<string, string>, string[] | null, number]>([
    ['of this machine', '127.0.0.1', {}, null, 200],
    ['of this machine, by its other names', '127.9.9.9', {}, null, 200],
    ['of this machine, by IPv6', '::1', {}, null, 200],
    ['of this machine, mapped into IPv6', '::ffff:127.0.0.1', {}, null, 200],
    ['passed on by a proxy of this machine', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, null, 403],
    ['passed on, in the standard way', '127.0.0.1', { forwarded: 'for=127.0.0.1' }, null, 403],
    ['of this machine, by name and port', '127.0.0.1', { host: 'localhost:8080' }, null, 200],
    ['of this machine, by number and port', '127.0.0.1', { host: '[::1]:8080' }, null, 200],
    ['led to this machine by a name', '127.0.0.1', { host: 'rebound.example' }, null, 403],
    [
      'led to this machine by a name that looks like it',
      '127.0.0.1',
      { host: '127.0.0.1.example' },
      null,
      403,
    ],
    ['of elsewhere', '192.0.2.1', {}, null, 403],
    ['of an address that looks like ours', '128.0.0.1', {}, null, 403],
    ['of elsewhere with the internal scope', '192.0.2.1', {}, ['internal:call'], 200],
    ['of elsewhere without the internal scope', '192.0.2.1', {}, ['stock:read'], 403],
    ['of this machine whose token lacks the scope', '127.0.0.1', {}, ['stock:read'], 403],
  ])('to a caller %s', async (_, remoteAddress, headers, scopes, status) => {
    const token = scopes === null ? null : await tokenOf(await grantOf(), { scopes });
    const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    for (const authRequired of [false, true]) {
      const bare = await internalServer(authRequired);
      const response = await bare.inject({
        url: '/api/internal/sums',
        remoteAddress,
        headers: { ...headers, ...authorization },
      });
      expect(response.statusCode, response.body).toBe(status);
      await bare.close();
    }
  });
});

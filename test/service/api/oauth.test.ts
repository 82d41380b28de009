import type { FastifyInstance } from 'fastify';
import { decodeJwt } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { askBy, type Send } from '../../../src/agents/login.ts';
import { createGrant, revokeGrant } from '../../../src/api/access/clients.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { bearer, newCredentials, WIDE } from '../../support/access.ts';
import { appOn, bring, freshApp, serverOf } from '../../support/app.ts';
import { dailyBars } from '../../support/market.ts';

/** Client credentials on the wire of OAuth, and what logs in by them; the official client does in mcp.test.ts. */

const MINUTE_MS = 60_000;
const timers = new SteppedTimers(Date.parse('2026-03-05T17:00:00Z'));
const { app, store } = await freshApp({ TIGRAPH_NOW: '2024-03-05T17:00:00Z' }, { timers });
await bring(app, [dailyBars('ACME', '2024-01-02', '2024-03-04')]);
const server = await serverOf(app);
const { database } = app.context;
const clientOf = (terms = {}) => newCredentials(database, terms, timers.now());

const exchange = (form: Record<string, string>) =>
  server.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
  });

describe('the token endpoint', () => {
  it('reads the same of the store for whoever does not know the secret', async () => {
    const query = vi.spyOn(database, 'query');
    const { client_id } = await clientOf();
    const several = await clientOf();
    await createGrant(database, several.client_id, WIDE, timers.now());
    const statements: string[][] = [];
    for (const name of [client_id, several.client_id, 'client_00000000000000000000', '\0']) {
      // What is read for another reason, when an announcement is heard, has been read by then.
      await app.idle();
      query.mockClear();
      const refused = await exchange({ client_id: name, client_secret: 'wrong' });
      expect([refused.statusCode, refused.json().error]).toEqual([401, 'invalid_client']);
      statements.push(query.mock.calls.map(([text]) => String(text)));
    }
    query.mockRestore();
    expect(statements[0]).toHaveLength(1);
    expect(new Set(statements.map(String)).size).toBe(1);
  });

  it('names in the token what it was asked for', async () => {
    const { grant_id: _, ...credentials } = await clientOf();
    const resource = 'http://localhost:80/mcp/token';
    const { access_token } = (await exchange({ ...credentials, resource })).json();
    expect(decodeJwt(access_token).aud).toEqual(['tigraph', resource]);
    const plain = (await exchange(credentials)).json().access_token;
    expect(decodeJwt(plain).aud).toBe('tigraph');
    for (const token of [access_token, plain]) {
      const answer = await server.inject({ url: '/api/graph/v1/symbols', headers: bearer(token) });
      expect(answer.json().source).toBe('realtime_sip');
    }
  });

  it('leaves out grants that have ended or are of other agents', async () => {
    const { client_id, client_secret, grant_id } = await clientOf();
    const add = (terms: object) =>
      createGrant(database, client_id, { ...WIDE, ...terms }, timers.now()).then(({ id }) => id);
    await add({ expiresAt: new Date(timers.now() + 1) });
    await add({ agents: ['another'] });
    await revokeGrant(database, await add({}), timers.now());
    expect((await exchange({ client_id, client_secret })).json().grant_id).toBe(grant_id);
    await revokeGrant(database, grant_id, timers.now());
    expect((await exchange({ client_id, client_secret })).json().error).toBe('invalid_client');
  });
});

describe('the address by which callers know the service', () => {
  it('is in its documents, in challenges and in links, whatever a request names', async () => {
    const publicUrl = 'https://graph.example';
    const behindProxy = await serverOf(await appOn(store, { TIGRAPH_PUBLIC_URL: publicUrl }));
    const metadata = (await behindProxy.inject('/.well-known/oauth-authorization-server/oauth')).json();
    expect(metadata).toMatchObject({
      issuer: `${publicUrl}/oauth`,
      token_endpoint: `${publicUrl}/oauth/token`,
    });
    const resource = (await behindProxy.inject('/.well-known/oauth-protected-resource/mcp/token')).json();
    expect(resource.resource).toBe(`${publicUrl}/mcp/token`);
    const challenge = await behindProxy.inject({ method: 'POST', url: '/mcp/token', payload: {} });
    expect(challenge.headers['www-authenticate']).toContain(`"${publicUrl}/.well-known/`);
    const called = await behindProxy.inject({
      method: 'POST',
      url: '/mcp',
      headers: { accept: 'application/json, text/event-stream' },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'find_symbols', arguments: {} },
      },
    });
    expect(called.body).toContain(`${publicUrl}/screener`);
    const from = async (origin: string): Promise<number> =>
      (await behindProxy.inject({ method: 'POST', url: '/mcp', headers: { origin }, payload: {} }))
        .statusCode;
    expect(await from(publicUrl)).not.toBe(403);
    expect(await from('https://elsewhere.example')).toBe(403);
  });
});

describe('a conversation', () => {
  const send: Send = async (path, { body, ...init }) => {
    const sent = { ...init, url: path, ...(body !== undefined && { payload: body }) };
    const { statusCode, body: text } = await server.inject(sent as never);
    return { status: statusCode, body: JSON.parse(text) };
  };

  it('outlives its tokens', async () => {
    const { client_id, client_secret } = await clientOf();
    const sent = vi.fn(send);
    const ask = askBy(sent, { clientId: client_id, clientSecret: client_secret }, timers);
    const exchanges = () => sent.mock.calls.filter(([path]) => path === '/oauth/token').length;
    for (let minute = 0; minute < 60; minute += 5) {
      const answers = await Promise.all([ask({ path: '/symbols' }), ask({ path: '/symbols' })]);
      for (const { body } of answers) expect(body).toMatchObject({ source: 'realtime_sip' });
      await timers.advance(5 * MINUTE_MS);
    }
    // A token of 15 minutes is used for 14, so three calls of five minutes each.
    expect(exchanges()).toBe(4);
  });

  it('logs in again where its token is refused, and ends with its grant', async () => {
    const { client_id, client_secret, grant_id } = await clientOf();
    const tokens: string[] = [];
    const ask = askBy(
      async (path, init) => {
        if (path === '/oauth/token') return send(path, init);
        tokens.push(init.headers.authorization!);
        return tokens.length === 1 ? { status: 401, body: {} } : send(path, init);
      },
      { clientId: client_id, clientSecret: client_secret },
      timers,
    );
    expect((await ask({ path: '/symbols' })).status).toBe(200);
    expect(new Set(tokens).size).toBe(2);
    await revokeGrant(database, grant_id, timers.now());
    await app.idle();
    await expect(ask({ path: '/symbols' })).rejects.toMatchObject({ body: { code: 'invalid_client' } });
  });
});

describe('a call of a tool', () => {
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'get_stock', arguments: { symbol: 'ACME', fields: ['last_price'] } },
  });
  const limitedServer = async () =>
    serverOf(await appOn(store, { TIGRAPH_REQUESTS_PER_MINUTE: '3' }, { timers }));
  const post = (server: FastifyInstance, payload: object) =>
    server.inject({
      method: 'POST',
      url: '/mcp',
      headers: { accept: 'application/json, text/event-stream' },
      payload,
    });

  it('counts once towards the calls of a network', async () => {
    const limited = await limitedServer();
    const statuses = [];
    for (let calls = 0; calls < 4; calls++) statuses.push((await post(limited, call(calls))).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('counts as often as it is sent in one request', async () => {
    const limited = await limitedServer();
    const { statusCode, body } = await post(limited, [1, 2, 3, 4, 5].map(call));
    expect(statusCode).toBe(200);
    expect(body.match(/"structuredContent"/g)).toHaveLength(3);
    expect(body.match(/rate_limited/g)).toHaveLength(2);
  });
});

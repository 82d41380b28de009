import { describe, expect, it } from 'vitest';
import { createGrant } from '../../../src/api/access/clients.ts';
import { LISTS_MAX, SYMBOLS_MAX } from '../../../src/api/watchlists/schema.ts';
import { bearer, newCredentials, tokenFrom, WIDE } from '../../support/access.ts';
import { bring } from '../../support/app.ts';
import { chatMarket, freshChatService, passOver } from '../../support/chat-service.ts';

const URL = '/api/graph/v1/watchlists';
const DATE = '2024-03-13';
const service = await freshChatService('2024-03-14T01:00:00Z');
const { app, server } = service;
await bring(app, chatMarket());
await passOver(app, DATE);
const credentials = await newCredentials(app.context.database);
const { id: grant_id } = await createGrant(
  app.context.database,
  credentials.client_id,
  { ...WIDE, symbols: ['ACME', 'B0'] },
  Date.now(),
);
const SCOPES = ['stock:read'];
const whole = await tokenFrom(server, credentials, SCOPES);
const narrow = await tokenFrom(server, { ...credentials, grant_id }, SCOPES);
const other = await tokenFrom(server, await newCredentials(app.context.database), SCOPES);

const ask = async (method: 'GET' | 'PUT' | 'DELETE', name = '', payload?: object, token = whole) => {
  const path = name === '' ? URL : `${URL}/${encodeURIComponent(name)}`;
  const answer = await server.inject({
    method,
    url: path,
    headers: bearer(token),
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.json() };
};
const put = (name: string, content: object, token = whole) => ask('PUT', name, content, token);
const names = async (token = whole) =>
  (await ask('GET', '', undefined, token)).body.watchlists.map(({ name }: { name: string }) => name);

describe('a watchlist', () => {
  it('is kept, changed and gone, for its owner alone', async () => {
    expect((await ask('GET')).body).toEqual({ watchlists: [] });
    const made = await put('my twelve', { symbols: ['b0', 'ACME', 'B0'] });
    expect(made).toMatchObject({ status: 200, body: { symbols: ['B0', 'ACME'], screen: null } });
    expect(await put('my twelve', { symbols: ['C1'] })).toMatchObject({ body: { symbols: ['C1'] } });
    expect((await ask('GET', 'my twelve')).body.symbols).toEqual(['C1']);
    expect(await names()).toEqual(['my twelve']);
    expect(await names(other)).toEqual([]);
    expect((await ask('GET', 'my twelve', undefined, other)).status).toBe(404);
    expect((await ask('DELETE', 'my twelve', undefined, other)).status).toBe(404);
    expect((await ask('DELETE', 'my twelve')).body).toEqual({ name: 'my twelve' });
    expect((await ask('DELETE', 'my twelve')).body).toMatchObject({ code: 'unknown_watchlist' });
  });

  it('fills itself by a screen', async () => {
    const screen = { filter: { field: 'symbol', op: 'in', value: ['ACME', 'C1'] } };
    expect((await put('by screen', { screen })).body).toMatchObject({ symbols: ['ACME', 'C1'], screen });
    expect((await ask('GET')).body.watchlists[0]).toMatchObject({ symbols: null, screen });
    await ask('DELETE', 'by screen');
  });

  it('shows a narrowed grant only its stocks, and takes no others from it', async () => {
    await put('both', { symbols: ['ACME', 'C1'] });
    expect((await ask('GET', 'both', undefined, narrow)).body.symbols).toEqual(['ACME']);
    expect((await put('both', { symbols: ['C1'] }, narrow)).body).toMatchObject({
      code: 'symbol_not_granted',
    });
    expect((await ask('GET', 'both')).body.symbols).toEqual(['ACME', 'C1']);
    await ask('DELETE', 'both');
  });

  it.each([
    ['names every symbol without data', { symbols: ['ACME', 'NOPE', 'NADA'] }, ['NOPE', 'NADA']],
    [
      'is not longer than its limit',
      { symbols: Array.from({ length: 5_000 }, (_, at) => `S${at}`) },
      ['5000', `${SYMBOLS_MAX}`],
    ],
    ['is of symbols or of a screen', { symbols: ['ACME'], screen: {} }, ['either']],
    ['is of something', {}, ['either']],
    ['has a screen that can be read', { screen: { filter: { field: 'nope', op: '>', value: 1 } } }, ['nope']],
  ])('%s', async (_, content, said) => {
    const { status, body } = await put('refused', content);
    expect(status).toBe(422);
    for (const word of said) expect(JSON.stringify(body.detail)).toContain(word);
    expect(await names()).toEqual([]);
  });

  it('is one of so many', async () => {
    for (let at = 0; at < LISTS_MAX; at++) await put(`list ${at}`, { symbols: ['ACME'] });
    expect(await put('one more', { symbols: ['ACME'] })).toMatchObject({ status: 409 });
    expect((await put('list 0', { symbols: ['B0'] })).status).toBe(200);
    expect(await names()).toHaveLength(LISTS_MAX);
  });
});

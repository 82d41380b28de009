import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshStore } from '../../support/app.ts';
import { callCommand, startCommand } from '../../support/command.ts';
import { temporaryDirectory } from '../../support/tape.ts';

const CSV =
  'date,open,high,low,close,volume\n2024-03-01,10,11,9,10.5,1000\n2024-03-04,10.5,12,10,11.5,1200\n';

const store = await freshStore();
// While it is open every command is a guest of its server, and starts none.
await store.open();
const settings = {
  TIGRAPH_DATA_DIR: store.options.dataDirectory,
  DATABASE_URL: store.options.databaseUrl ?? '',
  PORT: '0',
  QUERY_TIMEOUT_MS: '60000',
};

describe('client and grant', () => {
  /** What a command prints. */
  async function tigraph(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await callCommand(words, settings);
    expect(code, stderr).toBe(0);
    return stdout;
  }

  it('make, list and revoke, and show a secret once', async () => {
    const made = await tigraph('client', 'create', 'a desk');
    const [, id] = /^client {2}(client_[0-9a-f]{20}) {2}a desk$/m.exec(made)!;
    const [, secret] = /^secret {2}(tgs_[\w-]{43})$/m.exec(made)!;
    const terms = [
      '--scopes',
      'stock:read, market-data:realtime',
      '--feed',
      'realtime_sip',
      '--symbols',
      'spy,IBM',
    ];
    const limits = ['--calls-per-minute', '60', '--calls-per-day', '1000', '--agents', 'a,b', '--expires'];
    const granted = await tigraph('grant', 'create', id!, ...terms, ...limits, '2099-12-31', '--json');
    expect(JSON.parse(granted)).toMatchObject({
      client_id: id,
      scopes: ['stock:read', 'market-data:realtime'],
      feed: 'realtime_sip',
      symbols: ['SPY', 'IBM'],
      agents: ['a', 'b'],
      calls_per_minute: 60,
      calls_per_day: 1000,
      expires_at: '2100-01-01T00:00:00.000Z',
      revoked_at: null,
    });
    const grantId = JSON.parse(granted).grant_id;
    const plain = await tigraph('grant', 'create', id!, '--scopes', 'chat:read');
    expect(plain).toMatch(
      /^grant {2}grant_[0-9a-f]{20} {2}delayed {2}chat:read {2}all symbols {2}any agent\n$/,
    );
    expect(await tigraph('grant', 'revoke', grantId)).toContain(`${grantId} is revoked since`);
    const grants = JSON.parse(await tigraph('grant', 'list', id!, '--json'));
    expect(grants.map((grant: { revoked_at: string | null }) => grant.revoked_at !== null)).toEqual([
      true,
      false,
    ]);
    expect(await tigraph('client', 'end-tokens')).toContain('Every token has ended');
    expect(await tigraph('client', 'revoke', id!)).toContain(`${id} is revoked since`);
    const listed = await tigraph('client', 'list');
    expect(listed).toMatch(new RegExp(`^${id} .* a desk {2}revoked `));
    expect(listed).not.toContain(secret);
    await expect(tigraph('grant', 'create', id!, '--scopes', 'chat:read')).rejects.toThrow('was revoked');
  });

  it.each<[string[], RegExp]>([
    [['client'], /Commands:[\s\S]*create[\s\S]*list[\s\S]*revoke[\s\S]*audit[\s\S]*end-tokens/],
    [['grant', 'widen', 'x'], /unknown command 'widen'/],
    [['client', 'create'], /missing required argument 'name'/],
    [['client', 'create', 'two', 'names'], /too many arguments/],
    [['client', 'create', 'x'.repeat(101)], /1 to 100 characters/],
    [['client', 'create', 'bell \u0007'], /all of them visible/],
    [['client', 'revoke', 'nobody'], /no client "nobody"/],
    [['client', 'audit', 'nobody'], /no client "nobody"/],
    [['client', 'audit', 'x', '--since', 'yesterday'], /'yesterday' is invalid. It is neither/],
    [['grant', 'create', 'nobody', '--scopes', 'stock:read'], /no client "nobody"/],
    [['grant', 'create', 'x'], /'--scopes <list>' not specified/],
    [['grant', 'create', 'x', '--scopes', ' , '], /It lists nothing/],
    [['grant', 'create', 'x', '--scopes', 'stock:write'], /stock:write is none of stock:read/],
    [['grant', 'create', 'x', '--scopes', 'stock:read', '--feed', 'fast'], /Allowed choices are delayed/],
    [
      ['grant', 'create', 'x', '--scopes', 'stock:read', '--feed', 'realtime_sip'],
      /market-data:realtime as well/,
    ],
    [['grant', 'create', 'x', '--scopes', 'stock:read', '--calls-per-day', '0'], /from 1 to/],
    [['grant', 'create', 'x', '--scopes', 'stock:read', '--calls-per-minute', '1.5'], /from 1 to/],
    [['grant', 'create', 'x', '--scopes', 'stock:read', '--expires', '2020-01-01'], /has passed already/],
    [['grant', 'create', 'x', '--scopes', 'stock:read', '--expires', '2099-02-30'], /neither a date/],
    [['grant', 'create', 'x', '--scopes', 'stock:read', '--symbols', 'A B'], /A B is no ticker/],
    [['grant', 'list', 'nobody'], /no client "nobody"/],
    [['grant', 'revoke', 'nothing'], /no grant "nothing"/],
  ])('%j is a wrong call', async (words, sentence) => {
    const { code, stdout, stderr } = await callCommand(words, settings);
    expect([code, stdout]).toEqual([sentence.source.startsWith('no ') ? 1 : 2, '']);
    expect(stderr).toMatch(sentence);
  });
});

const STOCK = '/api/graph/v1/stocks/ACME';
const EXCHANGE = '/api/graph/v1/chart-agent-auth/token';

describe('a running service', () => {
  it('serves imports and clients made beside it, refuses the revoked, writes an audit trail, logs no secret, and stops cleanly while a caller holds a request half sent', async () => {
    const tigraph = (...words: string[]) => callCommand(words, settings);
    const directory = temporaryDirectory();
    const importCsv = (symbol: string) => {
      const file = join(directory, `${symbol}.csv`);
      writeFileSync(file, CSV);
      return tigraph('import', 'csv', file);
    };
    await importCsv('ACME');
    const service = startCommand(['serve'], {
      ...settings,
      LOG_LEVEL: 'trace',
      AUTH_REQUIRED: 'true',
      TIGRAPH_SHUTDOWN_MS: '500',
    });
    await expect.poll(service.output, { timeout: 60_000 }).toMatch(/tigraph serves at http:/);
    const base = /tigraph serves at (http:\S+)/.exec(service.output())![1]!;
    const client = JSON.parse((await tigraph('client', 'create', 'beside', '--json')).stdout);
    const grant = JSON.parse(
      (await tigraph('grant', 'create', client.client_id, '--scopes', 'stock:read', '--json')).stdout,
    );
    const exchange = async (client_secret: string): Promise<Response> =>
      fetch(`${base}${EXCHANGE}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_id: client.client_id,
          client_secret,
          grant_id: grant.grant_id,
          agent_id: 'agent\u001b[2J',
          scopes: ['stock:read'],
          ttl_seconds: 900,
        }),
      });
    expect((await exchange('not-the-secret-at-all')).status).toBe(401);
    const { access_token: token } = (await (await exchange(client.client_secret)).json()) as {
      access_token: string;
    };
    const get = async (headers: Record<string, string>, symbol = 'ACME'): Promise<number> =>
      (await fetch(`${base}${STOCK.replace('ACME', symbol)}`, { headers })).status;
    const authorization = `Bearer ${token}`;
    const statuses = [await get({}), await get({ authorization }), await get({ authorization })];
    expect(statuses).toEqual([401, 200, 200]);
    expect(await get({ authorization }, 'LATE')).toBe(404);
    expect((await importCsv('LATE')).code).toBe(0);
    await expect.poll(() => get({ authorization }, 'LATE'), { timeout: 15_000 }).toBe(200);
    expect((await tigraph('grant', 'revoke', grant.grant_id)).code).toBe(0);
    // Until the service has heard of it.
    let served = 2;
    await expect
      .poll(
        async () => {
          const status = await get({ authorization });
          if (status === 200) served++;
          return status;
        },
        { timeout: 15_000 },
      )
      .toBe(401);
    expect((await exchange(client.client_secret)).status).toBe(401);
    const metrics = await (await fetch(`${base}/metrics`)).text();
    const wrong = 'tgs_ThisIsASecretOfAClient';
    const forged = { authorization: `Bearer eyJhbGciOiJub25lIn0.${wrong}.x` };
    expect(await get(forged)).toBe(401);
    for (const [status, path, body] of [
      [401, `${STOCK}?access_token=${wrong}`],
      [422, EXCHANGE, `{"client_secret":"${wrong}"}`],
      [422, EXCHANGE, `{"client_secret":"${wrong}", oops`],
    ] as const) {
      const headers = { 'content-type': 'application/json' };
      const how = body === undefined ? {} : { method: 'POST', headers, body };
      expect((await fetch(`${base}${path}`, how)).status, body).toBe(status);
    }
    const { hostname, port } = new URL(base);
    const line = (bytes: string): Promise<string> => {
      const socket = connect(Number(port), hostname, () => void socket.write(bytes));
      let heard = '';
      socket.setEncoding('utf8').on('data', (part) => {
        heard += part;
      });
      return new Promise((resolve) => socket.on('error', () => {}).on('close', () => resolve(heard)));
    };
    const broken = `GET / HTTP/1.1\r\nAuthorization: Bearer ${wrong}\r\nbroken line\r\n\r\n`;
    expect(await line(broken)).toMatch(/^HTTP\/1.1 400 /);
    const half = line('GET / HTTP/1.1\r\nHost: ');
    service.process.kill('SIGTERM');
    await half;
    // It was logged, at the level that says most.
    expect(service.output()).toContain('refused before it was a request');
    expect(await service.ended).toMatchObject({ code: 0, signal: null });
    const trail = (await tigraph('client', 'audit', client.client_id)).stdout;
    expect(trail).toMatch(/ {2}401 {2}exchangeToken {2}agent\\u\{1b\}\[2J {2}grant_/);
    expect(trail).toMatch(/ {2}200 {2}getStock ACME {2}agent/);
    expect(trail).not.toContain('\u001b');
    const counted = (await tigraph('client', 'audit', client.client_id, '--json')).stdout.trim().split('\n');
    const calls = counted
      .map((line) => JSON.parse(line))
      .filter(({ operation, symbol }) => operation === 'getStock' && symbol === 'ACME');
    expect(calls.reduce((sum, row) => sum + row.calls, 0)).toBe(served);
    expect((await tigraph('client', 'audit', client.client_id, '--since', '2099-01-01')).stdout).toContain(
      'Nothing since 2099-01-01T00:00:00.000Z',
    );
    for (const said of [service.output(), metrics, trail]) {
      for (const secret of [client.client_secret, 'not-the-secret-at-all', token, wrong]) {
        expect(said).not.toContain(secret);
      }
    }
  }, 120_000);
});

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/agents/tools.ts';
import { afterwards } from '../../support/app.ts';
import { callCommand, runCommand, startCommand } from '../../support/command.ts';
import { makeTestStore } from '../../support/database.ts';
import { temporaryDirectory } from '../../support/tape.ts';

/** `tigraph mcp` as assistants start it, by the official client. */

const PROGRAM = resolve(import.meta.dirname, '../../../bin/tigraph');

async function start(
  dataDirectory: string,
  { mode = 'auto', args = [], more = {} }: { mode?: 'auto' | 'legacy'; args?: string[]; more?: object } = {},
): Promise<Client> {
  const client = new Client({ name: 'a test', version: '0' }, { versionNegotiation: { mode } });
  const env = { ...process.env, TIGRAPH_DATA_DIR: dataDirectory, ...more } as Record<string, string>;
  await client.connect(
    new StdioClientTransport({ command: PROGRAM, args: ['mcp', ...args], env, stderr: 'ignore' }),
  );
  afterwards(() => client.close());
  return client;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  return { isError, value: JSON.parse((content as unknown as [{ text: string }])[0].text) };
}

describe('tigraph mcp', () => {
  it('lists its tools before its data is open, and says to who asks why it cannot be', async () => {
    const file = join(temporaryDirectory(), 'no-directory');
    writeFileSync(file, '');
    const client = await start(file);
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
    const { isError, value } = await call(client, 'find_symbols', {});
    expect(isError).toBe(true);
    expect(value).toMatchObject({ error: expect.any(String), message: expect.stringContaining(file) });
  });

  it('takes no half of a login, which would be delayed data in silence', async () => {
    const { code, stderr } = await runCommand(['mcp'], { TIGRAPH_CLIENT_ID: 'client_x' });
    expect(code).toBe(1);
    expect(stderr).toContain('TIGRAPH_CLIENT_SECRET');
    expect(await callCommand(['mcp', '--client-secret', 'x'], {})).toMatchObject({ code: 2 });
  });

  it('takes its secret to no address but the one that it was given', async () => {
    const heard: string[] = [];
    const other = createServer((request, response) => {
      heard.push(request.url!);
      response.end('{}');
    });
    const home = createServer((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${portOf(other)}/oauth/token` }).end();
    });
    for (const server of [other, home]) {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      afterwards(() => void server.close());
    }
    const more = { TIGRAPH_CLIENT_ID: 'client_x', TIGRAPH_CLIENT_SECRET: 'a secret' };
    const client = await start(temporaryDirectory(), {
      args: ['--url', `http://127.0.0.1:${portOf(home)}`],
      more,
    });
    const { isError, value } = await call(client, 'find_symbols', {});
    expect([isError, heard]).toEqual([true, []]);
    expect(JSON.stringify(value)).toMatch(/sends callers on/);
  });

  // The other tests speak in the mode of today.
  it('answers a client of the older protocol from its own data', async () => {
    // One that it hosts itself: a client may end it by force.
    const store = await makeTestStore('cold');
    afterwards(() => store.remove());
    const client = await start(store.options.dataDirectory, { mode: 'legacy' });
    const { isError, value } = await call(client, 'find_symbols', {});
    expect(isError).toBe(false);
    expect(value).toMatchObject({ tool: 'find_symbols', source: 'delayed', rows: [] });
  });

  it('loses its rights with its grant, in the middle of a conversation with a service', async () => {
    const store = await makeTestStore();
    afterwards(() => store.remove());
    const { dataDirectory } = store.options;
    const settings = { TIGRAPH_DATA_DIR: dataDirectory, PORT: '0' };
    const file = join(temporaryDirectory(), 'ACME.csv');
    writeFileSync(file, 'date,open,high,low,close,volume\n2024-03-01,10,11,9,10.5,1000\n');
    await callCommand(['import', 'csv', file], settings);
    const service = startCommand(['serve'], settings);
    await expect.poll(service.output, { timeout: 60_000 }).toMatch(/tigraph serves at http:/);
    const home = /tigraph serves at (http:\S+)/.exec(service.output())![1]!;
    const tigraph = async (...words: string[]) => JSON.parse((await callCommand(words, settings)).stdout);
    const made = await tigraph('client', 'create', 'an assistant', '--json');
    const terms = ['--scopes', 'stock:read,market-data:realtime', '--feed', 'realtime_sip', '--json'];
    const { grant_id } = await tigraph('grant', 'create', made.client_id, ...terms);
    const more = { TIGRAPH_CLIENT_ID: made.client_id, TIGRAPH_CLIENT_SECRET: made.client_secret };
    const client = await start(dataDirectory, { args: ['--url', home], more });
    expect((await call(client, 'find_symbols', {})).value.source).toBe('realtime_sip');
    await callCommand(['grant', 'revoke', grant_id], settings);
    const since = performance.now();
    await expect
      .poll(async () => (await call(client, 'find_symbols', {})).value.error, {
        timeout: 15_000,
        interval: 10,
      })
      .toBe('invalid_client');
    console.log(`refused ${(performance.now() - since).toFixed(0)} ms after the revocation`);
    service.process.kill('SIGTERM');
    await service.ended;
  });
});

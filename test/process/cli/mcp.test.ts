import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/agents/tools.ts';
import { afterwards } from '../../support/app.ts';
import { runCommand } from '../../support/command.ts';
import { makeTestStore } from '../../support/database.ts';

/** `tigraph mcp` as assistants start it, by the official client. */

const PROGRAM = resolve(import.meta.dirname, '../../../bin/tigraph');

async function start(dataDirectory: string, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'a test', version: '0' }, { versionNegotiation: { mode } });
  const env = { ...process.env, DATABASE_URL: '', TIGRAPH_DATA_DIR: dataDirectory } as Record<string, string>;
  await client.connect(new StdioClientTransport({ command: PROGRAM, args: ['mcp'], env, stderr: 'ignore' }));
  afterwards(() => client.close());
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  return { isError, value: JSON.parse((content as unknown as [{ text: string }])[0].text) };
}

describe('tigraph mcp', () => {
  it('lists its tools before its data is open, and says to who asks why it cannot be', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tigraph-mcp-'));
    afterwards(() => rmSync(directory, { recursive: true }));
    const file = join(directory, 'no-directory');
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
  });

  it.each(['auto', 'legacy'] as const)('answers a client of mode %s from its own data', async (mode) => {
    const store = await makeTestStore();
    afterwards(() => store.remove());
    const client = await start(store.options.dataDirectory, mode);
    const { isError, value } = await call(client, 'find_symbols', {});
    expect(isError).toBe(false);
    expect(value).toMatchObject({ tool: 'find_symbols', source: 'delayed', rows: [] });
  });
});

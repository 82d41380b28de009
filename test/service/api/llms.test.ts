import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/agents/tools.ts';
import { bring } from '../../support/app.ts';
import { CHAT_DATE, chatMarket, freshChatService, passOver } from '../../support/chat-service.ts';

/** What agents read that are given the address of the service. */

const { app, server } = await freshChatService(`${CHAT_DATE}T19:10:00Z`);
await bring(app, chatMarket());
await passOver(app, CHAT_DATE);
const home = await server.listen({ port: 0, host: '127.0.0.1' });

const textAt = async (path: string): Promise<string> => {
  const response = await fetch(`${home}${path}`);
  expect(response.status, path).toBe(200);
  return response.text();
};
const overview = await textAt('/llms.txt');
const whole = await textAt('/llms-full.txt');

const operations = Object.entries(server.swagger().paths!).flatMap(([path, methods]) =>
  Object.keys(methods as object).map((method) => ({ method: method.toUpperCase(), path })),
);
const documents = ['docs', 'docs/decisions'].flatMap((folder) =>
  readdirSync(new URL(`../../../${folder}`, import.meta.url))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
);

describe('/llms.txt', () => {
  it('is short, and of the form that its readers expect', () => {
    expect(countTokens(overview)).toBeLessThan(3_000);
    const [title, , quote] = overview.split('\n');
    expect([title, quote]).toEqual(['# tigraph', expect.stringMatching(/^> A self-hosted/)]);
    expect(overview.match(/^# /gm)).toHaveLength(1);
    expect(overview).not.toMatch(/^###/m);
  });

  it('begins with three commands that work without a token', async () => {
    const commands = overview.match(/^curl .*$/gm)!;
    expect(commands).toHaveLength(3);
    expect(overview.indexOf(commands[0]!)).toBeLessThan(overview.indexOf('## '));
    for (const command of commands) {
      const { stdout } = await promisify(execFile)('sh', ['-c', command]);
      expect(JSON.parse(stdout), command).toMatchObject({ source: 'delayed' });
    }
  });

  it('names every route, tool and document, and every link of it answers', async () => {
    for (const { method, path } of operations) {
      const shown = path.replace('/api/graph/v1', '');
      expect(overview, shown).toContain(`- [${method} ${shown}](/docs.md)`);
    }
    for (const { name } of TOOLS) expect(overview).toContain(`- [${name}](`);
    for (const path of documents) expect(overview).toContain(`](/${path})`);
    const links = new Set(Array.from(overview.matchAll(/\]\((\/[^)]*)\)/g), ([, link]) => link!));
    for (const link of links) await textAt(link);
  });
});

describe('/llms-full.txt', () => {
  it('has every document and every route below one heading', async () => {
    for (const path of documents) {
      const [heading] = /^# .*$/m.exec(await textAt(`/${path}`))!;
      expect(whole, path).toContain(`\n#${heading}\n`);
    }
    for (const { method, path } of operations) expect(whole).toContain(`\n### ${method} ${path}\n`);
  });
});

describe('a document', () => {
  it('is answered as it was written', async () => {
    const response = await fetch(`${home}/docs/agents.md`);
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    for (const { name } of TOOLS) expect(await textAt('/docs/agents.md')).toContain(`\`${name}\``);
  });

  it('is nothing else in the folder of the program', async () => {
    for (const path of ['/docs/generate.ts', '/package.json', '/docs/%2e%2e/package.json', '/docs/x.md']) {
      expect((await fetch(`${home}${path}`)).status, path).toBe(404);
    }
  });
});

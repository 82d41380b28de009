import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endsWithUs } from '../../engines/ends-with-us.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const READER = join(ROOT, 'test/support/reader.sh');
const run = promisify(execFile);

/** What the first command of a page needs besides a first start. */
const NEEDS: Readonly<Record<string, string>> = {
  'docs/desk.md': 'PostgreSQL, NATS and a bucket (test/desk)',
  'docs/scale.md': 'PostgreSQL, NATS and minutes',
  'docs/real-facts.md': 'recorded facts',
  'docs/spec-gaps.md': 'nothing: it shows no command',
};

const blocksOf = (page: string): string[] =>
  Array.from(readFileSync(join(ROOT, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms), ([, text]) => text!);
const pages = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
/** All commands of the README, and the first of each other page. */
const shown = [
  ...blocksOf('README.md').map((commands, at) => [`README.md, block ${at + 1}`, commands] as const),
  ...pages.filter((page) => !(page in NEEDS)).map((page) => [page, blocksOf(page)[0]] as const),
];

describe('commands that documents show, on a first start', () => {
  const places = mkdtempSync(join(tmpdir(), 'tigraph-reader-'));
  const settings = { ...process.env, DATABASE_URL: '', TIGRAPH_DATA_DIR: join(places, 'data'), PORT: '0', LOG_LEVEL: 'warn' };
  const server = endsWithUs(spawn('npm', ['start'], { cwd: ROOT, env: settings, stdio: ['ignore', 'pipe', 'inherit'], detached: true }));

  beforeAll(async () => {
    for await (const line of createInterface(server.stdout)) {
      const [, address] = /tigraph serves at (\S+)/.exec(line) ?? [];
      if (address === undefined) continue;
      writeFileSync(join(places, '8080'), address);
      return;
    }
    throw new Error('the first start served nothing');
  });
  afterAll(() => {
    process.kill(-server.pid!);
    rmSync(places, { recursive: true, force: true });
  });

  it.each(shown)('%s', async (_, commands) => {
    expect(commands).toBeDefined();
    const wanted = /\b4\d\d\b/.test(commands!) ? { WANTED: '--no-fail' } : {};
    const { stdout } = await run('bash', ['-c', commands!], {
      cwd: ROOT,
      env: { ...settings, BASH_ENV: READER, PLACES: places, ...wanted },
      maxBuffer: 1e8,
    });
    console.log(commands, '\n', stdout.slice(0, 1500));
  });
});

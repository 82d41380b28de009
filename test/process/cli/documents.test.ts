import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endsWithUs } from '../../engines/ends-with-us.ts';
import { FULL, sampled } from '../../support/depth.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const READER = join(ROOT, 'test/support/reader.sh');
const run = promisify(execFile);

/** What the first command of a page needs besides a first start. */
const NEEDS: Readonly<Record<string, string>> = {
  'docs/agents.md': 'an assistant',
  'docs/scale.md': 'PostgreSQL, NATS and minutes',
  'docs/live.md': 'a key of a vendor',
};

const blocksOf = (page: string): string[] =>
  Array.from(readFileSync(join(ROOT, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms), ([, text]) => text!);
const pages = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
/** The first command of each page, in full of all, else of every twelfth, and all of the README. */
const shown = [
  ...sampled(pages, 12).flatMap((page) =>
    page in NEEDS
      ? []
      : blocksOf(page)
          .slice(0, 1)
          .map((commands) => [page, commands] as const),
  ),
  // Last, since it imports a market of the reader's own, of which commands then are.
  ...blocksOf('README.md').map((commands, at) => [`README.md, block ${at + 1}`, commands] as const),
];

const BARS = 'date,open,high,low,close,volume\n2024-03-04,20,20.6,19.8,20.5,310000\n';
const SOURCES = { sources: [{ format: 'csv', title: 'my bars', paths: ['MINE.csv'], interval: '1d' }] };

describe('commands that documents show, on a first start', () => {
  const home = mkdtempSync(join(tmpdir(), 'tigraph-reader-'));
  const env = {
    ...process.env,
    TIGRAPH_DATA_DIR: join(home, 'data'),
    PORT: '0',
    LOG_LEVEL: 'warn',
    // A busy machine must not turn an answer into a timeout.
    QUERY_TIMEOUT_MS: '60000',
    // No command asks for what the background derives of the past.
    ...(FULL ? {} : { TIGRAPH_HISTORY_SESSIONS: '0' }),
    // A reader's machine is not late on purpose.
    TIGRAPH_TEST_LATE: '',
    HOME: home,
    BASH_ENV: READER,
    PLACES: home,
  };
  // What the README takes for a reader's own folder of data.
  mkdirSync(join(home, 'market'));
  writeFileSync(join(home, 'market', 'sources.json'), JSON.stringify(SOURCES));
  writeFileSync(join(home, 'market', 'MINE.csv'), BARS);
  let server: ChildProcess;

  beforeAll(async () => {
    // In full a first start builds its market; the commands are the same on one of fewer stocks.
    if (!FULL)
      await run('bin/tigraph', ['simulate', '--symbols', '12', '--minutes', '2'], { cwd: ROOT, env });
    const started = spawn('npm', ['start'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    server = endsWithUs(started);
    for await (const line of createInterface(started.stdout)) {
      const [, address] = /tigraph serves at (\S+)/.exec(line) ?? [];
      if (address === undefined) continue;
      writeFileSync(join(home, '8080'), address);
      return;
    }
    throw new Error('the first start served nothing');
  });
  afterAll(() => {
    process.kill(-server.pid!);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  it.each(shown)('%s', async (_, commands) => {
    // What a page says is refused is not a failure of its command.
    const wanted = /\b4\d\d\b/.test(commands) ? { WANTED: '--no-fail' } : {};
    const { stdout } = await run('bash', ['-c', commands], { cwd: ROOT, env: { ...env, ...wanted } });
    const isSetUp = /^npm (?:ci|start)/.test(commands);
    if (!isSetUp) expect(stdout.replaceAll(/null|[\s{}[\]]/g, '')).not.toBe('');
  });
});

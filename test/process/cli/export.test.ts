import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Manifest, openExportFolder } from '../../../src/cli/export-folder.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { feedOf, openTestApp } from '../../support/app.ts';
import { callCommand } from '../../support/command.ts';
import { makeTestStore, type TestStore } from '../../support/database.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { temporaryDirectory } from '../../support/tape.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../bin/tigraph');
const DAYS = ['export', 'bars', '--interval', '1d', '--format', 'csv'];

let store: TestStore;

const settingsAt = (now: string) => ({
  TIGRAPH_DATA_DIR: store.options.dataDirectory,
  DATABASE_URL: store.options.databaseUrl ?? '',
  TIGRAPH_NOW: now,
  TIGRAPH_WORKERS: '1',
  LOG_LEVEL: 'silent',
});
const THEN = '2024-03-12T12:00:00Z';
const LATER = '2024-03-14T12:00:00Z';

async function bring(key: string, from: string, to: string): Promise<void> {
  const app = await openTestApp(store);
  const minutes = minuteBars('ACME', from < '2024-03-08' ? '2024-03-08' : from, to);
  await importFeed(
    app.context,
    feedOf({ [key]: [dailyBars('ACME', from, to), dailyBars('SPY', from, to), minutes] }),
  );
  await app.close();
}

beforeAll(async () => {
  store = await makeTestStore();
  await bring('first', '2022-06-01', '2024-03-11');
});
afterAll(() => store.remove());

const run = (words: readonly string[], now = THEN) => callCommand(words, settingsAt(now));

async function exported(words: readonly string[], now = THEN): Promise<string> {
  const { code, stdout, stderr } = await run(words, now);
  expect(code, stderr).toBe(0);
  return stdout;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

/** Names of all files below a folder. */
const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

describe('an export', () => {
  it('has a manifest with rows, bytes and digest of every file, and writes again only what changed', async () => {
    const out = temporaryDirectory();
    const words = [...DAYS, '--from', '2022-06-01', '--out', out];
    expect(await exported(words)).toContain('3 of 3 files written');
    const folder = join(out, 'bars_1d');
    const manifest = manifestOf(folder);
    expect(namesIn(folder)).toEqual(['manifest.json', ...manifest.files.map(({ path }) => path)]);
    for (const { path, rows, bytes, sha256 } of manifest.files) {
      const content = readFileSync(join(folder, path));
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
      expect(content.toString().trimEnd().split('\n').length).toBe(rows + 1);
    }
    expect([manifest.schema_version, manifest.from, manifest.to]).toEqual([1, '2022-06-01', '2024-03-11']);
    expect(await exported(words)).toContain('0 of 3 files written');
    await bring('second', '2024-03-12', '2024-03-13');
    expect(await exported(words, LATER)).toContain('1 of 3 files written');
    const then = [...words.slice(0, -1), temporaryDirectory(), '--as-of', manifest.as_of];
    expect(await exported(then, LATER)).toContain('3 of 3 files written');
    expect(manifestOf(join(then.at(-3)!, 'bars_1d'))).toEqual(manifest);
  });

  it('that was interrupted has no manifest, keeps whole files, and goes on as of the same instant', async () => {
    const out = temporaryDirectory();
    const words = [...DAYS, '--from', '2023-01-03', '--symbols', 'ACME', '--out', out];
    await exported(words, LATER);
    const folder = join(out, 'bars_1d');
    const { question, ...whole } = manifestOf(folder);
    // The disk takes a part of the second file.
    const again = await openExportFolder(folder, question);
    await again.begin(whole.as_of);
    const [first, second] = whole.files;
    const whole_ = readFileSync(join(folder, first!.path));
    await again.write(first!, whole.as_of, only(whole_), () => first!.rows);
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    await expect(again.write(second!, whole.as_of, only(Buffer.from('half'), full), () => 0)).rejects.toThrow(
      full,
    );
    expect(namesIn(folder)).toEqual(['manifest.unfinished.json', first!.path, second!.path]);
    expect(await exported(words, '2024-03-15T12:00:00Z')).toMatch(
      /goes on with that of 2024-03-14T11:45:00.000Z[\s\S]*0 of 2 files written/,
    );
    expect(manifestOf(folder)).toEqual({ question, ...whole });
    expect(existsSync(join(folder, 'manifest.unfinished.json'))).toBe(false);
  });

  it('is refused in one sentence with a way on', async () => {
    const out = temporaryDirectory();
    await exported([...DAYS, '--from', '2024-03-01', '--out', out]);
    const refused = async (...words: string[]): Promise<string> => {
      const { code, stderr } = await run(['export', ...words, '--out', out]);
      expect(code, stderr).toBe(2);
      return stderr;
    };
    expect(await refused('bars', '--interval', '1d')).toContain('Give another folder');
    expect(await refused('facts', '--fields', 'technical.rsi14')).toContain(
      "did you mean 'technical.rsi_14'?",
    );
    expect(await refused('facts', '--to', '2010-01-04')).toContain('it reaches from 2022-06-01 to');
    expect(await refused('facts', '--as-of', '2030-01-01')).toContain('at most 2024-03-12T11:45:00.000Z');
    expect(await refused('prices')).toContain('bars, facts');
    expect(await refused('facts', '--from', '2024-03-08', '--to', '2024-03-01')).toContain('lies after');
    // Nothing of them is there.
    expect(namesIn(out).map((name) => name.split('/')[0])).not.toContain('facts');
  });
});

/** Separate file systems without a privilege on the machine: a sandbox may forbid it. */
const APART = ['--user', '--map-root-user', '--mount'];
const isAllowed = spawnSync('unshare', [...APART, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!isAllowed) console.warn('a full disk is skipped: this machine mounts no file system for it');

it.skipIf(!isAllowed)('on a disk that fills leaves no part of a file, and goes on once there is room', () => {
  const disk = join(temporaryDirectory(), 'disk');
  mkdirSync(disk);
  const script = `
    mount -t tmpfs -o size=80k tmpfs "$1" && cd "$1" && shift || exit 99
    "$@" --out out; echo "first: $?"; find out -type f | sort
    mount -o remount,size=50m . && "$@" --out out; echo "second: $?"; find out -type f | sort`;
  const words = [
    PROGRAM,
    'export',
    'bars',
    '--from',
    '2024-03-08',
    '--format',
    'arrow',
    '--symbols',
    'ACME,SPY',
  ];
  const { stdout, stderr } = spawnSync('unshare', [...APART, 'sh', '-c', script, 'sh', disk, ...words], {
    env: { ...process.env, ...settingsAt(LATER) },
    encoding: 'utf8',
  });
  const [first, second] = stdout.split(/^(?=second: )/m) as [string, string];
  expect(first, stderr).toContain('first: 1');
  expect(stderr).toContain('the disk is full');
  expect(first).not.toMatch(/bars\.arrow\.unfinished|manifest\.json/);
  expect(first).toContain('date=2024-03-08/bars.arrow');
  expect(second, stderr).toContain('second: 0');
  expect(second).toContain('out/bars_1m/manifest.json');
  expect(second.match(/bars\.arrow$/gm)).toHaveLength(4);
});

/** Chunks of a file that then fails. */
async function* only(bytes: Uint8Array, error?: Error): AsyncGenerator<Uint8Array> {
  yield bytes;
  if (error !== undefined) throw error;
}

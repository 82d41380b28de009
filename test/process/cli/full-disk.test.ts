import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dateOf } from '../../../src/base/dates.ts';
import { makeTestStore, type TestStore, testsRunOn } from '../../support/database.ts';
import { dailyBars } from '../../support/market.ts';
import { temporaryDirectory } from '../../support/tape.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../bin/tigraph');
const UPLOADING = resolve(import.meta.dirname, '../../support/full-disk-process.ts');
/** Separate file systems without a privilege on the machine: a sandbox may forbid it. */
const APART = ['--user', '--map-root-user', '--mount'];
const isAllowed = spawnSync('unshare', [...APART, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!isAllowed)
  console.warn('test/process/cli/full-disk.test.ts is skipped: this machine mounts no file system for it');

/** Runs a command on a copy of a data directory, on a disk of memory that is full but for some kilobytes. */
const MOUNTED = `
  mount -t tmpfs -o size=150m,nr_inodes=20000 tmpfs "$1" && cp -a "$2" "$1/data" || exit 99`;
const SCRIPT = `${MOUNTED}
  left=$(($(df --output=avail -k "$1" | tail -n 1) - $3))
  dd if=/dev/zero of="$1/rest" bs=1k count=$left status=none
  shift 3
  exec "$@"`;

describe.skipIf(!isAllowed || testsRunOn !== 'embedded')('on a full disk', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await makeTestStore('cold');
  });
  afterAll(() => store.remove());

  function run(words: readonly string[], kilobytesFree: number) {
    const disk = join(temporaryDirectory(), 'disk');
    mkdirSync(disk);
    const command = [PROGRAM, ...words];
    const setUp = ['sh', '-c', SCRIPT, 'sh', disk, store.options.dataDirectory, `${kilobytesFree}`];
    const env = { ...process.env, TIGRAPH_DATA_DIR: join(disk, 'data') };
    return spawnSync('unshare', [...APART, ...setUp, ...command], { env, encoding: 'utf8' });
  }

  it.each([
    ['the lock cannot be taken', ['client', 'create', 'desk'], 0],
    ['the database cannot start', ['client', 'create', 'desk'], 4],
    ['a table cannot grow', ['simulate', '--symbols', '3', '--days', '40', '--minutes', '0'], 200],
    ['nothing can be derived', ['sync', '--date', '2024-03-05'], 0],
  ])('one sentence says so where %s', (_, words, kilobytesFree) => {
    const { status, stderr, stdout } = run(words, kilobytesFree);
    const said = stderr.split('\n').filter((line) => line.startsWith('tigraph: '));
    expect(said, stderr + stdout).toEqual([expect.stringContaining('the disk is full')]);
    expect([status, /^\s+at /m.test(stderr)]).toEqual([1, false]);
  });

  it('an upload says so wherever it is, goes on with space, and has the rows of the command line', () => {
    const folder = temporaryDirectory();
    const [disk, file, apart] = [join(folder, 'disk'), join(folder, 'DISK.csv'), join(folder, 'apart')];
    mkdirSync(disk);
    const { columns } = dailyBars('DISK', '2015-01-02', '2024-03-08');
    const names = ['open', 'high', 'low', 'close', 'volume'] as const;
    const lines = Array.from(columns.time, (time, row) =>
      [dateOf(time), ...names.map((name) => columns[name][row]!)].join(),
    );
    writeFileSync(file, ['date,open,high,low,close,volume', ...lines, ''].join('\n'));
    const env = { ...process.env, TIGRAPH_NOW: '2024-03-13T15:00:00Z' };
    const words = ['sh', '-c', `${MOUNTED}\n shift 2; exec "$@"`, 'sh', disk, store.options.dataDirectory];
    const { stdout, stderr } = spawnSync(
      'unshare',
      [...APART, ...words, process.execPath, UPLOADING, disk, file],
      { env: { ...env, TIGRAPH_DATA_DIR: join(disk, 'data') }, encoding: 'utf8' },
    );
    const said = Object.fromEntries(
      stdout
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line))
        .map((line: { step: string }) => [line.step, line]),
    );
    const isFull = expect.stringContaining('disk of the service is full');
    const refused = { status: 507, code: 'disk_full', says: isFull };
    const size = Math.ceil(readFileSync(file).length / 5);
    expect(said, stderr).toMatchObject({
      entry: refused,
      list: { state: '' },
      'part 0': refused,
      'after part 0': { state: 'uploading', received: 0 },
      'part 2': refused,
      'after part 2': { state: 'uploading', received: 2 * size },
      'part 4': refused,
      'after part 4': { state: 'uploading', received: 4 * size },
      read: { state: 'read' },
      import: { state: 'failed', says: isFull },
      again: { state: 'imported', rows: lines.length },
    });
    cpSync(store.options.dataDirectory, apart, { recursive: true });
    const imported = spawnSync(PROGRAM, ['import', file], { env: { ...env, TIGRAPH_DATA_DIR: apart } });
    expect(imported.status, String(imported.stderr)).toBe(0);
    const asked = spawnSync(process.execPath, [UPLOADING, apart], {
      env: { ...env, TIGRAPH_DATA_DIR: apart },
      encoding: 'utf8',
    });
    expect(said.bars).toMatchObject({ rows: 1_000 });
    expect(JSON.parse(asked.stdout)).toEqual(said.bars);
  }, 120_000);
});

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestStore, type TestStore, testsRunOn } from '../../support/database.ts';
import { temporaryDirectory } from '../../support/tape.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../bin/tigraph');
/** Separate file systems without a privilege on the machine: a sandbox may forbid it. */
const APART = ['--user', '--map-root-user', '--mount'];
const isAllowed = spawnSync('unshare', [...APART, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!isAllowed)
  console.warn('test/process/cli/full-disk.test.ts is skipped: this machine mounts no file system for it');

/** Runs a command on a copy of a data directory, on a disk of memory that is full but for some kilobytes. */
const SCRIPT = `
  mount -t tmpfs -o size=150m tmpfs "$1" && cp -a "$2" "$1/data" || exit 99
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
    const env = {
      ...process.env,
      DATABASE_URL: '',
      TIGRAPH_DATA_DIR: join(disk, 'data'),
    };
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
});

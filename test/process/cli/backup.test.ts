import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/database/database.ts';
import { migrate } from '../../../src/database/migrate.ts';
import { makeTestBucket, objectStore } from '../../support/bucket.ts';
import { callCommand, startCommand } from '../../support/command.ts';
import { inFull } from '../../support/depth.ts';
import { temporaryDirectory } from '../../support/tape.ts';

/** An embedded store of one file and many facts. */
async function filledStore(facts: number): Promise<string> {
  const dataDirectory = join(temporaryDirectory(), 'data');
  const database = await openDatabase({ dataDirectory });
  await migrate(database);
  await database.query(
    `insert into fact select 'S' || n, '2026-08-19', 'core', decode(repeat(md5(n::text), 30), 'hex') from generate_series(1, $1) n`,
    [facts],
  );
  await database.query(
    `insert into tape_segment (file, kind, feed, simulated, rows, bytes) values ('one.arrow', 'bars-1d', 'test', false, 1, 5)`,
  );
  await database.close();
  mkdirSync(join(dataDirectory, 'tape'));
  writeFileSync(join(dataDirectory, 'tape', 'one.arrow'), 'bytes');
  return dataDirectory;
}

/** Files of a backup, and of a data directory, at whose appearance the command is killed. */
const WHILE_COPYING = ['scratch/postgres/pg_wal', 'tables/tape_unit.zst'];
const WHILE_WRITING = ['tables/fact.zst'];
/** The first file of the log is full of rows. */
const WHILE_LOADING = ['postgres/pg_wal/000000010000000000000002'];

/** Kills a command as soon as a moment has come; false when the command was faster. */
async function killedOnce(
  hasCome: () => boolean | Promise<boolean>,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { process, ended } = startCommand(words, settings);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!(await hasCome()) && !isOver) await delay(1);
  process.kill('SIGKILL');
  return (await ended).signal === 'SIGKILL';
}

describe('kill -9', { timeout: 240_000 }, () => {
  it('in the middle of a backup or of a restore leaves nothing that is taken for whole', async () => {
    const scratch = temporaryDirectory();
    const [backup, target] = [join(scratch, 'backup'), join(scratch, 'target')];
    const source = { TIGRAPH_DATA_DIR: await filledStore(40_000) };

    for (const moment of inFull([...WHILE_COPYING, ...WHILE_WRITING], WHILE_WRITING)) {
      const isThere = () => existsSync(join(backup, moment));
      expect(await killedOnce(isThere, ['backup', backup], source), moment).toBe(true);
      const unfinished = await callCommand(['verify', backup], {});
      expect(unfinished, moment).toMatchObject({ code: 1, stderr: expect.stringContaining('backup.json') });
    }
    const made = await callCommand(['backup', backup], source);
    expect(made.code, made.stderr).toBe(0);
    expect(readdirSync(backup).sort()).toEqual(['backup.json', 'tables', 'tape']);

    const restored = { TIGRAPH_DATA_DIR: target };
    for (const moment of inFull(
      ['tape', 'postgres/PG_VERSION', 'postgres.json', ...WHILE_LOADING],
      WHILE_LOADING,
    )) {
      const isThere = () => existsSync(join(target, moment));
      expect(await killedOnce(isThere, ['restore', backup], restored), moment).toBe(true);
      const half = await callCommand(['client', 'list'], restored);
      expect(half, moment).toMatchObject({ code: 1, stderr: expect.stringContaining('tigraph restore') });
    }
    const finished = await callCommand(['restore', backup], restored);
    expect(finished.code, finished.stderr).toBe(0);
    expect(await callCommand(['verify', backup], {})).toMatchObject({ code: 0 });
    expect(readdirSync(target).sort()).toEqual(expect.arrayContaining(['postgres', 'tape']));
    expect(existsSync(join(target, 'restoring'))).toBe(false);
  });

  // `npm run test:postgres` starts an object store.
  it.skipIf(objectStore === null)('does so with buckets', async () => {
    const bucket = await makeTestBucket();
    const { TIGRAPH_TAPE: tape, ...keys } = bucket.settings;
    const place = bucket.under('backups/one').name;
    const hasKey = (key: RegExp) => async () => (await bucket.keys()).some((each) => key.test(each));
    const source = { ...keys, TIGRAPH_DATA_DIR: await filledStore(15_000) };

    // The facts follow, which take longest.
    expect(await killedOnce(hasKey(/edge.zst$/), ['backup', place], source)).toBe(true);
    const unfinished = await callCommand(['verify', place], keys);
    expect(unfinished).toMatchObject({ code: 1, stderr: expect.stringContaining('backup.json') });
    const made = await callCommand(['backup', place], source);
    expect(made.code, made.stderr).toBe(0);
    expect(readdirSync(source.TIGRAPH_DATA_DIR).filter((name) => name.startsWith('backup'))).toEqual([]);
    const folders = new Set((await bucket.keys()).map((key) => key.split('/')[2]));
    expect([...folders].sort()).toEqual([expect.stringMatching(/^backup-/), 'backup.json']);

    const target = join(temporaryDirectory(), 'target');
    const restored = { ...keys, TIGRAPH_TAPE: tape!, TIGRAPH_DATA_DIR: target };
    for (const moment of inFull([/tigraph-installation.json$/, /tape.one.arrow$/], [/tape.one.arrow$/])) {
      const isThere = hasKey(new RegExp(`^desk/.*${moment.source}`));
      expect(await killedOnce(isThere, ['restore', place], restored), moment.source).toBe(true);
      const half = await callCommand(['client', 'list'], restored);
      expect(half).toMatchObject({ code: 1, stderr: expect.stringContaining('tigraph restore') });
    }
    const owner = await bucket.text('desk/tape/tigraph-installation.json');
    const finished = await callCommand(['restore', place], restored);
    expect(finished.code, finished.stderr).toBe(0);
    expect(await bucket.text('desk/tape/tigraph-installation.json')).toBe(owner);
    expect(await callCommand(['client', 'list'], restored)).toMatchObject({ code: 0 });
  });
});

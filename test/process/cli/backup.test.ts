import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/database/database.ts';
import { migrate } from '../../../src/database/migrate.ts';
import { makeTestBucket, objectStore } from '../../support/bucket.ts';
import { callCommand, runCommand } from '../../support/command.ts';
import { temporaryDirectory } from '../../support/tape.ts';

/** An embedded store of one file and some facts. */
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

/** Runs a command that kills itself at a fault point. */
async function killedAt(
  fault: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const { signal, stderr } = await runCommand(words, { ...settings, TIGRAPH_FAULT: fault });
  expect(signal, `${fault}: ${stderr}`).toBe('SIGKILL');
}

describe('kill -9', { timeout: 240_000 }, () => {
  it('in the middle of a backup or of a restore leaves nothing that is taken for whole', async () => {
    const scratch = temporaryDirectory();
    const [backup, target] = [join(scratch, 'backup'), join(scratch, 'target')];
    const source = { TIGRAPH_DATA_DIR: await filledStore(100) };

    await killedAt('backup.segment-stored:1', ['backup', backup], source);
    const unfinished = await callCommand(['verify', backup], {});
    expect(unfinished).toMatchObject({ code: 1, stderr: expect.stringContaining('backup.json') });
    const made = await callCommand(['backup', backup], source);
    expect(made.code, made.stderr).toBe(0);
    expect(readdirSync(backup).sort()).toEqual(['backup.json', 'tables', 'tape']);

    const restored = { TIGRAPH_DATA_DIR: target };
    await killedAt('restore.marked:1', ['restore', backup], restored);
    const half = await callCommand(['client', 'list'], restored);
    expect(half).toMatchObject({ code: 1, stderr: expect.stringContaining('npm run tigraph -- restore') });
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
    const source = { ...keys, TIGRAPH_DATA_DIR: await filledStore(100) };

    await killedAt('backup.table-stored:10', ['backup', place], source);
    const unfinished = await callCommand(['verify', place], keys);
    expect(unfinished).toMatchObject({ code: 1, stderr: expect.stringContaining('backup.json') });
    const made = await callCommand(['backup', place], source);
    expect(made.code, made.stderr).toBe(0);
    expect(readdirSync(source.TIGRAPH_DATA_DIR).filter((name) => name.startsWith('backup'))).toEqual([]);
    const folders = new Set((await bucket.keys()).map((key) => key.split('/')[2]));
    expect([...folders].sort()).toEqual([expect.stringMatching(/^backup-/), 'backup.json']);

    const target = join(temporaryDirectory(), 'target');
    const restored = { ...keys, TIGRAPH_TAPE: tape!, TIGRAPH_DATA_DIR: target };
    for (const fault of ['prefix.marked:1', 'restore.segment-stored:1']) {
      await killedAt(fault, ['restore', place], restored);
      const half = await callCommand(['client', 'list'], restored);
      expect(half, fault).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('npm run tigraph -- restore'),
      });
    }
    const owner = await bucket.text('desk/tape/tigraph-installation.json');
    const finished = await callCommand(['restore', place], restored);
    expect(finished.code, finished.stderr).toBe(0);
    expect(await bucket.text('desk/tape/tigraph-installation.json')).toBe(owner);
    expect(await callCommand(['client', 'list'], restored)).toMatchObject({ code: 0 });
  });
});

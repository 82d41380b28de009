import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callCommand, startCommand } from '../../support/command.ts';
import { makeTestStore } from '../../support/database.ts';
import { inFull } from '../../support/depth.ts';
import { temporaryDirectory } from '../../support/tape.ts';

/** A store of one file and many facts. */
async function filledStore(): Promise<string> {
  const store = await makeTestStore('cold');
  onTestFinished(() => store.remove());
  const { dataDirectory } = store.options;
  const database = await store.open();
  await database.query(
    `insert into fact select 'S' || n, '2026-08-19', 'core', decode(repeat(md5(n::text), 30), 'hex') from generate_series(1, 40000) n`,
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

/** Kills a command as soon as a file is there; false when the command was faster. */
async function killedOnce(
  path: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { process, ended } = startCommand(words, settings);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!existsSync(path) && !isOver) await delay(1);
  process.kill('SIGKILL');
  return (await ended).signal === 'SIGKILL';
}

describe('kill -9', () => {
  it('in the middle of a backup or of a restore leaves nothing that is taken for whole', async () => {
    const scratch = temporaryDirectory();
    const [backup, target] = [join(scratch, 'backup'), join(scratch, 'target')];
    const source = { TIGRAPH_DATA_DIR: await filledStore() };

    for (const moment of inFull([...WHILE_COPYING, ...WHILE_WRITING], WHILE_WRITING)) {
      expect(await killedOnce(join(backup, moment), ['backup', backup], source), moment).toBe(true);
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
      expect(await killedOnce(join(target, moment), ['restore', backup], restored), moment).toBe(true);
      const half = await callCommand(['client', 'list'], restored);
      expect(half, moment).toMatchObject({ code: 1, stderr: expect.stringContaining('tigraph restore') });
    }
    const finished = await callCommand(['restore', backup], restored);
    expect(finished.code, finished.stderr).toBe(0);
    expect(await callCommand(['verify', backup], {})).toMatchObject({ code: 0 });
    expect(readdirSync(target).sort()).toEqual(expect.arrayContaining(['postgres', 'tape']));
    expect(existsSync(join(target, 'restoring'))).toBe(false);
  });
});

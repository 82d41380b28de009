import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readRecord } from '../../../src/pipeline/backup-record.ts';
import { callCommand, runCommand, startCommand } from '../../support/command.ts';
import { inFull } from '../../support/depth.ts';
import { temporaryDirectory } from '../../support/tape.ts';

const MARKET = ['--symbols', '12', '--days', '60', '--minutes', '2', '--ticks', '0', '--seed', '5'];

/** Files of a backup, and of a data directory, at whose appearance the command is killed. */
const WHILE_COPYING = ['scratch/postgres/pg_wal', 'tables/tape_unit.zst'];
const WHILE_WRITING = ['tables/fact.zst'];
const WHILE_LOADING = ['postgres.json'];

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

const digestsOf = (directory: string) =>
  readRecord(directory).tables.map(({ name, rows, digest }) => ({ name, rows, digest }));

describe('kill -9', () => {
  it('in the middle of a backup or of a restore leaves nothing that is taken for whole', async () => {
    const scratch = temporaryDirectory();
    const [data, backup, target, check] = ['data', 'backup', 'target', 'check'].map((name) =>
      join(scratch, name),
    ) as [string, string, string, string];
    const source = { TIGRAPH_DATA_DIR: data };
    await callCommand(['simulate', ...MARKET, '--end', '2026-08-19'], source);

    for (const moment of inFull([...WHILE_COPYING, ...WHILE_WRITING], WHILE_WRITING)) {
      expect(await killedOnce(join(backup, moment), ['backup', backup], source), moment).toBe(true);
      const unfinished = await callCommand(['verify', backup], {});
      expect(unfinished, moment).toMatchObject({ code: 1, stderr: expect.stringContaining('backup.json') });
    }
    const made = await runCommand(['backup', backup], source);
    expect(made.code, made.stderr).toBe(0);
    expect(readdirSync(backup).sort()).toEqual(['backup.json', 'tables', 'tape']);

    const restored = { TIGRAPH_DATA_DIR: target };
    for (const moment of inFull(['tape', 'postgres/PG_VERSION', ...WHILE_LOADING], WHILE_LOADING)) {
      expect(await killedOnce(join(target, moment), ['restore', backup], restored), moment).toBe(true);
      const half = await callCommand(['client', 'list'], restored);
      expect(half, moment).toMatchObject({ code: 1, stderr: expect.stringContaining('tigraph restore') });
    }
    const finished = await runCommand(['restore', backup], restored);
    expect(finished.code, finished.stderr).toBe(0);
    await callCommand(['backup', check], restored);
    expect(digestsOf(check)).toEqual(digestsOf(backup));
    expect(await callCommand(['verify', check], {})).toMatchObject({ code: 0 });
  });
});

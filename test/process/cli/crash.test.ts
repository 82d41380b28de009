import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/database/database.ts';
import { callCommand, runCommand, startCommand } from '../../support/command.ts';
import { makeTestStore } from '../../support/database.ts';
import { inFull } from '../../support/depth.ts';
import { temporaryDirectory } from '../../support/tape.ts';

/** Big enough that the rows go out in several segments. */
const MARKET = [
  '--symbols',
  inFull('90', '12'),
  '--days',
  inFull('300', '60'),
  '--minutes',
  inFull('20', '4'),
  '--ticks',
  '0',
  '--seed',
  '5',
  '--end',
  '2026-08-19',
];
const RANGE = ['--from', inFull('2026-08-10', '2026-08-13'), '--to', '2026-08-19'];

interface Remains {
  readonly units: readonly string[];
  readonly days: readonly string[];
  readonly segments: readonly string[];
}

/** What a directory holds, by its own report. */
async function remainsOf(directory: string): Promise<Remains> {
  const database = await openDatabase({ dataDirectory: directory });
  try {
    const rows = (sql: string) => database.query<{ name: string }>(sql).catch(() => []);
    const names = async (sql: string) => (await rows(sql)).map((row) => row.name);
    return {
      units: await names(`select key || ' ' || rows_kept as name from tape_unit order by 1`),
      days: await names(
        `select symbol || ' ' || trade_date || ' ' || digest as name from stock_day order by 1`,
      ),
      segments: await names('select file as name from tape_segment order by 1'),
    };
  } finally {
    await database.close();
  }
}

/** Runs a command and kills it after each of the given times, then lets it finish. */
async function killedAndFinished(
  words: readonly string[],
  directory: string,
  killAfterMs: readonly number[],
) {
  const settings = { TIGRAPH_DATA_DIR: directory };
  let earlier = await remainsOf(directory);
  let interrupted = 0;
  for (const afterMs of killAfterMs) {
    const { process, ended } = startCommand(words, settings);
    await Promise.race([delay(afterMs), ended]);
    process.kill('SIGKILL');
    if ((await ended).signal === 'SIGKILL') interrupted++;
    const now = await remainsOf(directory);
    // What was acknowledged before is still there, whatever the moment of the blow.
    expect(now.units).toEqual(expect.arrayContaining([...earlier.units]));
    expect(now.days.length).toBeGreaterThanOrEqual(earlier.days.length);
    earlier = now;
  }
  const finished = await runCommand(words, settings);
  expect(finished.code, finished.stderr).toBe(0);
  return interrupted;
}

describe('kill -9', () => {
  it('in the middle of an import and of a sync loses nothing, and the same commands finish the work', async () => {
    const broken = temporaryDirectory();
    const store = await makeTestStore();
    onTestFinished(() => store.remove());
    const whole = store.options.dataDirectory;
    const interrupted =
      (await killedAndFinished(['simulate', ...MARKET], broken, inFull([900, 1_700, 2_300], [1_000]))) +
      (await killedAndFinished(['sync', ...RANGE], broken, inFull([1_200, 1_800], [1_100])));
    expect(interrupted).toBeGreaterThan(inFull(1, 0));
    await callCommand(['simulate', ...MARKET], { TIGRAPH_DATA_DIR: whole });
    await callCommand(['sync', ...RANGE], { TIGRAPH_DATA_DIR: whole });
    const [mended, expected] = [await remainsOf(broken), await remainsOf(whole)];
    expect(mended.units).toEqual(expected.units);
    expect(mended.days).toEqual(expected.days);
    expect(expected.days.length).toBeGreaterThan(inFull(500, 50));
    // Every file is named by the manifest: no blow left one behind.
    const files = readdirSync(join(broken, 'tape')).sort();
    expect(files).toEqual([...mended.segments].sort());
  }, 240_000);
});

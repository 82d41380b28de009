import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BackupRecord, readRecord } from '../../src/backup/backup-record.ts';
import { directoryPlace } from '../../src/backup/directory-place.ts';
import { placeOf } from '../../src/cli/place-option.ts';
import { loadConfig } from '../../src/config.ts';
import { callUntil } from './callers.ts';
import { command, type Environment, Member } from './desk.ts';
import { announceAll, onDatabase, touchAll, waiting } from './dirty-days.ts';
import type { Engines } from './engines.ts';
import type { Report } from './report.ts';

const LAST_DATE = '2024-03-07';
const BEFORE = '2024-03-08T08:30:00Z';
const OPEN = '2024-03-08T14:30:00Z';
const SPEED = 12;
const COMPARED = 20;
const PASS_DATES = 12;
/** Tables that say what the processes of the original had under way; a copy begins without it. */
const OF_PROCESSES = new Set(['lease', 'announcement', 'installation', 'serving_process', 'backtest_slice']);

/**
 * Backs up a desk from bucket to bucket while a pass and minutes are written and callers ask, restores it beside the
 * original on the same NATS, and then once more in its place.
 */
export async function restore(engines: Engines, symbols: number, report: Report): Promise<void> {
  const original = await engines.environment('original');
  const { settings } = original;
  await command(
    ['simulate', '--symbols', `${symbols}`, '--days', '60', '--minutes', '1', '--end', LAST_DATE],
    { ...settings, TIGRAPH_NOW: BEFORE },
  );
  const days = await touchAll(original.databaseUrl, LAST_DATE, PASS_DATES);
  const since = new Date(Date.now() + 5_000).toISOString();
  const environment = { ...settings, NATS_URL: engines.nats.url, TIGRAPH_NOW: `${OPEN}*${SPEED}@${since}` };
  const replica = await Member.of('backup-api', 'api', environment);
  const members = [
    replica,
    await Member.of('backup-live', 'live', environment),
    await Member.of('backup-scheduler', 'scheduler', environment),
    await Member.of('backup-worker', 'worker', environment),
  ];
  for (const member of members) member.start();
  await Promise.all(members.map((member) => member.untilReady()));
  const paths = (await stocksOf(original.databaseUrl)).map((symbol) => `/api/graph/v1/stocks/${symbol}`);
  const stop = new AbortController();
  const calling = callUntil(stop.signal, [replica], paths, 4);
  await announceAll(original.databaseUrl);
  await untilWorking(original.databaseUrl, days);
  const place = `s3://${original.bucket}/backups/one`;
  const begun = performance.now();
  await command(['backup', place], environment);
  const tookMs = performance.now() - begun;
  const left = await waiting(original.databaseUrl);
  stop.abort();
  const { statuses, faults } = await calling;
  for (const member of members) if (member !== replica) await member.kill('SIGTERM');
  report.figure(
    'a backup under load',
    `${(tookMs / 1_000).toFixed(1)} s, ${left} stock-days of the pass left at its end; callers saw ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`,
  );
  report.check('no caller sees 5xx but 503 beside a backup', faults.length === 0, faults.join('; '));
  await command(['verify', place], environment);

  const copy = await engines.environment('restored');
  const copied: Environment = { ...copy.settings, NATS_URL: engines.nats.url, TIGRAPH_NOW: BEFORE };
  const restoring = performance.now();
  await command(['restore', place], copied);
  report.figure('a restore', `${((performance.now() - restoring) / 1_000).toFixed(1)} s`);
  const record = await readRecord(placeOf(place, loadConfig(environment)));
  const again = directoryPlace(join(copy.directory, 'backup-of-the-copy'));
  await command(['backup', again.name], copied);
  const [was, is] = [digestsOf(record), digestsOf(await readRecord(again))];
  const differing = [...was].filter(([name, digest]) => is.get(name) !== digest).map(([name]) => name);
  report.check(
    `the digests of ${was.size} tables and files are those of the moment of the backup`,
    was.size > 0 && differing.length === 0,
    differing.join(', '),
  );
  const restored = await Member.of('restored-api', 'api', copied);
  restored.start();
  await restored.untilReady();
  const answered = await Promise.all(
    paths.map(async (path) => (await fetch(`${restored.url}${path}`)).status),
  );
  report.check(
    'the restored copy answers',
    answered.every((status) => status === 200),
    answered.join(),
  );
  const beside = await Promise.all(paths.map(async (path) => (await fetch(`${replica.url}${path}`)).status));
  report.check(
    'the original answers beside it on the same NATS',
    beside.every((status) => status === 200),
    beside.join(),
  );
  await restored.kill('SIGTERM');
  await replica.kill('SIGTERM');

  const lost = await engines.environment('lost');
  const replaced = { ...environment, DATABASE_URL: lost.databaseUrl, TIGRAPH_DATA_DIR: lost.directory };
  await command(['restore', '--same-installation', place], replaced);
  const ids = await Promise.all(
    [original, lost, copy].map(({ databaseUrl }) =>
      onDatabase<{ id: string }>(databaseUrl, 'select id from installation'),
    ),
  );
  const [first, second, third] = ids.map(([row]) => row!.id);
  report.check(
    'a restore in its place is the same installation, the one beside it another',
    first === second && first !== third,
    ids.flat().join(),
  );
  const successor = await Member.of('successor-api', 'api', replaced);
  successor.start();
  await successor.untilReady();
  await successor.kill('SIGTERM');
}

/** Until a part of the pass is written. */
async function untilWorking(url: string, days: number): Promise<void> {
  while ((await waiting(url)) === days) await delay(100);
}

async function stocksOf(url: string): Promise<string[]> {
  const rows = await onDatabase<{ symbol: string }>(
    url,
    `select distinct symbol from stock_day where symbol not like '^%' order by symbol limit $1`,
    [COMPARED],
  );
  return rows.map(({ symbol }) => encodeURIComponent(symbol));
}

function digestsOf({ tables, segments }: BackupRecord): Map<string, string> {
  return new Map([
    ...tables
      .filter(({ name }) => !OF_PROCESSES.has(name))
      .map(({ name, digest }) => [name, digest] as const),
    ...segments.map(({ file, sha256 }) => [file, sha256] as const),
  ]);
}

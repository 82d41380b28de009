import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
const OF_PROCESSES = new Set(['lease', 'announcement', 'installation']);

/** Backs up a desk while a pass and minutes are written and callers ask, and restores it beside. */
export async function restore(engines: Engines, symbols: number, report: Report): Promise<void> {
  const original = await engines.environment('original');
  // The tape lies in a directory that the processes share.
  const settings: Environment = { ...original.settings, TIGRAPH_TAPE: '' };
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
  const directory = join(original.directory, 'backup');
  const begun = performance.now();
  await command(['backup', directory], environment);
  const tookMs = performance.now() - begun;
  const left = await waiting(original.databaseUrl);
  stop.abort();
  const { statuses, faults } = await calling;
  for (const member of members) await member.kill('SIGTERM');
  report.figure(
    'a backup under load',
    `${(tookMs / 1_000).toFixed(1)} s, ${left} stock-days of the pass left at its end; callers saw ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`,
  );
  report.check('no caller sees 5xx but 503 beside a backup', faults.length === 0, faults.join('; '));
  await command(['verify', directory], environment);

  const copy = await engines.environment('restored');
  const copied: Environment = { ...copy.settings, TIGRAPH_TAPE: '', TIGRAPH_NOW: BEFORE };
  const restoring = performance.now();
  await command(['restore', directory], copied);
  report.figure('a restore', `${((performance.now() - restoring) / 1_000).toFixed(1)} s`);
  const again = join(copy.directory, 'backup-of-the-copy');
  await command(['backup', again], copied);
  const [was, is] = [digestsOf(directory), digestsOf(again)];
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
  await restored.kill('SIGTERM');
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

function digestsOf(directory: string): Map<string, string> {
  const record = JSON.parse(readFileSync(join(directory, 'backup.json'), 'utf8')) as {
    readonly tables: readonly { readonly name: string; readonly digest: string }[];
    readonly segments: readonly { readonly file: string; readonly sha256: string }[];
  };
  const tables = record.tables.filter(({ name }) => !OF_PROCESSES.has(name));
  return new Map([
    ...tables.map(({ name, digest }) => [name, digest] as const),
    ...record.segments.map(({ file, sha256 }) => [file, sha256] as const),
  ]);
}

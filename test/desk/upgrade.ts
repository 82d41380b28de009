import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeScratchDirectory } from '../support/scratch.ts';
import { command, type Environment, Member, PROGRAM_PARTS, programIn } from './desk.ts';
import { onDatabase } from './dirty-days.ts';
import type { Engines } from './engines.ts';
import type { Report } from './report.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LAST_DATE = '2024-03-07';
const NOW = '2024-03-08T08:30:00Z';
const CALLERS = 4;
const PROBE_MS = 200;
/** A balancer looks this often, so a replica that drains serves for longer. */
const DRAIN_MS = 1_500;
const TOGETHER_MS = 3_000;

/** Replaces both replicas by those of a version with one more migration, while callers ask, and counts what failed. */
export async function upgrade(engines: Engines, report: Report): Promise<void> {
  const installation = await engines.environment('upgrade');
  const settings: Environment = {
    ...installation.settings,
    TIGRAPH_NOW: NOW,
    TIGRAPH_DRAIN_MS: String(DRAIN_MS),
  };
  await command(
    ['simulate', '--symbols', '20', '--days', '60', '--minutes', '1', '--end', LAST_DATE],
    settings,
  );
  const environment = { ...settings, NATS_URL: engines.nats.url };
  const next = nextVersion();
  const old = [await Member.of('old-1', 'api', environment), await Member.of('old-2', 'api', environment)];
  for (const member of old) member.start();
  await Promise.all(old.map((member) => member.untilReady()));
  const balanced = new Set(old);
  const stop = new AbortController();
  const counts = { served: 0, failed: [] as string[] };
  const paths = (await symbolsOf(installation.databaseUrl)).map((symbol) => `/api/graph/v1/stocks/${symbol}`);
  const calling = Promise.all(
    Array.from({ length: CALLERS }, (_, first) => callThrough(balanced, paths, first, stop.signal, counts)),
  );
  const fresh: Member[] = [];
  for (const [at, leaving] of old.entries()) {
    const joining = await Member.of(`new-${at + 1}`, 'api', environment, next);
    joining.start();
    await joining.untilReady();
    fresh.push(joining);
    balanced.add(joining);
    // Both versions serve over the new schema.
    await delay(TOGETHER_MS);
    const ending = leaving.kill('SIGTERM');
    await untilNotReady(leaving);
    balanced.delete(leaving);
    report.check(`${leaving.name} ends in order`, (await ending) === 0, 'exit code');
  }
  await delay(TOGETHER_MS);
  stop.abort();
  await calling;
  await Promise.all(fresh.map((member) => member.kill('SIGTERM')));
  const migrations = await onDatabase(installation.databaseUrl, 'select from schema_migration');
  report.check(
    'the new version has migrated',
    migrations.length === readdirSync(join(next, '..', '..', 'migrations')).length,
    `${migrations.length} migrations`,
  );
  report.check(
    `no request fails while both versions serve, of ${counts.served}`,
    counts.failed.length === 0,
    counts.failed.slice(0, 5).join('; '),
  );
}

/** A copy of the program with one more migration, which expands the schema. */
function nextVersion(): string {
  const directory = join(makeScratchDirectory(), 'next');
  mkdirSync(directory);
  for (const name of PROGRAM_PARTS) {
    cpSync(join(ROOT, name), join(directory, name), { recursive: true });
  }
  const number = String(readdirSync(join(ROOT, 'migrations')).length + 1).padStart(4, '0');
  writeFileSync(
    join(directory, 'migrations', `${number}-a-later-version.sql`),
    `alter table stock_day add column of_a_later_version text;\ncreate table of_a_later_version (symbol text primary key);\n`,
  );
  return programIn(directory);
}

/** Calls in turn the replicas that a balancer knows as ready. */
async function callThrough(
  balanced: ReadonlySet<Member>,
  paths: readonly string[],
  first: number,
  stop: AbortSignal,
  counts: { served: number; readonly failed: string[] },
): Promise<void> {
  for (let at = first; !stop.aborted; at += CALLERS) {
    const replicas = [...balanced];
    const { url, name } = replicas[at % replicas.length]!;
    const path = paths[at % paths.length]!;
    const answer = await fetch(url + path).catch((error: Error) => error);
    if (answer instanceof Error) counts.failed.push(`${name} ${path}: ${answer.message}`);
    else {
      await answer.arrayBuffer();
      if (answer.status === 200) counts.served++;
      else counts.failed.push(`${name} ${path}: ${answer.status}`);
    }
    await delay(10);
  }
}

async function untilNotReady({ url }: Member): Promise<void> {
  while ((await fetch(`${url}/health/ready`).catch(() => null))?.ok) await delay(PROBE_MS);
}

async function symbolsOf(url: string): Promise<string[]> {
  const rows = await onDatabase<{ symbol: string }>(
    url,
    `select distinct symbol from stock_day where symbol not like '^%' order by symbol`,
  );
  return rows.map(({ symbol }) => encodeURIComponent(symbol));
}

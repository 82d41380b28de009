import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { command, type Environment, Member } from './desk.ts';
import { announceAll, onDatabase, touchAll, waiting } from './dirty-days.ts';
import type { Engines } from './engines.ts';
import type { Report } from './report.ts';

export interface ThroughputSize {
  readonly symbols: number;
  /** Trade dates of the pass over every symbol. */
  readonly dates: number;
  readonly workers: readonly number[];
}

const NOW = '2024-03-08T08:30:00Z';
const LAST_DATE = '2024-03-07';
const POLL_MS = 50;
const LIMIT_MS = 5 * 60_000;

/** A pass by one process alone, and by some workers: stock-days a second, and processor time. */
export async function throughput(engines: Engines, size: ThroughputSize, report: Report): Promise<void> {
  const { symbols, dates } = size;
  const cores = availableParallelism();
  const first = await engines.environment('throughput');
  const settings = { ...first.settings, TIGRAPH_NOW: NOW };
  await command(
    ['simulate', '--symbols', `${symbols}`, '--days', '60', '--minutes', '1', '--end', LAST_DATE],
    settings,
  );
  const days = await touchAll(first.databaseUrl, LAST_DATE, dates);
  report.note(`a pass over ${days} stock-days on ${cores} cores, one thread a process`);
  const alone = await engines.copyOf(first, 'throughput_alone');
  const own = await passBy(0, { ...alone.settings, TIGRAPH_NOW: NOW }, alone.databaseUrl);
  report.figure('a process alone', shown(own));
  for (const workers of size.workers) {
    const copy = await engines.copyOf(first, `throughput_${workers}`);
    const environment = { ...copy.settings, TIGRAPH_NOW: NOW, NATS_URL: engines.nats.url };
    const pass = await passBy(workers, environment, copy.databaseUrl);
    const gain = pass.perSecond / own.perSecond;
    const efficiency = (100 * gain) / Math.min(workers, cores);
    const cost = pass.workerMs / own.workerMs;
    report.figure(
      `${workers} workers`,
      `${shown(pass)}; ${gain.toFixed(2)} times a process alone, ${efficiency.toFixed(0)} % of the cores they could have, ${cost.toFixed(2)} times its processor time`,
    );
  }
}

interface Pass {
  readonly perSecond: number;
  /** Processor time of a stock-day in the processes that derive, milliseconds. */
  readonly workerMs: number;
}

const shown = ({ perSecond, workerMs }: Pass): string =>
  `${perSecond.toFixed(0)} stock-days/s, ${workerMs.toFixed(1)} ms of processor each`;

/** The pass that a scheduler begins when it starts. */
async function passBy(workers: number, environment: Environment, url: string): Promise<Pass> {
  const scheduler = await Member.of('scheduler', 'scheduler', environment);
  const members = await Promise.all(
    Array.from({ length: workers }, (_, at) => Member.of(`worker-${at}`, 'worker', environment)),
  );
  for (const member of members) member.start();
  await Promise.all(members.map((member) => member.untilReady()));
  scheduler.start();
  await scheduler.untilReady();
  const deriving = workers === 0 ? [scheduler] : members;
  const before = deriving.map((member) => member.processorMs());
  const [{ begun }] = (await onDatabase<{ begun: Date }>(url, 'select clock_timestamp() as begun')) as [
    { begun: Date },
  ];
  await announceAll(url);
  for (const end = Date.now() + LIMIT_MS; (await waiting(url)) > 0; await delay(POLL_MS)) {
    if (Date.now() > end) throw new Error('the pass is not done in time');
  }
  const used = deriving.reduce((sum, member, at) => sum + member.processorMs() - before[at]!, 0);
  // When a pass begins is not its speed: from the first to the last that it wrote.
  const [written] = await onDatabase<{ days: string; seconds: number }>(
    url,
    `select count(*) as days, extract(epoch from max(derived_at) - min(derived_at))::float8 as seconds
     from stock_day where derived_at > $1`,
    [begun],
  );
  await Promise.all([scheduler, ...members].map((member) => member.kill('SIGTERM')));
  const days = Number(written!.days);
  return { perSecond: days / written!.seconds, workerMs: used / days };
}

import { mulberry32 } from '../support/daily-recipe.ts';
import { type Calls, callUntil, quantile } from './callers.ts';
import { contentsOf, differences } from './contents.ts';
import { command, type Environment, Member } from './desk.ts';
import { announceAll, onDatabase, touchAll } from './dirty-days.ts';
import type { Engines, Installation } from './engines.ts';
import { nextFault, type Struck } from './faults.ts';
import { type Progress, progressOf } from './progress.ts';
import { Comparisons } from './replicas.ts';
import type { Report } from './report.ts';

/** How large a campaign is. */
export interface CampaignSize {
  readonly symbols: number;
  /** Trade dates of the pass over every symbol. */
  readonly passDates: number;
  /** Minutes of the live session that are stored. */
  readonly minutes: number;
  readonly faults: number;
  /** How fast the session's clock runs. */
  readonly speed: number;
}

/** A short campaign has every kind of fault: the bucket away in the pass, the others in the session. */
const SEED = 1552;
const HISTORY_DAYS = 60;
/** The session before the live one, and that one; both trade the same simulated market. */
const LAST_DATE = '2024-03-07';
const LIVE_DATE = '2024-03-08';
const OPEN = '2024-03-08T14:30:00Z';
/** Before the next pre-market: the live session's trade date has not ended for callers with delay. */
const EVENING = '2024-03-09T03:00:00Z';
const BEFORE = '2024-03-08T08:30:00Z';

/** Runs the same work on a desk under faults and in a single process, and compares what they hold at the end. */
export async function campaign(engines: Engines, size: CampaignSize, report: Report): Promise<void> {
  const { symbols, passDates } = size;
  const first = await engines.environment('desk');
  const base: Environment = { ...first.settings, TIGRAPH_NOW: BEFORE };
  report.note(`market of ${symbols} symbols, ${HISTORY_DAYS} sessions`);
  await simulate(base, symbols, HISTORY_DAYS, LAST_DATE);
  const reference = await engines.copyOf(first, 'reference');
  const days = await touchAll(first.databaseUrl, LAST_DATE, passDates);
  await touchAll(reference.databaseUrl, LAST_DATE, passDates);
  await underFaults(engines, first, size, days, report);

  report.note('the rest of the session, and the end of its trade date, on both');
  await untilBusIsGone(first.databaseUrl);
  for (const { settings } of [first, reference]) {
    const own = { ...settings, NATS_URL: '', TIGRAPH_NOW: EVENING };
    await simulate(own, symbols, 1, LIVE_DATE);
    await command(['sync'], own);
  }
  const differing = differences(await contentsOf(first.databaseUrl), await contentsOf(reference.databaseUrl));
  report.check(
    'final contents equal those of a single process',
    differing.length === 0,
    differing.join('; '),
  );
}

/**
 * A pass over every symbol and some minutes of a session, while callers ask and faults strike.
 *
 * @param days stock-days of the pass
 */
async function underFaults(
  engines: Engines,
  installation: Installation,
  size: CampaignSize,
  days: number,
  report: Report,
): Promise<void> {
  const { databaseUrl, settings } = installation;
  const { postgres, nats, proxy } = engines;
  const environment = { ...settings, NATS_URL: nats.url };
  const random = mulberry32(SEED);
  const members: Member[] = [];
  const startDesk = async (now: string): Promise<Member[]> => {
    const desk = await openDesk({ ...environment, TIGRAPH_NOW: now });
    members.push(...desk);
    for (const member of desk) member.start();
    await Promise.all(desk.map((member) => member.untilReady()));
    return desk;
  };
  const over = new AbortController();
  try {
    const passing = await startDesk(BEFORE);
    const replicas = passing.filter(isReplica);
    const paths = ['SIMX', ...(await someSymbols(databaseUrl, 40))].map(
      (symbol) => `/api/graph/v1/stocks/${encodeURIComponent(symbol)}`,
    );
    const calling = callUntil(over.signal, replicas, paths, 4);
    const passFaults = Math.round(size.faults / 3);
    const begun = performance.now();
    const since = await newestDerivation(databaseUrl);
    await announceAll(databaseUrl);
    const pass = progressOf({ work: 'the pass', step: 'stock-day' }, days, () =>
      daysDone(databaseUrl, days, since),
    );
    await strike({ members: passing, postgres, nats, proxy }, passFaults, random, pass, over.signal, report);
    report.figure('a pass under faults', `${days} stock-days, ${passFaults} faults in ${seconds(begun)} s`);

    // The clock moves on: every process starts again with the one of the session.
    for (const member of passing) await member.kill('SIGTERM');
    const opens = new Date(Date.now() + 3_000).toISOString();
    const trading = await startDesk(`${OPEN}*${size.speed}@${opens}`);
    replicas.splice(0, replicas.length, ...trading.filter(isReplica));
    const faults = size.faults - passFaults;
    const sessionBegun = performance.now();
    const session = progressOf({ work: 'the session', step: 'minute' }, size.minutes, () =>
      minutesStored(databaseUrl),
    );
    const comparisons = new Comparisons(installation, replicas, session, LIVE_DATE);
    const work = [
      strike({ members: trading, postgres, nats, proxy }, faults, random, session, over.signal, report),
      comparisons.run(over.signal),
    ];
    try {
      await Promise.all(work);
    } finally {
      judgeComparisons(comparisons, report);
      over.abort();
      await Promise.allSettled(work);
    }
    report.figure(
      'a live session under faults',
      `${await minutesStored(databaseUrl)} minutes, ${faults} faults in ${seconds(sessionBegun)} s`,
    );
    judgeCalls(await calling, report);
    // The last fault may have struck a moment ago.
    await Promise.all(trading.map((member) => member.untilReady()));
    report.figure('blocks of the tape in the cache of each process', await hitRates(trading));
    for (const member of trading) {
      const code = await member.kill('SIGTERM');
      report.check(`${member.name} ends in order`, code === 0, `exit code ${code}`);
    }
  } finally {
    over.abort();
    await Promise.all(members.map((member) => member.kill()));
  }
}

const openDesk = (environment: Environment): Promise<Member[]> =>
  Promise.all([
    Member.of('api-1', 'api', environment),
    Member.of('api-2', 'api', environment),
    Member.of('live-1', 'live', environment),
    Member.of('live-2', 'live', environment),
    Member.of('scheduler', 'scheduler', environment),
    Member.of('worker-1', 'worker', environment),
    Member.of('worker-2', 'worker', environment),
    Member.of('worker-3', 'worker', environment),
  ]);

const isReplica = ({ role }: Member): boolean => role === 'api';

const simulate = (environment: Environment, symbols: number, days: number, end: string): Promise<string> =>
  command(
    ['simulate', '--symbols', `${symbols}`, '--days', `${days}`, '--minutes', '1', '--end', end],
    environment,
  );

/** Strikes fault after fault, at steps of the work that divide it evenly, until all have struck and the work is done. */
async function strike(
  struck: Struck,
  faults: number,
  random: () => number,
  work: Progress,
  signal: AbortSignal,
  report: Report,
): Promise<void> {
  for (let count = 1; count <= faults; count++) {
    const step = await work.until(Math.floor((count * work.steps) / (faults + 1)), signal);
    const done = await nextFault(random)(struck, random);
    report.note(`fault ${count} at ${work.at(step)}: ${done}`);
  }
  await work.until(work.steps, signal);
}

/** Reads of the tape that each process found in its local cache. */
async function hitRates(members: readonly Member[]): Promise<string> {
  const rates = await Promise.all(
    members.map(async ({ name, url }) => {
      const text = await fetch(`${url}/metrics`).then(
        (answer) => answer.text(),
        () => '',
      );
      const count = (what: string): number =>
        Number(new RegExp(`^tigraph_tape_cache_${what}_total (\\d+)`, 'm').exec(text)?.[1] ?? 0);
      const [hits, misses] = [count('hits'), count('misses')];
      return hits + misses === 0 ? [] : [`${name} ${((100 * hits) / (hits + misses)).toFixed(1)} %`];
    }),
  );
  return rates.flat().join(', ');
}

function judgeComparisons({ times, wanted, differing, newest, repeated }: Comparisons, report: Report): void {
  report.check(
    `the replicas were compared, ${times.length} of ${wanted} times`,
    times.length === wanted,
    times.length === 0 ? 'nothing was compared' : 'comparisons are missing',
  );
  const reasons = [...repeated].map(([reason, count]) => `${reason}: ${count}`);
  report.figure('questions repeated', reasons.join(', ') || 'none');
  if (times.length === 0) return;
  report.check(
    'both replicas answer the same bytes at the same announcement',
    differing.length === 0,
    differing.join(' '),
  );
  report.figure(
    'from a question at an announcement to the answer of both',
    `median ${quantile(times, 0.5).toFixed(0)} ms, longest ${quantile(times, 1).toFixed(0)} ms; ${newest} newest answers compared beside those as of the minute`,
  );
}

function judgeCalls({ statuses, faults, times, unreachable }: Calls, report: Report): void {
  const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  report.figure(
    'callers saw',
    `${counts.join(', ')}; no replica took ${unreachable}; median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`,
  );
  report.check('no caller sees 5xx but 503', faults.length === 0, faults.join('; '));
}

const seconds = (begun: number): string => ((performance.now() - begun) / 1000).toFixed(1);

/** Stock-days of the pass that are derived since an instant; all of them once none is dirty. */
async function daysDone(url: string, days: number, since: string): Promise<number> {
  const [row] = await onDatabase<{ derived: string; dirty: boolean }>(
    url,
    `select count(*) filter (where derived_at > $1::timestamptz) as derived, exists (select from tape_touched) as dirty
     from stock_day`,
    [since],
  );
  return row!.dirty ? Math.min(Number(row!.derived), days - 1) : days;
}

async function newestDerivation(url: string): Promise<string> {
  const [row] = await onDatabase<{ newest: string }>(
    url,
    'select max(derived_at)::text as newest from stock_day',
  );
  return row!.newest;
}

/** Minutes of the session whose market is stored: those that came due together count once. */
async function minutesStored(url: string): Promise<number> {
  const [row] = await onDatabase<{ minutes: string }>(
    url,
    'select count(*) as minutes from running_minute where at > $1::timestamptz and market is not null',
    [OPEN],
  );
  return Number(row!.minutes);
}

async function someSymbols(url: string, count: number): Promise<string[]> {
  const rows = await onDatabase<{ symbol: string }>(
    url,
    `select distinct symbol from stock_day where symbol <> 'SIMX' order by symbol limit $1`,
    [count],
  );
  return rows.map(({ symbol }) => symbol);
}

/** Processes without a bus are refused until those with one are forgotten. */
async function untilBusIsGone(url: string): Promise<void> {
  await onDatabase(url, `update lease set expires_at = '-infinity'`);
}

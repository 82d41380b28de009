import { mulberry32 } from '../support/daily-recipe.ts';
import { type Calls, callUntil, quantile } from './callers.ts';
import { contentsOf, differences } from './contents.ts';
import { command, type Environment, Member } from './desk.ts';
import { announceAll, onDatabase, touchAll, waiting } from './dirty-days.ts';
import type { Engines, Installation } from './engines.ts';
import { nextFault, type Struck } from './faults.ts';
import { advances } from './progress.ts';
import { type Comparison, compareStored } from './replicas.ts';
import type { Report } from './report.ts';

/** How large a campaign is. */
export interface CampaignSize {
  readonly symbols: number;
  /** Trade dates of the pass over every symbol. */
  readonly passDates: number;
  /** Minutes of the live session. */
  readonly minutes: number;
  readonly faults: number;
  /** How fast the session's clock runs. */
  readonly speed: number;
}

const SEED = 7;
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
  await command(
    [
      'simulate',
      '--symbols',
      `${symbols}`,
      '--days',
      `${HISTORY_DAYS}`,
      '--minutes',
      '1',
      '--end',
      LAST_DATE,
    ],
    base,
  );
  const reference = await engines.copyOf(first, 'reference');
  const days = await touchAll(first.databaseUrl, LAST_DATE, passDates);
  await touchAll(reference.databaseUrl, LAST_DATE, passDates);

  const random = mulberry32(SEED);
  const environment = { ...base, NATS_URL: engines.nats.url };
  const desk = await openDesk(environment);
  for (const member of desk) member.start();
  await Promise.all(desk.map((member) => member.untilReady()));
  const replicas = desk.filter(({ role }) => role === 'api');
  const stopCalls = new AbortController();
  const names = ['SIMX', ...(await someSymbols(first.databaseUrl, 40))];
  const paths = names.map((symbol) => `/api/graph/v1/stocks/${encodeURIComponent(symbol)}`);
  const calling = callUntil(stopCalls.signal, replicas, paths, 4);
  const struck: Struck = {
    members: desk,
    postgres: engines.postgres,
    nats: engines.nats,
    proxy: engines.proxy,
  };
  const passFaults = Math.round(size.faults / 3);
  const begun = performance.now();
  await announceAll(first.databaseUrl);
  const ranges = await waiting(first.databaseUrl);
  const derived = async () => ranges - (await waiting(first.databaseUrl));
  await strikeAlong(advances(derived, ranges), ranges, passFaults, struck, random, report);
  report.figure('a pass under faults', `${days} stock-days in ${seconds(begun)} s`);

  // The clock moves on: every process starts again with the one of the session.
  const since = new Date(Date.now() + 3_000).toISOString();
  const live = `${OPEN}*${size.speed}@${since}`;
  for (const member of desk) await member.kill('SIGTERM');
  const trading = await openDesk({ ...environment, TIGRAPH_NOW: live });
  for (const member of trading) member.start();
  await Promise.all(trading.map((member) => member.untilReady()));
  replicas.splice(0, replicas.length, ...trading.filter(({ role }) => role === 'api'));
  const sessionBegun = performance.now();
  const minutes = () => advances(() => minutesDone(first.databaseUrl), size.minutes);
  const compared: Comparison = { times: [], differing: [], unanswered: [] };
  await Promise.all([
    strikeAlong(
      minutes(),
      size.minutes,
      size.faults - passFaults,
      { ...struck, members: trading },
      random,
      report,
    ),
    compareAlong(minutes(), first, replicas, names, compared),
  ]);
  const done = await minutesDone(first.databaseUrl);
  report.figure('a live session under faults', `${done} minutes in ${seconds(sessionBegun)} s`);
  stopCalls.abort();
  const calls = await calling;
  judgeComparisons(compared, size.minutes, report);
  report.figure('blocks of the tape in the cache of each process', await hitRates(trading));
  // The last fault may have struck a moment ago.
  await Promise.all(trading.map((member) => member.untilReady()));
  for (const member of trading) {
    const code = await member.kill('SIGTERM');
    report.check(`${member.name} ends in order`, code === 0, `exit code ${code}`);
  }
  judgeCalls(calls, report);
  report.note('the rest of the session, and the end of its trade date, on both');
  const evening = { NATS_URL: '', TIGRAPH_NOW: EVENING };
  await untilBusIsGone(first.databaseUrl);
  for (const { settings } of [first, reference]) {
    const own = { ...settings, ...evening };
    await command(
      ['simulate', '--symbols', `${symbols}`, '--days', '1', '--minutes', '1', '--end', LIVE_DATE],
      own,
    );
    await command(['sync'], own);
  }
  const differing = differences(await contentsOf(first.databaseUrl), await contentsOf(reference.databaseUrl));
  report.check(
    'final contents equal those of a single process',
    differing.length === 0,
    differing.join('; '),
  );
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

/** Strikes faults spread evenly over work, each when the work has come so far. */
async function strikeAlong(
  progress: AsyncIterable<number>,
  end: number,
  faults: number,
  struck: Struck,
  random: () => number,
  report: Report,
): Promise<void> {
  let count = 0;
  for await (const reached of progress) {
    while (count < faults && reached >= (count * end) / faults)
      report.note(`fault ${++count}, at ${reached} of ${end}: ${await nextFault(random)(struck, random)}`);
  }
}

/** Compares the replicas at each minute of the session. */
async function compareAlong(
  minutes: AsyncIterable<number>,
  installation: Installation,
  replicas: readonly Member[],
  symbols: readonly string[],
  compared: Comparison,
): Promise<void> {
  for await (const minute of minutes) {
    const symbol = symbols[compared.times.length % symbols.length]!;
    if (minute >= 1) await compareStored(installation, replicas, symbol, compared);
  }
}

function judgeComparisons(
  { times, differing, unanswered }: Comparison,
  minutes: number,
  report: Report,
): void {
  const count = times.length + differing.length;
  report.check(
    'the replicas were compared, at every second minute of the session or more',
    count >= minutes / 2,
    `at ${count} of ${minutes} minutes; no answer at ${unanswered.join(' ') || 'none'}`,
  );
  report.check(
    'both answer the same bytes once they have heard of what is stored',
    differing.length === 0,
    differing.join(' '),
  );
  report.figure(
    'from a stored minute to the same answer of both',
    `median ${quantile(times, 0.5).toFixed(0)} ms, longest ${quantile(times, 1).toFixed(0)} ms of ${times.length}`,
  );
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

function judgeCalls({ statuses, faults, times, unreachable }: Calls, report: Report): void {
  const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  report.figure(
    'callers saw',
    `${counts.join(', ')}; no replica took ${unreachable}; median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`,
  );
  report.check('no caller sees 5xx but 503', faults.length === 0, faults.join('; '));
}

const seconds = (begun: number): string => ((performance.now() - begun) / 1000).toFixed(1);

async function minutesDone(url: string): Promise<number> {
  const [row] = await onDatabase<{ minutes: string | null }>(
    url,
    `select extract(epoch from max(at) - $1::timestamptz) / 60 as minutes from running_minute where market is not null`,
    [OPEN],
  );
  return Number(row?.minutes ?? 0);
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

import { join } from 'node:path';
import { startLoader } from '../../bench/load.ts';
import { quantile } from './callers.ts';
import { command, Member } from './desk.ts';
import { onDatabase } from './dirty-days.ts';
import type { Engines } from './engines.ts';
import type { Report } from './report.ts';

const LAST_DATE = '2024-03-07';
const NOW = '2024-03-08T08:30:00Z';
const PATH = '/api/graph/v1/stocks/';
const TURNS = 6;
const TURN_SECONDS = 1;
const CONNECTIONS = 32;
/** Answers after which code is compiled and connections are open. */
const WARM_UP = 20;
const COLD_PROMISED_MS = 20;

/** Hot and cold answers of one replica on PostgreSQL beside those of a process on the embedded store. */
export async function answers(engines: Engines, symbols: number, report: Report): Promise<void> {
  const market = [
    'simulate',
    '--symbols',
    `${symbols}`,
    '--days',
    '60',
    '--minutes',
    '1',
    '--end',
    LAST_DATE,
  ];
  const installation = await engines.environment('answers');
  const server = { ...installation.settings, TIGRAPH_NOW: NOW };
  const embedded = {
    ...server,
    DATABASE_URL: '',
    TIGRAPH_TAPE: '',
    TIGRAPH_DATA_DIR: join(installation.directory, 'answers-alone'),
  };
  await Promise.all([command(market, server), command(market, embedded)]);
  const known = await onDatabase<{ symbol: string }>(
    installation.databaseUrl,
    `select distinct symbol from stock_day where symbol not like '^%' order by symbol`,
  );
  const replica = await Member.of('answers-replica', 'api', { ...server, NATS_URL: engines.nats.url });
  const alone = await Member.of('answers-alone', 'api', embedded);
  for (const member of [replica, alone]) member.start();
  await Promise.all([replica.untilReady(), alone.untilReady()]);
  const hot = await hotRates(replica, alone);
  report.figure(
    'hot answers of a replica on PostgreSQL',
    `${hot.replica.toFixed(0)} a second, ${(hot.replica / hot.alone).toFixed(2)} times those of the embedded store`,
  );
  for (const [member, name] of [
    [replica, 'a replica on PostgreSQL'],
    [alone, 'the embedded store'],
  ] as const) {
    const times: number[] = [];
    for (const { symbol } of known) {
      const begun = performance.now();
      const answer = await fetch(`${member.url}${PATH}${encodeURIComponent(symbol)}?date=${LAST_DATE}`);
      await answer.arrayBuffer();
      times.push(performance.now() - begun);
    }
    const own = times.slice(WARM_UP);
    report.figure(
      `cold answers of ${name}`,
      `median ${quantile(own, 0.5).toFixed(1)} ms, p99 ${quantile(own, 0.99).toFixed(1)} ms of ${COLD_PROMISED_MS} promised`,
    );
  }
  await Promise.all([replica, alone].map((member) => member.kill('SIGTERM')));
}

/** Requests a second, each in turn, the median of the turns. */
async function hotRates(replica: Member, alone: Member): Promise<{ replica: number; alone: number }> {
  const loader = startLoader();
  const rates = { replica: [] as number[], alone: [] as number[] };
  try {
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [name, member] of [
        ['replica', replica],
        ['alone', alone],
      ] as const) {
        const { answers: count, seconds } = await loader.run({
          port: Number(new URL(member.url).port),
          paths: [`${PATH}SIMX`],
          connections: CONNECTIONS,
          seconds: TURN_SECONDS,
        });
        if (turn > 0) rates[name].push(count / seconds);
      }
    }
  } finally {
    loader.stop();
  }
  return { replica: quantile(rates.replica, 0.5), alone: quantile(rates.alone, 0.5) };
}

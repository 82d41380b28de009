import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from './callers.ts';
import { command, Member } from './desk.ts';
import { onDatabase } from './dirty-days.ts';
import type { Engines } from './engines.ts';
import { realTimeToken } from './replicas.ts';
import type { Report } from './report.ts';

const SYMBOLS = 100;
const STREAMED = 50;
const LAST_DATE = '2024-03-07';
const OPEN = '2024-03-08T14:30:00Z';
const SPEED = 20;
const PROMISED_MS = 100;

/** The time from a worker's write to the frame at a client of a stream, on a desk at peace. */
export async function latency(engines: Engines, seconds: number, report: Report): Promise<void> {
  const installation = await engines.environment('latency');
  const { databaseUrl, settings } = installation;
  await command(
    ['simulate', '--symbols', `${SYMBOLS}`, '--days', '60', '--minutes', '1', '--end', LAST_DATE],
    { ...settings, TIGRAPH_NOW: '2024-03-08T08:30:00Z' },
  );
  const since = new Date(Date.now() + 5_000).toISOString();
  const environment = { ...settings, NATS_URL: engines.nats.url, TIGRAPH_NOW: `${OPEN}*${SPEED}@${since}` };
  const replica = await Member.of('api', 'api', environment);
  const members = [
    replica,
    await Member.of('live', 'live', environment),
    await Member.of('worker', 'worker', environment),
  ];
  for (const member of members) member.start();
  await Promise.all(members.map((member) => member.untilReady()));
  const token = await realTimeToken(installation, replica);
  const rows = await onDatabase<{ symbol: string }>(
    databaseUrl,
    `select distinct symbol from stock_day where symbol not like '^%' order by symbol limit $1`,
    [STREAMED],
  );
  const times: number[] = [];
  const stop = new AbortController();
  const reading = readFrames(
    `${replica.url}/api/graph/v1/stream?symbols=${rows.map(({ symbol }) => symbol).join()}`,
    token,
    stop.signal,
    async ({ symbol, as_of }, at) => {
      const [row] = await onDatabase<{ derived_at: Date }>(
        databaseUrl,
        `select derived_at from stock_day where symbol = $1 and as_of = $2 and trade_date = '2024-03-08'`,
        [symbol, as_of],
      );
      if (row !== undefined) times.push(at - row.derived_at.getTime());
    },
  );
  // The first minutes come together.
  await delay(15_000);
  times.length = 0;
  await delay(seconds * 1_000);
  stop.abort();
  await reading;
  await Promise.all(members.map((member) => member.kill('SIGTERM')));
  const p99 = quantile(times, 0.99);
  report.figure(
    'from the write of a worker to a client of a stream',
    `median ${quantile(times, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${PROMISED_MS} promised, ${times.length} frames`,
  );
}

interface Frame {
  readonly symbol: string;
  readonly as_of: string;
}

async function readFrames(
  url: string,
  token: string,
  signal: AbortSignal,
  onFrame: (frame: Frame, at: number) => Promise<void>,
): Promise<void> {
  const looking: Promise<void>[] = [];
  try {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal });
    let rest = '';
    for await (const text of answer.body!.pipeThrough(new TextDecoderStream())) {
      const at = Date.now();
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const data = /^event: change$/m.test(block) ? /^data: (.*)$/m.exec(block)?.[1] : undefined;
        if (data !== undefined) looking.push(onFrame(JSON.parse(data) as Frame, at));
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  await Promise.all(looking);
}

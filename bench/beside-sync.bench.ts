/**
 * Promise: while a `sync` of another process derives sessions and writes them through the service's database, the service
 * answers 25 requests a second over all its read endpoints without a fault, 99 in 100 within 300 ms.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { newYorkCalendar } from '../src/base/calendar.ts';
import { broken, printTally, startMixedLoad, statusesOf, together } from './mixed.ts';
import { startBeside, startService } from './program.ts';
import { type BenchLine, ms, percentile, processors } from './report.ts';
import { copyOfUniverse, removeFolder, symbolsOf } from './universe.ts';

const MARKET = { symbols: 100, days: 504, minuteSessions: 5 };
const PROMISED_P99_MS = 300;
const RATE_PER_SECOND = 25;
/** Until every symbol and date has been asked for once: what a service that has just started makes is not the question. */
const WARM_UP_SECONDS = 30;
const QUIET_SECONDS = 15;
/** Sessions that no pass has derived yet, and those that callers ask for beside the newest. */
const DERIVED = ['2024-06-10', '2024-06-21'] as const;
const ASKED = ['2024-05-13', '2024-05-17'] as const;

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(MARKET);
  try {
    return await besideSync(folder);
  } finally {
    removeFolder(folder);
  }
}

async function besideSync(folder: string): Promise<BenchLine[]> {
  const service = await startService(folder);
  const load = startMixedLoad({
    port: service.port,
    symbols: symbolsOf(folder),
    dates: newYorkCalendar().sessionsBetween(...ASKED),
    ratePerSecond: RATE_PER_SECOND,
  });
  const [from, to] = DERIVED;
  const sync = ['sync', '--from', from, '--to', to];
  let beside = null;
  try {
    await delay(WARM_UP_SECONDS * 1000);
    await load.tally();
    await delay(QUIET_SECONDS * 1000);
    const quiet = together(await load.tally());
    const start = performance.now();
    beside = startBeside(sync, folder);
    const code = await beside.ended;
    const seconds = (performance.now() - start) / 1000;
    const tally = await load.tally();
    printTally(tally);
    const all = together(tally);
    const p99 = percentile(all.latencies, 0.99);
    return [
      {
        promise: `${RATE_PER_SECOND} requests/s over every read endpoint beside a sync: no answer from 500 on`,
        figure: `${broken(all)} of ${all.latencies.length}`,
        target: 'none',
        met: broken(all) === 0 && code === 0,
        note: `${statusesOf(all)}; the sync took ${seconds.toFixed(0)} s and ended with ${code}`,
      },
      {
        promise: `${RATE_PER_SECOND} requests/s over every read endpoint beside a sync: p99`,
        figure: ms(p99),
        target: `under ${PROMISED_P99_MS} ms`,
        met: p99 < PROMISED_P99_MS,
        note: `most ${ms(percentile(all.latencies, 1))}; without a sync p99 ${ms(percentile(quiet.latencies, 0.99))}, ${statusesOf(quiet)}; ${processors()}`,
      },
    ];
  } finally {
    load.stop();
    await beside?.stop();
    await service.stop();
  }
}

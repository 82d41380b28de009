/**
 * Promise: one minute of a running session over 5,000 symbols (what it touched derived again, written and announced) in
 * under 10 s on two cores, in under 1.5 GiB.
 *
 * A process takes up the session at noon, as a late start does, and carries the minutes after it one by one. The whole
 * recorded session lies in its memory beside the running one, which a vendor's feed would not need.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openApp } from '../src/app.ts';
import { newYorkCalendar } from '../src/base/calendar.ts';
import { steppingClock } from '../src/base/clock.ts';
import { loadConfig } from '../src/config.ts';
import { simulatedLiveFeed } from '../src/market/feeds/simulated-live.ts';
import { type ProcessedMinutes, runLiveSession } from '../src/pipeline/live-session.ts';
import { type BenchLine, median, processors, report } from './report.ts';
import { copyOfUniverse, LAST_DATE, removeFolder } from './universe.ts';

const SYMBOLS = Number(process.env.TIGRAPH_BENCH_SYMBOLS ?? 5_000);
const MINUTE_PROMISED_S = 10;
const MEMORY_PROMISED_GIB = 1.5;
const MINUTES = 6;
const WARM_UP_MINUTES = 2;
const NOON_MS = 12 * 3_600_000;
const MINUTE_MS = 60_000;
const GIB = 2 ** 30;

interface Measured {
  readonly seconds: readonly number[];
  readonly symbols: number;
  readonly rows: number;
  readonly failed: number;
  readonly peakBytes: number;
  /** Of all threads, a minute. */
  readonly cpuSeconds: number;
}

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse({ symbols: SYMBOLS, days: 260, minuteSessions: 1 });
  try {
    const child = fork(import.meta.filename, ['--once', folder], { stdio: ['ignore', 2, 2, 'ipc'] });
    const [measured] = (await once(child, 'message')) as [Measured];
    await once(child, 'exit');
    return linesOf(measured);
  } finally {
    removeFolder(folder);
  }
}

function linesOf({ seconds, symbols, rows, failed, peakBytes, cpuSeconds }: Measured): BenchLine[] {
  const [middle, longest] = [median(seconds), Math.max(...seconds)];
  const gib = peakBytes / GIB;
  return [
    {
      promise: `a minute of ${symbols} symbols, derived, written and announced`,
      figure: `${middle.toFixed(1)} s`,
      target: `under ${MINUTE_PROMISED_S} s`,
      met: failed === 0 && longest < MINUTE_PROMISED_S,
      note: `longest ${longest.toFixed(1)} s of ${seconds.length} minutes, ${rows} rows and ${cpuSeconds.toFixed(1)} s of processor time in each; ${processors()}${failed === 0 ? '' : `; ${failed} failed`}`,
    },
    {
      promise: 'memory of the process that carries it, at its most',
      figure: `${gib.toFixed(2)} GiB`,
      target: `under ${MEMORY_PROMISED_GIB} GiB`,
      met: gib < MEMORY_PROMISED_GIB,
      note: 'the making of the recorded session included',
    },
  ];
}

async function measured(folder: string): Promise<Measured> {
  const calendar = newYorkCalendar();
  const session = calendar.session(calendar.nextSession(LAST_DATE)!)!;
  const noon = session.midnight + NOON_MS;
  const app = await openApp(
    loadConfig({ TIGRAPH_DATA_DIR: folder, LOG_LEVEL: 'silent' }),
    steppingClock(noon),
  );
  await app.context.tape.clearDirtyRanges(await app.context.tape.touched());
  const market = { seed: 1, symbols: SYMBOLS, tickSessions: 0 };
  const feed = simulatedLiveFeed(market, session, calendar, app.context.clock);
  const steps: ProcessedMinutes[] = [];
  const cpu: number[] = [];
  let spent = process.cpuUsage();
  const stop = new AbortController();
  await runLiveSession(app.context, feed, {
    signal: stop.signal,
    onMinute(step) {
      steps.push(step);
      const { user, system } = process.cpuUsage(spent);
      spent = process.cpuUsage();
      cpu.push((user + system) / 1e6);
      console.error(
        `${new Date(step.at).toISOString()}: ${step.rows} rows, ${step.symbols} symbols, ${(step.tookMs / 1000).toFixed(1)} s, ${(process.memoryUsage.rss() / GIB).toFixed(2)} GiB`,
      );
      if (step.at >= noon + MINUTES * MINUTE_MS) stop.abort();
    },
  });
  const carried = steps.filter(({ at }) => at > noon + WARM_UP_MINUTES * MINUTE_MS);
  const result = {
    seconds: carried.map(({ tookMs }) => tookMs / 1000),
    symbols: Math.round(median(carried.map((step) => step.symbols))),
    rows: Math.round(median(carried.map((step) => step.rows))),
    failed: steps.reduce((sum, { failed }) => sum + failed.length, 0),
    peakBytes: process.resourceUsage().maxRSS * 1024,
    cpuSeconds: median(cpu.slice(-carried.length)),
  };
  await app.close();
  return result;
}

if (import.meta.main) {
  const [flag, folder] = process.argv.slice(2);
  if (flag === '--once') process.send!(await measured(folder!), () => process.exit(0));
  else report(await run());
}

/**
 * Promise: with 1,000 subscribers on one process, 99 in 100 changes reach their reader within 250 ms of the commit of
 * the minute that they are of.
 *
 * The service carries a running session and serves it; the readers are a process of their own on the loopback. A minute
 * is committed when its last transaction is; what reached a reader before that counts as 0.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { openApi } from '../src/app.ts';
import { newYorkCalendar } from '../src/base/calendar.ts';
import { steppingClock } from '../src/base/clock.ts';
import { loadConfig } from '../src/config.ts';
import { runLiveSession } from '../src/pipeline/live-session.ts';
import { simulatedLiveFeed } from '../src/simulated/live.ts';
import { type BenchLine, median, ms, percentile, processors } from './report.ts';
import type { Arrivals, Reading } from './stream-readers.ts';
import { copyOfUniverse, LAST_DATE, removeFolder, symbolsOf } from './universe.ts';

const PROMISED_P99_MS = 250;
const SUBSCRIBERS = 1_000;
const SYMBOLS = 100;
const WARM_UP_MINUTES = 2;
const MINUTES = 8;
const NOON_MS = 12 * 3_600_000;
const PATIENCE_MS = 120_000;

/** How many symbols each subscriber watches. */
const WATCHED = [1, 5] as const;

/** One minute that the service has carried. */
interface Carried {
  /** Milliseconds since 1970-01-01 with fractions. */
  readonly committedAt: number;
  readonly tookMs: number;
  readonly rssBytes: number;
}

export async function run(): Promise<BenchLine[]> {
  const lines: BenchLine[] = [];
  for (const watched of WATCHED) {
    const folder = await copyOfUniverse({ symbols: SYMBOLS, days: 260, minuteSessions: 1 });
    try {
      lines.push(await deliver(folder, watched));
    } finally {
      removeFolder(folder);
    }
  }
  return lines;
}

async function deliver(folder: string, watched: number): Promise<BenchLine> {
  const service = fork(import.meta.filename, [folder], { stdio: ['ignore', 2, 2, 'ipc'] });
  const readers = fork(new URL('./stream-readers.ts', import.meta.url), { stdio: ['ignore', 2, 2, 'ipc'] });
  try {
    const port = await answerOf<number>(service);
    await answerOf<Carried>(service);
    const reading: Reading = { port, lists: listsOf(symbolsOf(folder), watched) };
    readers.send(reading);
    const begun = await untilSnapshots(readers, SUBSCRIBERS * watched);
    const minutes: number[][] = [];
    let bytes = 0;
    let carried: Carried | null = null;
    let arrivals = begun;
    for (let minute = 0; minute < WARM_UP_MINUTES + MINUTES; minute++) {
      carried = await ask<Carried>(service, 'next');
      const { committedAt } = carried;
      arrivals = await ask<Arrivals>(readers, 'arrivals');
      if (minute < WARM_UP_MINUTES) continue;
      minutes.push(arrivals.times.map((time) => Math.max(0, time - committedAt)));
      bytes += arrivals.bytes;
    }
    const counts = minutes.map((latencies) => latencies.length);
    const p99s = minutes.map((latencies) => percentile(latencies, 0.99));
    const isWhole = arrivals.open === SUBSCRIBERS && arrivals.gaps === 0 && Math.min(...counts) > 0;
    const p99 = median(p99s);
    return {
      promise: `${SUBSCRIBERS} subscribers of ${watched} ${watched === 1 ? 'symbol' : 'symbols'} each: p99 of a change after its minute's commit`,
      figure: ms(p99),
      target: `under ${PROMISED_P99_MS} ms`,
      met: isWhole && p99 < PROMISED_P99_MS,
      note: [
        `the middle of ${MINUTES} minutes, worst ${ms(Math.max(...p99s))}; median change ${ms(percentile(minutes.flat(), 0.5))}`,
        `${Math.min(...counts)} to ${Math.max(...counts)} changes a minute, ${(bytes / MINUTES / 1e6).toFixed(0)} MB`,
        `a minute of ${SYMBOLS} symbols took ${ms(carried!.tookMs)}`,
        `${begun.snapshots} snapshots before; ${arrivals.open} connections, ${arrivals.gaps} gaps`,
        `${(carried!.rssBytes / 2 ** 20).toFixed(0)} MiB`,
        processors(),
      ].join('; '),
    };
  } finally {
    readers.disconnect();
    service.disconnect();
  }
}

/** Each subscriber's symbols: the next ones of the list, so that every symbol has as many readers. */
const listsOf = (symbols: readonly string[], watched: number): string[][] =>
  Array.from({ length: SUBSCRIBERS }, (_, subscriber) =>
    Array.from({ length: watched }, (_, place) => symbols[(subscriber * watched + place) % symbols.length]!),
  );

/** Waits until every subscriber has every stock that it begins with. */
async function untilSnapshots(readers: ChildProcess, wanted: number): Promise<Arrivals> {
  for (;;) {
    const arrivals = await ask<Arrivals>(readers, 'arrivals');
    if (arrivals.snapshots >= wanted) return arrivals;
  }
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [answer] = await once(child, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) });
  return answer as T;
}

function ask<T>(child: ChildProcess, question: string): Promise<T> {
  const answer = answerOf<T>(child);
  child.send(question);
  return answer;
}

/** Carries the session from noon on, one minute for each word of the parent, and serves it to callers without delay. */
async function serve(folder: string): Promise<void> {
  const calendar = newYorkCalendar();
  const session = calendar.session(calendar.nextSession(LAST_DATE)!)!;
  const settings = {
    TIGRAPH_DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    TIGRAPH_STREAMS_MAX: String(2 * SUBSCRIBERS),
  };
  const clock = steppingClock(session.midnight + NOON_MS);
  const app = await openApi({ ...loadConfig(settings), delayMinutes: 0 }, { clock });
  await app.context.tape.clearDirtyRanges(await app.context.tape.touched());
  const server = await app.server();
  await server.listen({ host: '127.0.0.1', port: 0 });
  process.send!((server.addresses()[0] as AddressInfo).port);
  const market = { seed: 1, symbols: SYMBOLS, tickSessions: 0 };
  await runLiveSession(app.context, simulatedLiveFeed(market, session, calendar, clock), {
    async onMinute({ tookMs }) {
      const committedAt = performance.timeOrigin + performance.now();
      process.send!({ committedAt, tookMs, rssBytes: process.memoryUsage.rss() });
      await once(process, 'message');
    },
  });
}

if (import.meta.main) {
  process.on('disconnect', () => process.exit(0));
  await serve(process.argv[2]!);
}

/**
 * Promises: one minute of a running session over 5,000 symbols (what it touched derived again, written and announced) in
 * under 3 s on two cores, in under 1.0 GiB; a restart in the session is back at its newest minute within 10 s.
 *
 * A process with the program's own settings takes up the session at noon, as a late start does, and carries the minutes
 * after it one by one; then another one starts. The session comes from this process, as from a vendor.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { openApi } from '../src/app.ts';
import { newYorkCalendar, type Session } from '../src/base/calendar.ts';
import { chunks } from '../src/base/chunks.ts';
import { fixedClock, steppingClock } from '../src/base/clock.ts';
import { loadConfig } from '../src/config.ts';
import type { Delivery, LiveFeed, LiveMinute } from '../src/market/feed.ts';
import { type ProcessedMinutes, runLiveSession } from '../src/pipeline/live-session.ts';
import { simulatedLiveFeed } from '../src/simulated/live.ts';
import { PROGRAM_SETTINGS } from './program.ts';
import { type BenchLine, median, processors } from './report.ts';
import { copyOfUniverse, LAST_DATE, removeFolder } from './universe.ts';

const SYMBOLS = Number(process.env.TIGRAPH_BENCH_SYMBOLS ?? 5_000);
const MINUTE_PROMISED_S = 3;
const MEMORY_PROMISED_GIB = 1;
const RESTART_PROMISED_S = 10;
const MINUTES = 6;
const WARM_UP_MINUTES = 2;
const NOON_MS = 12 * 3_600_000;
const MINUTE_MS = 60_000;
const GIB = 2 ** 30;

interface Carried {
  readonly steps: readonly ProcessedMinutes[];
  /** Of all threads, for each step. */
  readonly cpuSeconds: readonly number[];
  /** Until the process asked for its first minute: it has read the rows of the session. */
  readonly readMs: number;
  /** Until its first minute was announced. */
  readonly announcedMs: number;
  readonly peakBytes: number;
}

/** Deliveries of one message. */
const DELIVERIES = 500;

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse({ symbols: SYMBOLS, days: 260, minuteSessions: 1 });
  try {
    const first = await carried(folder, noon, MINUTES, ahead(noon, null));
    const minute = ahead(restart, noon + MINUTES * MINUTE_MS);
    // A vendor has the minute by the time that it is asked for.
    await minute.next;
    return linesOf(first, await carried(folder, restart, 0, minute));
  } finally {
    removeFolder(folder);
  }
}

const calendar = newYorkCalendar();
const session: Session = calendar.session(calendar.nextSession(LAST_DATE)!)!;
const noon = session.midnight + NOON_MS;
const restart = noon + (MINUTES + 1) * MINUTE_MS;

/** The minutes of the session after one, as of an instant; the first is being made. */
function ahead(now: number, after: number | null) {
  const market = { seed: 1, symbols: SYMBOLS, tickSessions: 0 };
  const stop = new AbortController();
  const feed = simulatedLiveFeed(market, session, calendar, fixedClock(now));
  const minutes = feed.minutes(after, stop.signal)[Symbol.asyncIterator]();
  const next = minutes.next();
  next.catch(() => {});
  return { after, stop, next, minutes };
}

/** What a process measured that carries the session from an instant on. */
async function carried(
  folder: string,
  from: number,
  minutes: number,
  source: ReturnType<typeof ahead>,
): Promise<Carried> {
  const child = fork(import.meta.filename, [folder, `${from}`, `${minutes}`], {
    stdio: ['ignore', 2, 2, 'ipc'],
    serialization: 'advanced',
    ...PROGRAM_SETTINGS,
  });
  const exit = once(child, 'exit');
  let feeding: Promise<void> | undefined;
  const done = Promise.withResolvers<Carried>();
  child.on('message', (message: { readonly after: number | null } | { readonly next: true } | Carried) => {
    if ('after' in message) feeding = feed(child, message.after, source);
    if ('steps' in message) done.resolve(message);
  });
  const measured = await Promise.race([done.promise, exit.then(() => null)]);
  source.stop.abort();
  await Promise.all([exit, feeding]);
  if (measured === null) throw new Error('the process that carries the session has ended');
  return measured;
}

/** Sends minutes of the session to a process, a minute when it asks for one. */
async function feed(
  child: ChildProcess,
  asked: number | null,
  { after, stop: { signal }, next, minutes }: ReturnType<typeof ahead>,
) {
  if (asked !== after) throw new Error(`the process asks for minutes after ${asked}`);
  const send = (message: object) => new Promise<void>((sent) => child.send(message, () => sent()));
  try {
    for (let result = await next; !result.done; result = await minutes.next()) {
      const { deliveries, ...minute } = result.value;
      for (const some of chunks(deliveries, DELIVERIES)) await send({ deliveries: some });
      const isAsked = once(child, 'message', { signal });
      await send({ minute });
      await isAsked;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function linesOf(first: Carried, again: Carried): BenchLine[] {
  const steps = first.steps.slice(-(MINUTES - WARM_UP_MINUTES));
  const seconds = steps.map(({ tookMs }) => tookMs / 1000);
  const [middle, longest] = [median(seconds), Math.max(...seconds)];
  const [symbols, rows] = [median(steps.map((step) => step.symbols)), median(steps.map((step) => step.rows))];
  const cpuSeconds = median(first.cpuSeconds.slice(-steps.length));
  const failed = [...first.steps, ...again.steps].reduce((sum, step) => sum + step.failed.length, 0);
  const gib = Math.max(first.peakBytes, again.peakBytes) / GIB;
  const restartSeconds = again.announcedMs / 1000;
  return [
    {
      promise: `a minute of ${Math.round(symbols)} symbols, derived, written and announced`,
      figure: `${middle.toFixed(1)} s`,
      target: `under ${MINUTE_PROMISED_S} s`,
      met: failed === 0 && longest < MINUTE_PROMISED_S,
      note: `longest ${longest.toFixed(1)} s of ${seconds.length} minutes, ${Math.round(rows)} rows and ${cpuSeconds.toFixed(1)} s of processor time in each; ${processors()}${failed === 0 ? '' : `; ${failed} failed`}`,
    },
    {
      promise: 'memory of the process that carries it, at its most',
      figure: `${gib.toFixed(2)} GiB`,
      target: `under ${MEMORY_PROMISED_GIB} GiB`,
      met: gib < MEMORY_PROMISED_GIB,
      note: `with the whole morning in one step; ${(again.peakBytes / GIB).toFixed(2)} GiB after a restart`,
    },
    {
      promise: 'restart in the session: its rows read, and the next minute announced',
      figure: `${restartSeconds.toFixed(1)} s`,
      target: `under ${RESTART_PROMISED_S} s`,
      met: restartSeconds < RESTART_PROMISED_S,
      note: `${(again.readMs / 1000).toFixed(1)} s until it asks for minutes; a first start at noon takes in the morning in ${(first.steps[0]!.tookMs / 1000).toFixed(0)} s`,
    },
  ];
}

/** Carries the session from an instant on: that minute with those before it that are missing, and so many after it. */
async function carry(folder: string, from: number, minutes: number): Promise<Carried> {
  const began = performance.now();
  const app = await openApi(loadConfig({ TIGRAPH_DATA_DIR: folder, LOG_LEVEL: 'silent' }), {
    clock: steppingClock(from),
  });
  await app.context.tape.clearDirtyRanges(await app.context.tape.touched());
  const steps: ProcessedMinutes[] = [];
  const cpuSeconds: number[] = [];
  let readMs = 0;
  let announcedMs = 0;
  let spent = process.cpuUsage();
  const stop = new AbortController();
  const received: LiveFeed = {
    name: 'simulated',
    simulated: true,
    tradeDate: session.tradeDate,
    async *minutes(after) {
      readMs = performance.now() - began;
      process.send!({ after });
      let deliveries: Delivery[] = [];
      for await (const [message] of on(process, 'message', { signal: stop.signal })) {
        const { minute, deliveries: some } = message as Partial<{
          minute: LiveMinute;
          deliveries: Delivery[];
        }>;
        if (some !== undefined) deliveries.push(...some);
        if (minute === undefined) continue;
        yield { ...minute, deliveries };
        deliveries = [];
        process.send!({ next: true });
      }
    },
  };
  await runLiveSession(app.context, received, {
    signal: stop.signal,
    onMinute(step) {
      if (steps.push(step) === 1) announcedMs = performance.now() - began;
      const { user, system } = process.cpuUsage(spent);
      spent = process.cpuUsage();
      cpuSeconds.push((user + system) / 1e6);
      console.error(
        `${new Date(step.at).toISOString()}: ${step.rows} rows, ${step.symbols} symbols, ${(step.tookMs / 1000).toFixed(1)} s, ${(process.memoryUsage.rss() / GIB).toFixed(2)} GiB`,
      );
      if (step.at >= from + minutes * MINUTE_MS) stop.abort();
    },
  });
  await app.close();
  return { steps, cpuSeconds, readMs, announcedMs, peakBytes: process.resourceUsage().maxRSS * 1024 };
}

if (import.meta.main) {
  const [folder, from, minutes] = process.argv.slice(2);
  process.send!(await carry(folder!, Number(from), Number(minutes)), () => process.exit(0));
}

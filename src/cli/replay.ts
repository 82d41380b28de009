import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AlertDelivery } from '../alerts/delivery.ts';
import type { App, Store } from '../app.ts';
import type { Session } from '../base/calendar.ts';
import { fixedClock, type PacedClock, replayClock, steppingClock } from '../base/clock.ts';
import { MINUTE_MS } from '../base/dates.ts';
import { stopwatch } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { liveNameOf, type TapedSession } from '../live/replay-from-tape.ts';
import { type LiveReport, type ProcessedMinutes, runLiveSession } from '../pipeline/live-session.ts';
import { importFeed } from '../tape/ingest.ts';
import { isAlive } from '../tape/segments/segment-name.ts';
import { EXIT_FAILED } from './command.ts';
import { announce, whileListening } from './listen.ts';
import { count } from './print.ts';
import { withProgress } from './progress.ts';
import { stopSignal } from './stop-signal.ts';
import { withApp, withStore } from './with-app.ts';

const SCRATCH_PREFIX = 'tigraph-replay-';

/** How often as fast as it was, or without waiting. */
type Speed = number | 'max';

/**
 * Plays a session on a store of its own, served meanwhile, and prints how long its minutes took; returns the exit code.
 *
 * @param undelayed whether callers without a token see the newest minute
 */
export async function playAlone(
  config: Config,
  taped: TapedSession,
  { speed, undelayed }: { readonly speed: Speed; readonly undelayed: boolean },
): Promise<number> {
  const { session, recording } = taped;
  const stop = stopSignal(config);
  const dataDirectory = scratchDirectory();
  const { databaseUrl, tape, ...alone } = config;
  const scratch = { ...alone, dataDirectory, delayMinutes: undelayed ? 0 : config.delayMinutes };
  try {
    console.log(
      `replay of ${session.tradeDate}: ${count(recording.rows)} rows, ${speed === 'max' ? 'without waiting' : `${speed} times as fast as it was`}`,
    );
    await withStore(scratch, (app) => seed(app, taped, stop), fixedClock(session.preOpen));
    if (stop.aborted) return 0;
    return await withApp(scratch, (app) => play(app, taped, stop), clockOf(session, speed));
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 3 });
  }
}

const clockOf = (session: Session, speed: Speed): PacedClock =>
  speed === 'max' ? steppingClock(session.preOpen) : replayClock({ from: session.preOpen, speed });

/** Imports the history before the session. No dirty ranges stay: answers derive it on demand. */
async function seed({ context }: Store, { history }: TapedSession, stop: AbortSignal): Promise<void> {
  await withProgress('history', async ({ update, waitFor }) => {
    waitFor('data before the session');
    for (const feed of history) {
      const stoppable = { ...feed, units: async () => (stop.aborted ? [] : feed.units()) };
      await importFeed(context, stoppable, ({ weightDone: done, weightTotal: total, rowsKept }) =>
        update({ done, total, detail: `${count(rowsKept)} rows` }),
      );
    }
  });
  await context.tape.clearDirtyRanges(await context.tape.touched());
}

async function play(app: App, taped: TapedSession, stop: AbortSignal): Promise<number> {
  const { session, recording } = taped;
  const server = await app.server();
  let code = EXIT_FAILED;
  await whileListening(server, app.config, async () => {
    const scope = app.context.scope.child('delivering alerts');
    await new AlertDelivery(scope, app.context, (error) => console.error(error)).begin();
    announce(server, await app.context.tape.symbols());
    const feed = recording.liveFeed(liveNameOf(taped));
    const steps: ProcessedMinutes[] = [];
    const started = stopwatch();
    const report = await withProgress(`replay of ${session.tradeDate}`, ({ update }) =>
      runLiveSession(app.context, feed, {
        signal: stop,
        onMinute(step) {
          steps.push(step);
          const total = (session.postClose - session.preOpen) / MINUTE_MS;
          const done = (step.at - session.preOpen) / MINUTE_MS;
          update({ done, total, detail: detailOf(session, step) });
        },
      }),
    );
    code = printReport(steps, report, stopwatch() - started);
  });
  return code;
}

function detailOf({ midnight }: Session, { at, symbols, tookMs }: ProcessedMinutes): string {
  const clock = new Date(at - midnight).toISOString().slice(11, 16);
  return `${clock} New York, ${count(symbols)} symbols, ${tookMs.toFixed(0)} ms`;
}

/** Prints a report; returns the exit code. */
function printReport(steps: readonly ProcessedMinutes[], { close }: LiveReport, tookMs: number): number {
  const times = steps.filter(({ symbols }) => symbols > 0).map((step) => step.tookMs);
  const sum = (of: (step: ProcessedMinutes) => number): number =>
    steps.reduce((all, step) => all + of(step), 0);
  const failed = steps.flatMap((step) => step.failed);
  console.log(
    `replay: ${count(sum((step) => step.minutes))} minutes in ${count(steps.length)} steps, ${count(sum((step) => step.rows))} rows, ${count(sum((step) => step.symbols))} stock-days derived, ${(tookMs / 1000).toFixed(1)} s`,
  );
  if (times.length > 0) {
    console.log(
      `  a minute with trades: median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms, longest ${quantile(times, 1).toFixed(1)} ms`,
    );
  }
  if (close === null) console.log('  interrupted before the end of the session');
  else console.log(`  at the end: ${count(close.derived)} stock-days derived whole`);
  const broken = [...failed, ...(close?.failed ?? [])];
  if (broken.length === 0) return 0;
  const { symbol, message } = broken[0]!;
  console.error(`  ${count(broken.length)} stock-days failed; first ${symbol}: ${message.split('\n', 1)[0]}`);
  return EXIT_FAILED;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** A temporary data directory named by process; deletes those of dead processes. */
function scratchDirectory(): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${SCRATCH_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
  }
  return mkdtempSync(join(tmpdir(), `${SCRATCH_PREFIX}${process.pid}-`));
}

import { untilAborted } from '../base/abortable.ts';
import { isCoded } from '../base/errors.ts';
import type { Scope, Task } from '../base/scope.ts';
import { rest, stopwatch } from '../base/timers.ts';
import type { Leases } from '../database/leases.ts';
import type { LiveGround, LiveSource, LiveStep } from '../live/source.ts';
import { type Feed, noteRefused } from '../market/feed.ts';
import { onViewed, SAY_MS, saidOf, say } from '../market/live-announcements.ts';
import { importFeed } from '../tape/ingest.ts';
import { whileLeased } from './leased-work.ts';
import { type LiveContext, runLiveSession } from './live-session.ts';

export type Log = Record<'info' | 'warn' | 'error', (of: object, message: string) => void>;

/** Shows how far some work has come until it ends. */
type ShowWork = <T>(
  title: string,
  work: (progress: {
    update(step: { readonly done: number; readonly total: number; readonly detail: string }): void;
  }) => Promise<T>,
) => Promise<T>;

/** Wait before a retry after an error. */
const RETRY_MS = 5_000;
const PROGRESS_INTERVAL_MS = 5_000;

/**
 * Follows a live source while this process has its lease: brings what is missing onto the tape, then streams the running
 * session minute by minute. Of several processes one follows; another continues after the newest minute on the tape.
 *
 * @param show of what is brought before a session; by default lines of the log
 * @throws CodedError for what can never be streamed
 */
export async function keepLive(
  scope: Scope,
  context: LiveContext,
  leases: Leases,
  source: LiveSource,
  log: Log,
  show: ShowWork = linesIn(log),
): Promise<void> {
  await source.check?.(context);
  const { live, database, clock } = context;
  const viewedAt = new Map<string, number>();
  const stopListening = await onViewed(database, (symbols) => {
    for (const symbol of symbols) viewedAt.set(symbol, clock.now());
  });
  void untilAborted(scope.signal).then(stopListening);
  whileLeased(
    scope,
    leases,
    'live',
    async (lease, held, task) => {
      let saying = Promise.resolve();
      const sayOn = (): Promise<void> => {
        // Nobody hears it while the database is away.
        saying = saying.then(() => say(database, lease, saidOf(live))).catch(() => {});
        return saying;
      };
      live.source = source;
      void sayOn();
      held.every(SAY_MS, 'saying how the source fares', sayOn);
      try {
        await follow({ ...context, lease, viewedAt }, source, held, { log, show }, task);
      } finally {
        live.source = null;
        await sayOn();
      }
    },
    (error) => log.error({ err: error }, `${source.title} was interrupted`),
  );
}

async function follow(
  context: LiveContext & Pick<LiveGround, 'viewedAt'>,
  source: LiveSource,
  { timers }: Scope,
  { log, show }: { readonly log: Log; readonly show: ShowWork },
  task: Task,
): Promise<void> {
  const { signal } = task;
  const { title } = source;
  const ground = { ...context, note: (says: string, about: object) => log.info(about, says) };
  /** Does a step; true for a session that has reached its end. */
  const take = async (step: LiveStep): Promise<boolean> => {
    switch (step.kind) {
      case 'note':
        log.info(step.about, step.says);
        return false;
      case 'import':
        if (step.says !== undefined) log.info(step.about ?? {}, step.says);
        await bring(context, step.feed, step.says ?? title, show);
        return false;
      case 'wait':
        await task.waits(context.clock.until(step.until, signal));
        return false;
      case 'rest':
        await task.waits(rest(timers, step.ms, { signal }));
        return false;
      case 'stream': {
        const { tradeDate } = step.feed;
        log.info({ tradeDate }, `${title} runs`);
        const { close } = await runLiveSession(context, step.feed, task);
        if (close !== null) log.info({ tradeDate, derived: close.derived }, `${title} has ended`);
        return close !== null;
      }
    }
  };
  let steps = source.steps(ground, signal);
  let hasEnded = false;
  while (!signal.aborted) {
    try {
      const { value: step } = await steps.next(hasEnded);
      // What has ended is not streamed again.
      if (step === undefined) return await task.waits(untilAborted(signal));
      hasEnded = await take(step);
    } catch (error) {
      if (signal.aborted || isCoded(error, 'lease_lost')) return;
      log.error({ err: error }, `${title} was interrupted`);
      await task.waits(rest(timers, RETRY_MS, { signal }));
      steps = source.steps(ground, signal);
      hasEnded = false;
    }
  }
}

async function bring(context: LiveContext, feed: Feed, says: string, show: ShowWork): Promise<void> {
  const { live } = context;
  try {
    live.filling = { says, percent: 0 };
    const { refusals } = await show(says, ({ update }) =>
      importFeed(context, feed, ({ weightDone: done, weightTotal: total, unit: detail }) => {
        live.filling = { says, percent: percentOf(done, total) };
        update({ done, total, detail });
      }),
    );
    const refused = refusals.map(({ rows: count, ...of }) => ({ kind: 'refused' as const, ...of, count }));
    noteRefused(live, refused, context.clock.now());
  } finally {
    live.filling = null;
  }
}

const percentOf = (done: number, total: number): number => Math.floor((100 * done) / total);

/** A line every few seconds. */
const linesIn =
  (log: Log): ShowWork =>
  (title, work) => {
    let loggedAt = stopwatch();
    return work({
      update({ done, total }) {
        if (stopwatch() - loggedAt < PROGRESS_INTERVAL_MS) return;
        loggedAt = stopwatch();
        log.info({ percent: percentOf(done, total) }, title);
      },
    });
  };

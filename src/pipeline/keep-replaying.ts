import { untilAborted } from '../base/abortable.ts';
import { CodedError } from '../base/errors.ts';
import type { Scope, Task } from '../base/scope.ts';
import { realTimers } from '../base/timers.ts';
import type { Leases } from '../database/leases.ts';
import { liveNameOf, newestIntradayDate, type TapedSession } from '../market/feeds/replay-from-tape.ts';
import { importFeed } from './ingest.ts';
import type { Log } from './keep-market-moving.ts';
import { whileLeased } from './leased-work.ts';
import { type LiveContext, runLiveSession } from './live-session.ts';

/** Real time that processes get to start before a replayed session begins. */
const START_MS = 120_000;

/**
 * Plays a recorded session as the live feed, as the clock reaches its minutes: first what was known before it comes onto
 * the tape. Of several processes one plays; another continues after the newest minute on the tape.
 *
 * @throws CodedError bad_setting when the clock is past a session that has not begun
 */
export async function keepReplaying(
  scope: Scope,
  context: LiveContext,
  leases: Leases,
  taped: TapedSession,
  log: Log,
): Promise<void> {
  await refuseLate(context, taped);
  whileLeased(
    scope,
    leases,
    'live',
    async (lease, _held, task) => {
      await play({ ...context, lease }, taped, log, task);
      // What has ended is not played again.
      await task.waits(untilAborted(task.signal));
    },
    (error) => log.error({ err: error }, 'the replay was interrupted'),
  );
}

async function refuseLate(context: LiveContext, taped: TapedSession): Promise<void> {
  const { tradeDate, preOpen, postClose } = taped.session;
  if (context.clock.now() < postClose || (await isBegun(context, taped))) return;
  const [from, since] = [preOpen, realTimers.now() + START_MS].map((at) => new Date(at).toISOString());
  throw new CodedError(
    'bad_setting',
    `The replayed session of ${tradeDate} is over by the clock: start every process with TIGRAPH_NOW=${from}*60@${since}, or another speed.`,
    { facts: { setting: 'TIGRAPH_NOW' } },
  );
}

async function isBegun(context: LiveContext, taped: TapedSession): Promise<boolean> {
  if (await isInFiles(context, taped)) return true;
  const running = await context.tape.runningSession(taped.session);
  running.close();
  return running.newest !== null;
}

/** Whether the session has ended here, or was imported. */
async function isInFiles({ tape }: LiveContext, { session }: TapedSession): Promise<boolean> {
  const newest = await newestIntradayDate(tape, await tape.symbols());
  return newest !== null && newest >= session.tradeDate;
}

async function play(context: LiveContext, taped: TapedSession, log: Log, task: Task): Promise<void> {
  const { signal } = task;
  const { session, recording, history } = taped;
  const { tradeDate } = session;
  if (await isInFiles(context, taped)) {
    // A process that was killed at the end of the session has left its rows, and no daily bars of them.
    await context.tape.finalizeEnded();
    await context.tape.completeDailyBars();
    log.info({ tradeDate }, 'the recorded session is on the tape already');
    return;
  }
  for (const feed of history) if (!signal.aborted) await importFeed(context, feed);
  if (signal.aborted) return;
  log.info({ tradeDate }, 'the recorded session runs');
  const { close } = await runLiveSession(context, recording.liveFeed(liveNameOf(taped)), task);
  if (close !== null) log.info({ tradeDate, derived: close.derived }, 'the recorded session has ended');
}

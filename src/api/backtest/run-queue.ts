import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isCoded } from '../../base/errors.ts';
import type { AppContext } from '../app-context.ts';
import { dataVersion } from './data-version.ts';
import { optimize } from './optimize.ts';
import {
  advanceRun,
  type LeaseOwner,
  completeRun,
  failRun,
  forgetRuns,
  noteDataVersion,
  onRunChange,
  openAmong,
  releaseRun,
  type TakenRun,
  takeRun,
} from './run-rows.ts';

export interface RunQueueLimits {
  /** Runs that a process carries at a time. */
  readonly runsAtOnce: number;
  /** Time without a word from its carrier after which another process takes a run up. */
  readonly leaseMs: number;
  /** Between words of a carrier: how far it has come, and that it lives. */
  readonly heartbeatMs: number;
  /** Between looks for runs whose carrier has died. */
  readonly lookEveryMs: number;
  /** How often a run is taken up after its carriers have died, before it is taken for the reason. */
  readonly attemptsMax: number;
  /** Days after which a run that is over is forgotten. */
  readonly keptDays: number;
}

const RUN_QUEUE_LIMITS: RunQueueLimits = {
  runsAtOnce: 1,
  leaseMs: 10_000,
  heartbeatMs: 500,
  lookEveryMs: 2_000,
  attemptsMax: 4,
  keptDays: 30,
};

const HOUR_MS = 3_600_000;
/** A folder that no run owns may belong to a command line that is at work. */
const STRAY_AGE_MS = 24 * HOUR_MS;

/** What carries runs in a process: takes the next, does it, and tells what came of it. */
export interface RunQueue {
  /** Resolves once no run that can be taken is left. */
  settled(): Promise<void>;
  /** Gives what is carried back, for another process to go on with. */
  close(): Promise<void>;
}

type QueueContext = Pick<AppContext, 'database' | 'tape' | 'calendar' | 'backtester'>;

/** @param onError hears of what is no fault of a request */
export async function openRunQueue(
  context: QueueContext,
  options: Partial<RunQueueLimits> = {},
  onError: (what: string, error: unknown) => void = () => {},
): Promise<RunQueue> {
  const limits = { ...RUN_QUEUE_LIMITS, ...options };
  const { database } = context;
  const holder = randomUUID();
  const carried = new Map<string, AbortController>();
  const lanes = new Set<Promise<void>>();
  let isClosed = false;
  /** Counts the reasons to look again, so that one that comes while the queue is looked at is not lost. */
  let calls = 0;

  const stopListening = await onRunChange(
    database,
    (id, status) => {
      if (status === 'cancelled') carried.get(id)?.abort(CANCELLED);
      if (status === 'pending') wake();
    },
    wake,
  );
  const looking = setInterval(wake, limits.lookEveryMs).unref();
  const clearing = setInterval(() => void clearOld(), HOUR_MS).unref();
  const clearedFirst = clearOld();
  wake();

  function wake(): void {
    calls++;
    if (isClosed || lanes.size >= limits.runsAtOnce) return;
    const lane = carryAll()
      .catch((error) => onError('looking for backtest runs', error))
      .finally(() => lanes.delete(lane));
    lanes.add(lane);
  }

  async function carryAll(): Promise<void> {
    for (let seen = -1; seen !== calls; ) {
      seen = calls;
      for (;;) {
        const run = isClosed ? null : await takeRun(database, holder, limits.leaseMs);
        if (run === null) break;
        await carry(run);
      }
    }
  }

  async function carry(run: TakenRun): Promise<void> {
    const carrier = { id: run.id, holder };
    const stop = new AbortController();
    carried.set(run.id, stop);
    if (isClosed) stop.abort(CLOSING);
    let percent = run.progress_pct;
    let isSpeaking = false;
    const speaking = setInterval(() => {
      if (isSpeaking) return;
      isSpeaking = true;
      advanceRun(database, carrier, percent, limits.leaseMs)
        .then(
          (isOurs) => isOurs || stop.abort(LOST),
          // A store that does not answer now is asked again; whether the run is still ours shows at its end.
          () => {},
        )
        .finally(() => {
          isSpeaking = false;
        });
    }, limits.heartbeatMs);
    try {
      const text = await carryOut(run, carrier, stop.signal, (now) => {
        percent = now;
      });
      // Whoever took it up meanwhile tells its end.
      if (!(await completeRun(database, carrier, text))) stop.abort(LOST);
    } catch (error) {
      await tellEnd(run, carrier, stop.signal, error);
    } finally {
      clearInterval(speaking);
      carried.delete(run.id);
    }
    if (stop.signal.reason !== CLOSING && stop.signal.reason !== LOST) removeFolder(run.id);
  }

  async function carryOut(
    run: TakenRun,
    carrier: LeaseOwner,
    signal: AbortSignal,
    onProgress: (percent: number) => void,
  ) {
    if (run.attempts > limits.attemptsMax) throw new WornOut(run.attempts - 1);
    const { request, last_session: lastSession } = run;
    const sessions = context.calendar.sessionsBetween(request.start_date, lastSession);
    const tapes = await context.tape.symbolTapes(request.symbols, { signal });
    const version = dataVersion(tapes, lastSession);
    await noteDataVersion(database, carrier, version);
    const folder = join(context.backtester.directory, run.id);
    mkdirSync(folder, { recursive: true });
    const work = { request, sessions, tapes, folder, dataVersion: version };
    return optimize(context.backtester, work, signal, onProgress);
  }

  async function tellEnd(run: TakenRun, carrier: LeaseOwner, signal: AbortSignal, error: unknown) {
    if (signal.reason === CANCELLED || signal.reason === LOST) return;
    if (
      signal.reason === CLOSING ||
      isCoded(error, 'database_unavailable') ||
      isCoded(error, 'shutting_down')
    ) {
      // Where the store does not answer the lease ends by itself.
      await releaseRun(database, carrier).catch(() => {});
      return;
    }
    const isKnown = isCoded(error) || error instanceof WornOut;
    if (!isKnown) onError(`the backtest run ${run.id}`, error);
    await failRun(database, carrier, isKnown ? error.message : DEFECT);
  }

  async function clearOld(): Promise<void> {
    try {
      await forgetRuns(database, limits.keptDays);
      await removeStrays();
    } catch (error) {
      onError('clearing old backtest runs', error);
    }
  }

  /** Folders of runs that are over were left by a process that died in between. */
  async function removeStrays(): Promise<void> {
    const { directory } = context.backtester;
    mkdirSync(directory, { recursive: true });
    const names = readdirSync(directory);
    const open = await openAmong(database, names);
    for (const name of names) {
      const age = Date.now() - (statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (!open.has(name) && age > STRAY_AGE_MS) removeFolder(name);
    }
  }

  function removeFolder(name: string): void {
    rmSync(join(context.backtester.directory, name), { recursive: true, force: true });
  }

  return {
    async settled() {
      while (lanes.size > 0) await Promise.all(lanes);
    },
    async close() {
      isClosed = true;
      stopListening();
      clearInterval(looking);
      clearInterval(clearing);
      for (const stop of carried.values()) stop.abort(CLOSING);
      await Promise.all([...lanes, clearedFirst]);
    },
  };
}

/** Why a run is put down. */
const CANCELLED = new Error('cancelled');
const LOST = new Error('another process has taken the run up');
const CLOSING = new Error('the process is closing');

const DEFECT =
  'The run stopped on a defect of the service; its log has the cause. The same request may be sent again.';

/** Its carriers died one after the other: most likely of the run itself. */
class WornOut extends Error {
  constructor(attempts: number) {
    super(
      `The process that carried this run ended ${attempts} times before it was done; ask for fewer symbols, sessions or multipliers.`,
    );
  }
}

import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { untilAborted } from '../../base/abortable.ts';
import { HOUR_MS } from '../../base/dates.ts';
import { isCoded } from '../../base/errors.ts';
import type { AppContext } from '../app-context.ts';
import { dataVersion } from './optimization-request.ts';
import { optimize } from './optimize.ts';
import {
  advanceRun,
  completeRun,
  deleteEndedRuns,
  failRun,
  type LeaseOwner,
  noteDataVersion,
  onRunChange,
  openAmong,
  releaseRun,
  type TakenRun,
  takeRun,
} from './run-rows.ts';
import { backtesterOnBus, deleteSlices } from './slices.ts';

export interface RunQueueLimits {
  /** Runs that a process executes at a time. */
  readonly runsAtOnce: number;
  /** Time without a heartbeat after which another process takes the run. */
  readonly leaseMs: number;
  /** Interval of heartbeats, which extend the lease and save the progress. */
  readonly heartbeatMs: number;
  /** Interval of polls for expired leases. */
  readonly pollIntervalMs: number;
  /** Attempts before a run whose processes died counts as failed. */
  readonly attemptsMax: number;
  /** Days after which an ended run is deleted. */
  readonly retentionDays: number;
}

const RUN_QUEUE_LIMITS: RunQueueLimits = {
  runsAtOnce: 1,
  leaseMs: 10_000,
  heartbeatMs: 500,
  pollIntervalMs: 2_000,
  attemptsMax: 4,
  retentionDays: 30,
};

/** A younger folder without a run may belong to a running command. */
const STRAY_AGE_MS = 24 * HOUR_MS;

/** Executes runs in a process, one after the other. */
export interface RunQueue {
  /** Returns running runs to the queue for other processes. */
  close(): Promise<void>;
}

type QueueContext = Pick<AppContext, 'scope' | 'database' | 'tape' | 'calendar' | 'backtester' | 'bus'>;

/** @param onError called for errors that no request caused */
export async function openRunQueue(
  context: QueueContext,
  options: Partial<RunQueueLimits> = {},
  onError: (what: string, error: unknown) => void = () => {},
): Promise<RunQueue> {
  const limits = { ...RUN_QUEUE_LIMITS, ...options };
  const { database } = context;
  const holder = randomUUID();
  const running = new Map<string, AbortController>();
  const scope = context.scope.child('backtests');
  let lanes = 0;
  /** Counts wake-ups, so that one during a poll is not lost. */
  let wakeUps = 0;

  const stopListening = await onRunChange(
    database,
    (id, status) => {
      if (status === 'cancelled') running.get(id)?.abort(CANCELLED);
      if (status === 'pending') wake();
    },
    wake,
  );
  void untilAborted(scope.signal).then(() => {
    stopListening();
    for (const stop of running.values()) stop.abort(CLOSING);
  });
  scope.every(limits.pollIntervalMs, 'looking for backtest runs', async () => wake());
  scope.every(HOUR_MS, 'deleting old backtest runs', deleteOld);
  void scope.run('deleting old backtest runs', deleteOld);
  wake();

  function wake(): void {
    wakeUps++;
    if (scope.signal.aborted || lanes >= limits.runsAtOnce) return;
    lanes++;
    void scope.run('executing backtest runs', async () => {
      await executeAll().catch((error) => onError('looking for backtest runs', error));
      lanes--;
    });
  }

  async function executeAll(): Promise<void> {
    for (let handled = -1; handled !== wakeUps; ) {
      handled = wakeUps;
      for (;;) {
        const run = scope.signal.aborted ? null : await takeRun(database, holder, limits.leaseMs);
        if (run === null) break;
        await execute(run);
      }
    }
  }

  async function execute(run: TakenRun): Promise<void> {
    const lease = { id: run.id, holder };
    const stop = new AbortController();
    running.set(run.id, stop);
    if (scope.signal.aborted) stop.abort(CLOSING);
    let percent = run.progress_pct;
    let isCompleted = false;
    const endBeating = scope.every(limits.heartbeatMs, `heartbeat of run ${run.id}`, async () => {
      // After a failure the next heartbeat tries again; the end of the run shows whether the lease is still held.
      const isHeld = await advanceRun(database, lease, percent, limits.leaseMs).catch(() => true);
      if (!isHeld) stop.abort(LOST);
    });
    try {
      const text = await runWithLease(run, lease, stop.signal, (now) => {
        percent = now;
      });
      isCompleted = await completeRun(database, lease, text);
      if (!isCompleted) stop.abort(LOST);
    } catch (error) {
      await endRun(run, lease, stop.signal, error);
    } finally {
      endBeating();
      running.delete(run.id);
    }
    // A heartbeat under way beside the completion finds the lease gone, and takes it for lost.
    if (isCompleted || (stop.signal.reason !== CLOSING && stop.signal.reason !== LOST)) await forget(run.id);
  }

  async function runWithLease(
    run: TakenRun,
    lease: LeaseOwner,
    signal: AbortSignal,
    onProgress: (percent: number) => void,
  ) {
    if (run.attempts > limits.attemptsMax) throw new TooManyAttempts(run.attempts - 1);
    const { request, last_session: lastSession } = run;
    const sessions = context.calendar.sessionsBetween(request.start_date, lastSession);
    const tapes = await context.tape.symbolTapes(request.symbols, { signal });
    const version = dataVersion(tapes, lastSession);
    await noteDataVersion(database, lease, version);
    const folder = join(context.backtester.directory, run.id);
    mkdirSync(folder, { recursive: true });
    const work = { request, sessions, tapes, folder, dataVersion: version };
    const { backtester, bus } = context;
    const walker = bus === undefined ? backtester : backtesterOnBus(backtester, run.id, { bus, database });
    return optimize(walker, work, signal, onProgress);
  }

  async function endRun(run: TakenRun, lease: LeaseOwner, signal: AbortSignal, error: unknown) {
    if (signal.reason === CANCELLED || signal.reason === LOST) return;
    if (
      signal.reason === CLOSING ||
      isCoded(error, 'database_unavailable') ||
      isCoded(error, 'tape_unavailable') ||
      isCoded(error, 'shutting_down')
    ) {
      // If the store is unavailable, the lease expires.
      await releaseRun(database, lease).catch(() => {});
      return;
    }
    const isKnown = isCoded(error) || error instanceof TooManyAttempts;
    if (!isKnown) onError(`the backtest run ${run.id}`, error);
    await failRun(database, lease, isKnown ? error.message : DEFECT);
  }

  async function deleteOld(): Promise<void> {
    try {
      await deleteEndedRuns(database, limits.retentionDays);
      await removeStrays();
    } catch (error) {
      onError('deleting old backtest runs', error);
    }
  }

  /** Removes folders of ended runs that a killed process left. */
  async function removeStrays(): Promise<void> {
    const { directory } = context.backtester;
    mkdirSync(directory, { recursive: true });
    const names = readdirSync(directory);
    const open = await openAmong(database, names);
    for (const name of names) {
      const age =
        scope.timers.now() - (statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (!open.has(name) && age > STRAY_AGE_MS) removeFolder(name);
    }
  }

  async function forget(run: string): Promise<void> {
    removeFolder(run);
    if (context.bus !== undefined) await deleteSlices(database, run).catch(() => {});
  }

  function removeFolder(name: string): void {
    rmSync(join(context.backtester.directory, name), { recursive: true, force: true });
  }

  return {
    close: () => scope.close(),
  };
}

/** Reasons to stop a run. */
const CANCELLED = new Error('cancelled');
const LOST = new Error('another process has the lease');
const CLOSING = new Error('the process is closing');

const DEFECT =
  'The run stopped on a defect of the service; its log has the cause. The same request may be sent again.';

/** The processes that executed the run died, most likely because of it. */
class TooManyAttempts extends Error {
  constructor(attempts: number) {
    super(
      `The process that executed this run ended ${attempts} times before it was done; ask for fewer symbols, sessions or multipliers.`,
    );
  }
}

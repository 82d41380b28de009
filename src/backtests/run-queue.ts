import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { untilAborted } from '../base/abortable.ts';
import type { Calendar } from '../base/calendar.ts';
import { HOUR_MS } from '../base/dates.ts';
import { isCoded } from '../base/errors.ts';
import type { Scope } from '../base/scope.ts';
import type { Bus } from '../bus/bus.ts';
import type { Database } from '../database/database.ts';
import type { Tape } from '../tape/index.ts';
import type { Backtester } from '../workers/backtester.ts';
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

interface QueueContext {
  readonly scope: Scope;
  readonly database: Database;
  readonly tape: Tape;
  readonly calendar: Calendar;
  readonly backtester: Backtester;
  readonly bus?: Bus | undefined;
}

type OnError = (what: string, error: unknown) => void;

/** Executes runs in a process, one after the other. */
export class RunQueue {
  readonly #context: QueueContext;
  readonly #limits: RunQueueLimits;
  readonly #onError: OnError;
  readonly #scope: Scope;
  readonly #holder = randomUUID();
  readonly #running = new Map<string, AbortController>();
  #lanes = 0;
  /** Counts wake-ups, so that one during a poll is not lost. */
  #wakeUps = 0;

  private constructor(context: QueueContext, limits: RunQueueLimits, onError: OnError) {
    this.#context = context;
    this.#limits = limits;
    this.#onError = onError;
    this.#scope = context.scope.child('backtests');
  }

  /** @param onError called for errors that no request caused */
  static async open(
    context: QueueContext,
    options: Partial<RunQueueLimits> = {},
    onError: OnError = () => {},
  ): Promise<RunQueue> {
    const queue = new RunQueue(context, { ...RUN_QUEUE_LIMITS, ...options }, onError);
    await queue.#start();
    return queue;
  }

  /** Returns running runs to the queue for other processes. */
  close(): Promise<void> {
    return this.#scope.close();
  }

  async #start(): Promise<void> {
    const scope = this.#scope;
    const wake = (): void => this.#wake();
    const stopListening = await onRunChange(
      this.#context.database,
      (id, status) => {
        if (status === 'cancelled') this.#running.get(id)?.abort(CANCELLED);
        if (status === 'pending') wake();
      },
      wake,
    );
    void untilAborted(scope.signal).then(() => {
      stopListening();
      for (const stop of this.#running.values()) stop.abort(CLOSING);
    });
    const deleteOld = (): Promise<void> => this.#deleteOld();
    scope.every(this.#limits.pollIntervalMs, 'looking for backtest runs', async () => wake());
    scope.every(HOUR_MS, 'deleting old backtest runs', deleteOld);
    void scope.run('deleting old backtest runs', deleteOld);
    wake();
  }

  #wake(): void {
    this.#wakeUps++;
    if (this.#scope.signal.aborted || this.#lanes >= this.#limits.runsAtOnce) return;
    this.#lanes++;
    void this.#scope.run('executing backtest runs', async () => {
      await this.#executeAll().catch((error) => this.#onError('looking for backtest runs', error));
      this.#lanes--;
    });
  }

  async #executeAll(): Promise<void> {
    for (let handled = -1; handled !== this.#wakeUps; ) {
      handled = this.#wakeUps;
      for (;;) {
        const run = this.#scope.signal.aborted
          ? null
          : await takeRun(this.#context.database, this.#holder, this.#limits.leaseMs);
        if (run === null) break;
        await this.#execute(run);
      }
    }
  }

  async #execute(run: TakenRun): Promise<void> {
    const lease = { id: run.id, holder: this.#holder };
    const stop = new AbortController();
    this.#running.set(run.id, stop);
    if (this.#scope.signal.aborted) stop.abort(CLOSING);
    let percent = run.progress_pct;
    let isCompleted = false;
    const endBeating = this.#scope.every(this.#limits.heartbeatMs, `heartbeat of run ${run.id}`, async () => {
      // After a failure the next heartbeat tries again; the end of the run shows whether the lease is still held.
      const isHeld = await advanceRun(this.#context.database, lease, percent, this.#limits.leaseMs).catch(
        () => true,
      );
      if (!isHeld) stop.abort(LOST);
    });
    try {
      const merged = await this.#runWithLease(run, lease, stop.signal, (now) => {
        percent = now;
      });
      isCompleted = await completeRun(this.#context.database, lease, merged);
      if (!isCompleted) stop.abort(LOST);
    } catch (error) {
      await this.#endRun(run, lease, stop.signal, error);
    } finally {
      endBeating();
      this.#running.delete(run.id);
    }
    // A heartbeat under way beside the completion finds the lease gone, and takes it for lost.
    if (isCompleted || (stop.signal.reason !== CLOSING && stop.signal.reason !== LOST))
      await this.#forget(run.id);
  }

  async #runWithLease(
    run: TakenRun,
    lease: LeaseOwner,
    signal: AbortSignal,
    onProgress: (percent: number) => void,
  ) {
    if (run.attempts > this.#limits.attemptsMax) throw new TooManyAttempts(run.attempts - 1);
    const { request, own, last_session: lastSession } = run;
    const sessions = this.#context.calendar.sessionsBetween(request.start_date, lastSession);
    const tapes = await this.#context.tape.symbolTapes(request.symbols, { signal });
    const version = dataVersion(tapes, lastSession, request.half_spread);
    await noteDataVersion(this.#context.database, lease, version);
    const folder = join(this.#context.backtester.directory, run.id);
    mkdirSync(folder, { recursive: true });
    const work = { request, own, sessions, tapes, folder, dataVersion: version };
    const { backtester, bus, database } = this.#context;
    const walker = bus === undefined ? backtester : backtesterOnBus(backtester, run.id, { bus, database });
    return optimize(walker, work, signal, onProgress);
  }

  async #endRun(run: TakenRun, lease: LeaseOwner, signal: AbortSignal, error: unknown) {
    if (signal.reason === CANCELLED || signal.reason === LOST) return;
    if (
      signal.reason === CLOSING ||
      isCoded(error, 'database_unavailable') ||
      isCoded(error, 'tape_unavailable') ||
      isCoded(error, 'shutting_down')
    ) {
      // If the store is unavailable, the lease expires.
      await releaseRun(this.#context.database, lease).catch(() => {});
      return;
    }
    const isKnown = isCoded(error) || error instanceof TooManyAttempts;
    if (!isKnown) this.#onError(`the backtest run ${run.id}`, error);
    await failRun(this.#context.database, lease, isKnown ? error.message : DEFECT);
  }

  async #deleteOld(): Promise<void> {
    try {
      await deleteEndedRuns(this.#context.database, this.#limits.retentionDays);
      await this.#removeStrays();
    } catch (error) {
      this.#onError('deleting old backtest runs', error);
    }
  }

  /** Removes folders of ended runs that a killed process left. */
  async #removeStrays(): Promise<void> {
    const { directory } = this.#context.backtester;
    mkdirSync(directory, { recursive: true });
    const names = readdirSync(directory);
    const open = await openAmong(this.#context.database, names);
    for (const name of names) {
      const age =
        this.#scope.timers.now() - (statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (!open.has(name) && age > STRAY_AGE_MS) this.#removeFolder(name);
    }
  }

  async #forget(run: string): Promise<void> {
    this.#removeFolder(run);
    if (this.#context.bus !== undefined) await deleteSlices(this.#context.database, run).catch(() => {});
  }

  #removeFolder(name: string): void {
    rmSync(join(this.#context.backtester.directory, name), { recursive: true, force: true });
  }
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

import { untilAborted } from '../base/abortable.ts';
import type { Scope, Task } from '../base/scope.ts';
import { onChange } from '../database/changes.ts';
import { behindReaders, type Database } from '../database/database.ts';
import { noteOf } from '../database/leases.ts';
import type { LiveStatus } from '../market/feed.ts';
import type { PassContext } from './detector.ts';
import { type SyncReport, syncGraph } from './graph-sync.ts';
import { bringHistoriesUpToDate } from './history-pass.ts';
import { type PassWatching, passMeter } from './pass-metrics.ts';
import { bringRecordsUpToDate } from './record-pass.ts';
import { openRetention } from './retention.ts';
import { bringStatesUpToDate, type StateReport } from './state-pass.ts';

/** When passes run, milliseconds. */
export interface PassTimes {
  /** A pass starts after this long without an announcement: writers come in bursts. */
  readonly quietMs: number;
  /** A pass starts at least this often, for announcements that were lost while the database changed hands. */
  readonly pollIntervalMs: number;
}

const GRAPH_TIMES: PassTimes = { quietMs: 2_000, pollIntervalMs: 60_000 };
const STATE_TIMES: PassTimes = { quietMs: 5_000, pollIntervalMs: 60_000 };
/** Each time the stored quarters of every stock are looked at. */
const HISTORY_TIMES: PassTimes = { quietMs: 5_000, pollIntervalMs: 600_000 };

/**
 * Runs a pass after every change that another writer announces, one at a time, until the scope closes. The pass's own
 * announcements start none, nor do those of a running session, which name their origin. Resolves once it listens.
 *
 * @param name of the pass among the tasks of the scope
 * @param onError receives what a pass throws; the next pass tries again
 */
export async function keepPassing(
  scope: Scope,
  name: string,
  database: Database,
  { quietMs, pollIntervalMs }: PassTimes,
  pass: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void = () => {},
): Promise<void> {
  let callOff = (): void => {};
  let isRunning = false;
  const passAfter = (delayMs: number): void => {
    callOff();
    callOff = scope.after(delayMs, name, run);
  };
  const run = async ({ signal }: Task): Promise<void> => {
    isRunning = true;
    await behindReaders(() => pass(signal)).catch((error) => {
      if (!signal.aborted) onError(error);
    });
    isRunning = false;
    passAfter(pollIntervalMs);
  };
  passAfter(quietMs);
  const stopListening = await onChange(database, ({ origin }) => {
    if (!isRunning && origin === null) passAfter(quietMs);
  });
  void untilAborted(scope.signal).then(stopListening);
}

/** Derives what new data touches, whatever imported it, counts its claims, and drops months that are no longer kept. */
export function keepGraphFresh(
  scope: Scope,
  context: PassContext & { readonly live: LiveStatus } & PassWatching,
  onError: (error: unknown) => void,
): Promise<void> {
  const dropOldMonths = openRetention(context);
  const metered = passMeter(context, 'graph');
  const meteredRecords = passMeter(context, 'records');
  const pass = async (signal: AbortSignal): Promise<void> => {
    const { failed } = await metered(
      () => finalizeAndSync(context, signal),
      ({ derived, written, unchanged, missing, failed: broken }) => ({
        derived,
        written,
        unchanged,
        missing,
        failed: broken.length,
      }),
    );
    for (const { symbol, tradeDate, message } of failed)
      onError(new Error(`${symbol} ${tradeDate}: ${message}`));
    // After the stock-days, whose stored scores are claims.
    await meteredRecords(
      () => bringRecordsUpToDate(context, { signal }),
      ({ events: derived, written }) => ({ derived, written }),
    ).catch((error) => {
      if (!signal.aborted) onError(error);
    });
    await dropOldMonths(signal);
  };
  return keepPassing(scope, 'graph pass', context.database, GRAPH_TIMES, pass, onError);
}

/** Leaves the session that a process runs to its `runLiveSession`. */
async function finalizeAndSync(
  context: PassContext & { readonly live: LiveStatus },
  signal: AbortSignal,
): Promise<SyncReport> {
  const running = context.live.running?.tradeDate ?? (await sessionElsewhere(context));
  if (running === null) await context.tape.finalizeEnded();
  const before = running === null ? {} : { before: running };
  return syncGraph(context, { kind: 'touched', ...before }, () => {}, signal);
}

/** The trade date of a session that another process runs; null when none does, or its trade date is over. */
async function sessionElsewhere({ database, calendar, clock }: PassContext): Promise<string | null> {
  if (database.kind === 'embedded') return null;
  const tradeDate = await noteOf(database, 'live');
  const session = tradeDate === null ? null : calendar.session(tradeDate);
  return session === null || clock.now() >= session.end ? null : tradeDate;
}

/** Derives states after the stock-days of a burst, and at intervals, because the end of a session is not announced. */
export function keepStatesFresh(
  scope: Scope,
  context: PassContext & PassWatching,
  { onPass, onError }: { onPass(report: StateReport): void; onError(error: unknown): void },
): Promise<void> {
  const metered = passMeter(context, 'states');
  const pass = async (signal: AbortSignal): Promise<void> => {
    const report = await metered(
      () => bringStatesUpToDate(context, { signal, inBackground: true }),
      ({ symbols, written, failed }) => ({ derived: symbols, written, failed: failed.length }),
    );
    if (report.symbols > 0) onPass(report);
    for (const { symbol, message } of report.failed) onError(new Error(`${symbol}: ${message}`));
  };
  return keepPassing(scope, 'state pass', context.database, STATE_TIMES, pass, onError);
}

/** Stores scalar values for histories, once the stock-days that new data touch are derived. */
export function keepHistoriesFresh(
  scope: Scope,
  context: PassContext & PassWatching,
  onError: (error: unknown) => void,
): Promise<void> {
  const metered = passMeter(context, 'histories');
  let waiting = 0;
  context.metrics.gauge(
    'tigraph_histories_waiting_days',
    'Stock-days whose values are still to be stored for histories, as far as a pass has planned them.',
    () => waiting,
  );
  const pass = async (signal: AbortSignal): Promise<void> => {
    const { failed, derived } = await metered(
      () =>
        bringHistoriesUpToDate(context, signal, ({ done, planned }) => {
          waiting = planned - done;
        }),
      ({ derived, written, failed }) => ({ derived, written, failed: failed.length }),
    );
    for (const { symbol, tradeDate, message } of failed)
      onError(new Error(`${symbol} ${tradeDate}: ${message}`));
    // What other passes have finished meanwhile was not announced to this one.
    if (derived > 0) await pass(signal);
  };
  return keepPassing(scope, 'history pass', context.database, HISTORY_TIMES, pass, onError);
}

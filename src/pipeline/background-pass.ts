import { once } from 'node:events';
import { onChange } from '../database/changes.ts';
import { behindReaders, type Database } from '../database/database.ts';
import { noteOf } from '../database/leases.ts';
import type { LiveStatus } from '../market/feed.ts';
import type { PassContext } from './detector.ts';
import { type SyncReport, syncGraph } from './graph-sync.ts';
import { type PassWatching, passMeter } from './pass-metrics.ts';
import { openRetention } from './retention.ts';
import { bringStatesUpToDate, type StateReport } from './state-pass.ts';

/** Work beside the service. `stop` aborts its signal and waits until it has ended. */
export interface BackgroundWork {
  stop(): Promise<void>;
}

export function startBackground(
  work: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): BackgroundWork {
  const stopping = new AbortController();
  const ended = work(stopping.signal).catch(onError);
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** When passes run, milliseconds. */
export interface PassTimes {
  /** A pass starts after this long without an announcement: writers come in bursts. */
  readonly quietMs: number;
  /** A pass starts at least this often, for announcements that were lost while the database changed hands. */
  readonly pollIntervalMs: number;
}

/**
 * Runs a pass after every change that another writer announces, one at a time. The pass's own announcements start none,
 * nor do those of a running session, which name their origin.
 *
 * @param onError receives what a pass throws; the next pass tries again
 */
export function keepPassing(
  database: Database,
  { quietMs, pollIntervalMs }: PassTimes,
  pass: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void = () => {},
): BackgroundWork {
  return startBackground(async (signal) => {
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> | null = null;
    const passAfter = (delayMs: number): void => {
      if (signal.aborted) return;
      clearTimeout(timer);
      timer = setTimeout(begin, delayMs).unref();
    };
    const begin = (): void => {
      running = behindReaders(() => pass(signal))
        .catch((error) => {
          if (!signal.aborted) onError(error);
        })
        .finally(() => {
          running = null;
          passAfter(pollIntervalMs);
        });
    };
    passAfter(quietMs);
    const stopListening = await onChange(database, ({ origin }) => {
      if (running === null && origin === null) passAfter(quietMs);
    });
    if (!signal.aborted) await once(signal, 'abort');
    clearTimeout(timer);
    stopListening();
    await running;
  }, onError);
}

/** Derives what new data touches, whatever imported it, and drops months that are no longer kept. */
export function keepGraphFresh(
  context: PassContext & { readonly live: LiveStatus } & PassWatching,
  onError: (error: unknown) => void,
): BackgroundWork {
  const dropOldMonths = openRetention(context);
  const metered = passMeter(context, 'graph');
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
    await dropOldMonths(signal);
  };
  return keepPassing(context.database, { quietMs: 2_000, pollIntervalMs: 60_000 }, pass, onError);
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
  context: PassContext & PassWatching,
  { onPass, onError }: { onPass(report: StateReport): void; onError(error: unknown): void },
): BackgroundWork {
  const metered = passMeter(context, 'states');
  const pass = async (signal: AbortSignal): Promise<void> => {
    const report = await metered(
      () => bringStatesUpToDate(context, { signal, inBackground: true }),
      ({ symbols, written, failed }) => ({ derived: symbols, written, failed: failed.length }),
    );
    if (report.symbols > 0) onPass(report);
    for (const { symbol, message } of report.failed) onError(new Error(`${symbol}: ${message}`));
  };
  return keepPassing(context.database, { quietMs: 5_000, pollIntervalMs: 60_000 }, pass, onError);
}

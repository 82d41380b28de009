import type { LiveStatus } from '../market/feed.ts';
import { type BackgroundWork, keepPassing } from './background-pass.ts';
import type { PassContext } from './detector.ts';
import { type SyncReport, syncGraph } from './graph-sync.ts';
import { bringStatesUpToDate, type StateReport } from './state-pass.ts';

/** Derives what new data touches, whatever imported it. */
export function keepGraphFresh(
  context: PassContext & { readonly live: LiveStatus },
  onError: (error: unknown) => void,
): BackgroundWork {
  const pass = async (): Promise<void> => {
    const { failed } = await finalizeAndSync(context);
    for (const { symbol, tradeDate, message } of failed)
      onError(new Error(`${symbol} ${tradeDate}: ${message}`));
  };
  return keepPassing(context.database, { quietMs: 2_000, pollIntervalMs: 60_000 }, pass, onError);
}

/** Leaves the session that this process runs to `runLiveSession`. */
async function finalizeAndSync(context: PassContext & { readonly live: LiveStatus }): Promise<SyncReport> {
  const running = context.live.running?.tradeDate;
  if (running === undefined) await context.tape.finalizeEnded();
  return syncGraph(context, { kind: 'touched', ...(running === undefined ? {} : { before: running }) });
}

/** Derives states after the stock-days of a burst, and at intervals, because the end of a session is not announced. */
export function keepStatesFresh(
  context: PassContext,
  { onPass, onError }: { onPass(report: StateReport): void; onError(error: unknown): void },
): BackgroundWork {
  const pass = async (signal: AbortSignal): Promise<void> => {
    const report = await bringStatesUpToDate(context, { signal, inBackground: true });
    if (report.symbols > 0) onPass(report);
    for (const { symbol, message } of report.failed) onError(new Error(`${symbol}: ${message}`));
  };
  return keepPassing(context.database, { quietMs: 5_000, pollIntervalMs: 60_000 }, pass, onError);
}

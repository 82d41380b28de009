import type { LiveStatus } from '../base/live-status.ts';
import { keepPassing } from './background-pass.ts';
import { type SyncReport, type SyncContext, syncGraph } from './graph-sync.ts';

/** Imports come in bursts. */
const TIMES = { quietMs: 2_000, lookEveryMs: 60_000 };

/**
 * Derives what new data touches while the service runs, whoever imported it. A pass that breaks is reported and the next
 * one tries again.
 */
export function keepGraphFresh(
  context: SyncContext & { readonly live: LiveStatus },
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  return keepPassing(context.database, TIMES, async () => {
    try {
      const { failed } = await finalizeAndSync(context);
      for (const { symbol, tradeDate, message } of failed)
        onError(new Error(`${symbol} ${tradeDate}: ${message}`));
    } catch (error) {
      onError(error);
    }
  });
}

/** A session that is carried here is sealed and derived by who carries it. */
async function finalizeAndSync(context: SyncContext & { readonly live: LiveStatus }): Promise<SyncReport> {
  const carried = context.live.running?.tradeDate;
  if (carried === undefined) await context.tape.finalizeEnded();
  return syncGraph(context, { kind: 'touched', ...(carried === undefined ? {} : { before: carried }) });
}

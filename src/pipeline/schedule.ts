import type { LiveStatus } from '../base/live-status.ts';
import { keepPassing } from './background-pass.ts';
import { type SyncReport, type SyncWorld, syncGraph } from './graph-sync.ts';

/** Imports come in bursts. */
const TIMES = { quietMs: 2_000, lookEveryMs: 60_000 };

/**
 * Derives what new data touches while the service runs, whoever imported it. A pass that breaks is reported and the next
 * one tries again.
 */
export function keepGraphFresh(
  world: SyncWorld & { readonly live: LiveStatus },
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  return keepPassing(world.database, TIMES, async () => {
    try {
      const { failed } = await sealAndSync(world);
      for (const { symbol, tradeDate, message } of failed)
        onError(new Error(`${symbol} ${tradeDate}: ${message}`));
    } catch (error) {
      onError(error);
    }
  });
}

/** A session that is carried here is sealed and derived by who carries it. */
async function sealAndSync(world: SyncWorld & { readonly live: LiveStatus }): Promise<SyncReport> {
  const carried = world.live.running?.tradeDate;
  if (carried === undefined) await world.tape.sealEnded();
  return syncGraph(world, { kind: 'touched', ...(carried === undefined ? {} : { before: carried }) });
}

import { onChange } from '../base/changes.ts';
import type { LiveStatus } from '../base/live-status.ts';
import { type SyncReport, type SyncWorld, syncGraph } from './graph-sync.ts';

/** Imports come in bursts; a pass begins when the tape has been quiet for this long. */
const QUIET_MS = 2_000;
/** News that was missed, for instance while the database changed hands, is looked for this often. */
const LOOK_EVERY_MS = 60_000;

/**
 * Derives what new data touches while the service runs, whoever imported it. One pass at a time; a pass that breaks is
 * reported and the next one tries again.
 */
export function keepGraphFresh(
  world: SyncWorld & { readonly live: LiveStatus },
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let stopped = false;
  const passAfter = (delayMs: number): void => {
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(pass, delayMs);
    timer.unref();
  };
  const pass = (): void => {
    if (running !== null) {
      passAfter(QUIET_MS);
      return;
    }
    running = sealAndSync(world)
      .then((report) => {
        for (const failure of report.failed)
          onError(new Error(`${failure.symbol} ${failure.tradeDate}: ${failure.message}`));
      })
      .catch(onError)
      .finally(() => {
        running = null;
        passAfter(LOOK_EVERY_MS);
      });
  };
  // A pass announces what it writes; its own news must not start the next one, nor do the minutes of a live feed.
  const listening = onChange(world.database, (_symbols, origin) => {
    if (running === null && origin === null) passAfter(QUIET_MS);
  });
  passAfter(QUIET_MS);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      const stopListening = await listening;
      stopListening();
      await running;
    },
  };
}

/** A session that is carried here is sealed and derived by who carries it. */
async function sealAndSync(world: SyncWorld & { readonly live: LiveStatus }): Promise<SyncReport> {
  const carried = world.live.running?.tradeDate;
  if (carried === undefined) await world.tape.sealEnded();
  return syncGraph(world, { kind: 'touched', ...(carried === undefined ? {} : { before: carried }) });
}

import { onChange } from '../base/changes.ts';
import { type SyncWorld, syncGraph } from './graph-sync.ts';

/** Imports come in bursts; a pass begins when the tape has been quiet for this long. */
const QUIET_MS = 2_000;
/** News that was missed, for instance while the database changed hands, is looked for this often. */
const LOOK_EVERY_MS = 60_000;

/**
 * Derives what new data touches while the service runs, whoever imported it. One pass at a time; a pass that breaks is
 * reported and the next one tries again.
 */
export function keepGraphFresh(
  world: SyncWorld,
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
    running = world.tape
      .sealEnded()
      .then(() => syncGraph(world, { kind: 'touched' }))
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
  // A pass announces what it writes; its own news must not start the next one.
  const listening = onChange(world.database, () => running === null && passAfter(QUIET_MS));
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

import { onChange } from '../base/changes.ts';
import { bringStatesUpToDate, type StateReport, type StateWorld } from './state-pass.ts';

/** Imports come in bursts, and the stock-days come first: a pass begins when nothing was announced for this long. */
const QUIET_MS = 5_000;
/** A session ends without being announced, and news may have been missed: it is looked for this often. */
const LOOK_EVERY_MS = 60_000;

/**
 * Brings states up to date in the background while the service runs: a first start over years of history serves at once
 * and is done with them minutes later. One pass at a time; one that breaks is reported, and the next goes on from there.
 */
export function keepStatesFresh(
  world: StateWorld,
  tell: { onPass(report: StateReport): void; onError(error: unknown): void },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  const passAfter = (delayMs: number): void => {
    if (stopping.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(pass, delayMs);
    timer.unref();
  };
  const pass = (): void => {
    running = bringStatesUpToDate(world, { signal: stopping.signal, inBackground: true })
      .then((report) => {
        if (report.symbols > 0) tell.onPass(report);
        for (const { symbol, message } of report.failed) tell.onError(new Error(`${symbol}: ${message}`));
      })
      .catch(tell.onError)
      .finally(() => {
        running = null;
        passAfter(LOOK_EVERY_MS);
      });
  };
  // The minutes of a live feed name who announces them; they complete no session.
  const listening = onChange(world.database, (_symbols, origin) => {
    if (running === null && origin === null) passAfter(QUIET_MS);
  });
  passAfter(QUIET_MS);
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      const stopListening = await listening;
      stopListening();
      await running;
    },
  };
}

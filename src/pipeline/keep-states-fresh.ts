import { keepPassing } from './background-pass.ts';
import { bringStatesUpToDate, type StateReport, type StateContext } from './state-pass.ts';

/** Imports come in bursts, and the stock-days come first. A session ends without being announced. */
const TIMES = { quietMs: 5_000, lookEveryMs: 60_000 };

/**
 * Brings states up to date in the background while the service runs: a first start over years of history serves at once
 * and is done with them minutes later. A pass that breaks is reported, and the next goes on from there.
 */
export function keepStatesFresh(
  context: StateContext,
  tell: { onPass(report: StateReport): void; onError(error: unknown): void },
): { stop(): Promise<void> } {
  return keepPassing(context.database, TIMES, async (signal) => {
    try {
      const report = await bringStatesUpToDate(context, { signal, inBackground: true });
      if (report.symbols > 0) tell.onPass(report);
      for (const { symbol, message } of report.failed) tell.onError(new Error(`${symbol}: ${message}`));
    } catch (error) {
      tell.onError(error);
    }
  });
}

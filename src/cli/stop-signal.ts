import { realTimers } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { EXIT_FAILED } from './command.ts';

/** Exit code of a program that an interrupt has ended. */
const EXIT_INTERRUPTED = 130;

/** Time in which a store closes once its callers are answered; beyond it something does not end. */
const CLOSING_MS_MAX = 15_000;

/**
 * Aborts at the first SIGTERM or SIGINT; a second one ends the process at once. What has not ended long after the time
 * that the settings give it is ended too.
 */
export function stopSignal(given?: Pick<Config, 'drainMs' | 'shutdownGraceMs'>): AbortSignal {
  const stop = new AbortController();
  const end = (): never => {
    console.error('tigraph: something did not end after the signal to stop; what was acknowledged is safe.');
    process.exit(EXIT_FAILED);
  };
  const abort = (): void => {
    if (stop.signal.aborted) process.exit(EXIT_INTERRUPTED);
    stop.abort();
    if (given === undefined) return;
    realTimers.after(given.drainMs + given.shutdownGraceMs + CLOSING_MS_MAX, end, false);
  };
  process.on('SIGTERM', abort);
  process.on('SIGINT', abort);
  return stop.signal;
}

/**
 * Runs work that SIGTERM or SIGINT aborts; returns its exit code, or 130. The work includes opening the app: an interrupt
 * meanwhile ends it with the same words.
 *
 * @param left what an interrupt leaves behind
 */
export async function interruptible(
  command: string,
  work: (signal: AbortSignal) => Promise<number>,
  left = 'nothing was written',
): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt);
  process.once('SIGTERM', onInterrupt);
  try {
    return await work(interrupt.signal);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    console.error(`${command}: stopped; ${left}.`);
    return EXIT_INTERRUPTED;
  } finally {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
  }
}

/** Exit code of a program that an interrupt has ended. */
const EXIT_INTERRUPTED = 130;

/** Aborts at the first SIGTERM or SIGINT; a second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const abort = (): void => {
    if (stop.signal.aborted) process.exit(EXIT_INTERRUPTED);
    stop.abort();
  };
  process.on('SIGTERM', abort);
  process.on('SIGINT', abort);
  return stop.signal;
}

/**
 * Runs work that SIGTERM or SIGINT aborts; returns its exit code, or 130. The work includes opening the app: an interrupt
 * meanwhile ends it with the same words.
 */
export async function interruptible(
  command: string,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt);
  process.once('SIGTERM', onInterrupt);
  try {
    return await work(interrupt.signal);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    console.error(`${command}: stopped; nothing was written.`);
    return EXIT_INTERRUPTED;
  } finally {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
  }
}

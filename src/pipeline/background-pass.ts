import { onChange } from '../database/changes.ts';
import { behindReaders, type Database } from '../database/database.ts';

/** When passes run, milliseconds. */
export interface PassTimes {
  /** A pass begins when nothing has been announced for this long: writers come in bursts. */
  readonly quietMs: number;
  /** What was missed, for instance while the database changed hands, is looked for this often. */
  readonly lookEveryMs: number;
}

/**
 * Runs a pass in the background after every change that another announces, one at a time. Its own announcements do not
 * start the next one, nor do the minutes of a live feed, which name who announces them.
 *
 * @param pass heeds the signal, and sees to its own errors
 * @returns the way to end it, which waits for the pass at hand
 */
export function keepPassing(
  database: Database,
  { quietMs, lookEveryMs }: PassTimes,
  pass: (signal: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  const passAfter = (delayMs: number): void => {
    if (stopping.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(begin, delayMs);
    timer.unref();
  };
  const begin = (): void => {
    running = behindReaders(() => pass(stopping.signal)).finally(() => {
      running = null;
      passAfter(lookEveryMs);
    });
  };
  const listening = onChange(database, (_symbols, origin) => {
    if (running === null && origin === null) passAfter(quietMs);
  });
  passAfter(quietMs);
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

import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { behindReaders, type Database } from '../database/database.ts';

/** From 0, the default, to 19, the lowest priority. */
const NICENESS = 10;

/**
 * Runs passes and imports behind readers: interactive statements run first, and where another process serves the data
 * directory, its threads have the processors first too.
 */
export function atLowerPriority<T>(
  { database }: { readonly database: Database },
  work: () => Promise<T>,
): Promise<T> {
  // Not for the process that hosts the database: it serves other callers.
  if (database.isGuest()) lowerPriority();
  return behindReaders(work);
}

/** For a whole process. Linux has priorities of threads, which new threads inherit. */
export function lowerPriority(): void {
  try {
    if (process.platform !== 'linux') setPriority(NICENESS);
    else for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), NICENESS);
  } catch {
    // A thread has ended meanwhile, or the system forbids it.
  }
}

import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { behindReaders, type Database } from '../database/database.ts';

/** Of the operating system's steps from 0, as everybody is, to 19, the last. */
const NICENESS = 10;

/**
 * Runs work that writes and that nobody waits for behind those who read: their statements come first, and where another
 * process serves the data directory, its threads come first on the processors too.
 */
export function atLowerPriority<T>(
  { database }: { readonly database: Database },
  work: () => Promise<T>,
): Promise<T> {
  // Not for a process that runs the database itself: whoever comes to be served by it would be held back with it.
  if (database.isGuest()) lowerPriority();
  return behindReaders(work);
}

/** Linux keeps a priority for each thread, elsewhere it is that of the process; threads made later take it over. */
function lowerPriority(): void {
  try {
    if (process.platform !== 'linux') setPriority(NICENESS);
    else for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), NICENESS);
  } catch {
    // A thread has ended meanwhile, or the system does not let us: the work is the same.
  }
}

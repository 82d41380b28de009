import { DatabaseSync } from 'node:sqlite';

/** A lock on a file that the operating system gives back by itself when the holder dies, however it dies. */
export interface FileLock {
  release(): void;
}

/**
 * Takes the exclusive lock on a file, or returns null at once when another process (or another part of this one) holds
 * it. SQLite is used for nothing but its file lock: the kernel drops it with the process, so there is no stale lock to
 * detect, no process number that may have been given to somebody else, and it holds between containers that share the
 * directory. The file stays empty and must never be opened by other means: POSIX drops the locks of a process when any
 * of its descriptors of that file is closed.
 *
 * @throws Error when the file cannot be created or opened
 */
export function takeLock(path: string): FileLock | null {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
  let held = true;
  return {
    release() {
      if (held) database.close();
      held = false;
    },
  };
}

const SQLITE_BUSY = 5;

import { DatabaseSync } from 'node:sqlite';

/** A file lock that the operating system releases when the process ends, however it ends. */
export interface FileLock {
  release(): void;
}

/**
 * Takes the exclusive lock on a file, or returns null at once when it is taken. SQLite serves only as a portable file
 * lock: the kernel drops it with the process, also between containers that share the directory. The file stays empty
 * and must never be opened otherwise: POSIX drops a process's locks when it closes any descriptor of the file.
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
  let isHeld = true;
  return {
    release() {
      if (isHeld) database.close();
      isHeld = false;
    },
  };
}

const SQLITE_BUSY = 5;

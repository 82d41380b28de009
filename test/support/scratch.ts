import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NEEDED_BYTES = 3e9;
const PREFIX = 'tigraph-tests-';

/**
 * A directory for the temporary files of one run, taken away at its end: in memory where there is enough of it, since a
 * hundred databases that are made, filled and dropped wait mostly for the disk. `TMPDIR` decides otherwise.
 */
export function makeScratchDirectory(): string {
  const parent = process.env.TMPDIR ?? (hasMemoryDisk() ? MEMORY : tmpdir());
  removeLeftBehind(parent);
  const directory = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function hasMemoryDisk(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= NEEDED_BYTES;
}

/** Of runs that were killed. */
function removeLeftBehind(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : Number.NaN;
    if (!Number.isNaN(owner) && !isAlive(owner)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

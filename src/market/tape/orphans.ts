import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Queryable } from '../../database/database.ts';

/** A file of another machine that no manifest row names for this long was left behind by a crash. */
const FOREIGN_ORPHAN_MS = 86_400_000;

const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Segment names begin with who writes them, so that a later start can tell a crash's remains from work in progress. */
export const ownFilePrefix = (): string => `${machine}-${process.pid}`;

/**
 * Removes segment files that a crash left between the rename and the manifest's commit, or unfinished.
 *
 * @returns how many files were removed
 */
export async function removeOrphans(database: Queryable, directory: string, now: number): Promise<number> {
  const files = readdirSync(directory).filter((file) => /\.arrow(\.unfinished)?$/.test(file));
  if (files.length === 0) return 0;
  const rows = await database.query<{ file: string }>('select file from tape_segment where file = any($1)', [
    files,
  ]);
  const known = new Set(rows.map((row) => row.file));
  const orphans = files.filter((file) => !known.has(file) && isAbandoned(directory, file, now));
  for (const file of orphans) rmSync(join(directory, file), { force: true });
  return orphans.length;
}

function isAbandoned(directory: string, file: string, now: number): boolean {
  const [writer, pid] = file.split('-');
  if (writer === machine) return Number(pid) !== process.pid && !isAlive(Number(pid));
  const modified = statSync(join(directory, file), { throwIfNoEntry: false })?.mtimeMs;
  return modified !== undefined && now - modified > FOREIGN_ORPHAN_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

import type { Database } from '../../base/database.ts';
import { commitSealed } from './commit.ts';
import { type EndedRows, readEndedRows } from './manifest.ts';
import { writeSegmentOf } from './tape-writer.ts';

/**
 * Moves rows of sessions that have ended out of the database into segments. The rows go in the transaction that makes
 * their segment visible, so a crash leaves them in one place or the other.
 *
 * @param day the trade date of the running session or, while none runs, the first date that has not ended; days since
 *   1970-01-01
 * @returns how many rows were moved
 */
export async function sealEnded(database: Database, directory: string, day: number): Promise<number> {
  const ended = await readEndedRows(database, day);
  let moved = 0;
  for (const rows of Map.groupBy(
    ended,
    ({ feed, simulated, kind }) => `${feed} ${simulated} ${kind}`,
  ).values()) {
    moved += await sealAlike(database, directory, rows);
  }
  return moved;
}

/** Rows of one feed and series go into one segment. */
async function sealAlike(database: Database, directory: string, rows: readonly EndedRows[]): Promise<number> {
  const { feed, simulated, kind } = rows[0]!;
  const segment = await writeSegmentOf(directory, kind, rows);
  const nothing = { running: [], actions: [], facts: [], units: [] };
  await commitSealed(database, { feed, simulated, segments: [segment], ...nothing }, rows);
  return rows.reduce((sum, { columns }) => sum + columns.time.length, 0);
}

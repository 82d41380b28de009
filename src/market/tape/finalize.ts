import { DAY_MS, dateOf } from '../../base/calendar.ts';
import type { Database } from '../../database/database.ts';
import { commitFinalized } from './commit.ts';
import { type EndedRows, readEndedRows } from './manifest.ts';
import { forgetMinutes } from './running-minutes.ts';
import { writeSegmentOf } from './tape-writer.ts';

/** Rows of one segment: some ten megabytes. */
const ROWS_AT_ONCE = 250_000;

/**
 * Moves rows of sessions that have ended out of the database into segments. The rows go in the transaction that makes
 * their segment visible, so a crash leaves them in one place or the other.
 *
 * @param day the trade date of the running session or, while none runs, the first date that has not ended; days since
 *   1970-01-01
 * @returns how many rows were moved
 */
export async function finalizeEnded(database: Database, directory: string, day: number): Promise<number> {
  let moved = 0;
  for await (const rows of readEndedRows(database, day, ROWS_AT_ONCE)) {
    moved += await sealAlike(database, directory, rows);
  }
  await forgetMinutes(database, dateOf(day * DAY_MS));
  return moved;
}

/** Rows of one feed and series go into one segment. */
async function sealAlike(database: Database, directory: string, rows: readonly EndedRows[]): Promise<number> {
  const { feed, simulated, kind } = rows[0]!;
  const segment = await writeSegmentOf(directory, kind, rows);
  const nothing = { running: [], actions: [], facts: [], chains: null, units: [] };
  await commitFinalized(database, { feed, simulated, segments: [segment], ...nothing }, rows);
  return rows.reduce((sum, { columns }) => sum + columns.time.length, 0);
}

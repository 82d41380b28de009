import type { Queryable } from './queryable.ts';

/**
 * How far the clock of this machine is ahead of the database's, milliseconds; negative when it is behind. Off by at most
 * half the time that the question took.
 *
 * @param now of this machine, epoch milliseconds
 */
export async function clockSkewMs(database: Queryable, now: () => number): Promise<number> {
  const asked = now();
  const [row] = await database.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  );
  return (asked + now()) / 2 - row!.now;
}

import type { Scope } from '../base/scope.ts';
import type { Database, Queryable } from '../database/database.ts';

const INTERVAL_MS = 60_000;
/** Two seconds: what is delayed by minutes must not be shown earlier than that. */
const ALLOWED_MS = 2_000;

/**
 * Warns where the clock of this machine differs from that of the database server: processes with different clocks show
 * delayed data at different times. Leases do not depend on it.
 */
export function watchClock(scope: Scope, database: Database, warn: (sentence: string) => void): void {
  const look = async (): Promise<void> => {
    const skewMs = await clockSkewMs(database, scope.timers.now).catch(() => 0);
    if (Math.abs(skewMs) <= ALLOWED_MS) return;
    const side = skewMs > 0 ? 'ahead of' : 'behind';
    warn(
      `The clock of this machine is ${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${side} that of the database: let both follow a time server.`,
    );
  };
  void scope.run('comparing clocks', look);
  scope.every(INTERVAL_MS, 'comparing clocks', look);
}

/**
 * How far the clock of this machine is ahead of the database's, milliseconds; negative when it is behind. Off by at most
 * half the time that the question took.
 *
 * @param now of this machine, epoch milliseconds
 */
async function clockSkewMs(database: Queryable, now: () => number): Promise<number> {
  const asked = now();
  const [row] = await database.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  );
  return (asked + now()) / 2 - row!.now;
}

import { rest } from '../base/abortable.ts';
import { clockSkewMs } from '../database/clock-skew.ts';
import type { Database } from '../database/database.ts';
import { type BackgroundWork, startBackground } from './background-pass.ts';

const INTERVAL_MS = 60_000;
/** Two seconds: what is delayed by minutes must not be shown earlier than that. */
const ALLOWED_MS = 2_000;

/**
 * Warns where the clock of this machine differs from that of the database server: processes with different clocks show
 * delayed data at different times. Leases do not depend on it.
 *
 * @param now of this machine, epoch milliseconds
 */
export const watchClock = (
  database: Database,
  warn: (sentence: string) => void,
  now: () => number = Date.now,
): BackgroundWork =>
  startBackground(
    async (signal) => {
      while (!signal.aborted) {
        const skewMs = await clockSkewMs(database, now).catch(() => 0);
        if (Math.abs(skewMs) > ALLOWED_MS) {
          const side = skewMs > 0 ? 'ahead of' : 'behind';
          warn(
            `The clock of this machine is ${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${side} that of the database: let both follow a time server.`,
          );
        }
        await rest(INTERVAL_MS, signal);
      }
    },
    () => {},
  );

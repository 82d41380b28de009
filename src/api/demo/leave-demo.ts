import type { Database } from '../../database/database.ts';
import { countSimulated, forgetSimulated, isDemoLeft, setDemoLeft } from '../../database/symbol-market.ts';
import { dropDemoDays } from '../../graph/drop-demo.ts';
import type { Tape } from '../../tape/index.ts';

/** How many stocks of a simulated market there are, and whether the operator has left it. */
export const demoStanding = async (database: Database) => ({
  stocks: await countSimulated(database),
  isLeft: await isDemoLeft(database),
});

/** Lets a simulated market be built where one was left. */
export const returnToDemo = (database: Database): Promise<void> => setDemoLeft(database, false);

export interface LeavingProgress {
  /** Stock-days that are gone, and all there were. */
  readonly done: number;
  readonly total: number;
}

/**
 * Removes the simulated market whole: rows and files, what was derived of it, its records and backtests. From the first
 * step on nothing of it is written, and no later start builds it. Interrupted, it continues with the next call; without
 * such a market it only marks it as left.
 *
 * @returns how many stocks there were
 */
export async function leaveDemo(
  { database, tape }: { readonly database: Database; readonly tape: Pick<Tape, 'dropDemo'> },
  onProgress: (progress: LeavingProgress) => void = () => {},
): Promise<number> {
  await setDemoLeft(database, true);
  const stocks = await countSimulated(database);
  if (stocks === 0) return 0;
  await dropDemoDays(database, onProgress);
  await tape.dropDemo();
  // What a pass that was under way has written meanwhile; without rows there is nothing to derive any more.
  await dropDemoDays(database, () => {});
  await forgetSimulated(database);
  return stocks;
}

import { cancelOpenRun, type RunRow } from '../../backtests/run-rows.ts';
import { CodedError } from '../../base/errors.ts';
import type { Caller } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import { getRun } from './get-run.ts';

/**
 * Cancels a run of the caller and notifies the process that executes it. Idempotent.
 *
 * @throws CodedError unknown_run, symbol_not_granted; conflict for a run that has ended
 */
export async function cancelRun(
  context: Pick<AppContext, 'database'>,
  id: string,
  caller: Caller,
): Promise<RunRow> {
  const run = await getRun(context, id, caller);
  if (run.status === 'cancelled') return run;
  await cancelOpenRun(context.database, run.id);
  const after = await getRun(context, id, caller);
  if (after.status === 'cancelled') return after;
  throw new CodedError('conflict', `The run is ${after.status} already; there is nothing to cancel`);
}

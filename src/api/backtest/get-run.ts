import { type RunRow, readRun } from '../../backtests/run-rows.ts';
import { callerLeft } from '../../base/caller.ts';
import { CodedError } from '../../base/errors.ts';
import { type Caller, mayName, ownerOf } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';

/**
 * One run of the caller. A run of another owner looks like an unknown one.
 *
 * @param withGrid true for every cell besides the best
 * @throws CodedError unknown_run, symbol_not_granted
 */
export async function getRun(
  { database }: Pick<AppContext, 'database'>,
  id: string,
  caller: Caller,
  { withGrid = false }: { readonly withGrid?: boolean } = {},
): Promise<RunRow> {
  const run = await readRun(database, id.toLowerCase(), ownerOf(caller), withGrid, { signal: callerLeft() });
  if (run === null) throw new CodedError('unknown_run', `There is no optimisation run ${id}`);
  if (!run.request.symbols.every((symbol) => mayName(caller, symbol))) {
    throw new CodedError('symbol_not_granted', 'The grant does not cover every symbol of this run');
  }
  return run;
}

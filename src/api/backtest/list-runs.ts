import { listRunHeads } from '../../backtests/run-rows.ts';
import type { RunState } from '../../backtests/run-states.ts';
import { callerLeft } from '../../base/caller.ts';
import { type Caller, ownerOf } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import { PAGE_DEFAULT } from './schema.ts';

export interface RunsRequest {
  readonly limit?: number | undefined;
  /** Where the page before ended. */
  readonly cursor?: string | undefined;
  readonly status?: RunState | undefined;
}

/** Runs of the caller whose symbols its grant covers, newest first. */
export async function listRuns(
  { database }: Pick<AppContext, 'database'>,
  { limit = PAGE_DEFAULT, cursor, status }: RunsRequest,
  caller: Caller,
) {
  const filter = {
    owner: ownerOf(caller),
    symbols: caller.symbols === null ? null : [...caller.symbols],
    status: status ?? null,
    beforeSeq: cursor === undefined ? null : Number(cursor),
    // One more tells whether there is a next page.
    limit: limit + 1,
  };
  const runs = await listRunHeads(database, filter, { signal: callerLeft() });
  return {
    runs: runs.slice(0, limit).map(({ seq: _, ...head }) => head),
    next_cursor: runs.length > limit ? `${runs[limit - 1]!.seq}` : null,
  };
}

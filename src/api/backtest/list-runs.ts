import type { Caller } from '../access/viewer.ts';
import type { AppContext } from '../app-context.ts';
import { ownerOf } from './get-run.ts';
import { listRunHeads, type RunHead } from './run-rows.ts';
import type { RunState } from './run-states.ts';

export const PAGE_MAX = 100;
export const PAGE_DEFAULT = 20;

export interface RunsRequest {
  readonly limit?: number | undefined;
  /** Where an earlier page ended. */
  readonly cursor?: string | undefined;
  readonly status?: RunState | undefined;
}

export interface RunPage {
  /** Newest first. */
  readonly runs: readonly RunHead[];
  /** Leads to the next page; null on the last. */
  readonly nextCursor: string | null;
}

/** Runs of the caller, of symbols that its grant covers. */
export async function listRuns(
  { database }: Pick<AppContext, 'database'>,
  { limit = PAGE_DEFAULT, cursor, status }: RunsRequest,
  caller: Caller,
): Promise<RunPage> {
  const runs = await listRunHeads(database, {
    owner: ownerOf(caller),
    symbols: caller.symbols === null ? null : [...caller.symbols],
    status: status ?? null,
    beforeSeq: cursor === undefined ? null : Number(cursor),
    // One more says whether there is a next page.
    limit: limit + 1,
  });
  const page = runs.slice(0, limit);
  return { runs: page, nextCursor: runs.length > limit ? `${page.at(-1)!.seq}` : null };
}

import { runId } from '../../backtests/optimization-request.ts';
import { countOpenRuns, findRun, insertRun, readRun } from '../../backtests/run-rows.ts';
import { CodedError } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { type Caller, ownerOf, requireSymbols } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import { planOptimization } from './plan-optimization.ts';
import type { OptimizationBody } from './schema.ts';

/** Pending and running runs of one owner, and of all. */
export const OWN_RUNS_MAX = 10;
export const ALL_RUNS_MAX = 100;
const RETRY_AFTER_S = 10;

/**
 * Queues a run, or returns that of the same caller with the same request on the same data. One that has failed or was
 * cancelled is queued again under its name.
 *
 * @throws ValidationRefusal; CodedError symbol_not_granted, rate_limited, overloaded
 */
export async function startOptimization(
  context: Pick<AppContext, 'database' | 'tape' | 'tapes' | 'calendar' | 'clock'>,
  body: OptimizationBody,
  caller: Caller,
) {
  const { database } = context;
  requireSymbols(caller, body.symbols.map(canonicalSymbol));
  const owner = ownerOf(caller);
  const plan = await planOptimization(context, body, caller.delayMs);
  const { request, own, lastSession, requestDigest, dataVersion } = plan;
  const earlier = await findRun(database, { owner, requestDigest, dataVersion });
  if (earlier !== null) {
    const run = await readRun(database, earlier, owner, false);
    if (run !== null) return { run, reused: true };
  }
  await requireRoom(context, owner);
  const id = runId(owner, requestDigest, dataVersion);
  const run = await insertRun(database, { id, owner, request, own, lastSession, requestDigest, dataVersion });
  // Another request may have been first.
  return run === null
    ? { run: (await readRun(database, id, owner, false))!, reused: true }
    : { run, reused: false };
}

async function requireRoom({ database }: Pick<AppContext, 'database'>, owner: string | null): Promise<void> {
  const { all, own } = await countOpenRuns(database, owner);
  const facts = { retryAfterS: RETRY_AFTER_S };
  if (own >= OWN_RUNS_MAX) {
    throw new CodedError('rate_limited', `${own} of your runs wait or run already; cancel one or wait`, {
      facts,
    });
  }
  if (all >= ALL_RUNS_MAX) {
    throw new CodedError('overloaded', `${all} runs wait already; come back later`, { facts });
  }
}

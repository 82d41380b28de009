import { CodedError } from '../base/errors.ts';
import { at } from '../base/fault-points.ts';
import type { Database, Queryable, QueryOptions } from '../database/database.ts';
import type { MergedRun } from '../workers/backtest-worker.ts';
import type { OptimizationRequest, OwnEntries } from './optimization-request.ts';
import { hasEnded, RUN_STATES, type RunState, stateAfter, statesBefore } from './run-states.ts';

/** The SQL of runs. Every update names in its statement the states that it starts from. */

/** A run without its outcome, under the names of the wire. */
export interface RunHead {
  readonly id: string;
  readonly status: RunState;
  readonly progress_pct: number;
  readonly error_message: string | null;
  readonly request: OptimizationRequest;
  /** YYYY-MM-DD. */
  readonly last_session: string;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  /** Every symbol of a run is of one market. */
  readonly simulated: boolean;
}

/** A run with its outcome as JSON text; null until it is completed. */
export interface RunRow extends RunHead {
  readonly results: string | null;
  readonly analysis: string | null;
  /** Also null unless requested. */
  readonly grid: string | null;
}

export type RunStatus = Pick<RunHead, 'id' | 'status' | 'progress_pct' | 'error_message'>;

/** The client that owns a run; null for callers without a token. */
export type Owner = string | null;

export interface TakenRun {
  readonly id: string;
  readonly request: OptimizationRequest;
  readonly own: OwnEntries;
  readonly last_session: string;
  readonly progress_pct: number;
  readonly attempts: number;
}

export interface NewRun {
  readonly id: string;
  readonly owner: Owner;
  readonly request: OptimizationRequest;
  readonly own: OwnEntries;
  readonly lastSession: string;
  readonly requestDigest: string;
  readonly dataVersion: string;
}

/** Pending and running runs, of all and of one owner. */
export interface OpenRuns {
  readonly all: number;
  readonly own: number;
}

const CHANNEL = 'tigraph_backtest';
/** In the order of the wire. */
const HEAD =
  'id, status, progress_pct, error_message, request, last_session, created_at, started_at, finished_at, exists (select from symbol_market m where m.symbol = symbols[1] and m.simulated) as simulated';
/** The identifier of a run, and its state. */
const CHANGED = /^([0-9a-f-]{36}) ([a-z]+)$/;
/** Announces the change of the same statement. */
const ANNOUNCED = `select announce('${CHANNEL}', id || ' ' || status) from changed`;

const ofOwner = (parameter: string): string => `owner is not distinct from ${parameter}`;

/** Calls back with each changed run and its state, and calls `missed` when notifications may have been lost. */
export const onRunChange = (
  database: Database,
  handler: (id: string, status: RunState) => void,
  missed: () => void,
): Promise<() => void> =>
  database.listen(
    CHANNEL,
    (payload) => {
      const [, id, status] = CHANGED.exec(payload) ?? [];
      const state = RUN_STATES.find((one) => one === status);
      if (id === undefined || state === undefined) throw new CodedError('unreadable_message');
      handler(id, state);
    },
    missed,
  );

export async function countOpenRuns(database: Queryable, owner: Owner): Promise<OpenRuns> {
  const [row] = await database.query<OpenRuns>(
    `select count(*) as all, count(*) filter (where ${ofOwner('$1')}) as own
     from backtest_run where status in ('pending', 'running')`,
    [owner],
  );
  return row!;
}

/** Queues a run, also one that had failed or was cancelled; null where one of its name waits, runs or is completed. */
export async function insertRun(database: Queryable, run: NewRun): Promise<RunRow | null> {
  const [row] = await database.write<RunRow>(
    `with changed as (
       insert into backtest_run
         (id, owner, symbols, request, last_session, request_digest, data_version, own, status, progress_pct)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0)
       on conflict (id) do update set status = excluded.status, seq = default, progress_pct = 0,
         error_message = null, created_at = clock_timestamp(), started_at = null, finished_at = null, attempts = 0
       where backtest_run.status = any($10)
       returning *
     )
     select ${HEAD}, results, analysis, grid from changed, lateral (${ANNOUNCED}) as announced`,
    [
      run.id,
      run.owner,
      run.request.symbols,
      JSON.stringify(run.request),
      run.lastSession,
      run.requestDigest,
      run.dataVersion,
      JSON.stringify(run.own),
      stateAfter('ask'),
      statesBefore('ask'),
    ],
    { announces: true },
  );
  if (row !== undefined) at('run.queued');
  return row ?? null;
}

/** The newest run of the owner with the same request on the same data that waits, runs or is completed; null for none. */
export async function findRun(
  database: Queryable,
  { owner, requestDigest, dataVersion }: Pick<NewRun, 'owner' | 'requestDigest' | 'dataVersion'>,
): Promise<string | null> {
  const [row] = await database.query<{ id: string }>(
    `select id from backtest_run
     where status in ('pending', 'running', 'completed') and request_digest = $1 and data_version = $2
       and ${ofOwner('$3')}
     order by seq desc limit 1`,
    [requestDigest, dataVersion, owner],
  );
  return row?.id ?? null;
}

/** @param withGrid true to read every cell besides the best */
export async function readRun(
  database: Queryable,
  id: string,
  owner: Owner,
  withGrid: boolean,
  options: QueryOptions = {},
): Promise<RunRow | null> {
  const [row] = await database.query<RunRow>(
    `select ${HEAD}, results, analysis, ${withGrid ? 'grid' : 'null as grid'}
     from backtest_run where id = $1 and ${ofOwner('$2')}`,
    [id, owner],
    options,
  );
  return row ?? null;
}

export async function readRunStatus(database: Queryable, id: string): Promise<RunStatus | null> {
  const [row] = await database.query<RunStatus>(
    'select id, status, progress_pct, error_message from backtest_run where id = $1',
    [id],
  );
  return row ?? null;
}

export interface RunFilter {
  readonly owner: Owner;
  /** Only runs of these symbols alone; null for all. */
  readonly symbols: readonly string[] | null;
  readonly status: RunState | null;
  /** Only older runs; null for the newest. */
  readonly beforeSeq: number | null;
  readonly limit: number;
}

/** Newest first. */
export function listRunHeads(
  database: Queryable,
  filter: RunFilter,
  options: QueryOptions,
): Promise<(RunHead & { seq: number })[]> {
  return database.query<RunHead & { seq: number }>(
    `select seq, ${HEAD} from backtest_run
     where ${ofOwner('$1')} and ($2::text[] is null or symbols <@ $2) and ($3::text is null or status = $3)
       and ($4::bigint is null or seq < $4)
     order by seq desc limit $5`,
    [filter.owner, filter.symbols, filter.status, filter.beforeSeq, filter.limit],
    options,
  );
}

/**
 * Leases the first run that is pending or whose lease has expired.
 *
 * @param holder identifier of the process
 */
export async function takeRun(
  database: Queryable,
  holder: string,
  leaseMs: number,
): Promise<TakenRun | null> {
  const [row] = await database.write<TakenRun>(
    `with changed as (
       update backtest_run set status = $1, lease_holder = $2, attempts = attempts + 1,
         lease_until = clock_timestamp() + $3 * interval '1 millisecond',
         started_at = coalesce(started_at, clock_timestamp())
       where id = (
         select id from backtest_run
         where status = any($4) and (lease_until is null or lease_until < clock_timestamp())
         order by seq limit 1 for update skip locked
       )
       returning *
     )
     select id, request, own, last_session, progress_pct, attempts from changed,
       lateral (${ANNOUNCED}) as announced`,
    [stateAfter('take'), holder, leaseMs, statesBefore('take')],
    { announces: true },
  );
  if (row !== undefined) at('run.taken');
  return row ?? null;
}

/** A run and the process that holds its lease; updates count only while it does. */
export interface LeaseOwner {
  readonly id: string;
  readonly holder: string;
}

/**
 * @param also writes beside the change, from `changed`
 * @returns whether a run was changed
 */
async function change(
  database: Queryable,
  changes: string,
  where: string,
  values: readonly unknown[],
  also: string | null = null,
): Promise<boolean> {
  const beside = also === null ? '' : `, beside as (${also})`;
  const rows = await database.write(
    `with changed as (update backtest_run set ${changes} where id = $1 and ${where} returning id, status)${beside} ${ANNOUNCED}`,
    values,
    { announces: true },
  );
  return rows.length > 0;
}

const LEASED = 'lease_holder = $2 and status = any($3)';

/** Extends the lease and raises the progress. False once the lease is lost. */
export async function advanceRun(
  database: Queryable,
  { id, holder }: LeaseOwner,
  progressPct: number,
  leaseMs: number,
): Promise<boolean> {
  const isHeld = await change(
    database,
    `progress_pct = greatest(progress_pct, $4), lease_until = clock_timestamp() + $5 * interval '1 millisecond'`,
    LEASED,
    [id, holder, statesBefore('advance'), progressPct, leaseMs],
  );
  at('run.advanced');
  return isHeld;
}

export async function noteDataVersion(
  database: Queryable,
  { id, holder }: LeaseOwner,
  dataVersion: string,
): Promise<void> {
  await database.write(`update backtest_run set data_version = $4 where id = $1 and ${LEASED}`, [
    id,
    holder,
    statesBefore('advance'),
    dataVersion,
  ]);
  at('run.noted');
}

export const completeRun = (
  database: Queryable,
  owner: LeaseOwner,
  { text: { results, analysis, grid }, entries }: MergedRun,
): Promise<boolean> =>
  endRun(
    database,
    owner,
    'complete',
    'progress_pct = 100, results = $5, analysis = $6, grid = $7',
    [
      results,
      analysis,
      grid,
      entries.map(({ symbol }) => symbol),
      entries.map(({ packed }) => Buffer.from(packed)),
    ],
    `insert into backtest_entries (run_id, symbol, packed)
     select id, own.symbol, own.packed from changed, unnest($8::text[], $9::bytea[]) as own (symbol, packed)
     on conflict (run_id, symbol) do update set packed = excluded.packed`,
  );

/** Entries of each symbol of a run, packed, in the order of their names; empty until it is completed. */
export async function readEntries(
  database: Queryable,
  id: string,
  options: QueryOptions = {},
): Promise<Uint8Array[]> {
  const rows = await database.query<{ packed: Uint8Array }>(
    'select packed from backtest_entries where run_id = $1 order by symbol collate "C"',
    [id],
    options,
  );
  return rows.map(({ packed }) => packed);
}

/** @param message what is wrong and what to change */
export const failRun = (database: Queryable, owner: LeaseOwner, message: string): Promise<boolean> =>
  endRun(database, owner, 'fail', 'error_message = $5', [message]);

const ENDED = 'finished_at = clock_timestamp(), lease_holder = null, lease_until = null';

async function endRun(
  database: Queryable,
  { id, holder }: LeaseOwner,
  event: 'complete' | 'fail',
  changes: string,
  values: readonly unknown[],
  also: string | null = null,
): Promise<boolean> {
  const parameters = [id, holder, statesBefore(event), stateAfter(event), ...values];
  const isHeld = await change(database, `status = $4, ${ENDED}, ${changes}`, LEASED, parameters, also);
  at('run.ended');
  return isHeld;
}

/** Returns a run to the queue; another process continues it. */
export async function releaseRun(database: Queryable, { id, holder }: LeaseOwner): Promise<void> {
  const changes = 'lease_holder = null, lease_until = null, attempts = attempts - 1';
  await change(database, changes, LEASED, [id, holder, statesBefore('advance')]);
  at('run.released');
}

/** False if the run had ended. */
export async function cancelOpenRun(database: Queryable, id: string): Promise<boolean> {
  const parameters = [id, stateAfter('cancel'), statesBefore('cancel')];
  const wasOpen = await change(database, `status = $2, ${ENDED}`, 'status = any($3)', parameters);
  at('run.cancelled');
  return wasOpen;
}

const RUN_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The runs of these names that are pending or running; other names may be among them. */
export async function openAmong(database: Queryable, names: readonly string[]): Promise<Set<string>> {
  const rows = await database.query<{ id: string; status: RunState }>(
    'select id, status from backtest_run where id = any($1::uuid[])',
    [names.filter((name) => RUN_ID.test(name))],
  );
  return new Set(rows.flatMap(({ id, status }) => (hasEnded(status) ? [] : [id])));
}

export async function deleteEndedRuns(database: Queryable, days: number): Promise<void> {
  await database.write(
    `delete from backtest_run where finished_at < clock_timestamp() - $1 * interval '1 day'`,
    [days],
  );
  at('runs.expired');
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anonymousCaller } from '../../../src/api/access/viewer.ts';
import { getRun } from '../../../src/api/backtest/get-run.ts';
import { planOptimization } from '../../../src/api/backtest/plan-optimization.ts';
import type { OptimizationBody } from '../../../src/api/backtest/schema.ts';
import {
  ALL_RUNS_MAX,
  OWN_RUNS_MAX,
  startOptimization,
} from '../../../src/api/backtest/start-optimization.ts';
import { optimize } from '../../../src/backtests/optimize.ts';
import { RunQueue } from '../../../src/backtests/run-queue.ts';
import {
  advanceRun,
  cancelOpenRun,
  completeRun,
  failRun,
  onRunChange,
  type RunRow,
  takeRun,
} from '../../../src/backtests/run-rows.ts';
import { abortable } from '../../../src/base/abortable.ts';
import { fixedClock } from '../../../src/base/clock.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { bring, feedOf, freshApp } from '../../support/app.ts';
import { inFull } from '../../support/depth.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { temporaryDirectory } from '../../support/tape.ts';

/** How runs are executed: one after the other, through cancelling, closing and death, each once. */

const SYMBOLS = ['ACME', 'BETA', 'CORE', 'DELTA', 'EPSI', 'FOXT', 'GULF', 'HOTEL'];
const CALLER = anonymousCaller(0);
const tenths = (count: number): number[] => Array.from({ length: count }, (_, at) => (at + 1) / 10);
const SMALL: OptimizationBody = {
  symbols: ['ACME', 'BETA'],
  start_date: '2024-02-01',
  end_date: '2024-03-12',
  signal_types: ['vwap_touch', 'ib_breakout'],
};
/** So many symbols that something can happen in the middle. */
const LARGE: OptimizationBody = {
  ...SMALL,
  symbols: SYMBOLS,
  signal_types: ['vwap_touch', 'ib_breakout', 'ib_retest', 'or_hold', 'trend_continuation'],
  stop_atr_range: tenths(inFull(50, 10)),
  target_atr_range: tenths(inFull(50, 10)),
};
/** Holders of leases by hand. */
const [ONE, OTHER] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

const start = async (request: OptimizationBody): Promise<string> =>
  (await startOptimization(app.context, request, CALLER)).run.id;

const read = (id: string): Promise<RunRow> => getRun(app.context, id, CALLER, { withGrid: true });

/** A run once it meets the condition, checked whenever one is announced. */
async function runWhen(id: string, isWanted: (run: RunRow) => boolean): Promise<RunRow> {
  const { promise, resolve, reject } = Promise.withResolvers<RunRow>();
  const look = (): void =>
    void read(id).then((run) => {
      if (isWanted(run)) resolve(run);
    }, reject);
  const stop = await onRunChange(app.context.database, look, look);
  look();
  return promise.finally(stop);
}

const isOver = ({ status }: RunRow): boolean => !['pending', 'running'].includes(status);

async function attemptsOf(id: string): Promise<number> {
  const [row] = await app.context.database.query<{ attempts: number }>(
    'select attempts from backtest_run where id = $1',
    [id],
  );
  return row!.attempts;
}

/** The whole text of a request, worked out on the spot and past any queue. */
async function workedOut(request: OptimizationBody) {
  const plan = await planOptimization(app.context, request, 0);
  const folder = temporaryDirectory();
  return (await optimize(app.context.backtester, { ...plan, folder }, new AbortController().signal)).text;
}

const pieces = ({ results, analysis, grid }: Pick<RunRow, 'results' | 'analysis' | 'grid'>) => ({
  results,
  analysis,
  grid,
});

/** A queue that knows which symbols it found done, and that never ends with one that is held. */
async function openQueue(limits: Parameters<typeof RunQueue.open>[1] = {}, held?: string) {
  const found: string[] = [];
  const { backtester } = app.context;
  const context = {
    ...app.context,
    backtester: {
      ...backtester,
      walk(request: Parameters<typeof backtester.walk>[0], ...rest: [AbortSignal, (done: number) => void]) {
        if (request.tape.symbol === held) return abortable(new Promise<never>(() => {}), rest[0]);
        if (existsSync(request.file)) found.push(request.tape.symbol);
        return backtester.walk(request, ...rest);
      },
    },
  };
  const errors: unknown[] = [];
  const queue = await RunQueue.open(context, { pollIntervalMs: 50, heartbeatMs: 20, ...limits }, (_, error) =>
    errors.push(error),
  );
  onTestFinished(() => queue.close());
  return { queue, found, errors };
}

const { app, store } = await freshApp({ TIGRAPH_NOW: '2024-03-13T15:00:00Z' });
await bring(app, [
  ...SYMBOLS.map((symbol) => dailyBars(symbol, '2023-06-01', '2024-03-12')),
  ...SYMBOLS.map((symbol) => minuteBars(symbol, '2024-02-01', '2024-03-12')),
]);

describe('a queue', () => {
  it('executes runs in the order of their requests, and leaves nothing behind', async () => {
    const ids = [
      await start(SMALL),
      await start({ ...SMALL, top_n: 2 }),
      await start({ ...SMALL, top_n: 3 }),
    ];
    await openQueue();
    const runs: RunRow[] = [];
    for (const id of ids) runs.push(await runWhen(id, isOver));
    expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    const ends = runs.map(({ finished_at }) => finished_at!.getTime());
    expect(ends).toEqual(ends.toSorted((one, other) => one - other));
    for (const [at, run] of runs.entries()) {
      if (at > 0) expect(run.started_at!.getTime()).toBeGreaterThanOrEqual(ends[at - 1]!);
    }
    expect(pieces(runs[0]!)).toEqual(await workedOut(SMALL));
    await app.idle();
    expect(ids.filter((id) => existsSync(join(app.context.backtester.directory, id)))).toEqual([]);
  });

  it('does not execute a run that was cancelled while it waited', async () => {
    const id = await start({ ...SMALL, top_n: 4 });
    expect(await cancelOpenRun(app.context.database, id)).toBe(true);
    expect(await cancelOpenRun(app.context.database, id)).toBe(false);
    await openQueue();
    await app.idle();
    expect(await read(id)).toMatchObject({
      status: 'cancelled',
      progress_pct: 0,
      started_at: null,
      results: null,
    });
  });

  it('gives a run back when it closes, and another goes on where it was', async () => {
    const id = await start({ ...LARGE, top_n: 1 });
    const first = await openQueue({}, SYMBOLS.at(-1));
    const before = await runWhen(id, ({ progress_pct }) => progress_pct > 30);
    await first.queue.close();
    const between = await read(id);
    expect(between.status).toBe('running');
    expect(between.progress_pct).toBeGreaterThanOrEqual(before.progress_pct);
    const second = await openQueue();
    const after = await runWhen(id, isOver);
    expect(after.status).toBe('completed');
    expect(second.found.length).toBeGreaterThan(0);
    expect(await attemptsOf(id)).toBe(1);
    expect(pieces(after)).toEqual(await workedOut({ ...LARGE, top_n: 1 }));
  });

  it('walks a symbol again whose file is damaged', async () => {
    const request = { ...SMALL, top_n: 5 };
    const plan = await planOptimization(app.context, request, 0);
    const id = await start(request);
    const folder = join(app.context.backtester.directory, id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${plan.dataVersion}-0.partial`), 'half of it');
    await openQueue();
    const run = await runWhen(id, isOver);
    expect(run.error_message).toBeNull();
    expect(pieces(run)).toEqual(await workedOut(request));
  });

  it('fails a run that cannot be tested, and says what to change', async () => {
    const id = await start({ ...SMALL, top_n: 6 });
    // The data of the request is gone when the run is executed.
    await app.context.database.query(`update backtest_run set request = $2 where id = $1`, [
      id,
      JSON.stringify({ ...(await read(id)).request, symbols: ['NOPE'] }),
    ]);
    await openQueue();
    const run = await runWhen(id, isOver);
    expect(run).toMatchObject({ status: 'failed', results: null });
    expect(run.error_message).toMatch(/No session of NOPE .* Name other dates or symbols/);
  });
});

describe('a run whose lease owner has died', () => {
  it('killed with -9 in the middle: another process completes it, and counts nothing twice', async () => {
    const id = await start(LARGE);
    const words = [JSON.stringify({ options: store.options, leaseMs: 1_000, heartbeatMs: 20 })];
    const child = fork(join(import.meta.dirname, '../../support/backtest-process.ts'), words, {
      env: { ...process.env, TIGRAPH_FAULT: 'slice.stored:3' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    const before = await read(id);
    expect(before.status).toBe('running');
    const folder = join(app.context.backtester.directory, id);
    const done = readdirSync(folder).filter((name) => name.endsWith('.partial'));
    expect(done).toHaveLength(3);
    const { found } = await openQueue();
    const steps: number[] = [];
    const after = await runWhen(id, (run) => {
      steps.push(run.progress_pct);
      return isOver(run);
    });
    expect(after).toMatchObject({ status: 'completed', progress_pct: 100, error_message: null });
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(before.progress_pct);
    expect(found).toHaveLength(done.length);
    expect(await attemptsOf(id)).toBe(2);
    expect(pieces(after)).toEqual(await workedOut(LARGE));
    await app.idle();
    expect(existsSync(folder)).toBe(false);
  });

  it('fails when it has ended every lease owner', async () => {
    const id = await start({ ...SMALL, top_n: 8 });
    await app.context.database.query('update backtest_run set attempts = 4 where id = $1', [id]);
    await openQueue();
    const run = await runWhen(id, isOver);
    expect(run.status).toBe('failed');
    expect(run.error_message).toContain('ended 4 times before it was done; ask for fewer');
  });

  it('ignores a lease owner that comes back late', async () => {
    const { database } = app.context;
    const id = await start({ ...SMALL, top_n: 9 });
    const [one, other] = [
      { id, holder: ONE! },
      { id, holder: OTHER! },
    ];
    expect((await takeRun(database, ONE!, 60_000))?.id).toBe(id);
    expect(await takeRun(database, OTHER!, 60_000)).toBeNull();
    expect(await advanceRun(database, one, 30, 60_000)).toBe(true);
    expect(await advanceRun(database, one, 20, -1)).toBe(true);
    // Never less than before; and the lease has ended.
    expect((await takeRun(database, OTHER!, 60_000))?.progress_pct).toBe(30);
    const merged = { text: { results: '[]', analysis: 'null', grid: '[]' }, entries: [] };
    expect(await advanceRun(database, one, 40, 60_000)).toBe(false);
    expect(await completeRun(database, one, merged)).toBe(false);
    expect(await failRun(database, one, 'no')).toBe(false);
    expect(await completeRun(database, other, merged)).toBe(true);
    expect(await completeRun(database, other, merged)).toBe(false);
    expect(await failRun(database, other, 'no')).toBe(false);
    expect(await cancelOpenRun(database, id)).toBe(false);
    expect(await read(id)).toMatchObject({ status: 'completed', error_message: null });
  });
});

describe('too many runs', () => {
  it('429 of one caller, 503 of all, and room again once one is over', async () => {
    const { database } = app.context;
    const ids: string[] = [];
    for (let at = 0; at < OWN_RUNS_MAX; at++) ids.push(await start({ ...SMALL, slippage_bps: at + 1 }));
    const next = { ...SMALL, slippage_bps: 100 };
    await expect(start(next)).rejects.toMatchObject({ code: 'rate_limited', facts: { retryAfterS: 10 } });
    await cancelOpenRun(database, ids.pop()!);
    ids.push(await start(next));
    // The same places in other hands are nobody's business but of the whole.
    await database.query(`update backtest_run set owner = 'someone' where status = 'pending'`);
    await database.query(
      `insert into backtest_run (id, owner, symbols, request, last_session, request_digest, data_version, status, progress_pct)
       select gen_random_uuid(), 'someone', symbols, request, last_session, request_digest, data_version, status, 0
       from backtest_run, generate_series(1, $2) where id = $1`,
      [ids[0], ALL_RUNS_MAX - OWN_RUNS_MAX - 1],
    );
    const last = await start({ ...SMALL, slippage_bps: 101 });
    await expect(start({ ...SMALL, slippage_bps: 102 })).rejects.toMatchObject({ code: 'overloaded' });
    await cancelOpenRun(database, last);
    await database.query(`delete from backtest_run where owner = 'someone'`);
  });
});

describe('the largest run', () => {
  it('is 5,000,000 symbols x sessions x cells, and not one session more', async () => {
    const { calendar } = app.context;
    const last = calendar.sessionIndex(SMALL.end_date);
    const ofSessions = (count: number): OptimizationBody => ({
      ...SMALL,
      start_date: calendar.sessionAt(last - count + 1)!.tradeDate,
      stop_atr_range: tenths(50),
      target_atr_range: tenths(50),
    });
    const plan = await planOptimization(app.context, ofSessions(1_000), 0);
    expect(plan.sessions).toHaveLength(1_000);
    await expect(planOptimization(app.context, ofSessions(1_001), 0)).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('2 symbols x 1001 sessions x 2500 cells are 5005000'),
    });
  });

  it('sees a session from its close on, and later by the delay of the caller', async () => {
    const { calendar, tape, tapes } = app.context;
    const { close } = calendar.session('2024-03-12')!;
    const lastAt = async (now: number, delayMs: number): Promise<string> =>
      (await planOptimization({ calendar, tape, tapes, clock: fixedClock(now) }, SMALL, delayMs)).lastSession;
    const delayMs = 900_000;
    expect(await lastAt(close - 1, 0)).toBe('2024-03-11');
    expect(await lastAt(close, 0)).toBe('2024-03-12');
    expect(await lastAt(close + delayMs - 1, delayMs)).toBe('2024-03-11');
    expect(await lastAt(close + delayMs, delayMs)).toBe('2024-03-12');
  });
});

describe('new data', () => {
  it('makes an identical request a new run; data after its last session does not', async () => {
    await openQueue();
    const request = { ...SMALL, end_date: '2024-03-01', top_n: 11 };
    const id = await start(request);
    await runWhen(id, isOver);
    await app.idle();
    await importFeed(
      app.context,
      feedOf({ later: [minuteBars('ACME', '2024-03-13', '2024-03-13')] }, 'later'),
    );
    await app.idle();
    expect(await startOptimization(app.context, request, CALLER)).toMatchObject({
      reused: true,
      run: { id },
    });
    await importFeed(
      app.context,
      feedOf({ older: [minuteBars('ACME', '2024-01-30', '2024-01-31')] }, 'older'),
    );
    await app.idle();
    const again = await startOptimization(app.context, request, CALLER);
    expect(again).toMatchObject({ reused: false, run: { status: 'pending' } });
    await runWhen(again.run.id, isOver);
  });
});

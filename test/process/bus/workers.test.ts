import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anonymousCaller } from '../../../src/api/access/viewer.ts';
import { getRun } from '../../../src/api/backtest/get-run.ts';
import { planOptimization } from '../../../src/api/backtest/plan-optimization.ts';
import type { OptimizationBody } from '../../../src/api/backtest/schema.ts';
import { startOptimization } from '../../../src/api/backtest/start-optimization.ts';
import type { App } from '../../../src/app.ts';
import { optimize } from '../../../src/backtests/optimize.ts';
import { RunQueue } from '../../../src/backtests/run-queue.ts';
import { readEntries } from '../../../src/backtests/run-rows.ts';
import { takeBacktestSlices } from '../../../src/backtests/slices.ts';
import { NEVER } from '../../../src/base/abortable.ts';
import type { Scope } from '../../../src/base/scope.ts';
import { takeDayWork } from '../../../src/pipeline/day-work.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { type NatsServers, startNats } from '../../engines/nats.ts';
import { feedOf, openTestApp } from '../../support/app.ts';
import { makeTestStore, type TestStore, testsRunOn } from '../../support/database.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { temporaryDirectory } from '../../support/tape.ts';

const PROGRAM = process.env.NATS_SERVER;
const SYMBOLS = ['ACME', 'BETA', 'CORE'];
const CALLER = anonymousCaller(0);
const SCOPE = { kind: 'range', from: '2024-03-04', to: '2024-03-12' } as const;

describe.skipIf(PROGRAM === undefined || testsRunOn === 'embedded')('workers', { timeout: 60_000 }, () => {
  let nats: NatsServers;
  let store: TestStore;
  let planner: App;
  let worker: App;

  beforeAll(async () => {
    nats = await startNats(PROGRAM!, 1);
    store = await makeTestStore();
    const settings = { TIGRAPH_NOW: '2024-03-13T15:00:00Z', NATS_URL: nats.url };
    planner = await openTestApp(store, settings);
    worker = await openTestApp(store, settings);
    const feed = feedOf({
      daily: SYMBOLS.map((symbol) => dailyBars(symbol, '2023-06-01', '2024-03-12')),
      minutes: SYMBOLS.map((symbol) => minuteBars(symbol, '2024-02-01', '2024-03-12')),
    });
    await importFeed(planner.context, feed);
  });

  afterAll(async () => {
    await planner?.close();
    await worker?.close();
    await store?.remove();
    await nats?.stop();
  });

  /** Of work that the worker takes until the test ends. */
  function takingScope(): Scope {
    const scope = worker.context.scope.child('taking');
    onTestFinished(() => scope.close());
    return scope;
  }

  it('derive the stock-days of a pass to what its own process would', async () => {
    const { bus } = worker.context;
    takeDayWork(takingScope(), worker.context, bus!, 1);
    const report = await syncGraph(planner.context, SCOPE);
    expect(report).toMatchObject({ derived: 21, written: 21, failed: [] });
    const here = await syncGraph({ ...planner.context, bus: undefined }, SCOPE);
    expect(here).toMatchObject({ derived: 21, written: 0, unchanged: 21 });
  });

  it('walk the symbols of a backtest to the same results', async () => {
    const request: OptimizationBody = {
      symbols: SYMBOLS,
      start_date: '2024-02-01',
      end_date: '2024-03-12',
      signal_types: ['vwap_touch', 'ib_breakout'],
    };
    takeBacktestSlices(takingScope(), worker.context, worker.context.bus!);
    const { run } = await startOptimization(planner.context, request, CALLER);
    const queue = await RunQueue.open(planner.context, {}, (_what, error) => {
      throw error;
    });
    onTestFinished(() => queue.close());
    const read = () => getRun(planner.context, run.id, CALLER, { withGrid: true });
    await planner.idle();
    expect((await read()).status).toBe('completed');
    const plan = await planOptimization(planner.context, request, 0);
    const work = { ...plan, folder: temporaryDirectory() };
    const { results, analysis, grid } = await read();
    const { text, entries } = await optimize(planner.context.backtester, work, NEVER);
    expect({ results, analysis, grid }).toEqual(text);
    const kept = await readEntries(planner.context.database, run.id);
    expect(kept.map((packed) => Buffer.from(packed))).toEqual(
      entries.map(({ packed }) => Buffer.from(packed)),
    );
    expect(await planner.context.database.query('select from backtest_slice')).toEqual([]);
  });
});

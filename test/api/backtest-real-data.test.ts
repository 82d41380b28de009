import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { csvFeed } from '../../src/market/feeds/csv/index.ts';
import { importFeed } from '../../src/sync/ingest.ts';
import { openTestApp } from '../support/app.ts';
import { postRun, runOver } from '../support/backtests.ts';
import { makeTestStore, type TestStore } from '../support/database.ts';
import { realDataDirectory } from '../support/real-data.ts';

/** Optimisations over recorded minute bars, from pending to completed, over HTTP. */
describe.skipIf(realDataDirectory === null)('recorded minute bars', () => {
  let store: TestStore;
  let app: App;
  let server: FastifyInstance;

  beforeAll(async () => {
    store = await makeTestStore();
    app = await openTestApp(store, { TIGRAPH_LOOP_DELAY_MAX_MS: '0', TIGRAPH_NOW: '2026-03-31T22:00:00Z' });
    const { calendar } = app.world;
    const paths = (name: string): string[] => [`${realDataDirectory}/${name}`];
    const daily = paths('daily/recent_daily_2024_2026.csv.gz');
    const year = paths('intraday/spy_1min_2024-03_2024-12.csv.gz');
    const minutes = ELEVEN.flatMap((symbol) => paths(`intraday/1min/${symbol}_1min.csv.gz`));
    await importFeed(app.world, csvFeed({ paths: daily, calendar, interval: '1d', symbolFrom: 'column' }));
    await importFeed(app.world, csvFeed({ paths: year, calendar, interval: '1m', symbol: 'SPY' }));
    await importFeed(
      app.world,
      csvFeed({ paths: minutes, calendar, interval: '1m', symbolFrom: 'file-name' }),
    );
    server = await app.server();
  }, 600_000);

  afterAll(async () => {
    await server.close();
    await app.close();
    await store.remove();
  });

  const ELEVEN = ['COIN', 'META', 'NFLX', 'NKE', 'NVDA', 'ORCL', 'QQQ', 'SLB', 'SPY', 'XLF', 'XLK'];
  const SIGNALS = [
    'vwap_touch',
    'ib_breakout',
    'ib_retest',
    'or_hold',
    'level_confluence',
    'trend_continuation',
  ];

  async function completed(body: object) {
    const response = await postRun(server, body);
    expect(response.json(), response.body).toMatchObject({ status: 'pending', progress_pct: 0, results: [] });
    const run = await runOver(server, response.json().id);
    expect(run.error_message).toBeNull();
    expect([run.status, run.progress_pct]).toEqual(['completed', 100]);
    return run;
  }

  it('SPY over 194 sessions of 2024', async () => {
    const run = await completed({
      symbols: ['SPY'],
      start_date: '2024-03-01',
      end_date: '2024-12-31',
      signal_types: SIGNALS,
      commission_per_share: 0.005,
      slippage_bps: 0.5,
    });
    const { analysis, results, grid } = run;
    console.log(JSON.stringify({ analysis, best: results[0] }, null, 1).slice(0, 6000));
    expect(grid).toHaveLength(20);
  });

  it('eleven symbols from September 2025 to February 2026', async () => {
    const run = await completed({
      symbols: ELEVEN,
      start_date: '2025-09-01',
      end_date: '2026-02-27',
      signal_types: SIGNALS,
      commission_per_share: 0.005,
      slippage_bps: 1,
    });
    const { analysis, results, grid } = run;
    console.log(JSON.stringify({ analysis, best: results[0] }, null, 1).slice(0, 6000));
    expect(grid).toHaveLength(20);
  });
});

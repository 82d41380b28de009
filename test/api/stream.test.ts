import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type App, openApp } from '../../src/app.ts';
import { type PacedClock, steppingClock } from '../../src/base/clock.ts';
import { loadConfig } from '../../src/config.ts';
import { createServer } from '../../src/http/server.ts';
import { revokeGrant } from '../../src/operations/access/grants.ts';
import { openAccess } from '../../src/operations/access/index.ts';
import { type StockWatch, type StreamLimits, watchStocks } from '../../src/operations/watch-stocks.ts';
import { importFeed } from '../../src/sync/ingest.ts';
import { handClock, newCredentials } from '../support/access.ts';
import { feedOf } from '../support/app.ts';
import { makeTestStore, type TestStore } from '../support/database.ts';
import { dailyBars, minuteBars, rowsBetween } from '../support/market.ts';
import { connectStream, foldStock, sinkAndReading } from '../support/stream.ts';
import { at } from '../support/tape.ts';

/** `GET /api/graph/v1/stream`: what goes out, by status, and what becomes of readers who come late, slowly or back. */

const DATE = '2024-03-12';
const [DAILY_FROM, DAILY_TO] = ['2023-01-03', '2024-03-11'];
const STREAM = '/api/graph/v1/stream';
const MINUTE_MS = 60_000;
const DELAY_MS = 15 * MINUTE_MS;
const REALTIME = { source: 'realtime_sip', delayMs: 0 } as const;
const DELAYED = { source: 'delayed', delayMs: DELAY_MS } as const;

/** A store with the history of three stocks and the first hour of a session, and its clock. */
interface Market {
  readonly app: App;
  readonly clock: PacedClock;
  readonly store: TestStore;
  /** The next minutes of the session come in, and the clock goes on to their end. */
  pass(minutes: number): Promise<void>;
}

const SYMBOLS = ['ACME', 'BETA', 'CORE'];
let imports = 0;

async function openMarket(): Promise<Market> {
  const store = await makeTestStore();
  const clock = steppingClock(at(DATE, '10:00'));
  const { dataDirectory, databaseUrl } = store.options;
  const app = await openApp(
    loadConfig({
      TIGRAPH_DATA_DIR: dataDirectory,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'silent',
      TIGRAPH_WORKERS: '1',
      QUERY_TIMEOUT_MS: '60000',
    }),
    clock,
  );
  const bring = (from: number, to: number, symbols = SYMBOLS) =>
    importFeed(
      app.world,
      feedOf({
        [`unit-${imports++}`]: symbols.map((symbol) => rowsBetween(minuteBars(symbol, DATE, DATE), from, to)),
      }),
    );
  await importFeed(app.world, feedOf({ daily: SYMBOLS.map((symbol) => dailyBars(symbol, DAILY_FROM, DAILY_TO)) }));
  await bring(0, clock.now());
  return {
    app,
    clock,
    store,
    async pass(minutes) {
      const from = clock.now();
      await clock.until(from + minutes * MINUTE_MS);
      await bring(from, clock.now());
    },
  };
}

let market: Market;

beforeAll(async () => {
  market = await openMarket();
});

afterAll(async () => {
  await market.app.close();
  await market.store.remove();
});

/** A watch of its own, whose timers never fire: the test says when it is time. */
async function newWatch(limits: Partial<StreamLimits> = {}): Promise<StockWatch> {
  const never = { tickMs: 1_000_000_000, heartbeatMs: 1_000_000_000 };
  const watch = await watchStocks(market.app.world, { ...never, ...limits }, (symbol, error) => {
    throw new Error(`look at ${symbol}`, { cause: error });
  });
  onTestFinished(() => watch.close());
  return watch;
}

async function read(watch: StockWatch, symbols: readonly string[], viewer: typeof REALTIME | typeof DELAYED = REALTIME, position: string | null = null) {
  const { sink, reading } = sinkAndReading();
  await watch.open({ symbols, position }, viewer, () => sink);
  return { sink, reading };
}

async function detail(symbol: string): Promise<Record<string, unknown>> {
  const server = await market.app.server();
  const response = await server.inject({ url: `/api/graph/v1/stocks/${symbol}` });
  await server.close();
  return response.json();
}

describe('a stream', () => {
  it('begins with each stock as stock detail serves it, and goes on with what changes', async () => {
    const watch = await newWatch();
    const { reading } = await read(watch, ['ACME', 'BETA'], DELAYED);
    await reading.next('fields');
    const first = await reading.next('snapshot');
    const second = await reading.next('snapshot');
    expect([first.data.symbol, second.data.symbol]).toEqual(['ACME', 'BETA']);
    expect(JSON.stringify(first.data.stock)).toBe(JSON.stringify(await detail('ACME')));
    console.log(first.text.length, first.data.as_of);
    await market.pass(1);
    watch.tick();
    const change = await reading.next('change');
    console.log(change.text.slice(0, 3000), change.text.length);
    await watch.settled();
    expect(foldStock(reading.blocks, 'ACME')).toEqual(await detail('ACME'));
  });
});

import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import { afterAll, onTestFinished } from 'vitest';
import { getCurrentTest } from 'vitest/suite';
import { type App, openApi } from '../../src/app.ts';
import type { PacedClock } from '../../src/base/clock.ts';
import type { Timers } from '../../src/base/timers.ts';
import { loadConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import type { Delivery, Feed } from '../../src/market/feed.ts';
import { importFeed } from '../../src/tape/ingest.ts';
import type { OpenPool } from '../../src/workers/pool.ts';
import { makeTestStore, type TestStore } from './database.ts';
import { openInlinePool } from './inline-pool.ts';

/** Settings of an app under test, by the names of their variables. */
export type TestSettings = Readonly<Record<string, string>>;

/**
 * An app on a store of the test file's own; any number of apps, each with its own clock, share the store.
 *
 * @param how with separate threads, or with what they do in the thread of the test; with a clock of the test; with timers
 *   that the test steps
 */
export async function openTestApp(
  store: TestStore,
  settings: TestSettings = {},
  {
    openPool = openInlinePool,
    clock,
    timers,
  }: { readonly openPool?: OpenPool; readonly clock?: PacedClock; readonly timers?: Timers } = {},
): Promise<App> {
  const { dataDirectory, databaseUrl } = store.options;
  return openApi(
    loadConfig({
      TIGRAPH_DATA_DIR: dataDirectory,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'silent',
      TIGRAPH_WORKERS: '1',
      // A busy machine must not turn an answer into a timeout or a refusal; the tests of these set their own.
      QUERY_TIMEOUT_MS: '60000',
      TIGRAPH_LOOP_DELAY_MAX_MS: '0',
      ...settings,
    }),
    { clock, openPool, timers },
  );
}

type AppArguments = Parameters<typeof openTestApp> extends [TestStore, ...infer Rest] ? Rest : never;

/** Closes something after the test that opened it, or after all tests of a file that opened it while it loaded. */
export function afterwards(close: () => unknown): void {
  const closing = async () => void (await close());
  if (getCurrentTest() === undefined) afterAll(closing);
  else onTestFinished(closing);
}

/** A store that goes away afterwards. */
export async function freshStore(kind?: Parameters<typeof makeTestStore>[0]): Promise<TestStore> {
  const store = await makeTestStore(kind);
  afterwards(() => store.remove());
  return store;
}

/** A database that goes away afterwards. */
export const freshDatabase = async (): Promise<Database> => (await freshStore()).open();

/** An app on a store, closed afterwards. */
export async function appOn(store: TestStore, ...how: AppArguments): Promise<App> {
  const app = await openTestApp(store, ...how);
  afterwards(() => app.close());
  return app;
}

/** An app on a fresh store. */
export async function freshApp(...how: AppArguments): Promise<{ app: App; store: TestStore }> {
  const store = await freshStore();
  return { app: await appOn(store, ...how), store };
}

/** An app on a fresh store with these deliveries on its tape. */
export async function freshMarket(settings: TestSettings, deliveries: readonly Delivery[]): Promise<App> {
  const { app } = await freshApp(settings);
  await bring(app, deliveries);
  return app;
}

/** A server of an app, closed afterwards. */
export async function serverOf(
  app: App,
  ...options: Parameters<App['server']>
): Promise<Awaited<ReturnType<App['server']>>> {
  const server = await app.server(...options);
  afterwards(() => server.close());
  return server;
}

/** A source that holds just these deliveries, one unit for each key. */
export function feedOf(units: Readonly<Record<string, readonly Delivery[]>>, name = 'test'): Feed {
  return {
    name,
    simulated: false,
    units: async () =>
      Object.entries(units).map(([key, deliveries]) => ({
        key,
        weight: 1,
        fingerprint: async () => createHash('sha256').update(serialize(deliveries)).digest('hex'),
        async *read() {
          yield* deliveries;
        },
      })),
  };
}

/** A feed with those units alone whose key fits. */
export const unitsOf = (feed: Feed, wanted: RegExp): Feed => ({
  ...feed,
  units: async () => (await feed.units()).filter(({ key }) => wanted.test(key)),
});

/** Fresh keys, so that no import takes a unit of another for already read. */
let imports = 0;

/** Brings deliveries onto the tape, and waits until the app has heard of them. */
export async function bring(app: App, deliveries: readonly Delivery[]): Promise<void> {
  await importFeed(app.context, feedOf({ [`unit-${imports++}`]: deliveries }));
  await app.idle();
}

import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../../../src/app.ts';
import { DAY_MS } from '../../../src/base/dates.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { readStockView, SegmentReader } from '../../../src/tape/index.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { Bucket } from '../../../src/tape/segments/bucket.ts';
import { bucketStore } from '../../../src/tape/segments/bucket-store.ts';
import type { SegmentStore } from '../../../src/tape/segments/segment-store.ts';
import { openThreadPool } from '../../../src/workers/pool.ts';
import {
  appOn,
  bring,
  feedOf,
  freshApp,
  freshStore,
  serverOf,
  type TestSettings,
} from '../../support/app.ts';
import { makeTestBucket, objectStore, type TestBucket } from '../../support/bucket.ts';
import { type TestStore, testsRunOn } from '../../support/database.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { directoryOf, temporaryDirectory } from '../../support/tape.ts';

const [DATE, CLOSE] = ['2024-03-05', Date.parse('2024-03-05T21:00:00Z')];
const SYMBOLS = ['ACME', 'BOLT', 'CORE'];

const feed = () =>
  feedOf(
    Object.fromEntries(
      SYMBOLS.map((symbol) => [
        symbol,
        [dailyBars(symbol, '2023-10-02', '2024-03-01'), minuteBars(symbol, '2024-02-26', DATE)],
      ]),
    ),
  );

/** What is stored of every stock-day, as bytes. */
const factsOf = ({ context }: App) =>
  context.database.query('select symbol, trade_date, block, value from fact order by 1, 2, 3');

const filesOf = ({ context }: App) =>
  context.database.query<{ file: string }>('select file from tape_segment');

/** A cache of its own before a bucket. */
function cacheOf(bucket: TestBucket, limitBytes = 1e9) {
  const directory = join(temporaryDirectory(), 'cache');
  const store = bucketStore(bucket.address, { directory, limitBytes });
  onTestFinished(() => store.close());
  return { store, directory };
}

function readerOf({ location }: Pick<SegmentStore, 'location'>): SegmentReader {
  const reader = new SegmentReader(location);
  onTestFinished(() => reader.close());
  return reader;
}

async function imported(): Promise<{ app: App; bucket: TestBucket }> {
  const bucket = await makeTestBucket();
  const { app } = await freshApp(bucket.settings);
  await importFeed(app.context, feed());
  await bucket.proxy.traffic();
  return { app, bucket };
}

async function viewOf({ context }: App, reader: SegmentReader) {
  const [tape] = await context.tape.symbolTapes(['ACME']);
  const { sessionOn: _, ...view } = readStockView(reader, tape!, context.calendar, DATE, CLOSE)!;
  return view;
}

/** An app on a store of its own that the test takes away, opened or refused. */
const openOn = async (settings: TestSettings, store?: TestStore): Promise<App> =>
  appOn(store ?? (await freshStore()), settings);

const refusal = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    ({ code, message }) => `${code}: ${message}`,
  );

describe.skipIf(objectStore === null)('a tape in a bucket', () => {
  it('gives the facts of a tape in a directory to the byte, while the bucket fails now and then', async () => {
    const bucket = await makeTestBucket();
    const { app } = await freshApp(bucket.settings, { openPool: openThreadPool });
    await bucket.proxy.set({ status: 503, times: 3 });
    await importFeed(app.context, feed());
    await bucket.proxy.set({ cut: 'body', method: 'GET', times: 2 });
    expect((await syncGraph(app.context, { kind: 'touched' })).failed).toEqual([]);
    const { app: beside } = await freshApp();
    await importFeed(beside.context, feed());
    await syncGraph(beside.context, { kind: 'touched' });
    const facts = await factsOf(app);
    expect(facts.length).toBeGreaterThan(SYMBOLS.length);
    expect(facts).toEqual(await factsOf(beside));
    const names = ['tigraph-installation.json', ...(await filesOf(app)).map(({ file }) => file)];
    expect(await bucket.keys()).toEqual(names.map((name) => `desk/tape/${name}`).sort());
  });

  it('counts a put whose answer was lost as done', async () => {
    const bucket = await makeTestBucket();
    const { app } = await freshApp(bucket.settings);
    await bucket.proxy.set({ cut: 'answer', method: 'PUT', times: 1 });
    await bring(app, [dailyBars('ACME', '2024-01-02', '2024-03-01')]);
    expect((await bucket.proxy.traffic()).requests.filter((each) => each.startsWith('PUT'))).toHaveLength(3);
    expect(await bucket.keys()).toHaveLength(2);
    const { store } = cacheOf(bucket);
    const [key] = (await bucket.keys()).filter((each) => each.endsWith('.arrow'));
    await expect(store.put(key!.split('/').at(-1)!, new Uint8Array(3))).rejects.toThrow(/another object/);
  });

  it('costs a cold stock one round trip and a warm one none', async () => {
    const { app, bucket } = await imported();
    const { store } = cacheOf(bucket);
    const reader = readerOf(store);
    await bucket.proxy.set({ delayMs: 20 });
    const cold = await viewOf(app, reader);
    const { requests, rounds } = await bucket.proxy.traffic();
    expect(requests.length).toBeGreaterThan(1);
    expect(rounds).toBe(1);
    expect(store.cacheCounts()).toMatchObject({ misses: requests.length, unwritten: 0 });
    expect(await viewOf(app, reader)).toEqual(cold);
    // A reader keeps what it has read; another one takes each block from the cache.
    const { hits } = store.cacheCounts()!;
    expect(await viewOf(app, readerOf(store))).toEqual(cold);
    expect((await bucket.proxy.traffic()).requests).toEqual([]);
    expect(store.cacheCounts()!.hits - hits).toBeGreaterThanOrEqual(requests.length);
  });

  it('fetches a damaged block once more, and says so where the bucket has no better one', async () => {
    const { app, bucket } = await imported();
    const { store, directory } = cacheOf(bucket);
    const whole = await viewOf(app, readerOf(store));
    const damages = [
      (path: string) => writeFileSync(path, readFileSync(path).fill(1)),
      (path: string) => truncateSync(path, 100),
    ];
    for (const damage of damages) {
      for (const block of readdirSync(directory)) damage(join(directory, block));
      expect(await viewOf(app, readerOf(store))).toEqual(whole);
    }
    await bucket.proxy.set({ garble: true, method: 'GET' });
    await bucket.proxy.traffic();
    const other = cacheOf(bucket);
    expect(await refusal(viewOf(app, readerOf(other.store)))).toMatch(/^tape_damaged: .* does not hold/);
    const { requests } = await bucket.proxy.traffic();
    expect(requests.length).toBe(new Set(requests).size + 1);
  });

  it('reads on from memory where the disk takes no block', async () => {
    const { app, bucket } = await imported();
    const { store, directory } = cacheOf(bucket);
    const reader = readerOf(store);
    const whole = await viewOf(app, reader);
    rmSync(directory, { recursive: true });
    writeFileSync(directory, 'no directory');
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    expect(await viewOf(app, readerOf(store))).toEqual(whole);
    expect((await warned).message).toMatch(/cache of the tape cannot be written/);
    expect(store.cacheCounts()!.unwritten).toBeGreaterThan(0);
  });

  it('keeps its limit', async () => {
    const { app, bucket } = await imported();
    const { store, directory } = cacheOf(bucket, 1);
    const whole = await viewOf(app, readerOf(store));
    expect(await viewOf(app, readerOf(store))).toEqual(whole);
    expect(readdirSync(directory)).toEqual([]);
    expect(store.cacheCounts()).toMatchObject({ bytes: 0 });
    expect(store.cacheCounts()!.evictions).toBeGreaterThan(1);
  });

  it('is not ready while the bucket is away, and tells a caller who waits', async () => {
    const { app, bucket } = await imported();
    const server = await serverOf(app);
    const get = (url: string) => server.inject({ url });
    expect((await get('/health/ready')).statusCode).toBe(200);
    rmSync(join(app.config.dataDirectory, 'tape-cache'), { recursive: true });
    await bucket.proxy.set({ status: 503 });
    expect((await get('/health/ready')).json()).toMatchObject({ code: 'tape_unavailable' });
    const stock = await get(`/api/graph/v1/stocks/ACME?date=2024-02-28`);
    expect(stock.statusCode).toBe(503);
    expect(stock.json()).toMatchObject({ code: 'tape_unavailable', detail: expect.stringContaining('503') });
    await bucket.proxy.set({});
    expect((await get(`/api/graph/v1/stocks/ACME?date=2024-02-28`)).statusCode).toBe(200);
    expect((await get('/metrics')).body).toMatch(/^tigraph_tape_cache_misses_total [1-9]/m);
    for (const { file } of await filesOf(app)) {
      await new Bucket(bucket.address).delete(file, { patienceMs: 0 });
    }
    expect((await get('/health/ready')).json()).toMatchObject({ code: 'tape_damaged' });
  });

  it.skipIf(testsRunOn === 'embedded')('is read by a process of another machine', async () => {
    const bucket = await makeTestBucket();
    const { app, store } = await freshApp(bucket.settings);
    await importFeed(app.context, feed());
    const beside = await openOn({ ...bucket.settings, TIGRAPH_DATA_DIR: temporaryDirectory() }, store);
    const server = await serverOf(beside);
    expect((await server.inject({ url: '/health/ready' })).statusCode).toBe(200);
    const view = await viewOf(app, readerOf(app.context.tape));
    expect(await viewOf(beside, readerOf(beside.context.tape))).toEqual(view);
  });

  it('names what is wrong with the bucket, and no secret', async () => {
    const bucket = await makeTestBucket();
    await bucket.proxy.set({ status: 403 });
    const forbidden = await refusal(openOn(bucket.settings));
    expect(forbidden).toMatch(
      /^tape_unavailable: TIGRAPH_TAPE=s3:\/\/.* refuses the credentials \(403 Made403\)/,
    );
    expect(forbidden).not.toContain(bucket.settings.AWS_SECRET_ACCESS_KEY);
    await bucket.proxy.set({});
    const elsewhere = { ...bucket.settings, TIGRAPH_TAPE: 's3://no-such-bucket/tape' };
    expect(await refusal(openOn(elsewhere))).toMatch(/does not exist \(404 NoSuchBucket\)/);
  });

  it('removes objects that nothing names once they are a day old, one process a day', async () => {
    const { app, bucket } = await imported();
    const { database } = app.context;
    const kept = await bucket.keys();
    await bucket.put('desk/tape/left.arrow', new Uint8Array(3));
    const { store } = cacheOf(bucket);
    await store.open(database, Date.now() + 2 * DAY_MS);
    expect(await bucket.keys()).toContain('desk/tape/left.arrow');
    await database.query(`update installation set orphans_removed_at = now() - interval '25 hours'`);
    await store.open(database, Date.now() + DAY_MS / 2);
    expect(await bucket.keys()).toContain('desk/tape/left.arrow');
    await database.query(`update installation set orphans_removed_at = now() - interval '25 hours'`);
    await store.open(database, Date.now() + 2 * DAY_MS);
    expect(await bucket.keys()).toEqual(kept);
  });
});

describe.skipIf(objectStore === null)('the prefix of a bucket', () => {
  it('belongs to one installation, also where two begin at once', async () => {
    const bucket = await makeTestBucket();
    const opened = await Promise.all([openOn(bucket.settings), openOn(bucket.settings)].map(refusal));
    expect(opened.filter((each) => each === 'done')).toHaveLength(1);
    expect(opened.filter((each) => each.startsWith('tape_of_another_installation'))).toHaveLength(1);
  });

  it('is taken over with files of the tape that were copied to it, and refused without or with other ones', async () => {
    const { app, store } = await freshApp();
    await importFeed(app.context, feed());
    const view = await viewOf(app, readerOf(app.context.tape));
    const bucket = await makeTestBucket();
    expect(await refusal(openOn(bucket.settings, store))).toMatch(/^tape_damaged: .* copy the files/);
    const directory = directoryOf(app.context.tape);
    for (const file of readdirSync(directory)) {
      await bucket.put(`desk/tape/${file}`, readFileSync(join(directory, file)));
    }
    expect(await refusal(openOn(bucket.settings))).toMatch(/^tape_of_another_installation: .* segment files/);
    const moved = await openOn(bucket.settings, store);
    expect(await viewOf(moved, readerOf(moved.context.tape))).toEqual(view);
  });
});

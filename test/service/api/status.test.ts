import { describe, expect, it } from 'vitest';
import type { Viewer } from '../../../src/api/access/viewer.ts';
import { getStatus } from '../../../src/api/status/get-status.ts';
import type { Status } from '../../../src/api/status/schema.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { bring, freshApp } from '../../support/app.ts';
import { dailyBars, minuteBars, rowsBetween } from '../../support/market.ts';
import { at } from '../../support/tape.ts';

const DATE = '2024-03-12';
const NOW = at(DATE, '11:07');
const REALTIME: Viewer = { source: 'realtime_sip', delayMs: 0, symbols: null };

const minutesTo = (symbol: string, clock: string): Delivery =>
  rowsBetween(minuteBars(symbol, DATE, DATE), at(DATE, '09:30'), at(DATE, clock));

const statusFor = async (viewer: Viewer): Promise<Status> =>
  JSON.parse(String((await getStatus(app.context, viewer)).body)) as Status;

const feedFor = async (feed: string, viewer: Viewer) =>
  (await statusFor(viewer)).feeds.find((one) => one.feed === feed);

const { app } = await freshApp({ TIGRAPH_NOW: new Date(NOW).toISOString() });
await bring(app, [
  ...['AAA', 'BBB', 'OLD'].map((symbol) => dailyBars(symbol, '2024-01-02', '2024-03-11')),
  minuteBars('OLD', '2024-03-11', '2024-03-11'),
  minutesTo('AAA', '11:05'),
  minutesTo('BBB', '10:30'),
]);

describe('feeds', () => {
  it('are as old as their newest row, against the promise', async () => {
    expect(await feedFor('minute_bars', REALTIME)).toEqual({
      feed: 'minute_bars',
      newest_at: new Date(at(DATE, '11:05')).toISOString(),
      age_seconds: 120,
      promised_seconds: 300,
      state: 'fresh',
    });
    expect(await feedFor('quotes', REALTIME)).toMatchObject({ newest_at: null, state: 'no_data' });
  });

  it('have nothing newer than a delayed caller may see', async () => {
    const delayed: Viewer = { source: 'delayed', delayMs: 900_000, symbols: null };
    expect(await feedFor('minute_bars', delayed)).toMatchObject({
      newest_at: new Date(at(DATE, '10:52')).toISOString(),
      age_seconds: 0,
    });
  });

  it('are those of the symbols of the grant', async () => {
    const narrow: Viewer = { ...REALTIME, symbols: new Set(['BBB']) };
    expect(await feedFor('minute_bars', narrow)).toMatchObject({
      newest_at: new Date(at(DATE, '10:30')).toISOString(),
      state: 'late',
    });
    expect((await statusFor(narrow)).series).toMatchObject([{ series: 'bars-1d', symbols: 1 }]);
  });

  it('are due only while the market is open', async () => {
    const evening: Viewer = { ...REALTIME, asOf: at('2024-03-11', '19:00') };
    expect(await feedFor('minute_bars', evening)).toMatchObject({
      newest_at: new Date(at('2024-03-11', '16:00')).toISOString(),
      state: 'market_closed',
    });
  });
});

it('says what the tape has of ended sessions', async () => {
  expect((await statusFor(REALTIME)).series).toMatchObject([
    { series: 'bars-1d', symbols: 3, first_session: '2024-01-02', last_session: '2024-03-11' },
    { series: 'bars-1m', symbols: 1, first_session: '2024-03-11', last_session: '2024-03-11' },
  ]);
});

it('counts what waits to be derived', async () => {
  const { passes } = await statusFor(REALTIME);
  expect(passes).toMatchObject({ newest_stock_day: null, stock_days: 0, waiting_symbols: 3 });
});

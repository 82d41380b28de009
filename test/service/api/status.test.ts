import { describe, expect, it } from 'vitest';
import type { Viewer } from '../../../src/api/access/viewer.ts';
import { getStatus } from '../../../src/api/status/get-status.ts';
import type { Status } from '../../../src/api/status/schema.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { bring, freshMarket } from '../../support/app.ts';
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

const app = await freshMarket({ TIGRAPH_NOW: new Date(NOW).toISOString() }, [
  ...['AAA', 'BBB', 'OLD'].map((symbol) => dailyBars(symbol, '2024-01-02', '2024-03-11')),
  minuteBars('OLD', '2024-03-11', '2024-03-11'),
  minutesTo('AAA', '11:05'),
  minutesTo('BBB', '10:30'),
]);

const put = (symbol: string, date: string, asOf: number, derivedAt: number) =>
  app.context.database.write(
    `insert into stock_day (symbol, trade_date, as_of, digest, derived_at) values ($1, $2, $3, '', $4)`,
    [symbol, date, new Date(asOf), new Date(derivedAt)],
  );
for (const symbol of ['AAA', 'BBB']) {
  await put(symbol, '2024-03-08', at('2024-03-11', '04:00'), at('2024-03-11', '05:00'));
  await put(symbol, '2024-03-11', at(DATE, '04:00'), at(DATE, '05:00'));
}
// The running session: one stock traded a minute ago, the other did not.
await put('AAA', DATE, at(DATE, '11:06'), NOW);
await put('BBB', DATE, at(DATE, '10:30'), NOW);
for (const date of ['2024-03-11', DATE])
  await app.context.database.write(
    `insert into market_day (trade_date, digest, snapshot, unsettled) values ($1, '', '', false)`,
    [date],
  );
for (const [month, windowTo] of [
  ['2024-03-01', '2024-02-29'],
  ['2024-04-01', '2024-03-28'],
])
  await app.context.database.write(
    `insert into peer_topology (month, window_to, stocks, edges, digest) values ($1, $2, 0, 0, '')`,
    [month, windowTo],
  );

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
    // Of the session of the thirteenth nothing ever comes; daily bars are due four hours after its close.
    const later: Viewer = { ...REALTIME, asOf: at('2024-03-13', '20:30') };
    expect(await feedFor('daily_bars', later)).toMatchObject({ state: 'late' });
  });
});

it('says what the tape has of ended sessions', async () => {
  expect((await statusFor(REALTIME)).series).toMatchObject([
    { series: 'bars-1d', symbols: 3, first_session: '2024-01-02', last_session: '2024-03-11' },
    { series: 'bars-1m', symbols: 1, first_session: '2024-03-11', last_session: '2024-03-11' },
  ]);
});

describe('passes', () => {
  const delayed: Viewer = { source: 'delayed', delayMs: 900_000, symbols: null };
  const passesFor = async (viewer: Viewer) => (await statusFor(viewer)).passes;
  it('count the running session for a caller who may see all of it, and for no other', async () => {
    expect(await passesFor(REALTIME)).toMatchObject({ newest_stock_day: DATE, stock_days: 2 });
    expect(await passesFor(delayed)).toEqual({
      newest_stock_day: '2024-03-11',
      derived_at: new Date(at(DATE, '05:00')).toISOString(),
      stock_days: 2,
      waiting_symbols: 3,
      newest_market: '2024-03-11',
      newest_peers: '2024-03-01',
    });
  });

  it('know nothing later than a past instant', async () => {
    expect(await passesFor({ ...REALTIME, asOf: at('2024-03-11', '04:30') })).toEqual({
      newest_stock_day: '2024-03-08',
      derived_at: null,
      stock_days: 2,
      waiting_symbols: 3,
      newest_market: null,
      newest_peers: '2024-03-01',
    });
    expect(await passesFor({ ...REALTIME, asOf: at('2024-01-02', '08:00') })).toMatchObject({
      newest_stock_day: null,
      stock_days: 0,
      waiting_symbols: 0,
      newest_peers: null,
    });
  });

  it('count the symbols of the grant', async () => {
    const narrow: Viewer = { ...delayed, symbols: new Set(['BBB']) };
    // The minutes of the other stock keep the running session from this caller too.
    expect(await passesFor(narrow)).toMatchObject({
      newest_stock_day: '2024-03-11',
      stock_days: 1,
      waiting_symbols: 1,
    });
  });
});

it('names the feed that records the session of the instant, and of no earlier one', async () => {
  app.context.live.running = { feed: 'replay', tradeDate: DATE };
  const feedAt = async (clock: number) => (await statusFor({ ...REALTIME, asOf: clock })).running_feed;
  expect(await feedAt(at(DATE, '11:00'))).toBe('replay');
  expect(await feedAt(at('2024-03-11', '15:00'))).toBeNull();
  app.context.live.running = null;
});

it('counts rows up to a past instant, and none where it cannot tell', async () => {
  const past = await statusFor({ ...REALTIME, asOf: at('2024-02-01', '12:00') });
  expect(past.series).toMatchObject([
    { series: 'bars-1d', symbols: 3, rows: null, last_session: '2024-01-31' },
  ]);
  const minutes = minuteBars('LONG', '2024-03-06', '2024-03-08');
  await bring(app, [minutes]);
  const between = await statusFor({
    ...REALTIME,
    asOf: at('2024-03-07', '17:00'),
    symbols: new Set(['LONG']),
  });
  expect(between.series.find(({ series }) => series === 'bars-1m')).toMatchObject({
    rows: (minutes.columns.time.length * 2) / 3,
    last_session: '2024-03-07',
  });
});

it('takes an instant, and refuses what is none', async () => {
  const server = await app.server();
  const asked = (text: string) => server.inject(`/api/graph/v1/status?as_of=${text}`);
  expect((await asked('2024-03-11T20:00:00Z')).json()).toMatchObject({ as_of: '2024-03-11T20:00:00.000Z' });
  for (const text of ['yesterday', '1700-01-01T00:00:00Z', '2024-03-12T23:00:00Z'])
    expect((await asked(text)).statusCode, text).toBe(422);
});

it('counts what waits to be derived', async () => {
  const { passes } = await statusFor(REALTIME);
  expect(passes).toMatchObject({ waiting_symbols: 4 });
});

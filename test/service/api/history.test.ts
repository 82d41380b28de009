import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { INCLUDE_FIELDS } from '../../../src/derive/compose.ts';
import { SCALAR_FIELDS, scalarAt } from '../../../src/derive/scalar-fields.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { importFeed } from '../../../src/pipeline/ingest.ts';
import { expectRefused } from '../../support/answers.ts';
import { feedOf, freshApp, serverOf } from '../../support/app.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { at } from '../../support/tape.ts';

const DATE = '2024-03-12';
const NOW = at(DATE, '11:07');
const URL = '/api/graph/v1/stocks/ACME';
/** The last session of an import is stored by the pass after it. */
const STORED = '2024-03-11';
const FIELDS = 'last_price,technical.rsi_14';

const bring = (name: string, deliveries: readonly Delivery[]) =>
  importFeed(app.context, feedOf({ all: deliveries }, name));

const get = async (query: string) => {
  const response = await server.inject(`${URL}/history?${query}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};

const fault = async (query: string) => {
  const response = await server.inject(`${URL}/history?${query}`);
  expect(response.statusCode, response.body).toBe(422);
  return response.json().detail[0];
};

const { app } = await freshApp({ TIGRAPH_NOW: new Date(NOW).toISOString() });
await bring('history', [
  dailyBars('ACME', '2023-01-03', STORED),
  minuteBars('ACME', '2024-03-08', STORED),
  dailyBars('SPY', '2023-01-03', STORED),
]);
await syncGraph(app.context, { kind: 'touched' });
const server = await serverOf(app);

describe('200', () => {
  it('has of each date what stock detail answers for it, stored or derived', async () => {
    const range = 'from=2024-03-06&to=2024-03-11&derive=true';
    const dates = ['2024-03-06', '2024-03-07', '2024-03-08', '2024-03-11'];
    const include = [...INCLUDE_FIELDS.keys()].join();
    const detailsOf = () =>
      Promise.all(
        dates.map(async (date) => (await server.inject(`${URL}?date=${date}&include=${include}`)).json()),
      );
    const details = await detailsOf();
    for (let first = 0; first < SCALAR_FIELDS.length; first += 50) {
      const paths = SCALAR_FIELDS.slice(first, first + 50).map(({ path }) => path);
      const history = await get(`fields=${paths.join()}&${range}`);
      assert.deepEqual(history.dates, dates);
      assert.deepEqual(history.states, ['derived', 'derived', 'derived', 'stored']);
      for (const path of paths) {
        const expected = details.map((detail) => scalarAt(detail, path));
        assert.deepEqual(history.columns[path], expected, path);
      }
    }
  });

  it('leaves out what is not stored unless it is asked to derive', async () => {
    const history = await get(`fields=${FIELDS}`);
    expect(history.dates).toHaveLength(260);
    expect(history.states.slice(-3)).toEqual(['derivable', 'stored', 'derivable']);
    expect(history.columns.last_price.slice(-3)).toEqual([null, expect.any(Number), null]);
  });

  it('tells a session without a bar from one to derive', async () => {
    const history = await get(`fields=${FIELDS}&from=${DATE}&derive=true`);
    expect(history).toMatchObject({ dates: [DATE], states: ['no_bar'], columns: { last_price: [null] } });
  });

  it('reads no row that knows more than the caller may', async () => {
    const then = 'as_of=2024-03-11T15:00:00Z';
    const derived = await get(`fields=${FIELDS}&from=2024-03-11&derive=true&${then}`);
    const stored = await get(`fields=${FIELDS}&from=2024-03-11&to=2024-03-11`);
    expect(derived.states).toEqual(['derived']);
    expect(derived.columns.last_price).not.toEqual(stored.columns.last_price);
    expect((await get(`fields=${FIELDS}&from=2024-03-11&${then}`)).states).toEqual(['derivable']);
  });
});

describe('422', () => {
  it('refuses what cannot be answered, with a way out', async () => {
    expect(await fault('fields=technical.rsi_15')).toMatchObject({
      loc: ['query', 'fields'],
      ctx: { expected: "'technical.rsi_14'" },
    });
    const many = SCALAR_FIELDS.slice(0, 51).map(({ path }) => path);
    expect(await fault(`fields=${many.join()}`)).toMatchObject({ ctx: { max_length: 50 } });
    expect(await fault(`fields=${FIELDS}&from=2024-03-12&to=2024-03-11`)).toMatchObject({
      loc: ['query', 'from'],
    });
    expect(await fault(`fields=${FIELDS}&from=2000-01-01`)).toMatchObject({ ctx: { max_sessions: 5_200 } });
    expect(await fault(`fields=${FIELDS}&from=2023-01-03&derive=true`)).toMatchObject({
      ctx: { max_dates: 260 },
    });
  });
});

describe('404', () => {
  it('knows no symbol without a bar', async () => {
    await expectRefused(
      server.inject(`/api/graph/v1/stocks/NOBODY/history?fields=${FIELDS}`),
      404,
      'unknown_symbol',
    );
  });
});

describe('later data', () => {
  it('changes no byte of an earlier range', async () => {
    const queries = [
      `fields=${FIELDS}&from=2024-03-06&to=2024-03-11&derive=true`,
      `fields=${FIELDS}&from=2024-03-06`,
      `fields=${FIELDS}&from=2024-03-11&derive=true&as_of=2024-03-11T15:00:00Z`,
    ];
    const answers = () =>
      Promise.all(queries.map(async (query) => (await server.inject(`${URL}/history?${query}`)).body));
    const before = await answers();
    await bring('later', [dailyBars('ACME', DATE, '2024-03-15')]);
    expect(await answers()).toEqual(before);
  });
});

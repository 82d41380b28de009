import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { anonymousCaller } from '../../../src/api/access/viewer.ts';
import { getHistory } from '../../../src/api/history/get-history.ts';
import { forCaller } from '../../../src/base/caller.ts';
import { INCLUDE_FIELDS } from '../../../src/derive/compose.ts';
import { SCALAR_FIELDS, scalarAt } from '../../../src/derive/scalar-fields.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
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

const get = async (query: string, symbol = 'ACME') => {
  const response = await server.inject(`/api/graph/v1/stocks/${symbol}/history?${query}`);
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

  it('has fields of bars on every date at once, and tells a session without a bar', async () => {
    const newest = await get(`fields=${FIELDS}&derive=no&limit=1`);
    expect([newest.dates, newest.states]).toEqual([['2024-03-11'], ['stored']]);
    const history = await get(`fields=${FIELDS}&derive=no&to=2024-03-12`);
    expect(history.dates).toHaveLength(260);
    expect(history.from_bars).toEqual(FIELDS.split(','));
    expect(history.states.slice(-3)).toEqual(['derived', 'stored', 'no_bar']);
    expect(history.columns.last_price.filter((price: unknown) => price !== null)).toHaveLength(259);
    expect(history.columns.last_price.at(-1)).toBe(null);
    expect(history.derivation).toBe(null);
  });

  it('derives the other fields in the background, and says how far that is and where to ask again', async () => {
    const query = 'fields=last_price,net_confluence&from=2024-02-26&to=2024-03-05';
    const unasked = await get(`${query}&derive=no`);
    expect(new Set(unasked.states)).toEqual(new Set(['derivable']));
    const first = await get(query);
    expect(first.derivation).toMatchObject({ dates: 7, derived: 0 });
    expect(first.from_bars).toEqual(['last_price']);
    expect(new Set(first.states)).toEqual(new Set(['deriving']));
    expect(first.columns.last_price).not.toContain(null);
    expect(first.columns.net_confluence).toEqual(Array(7).fill(null));
    expect(app.context.scope.running()).toContain('history of ACME');
    await app.idle();
    const again = (await server.inject(first.derivation.ask_again)).json();
    expect(again).toMatchObject({ dates: first.dates, derivation: null });
    expect(new Set(again.states)).toEqual(new Set(['derived']));
    const [date] = first.dates;
    const detail = (await server.inject(`${URL}?date=${date}`)).json();
    expect(again.columns.net_confluence[0]).toBe(detail.net_confluence);
    expect(again.columns.last_price).toEqual(first.columns.last_price);
    // What a caller waits for is the same.
    app.context.histories.announce({ symbols: null, dates: null, origin: null });
    const waited = await get(`${query}&derive=wait`);
    expect([waited.columns, waited.not_derived]).toEqual([again.columns, []]);
  });

  it('waits for the peers of a few sessions', async () => {
    const { states, derivation } = await get(
      'fields=peer_divergence_v1.composite&from=2024-01-16&to=2024-01-18&derive=wait',
    );
    expect([states, derivation]).toEqual([['derived', 'derived', 'derived'], null]);
  });

  it('says that the figures of peers are on their way where many sessions are not measured yet', async () => {
    const query = 'fields=net_confluence,peer_divergence_v1.composite&from=2023-11-01&to=2023-11-30';
    const first = await get(`${query}&derive=wait`);
    expect(new Set(first.states)).toEqual(new Set(['deriving']));
    expect(first.columns.net_confluence).not.toContain(null);
    expect(first.derivation.dates).toBe(21);
    await app.idle();
    const second = await get(`${query}&derive=wait`);
    expect([new Set(second.states), second.derivation]).toEqual([new Set(['derived']), null]);
    expect(second.columns.net_confluence).toEqual(first.columns.net_confluence);
  });

  it('derives at most 260 dates at a time, the newest first', async () => {
    const query = 'fields=net_confluence&from=2023-01-03&to=2024-03-08';
    app.context.histories.announce({ symbols: null, dates: null, origin: null });
    const first = await get(`${query}&derive=wait`);
    expect(first.not_derived).toEqual(first.dates.slice(0, -260));
    expect(first.states.indexOf('derived')).toBe(first.dates.length - 260);
  });

  it('comes in pages: from a beginning on, or from the newest session back to the first of the stock', async () => {
    for (const [query, isBack] of [
      ['from=2023-11-01', false],
      ['to=2024-03-05', true],
    ] as const) {
      const dates: string[] = [];
      let cursor = '';
      do {
        const page = await get(`fields=${FIELDS}&${query}&limit=100${cursor}&derive=no`);
        if (isBack) dates.unshift(...page.dates);
        else dates.push(...page.dates);
        cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
      } while (cursor !== '');
      const range = isBack ? 'from=2022-12-01&to=2024-03-05' : query;
      expect(dates).toEqual((await get(`fields=${FIELDS}&${range}&derive=no`)).dates);
    }
    const { next_cursor } = await get(`fields=${FIELDS}&limit=1`);
    expect(await fault(`fields=volume&limit=1&cursor=${next_cursor}`)).toMatchObject({
      loc: ['query', 'cursor'],
    });
  });

  it('ends a wait with its caller', async () => {
    const { context } = app;
    const leave = new AbortController();
    const request = { symbol: 'SPY', fields: 'net_confluence', from: '2023-06-01', derive: 'wait' } as const;
    const answer = forCaller(leave.signal, () => getHistory(context, request, anonymousCaller(0)));
    leave.abort(new Error('the caller has left'));
    await expect(answer).rejects.toThrow('the caller has left');
    await app.idle();
    expect((await get('fields=net_confluence&derive=no', 'SPY')).states).not.toContain('derived');
  });

  it('reads no row that knows more than the caller may', async () => {
    const then = 'as_of=2024-03-11T15:00:00Z';
    const derived = await get(`fields=${FIELDS}&from=2024-03-11&derive=true&${then}`);
    const stored = await get(`fields=${FIELDS}&from=2024-03-11&to=2024-03-11`);
    expect(derived.states).toEqual(['derived']);
    expect(derived.columns.last_price).not.toEqual(stored.columns.last_price);
    const score = `fields=net_confluence&from=2024-03-11&derive=no`;
    expect((await get(score)).states).toEqual(['stored', 'no_bar']);
    expect((await get(`${score}&${then}`)).states).toEqual(['derivable']);
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
    // What is kept is dropped once the announcement has come, and not in the midst of what follows.
    await app.idle();
  });

  it('has kept rows derived again', async () => {
    const query = 'fields=net_confluence&from=2024-02-26&to=2024-03-05';
    const states = async () => new Set((await get(`${query}&derive=no`)).states);
    await get(`${query}&derive=wait`);
    expect(await states()).toEqual(new Set(['derived']));
    await bring('earlier', [dailyBars('ACME', '2022-11-01', '2022-12-30')]);
    await app.idle();
    expect(await states()).toEqual(new Set(['derivable']));
  });
});

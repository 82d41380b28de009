import { describe, expect, it, onTestFinished } from 'vitest';
import type { Viewer } from '../../../src/api/context/app-context.ts';
import { getStock } from '../../../src/api/stocks/get-stock.ts';
import { watchStocks } from '../../../src/api/stream/watch-stocks.ts';
import type { App } from '../../../src/app.ts';
import { steppingClock } from '../../../src/base/clock.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { appOn, bring, freshStore, serverOf } from '../../support/app.ts';
import { dailyBars, minuteBars, rowsBetween } from '../../support/market.ts';
import { foldStock, sinkAndReading } from '../../support/stream.ts';
import { at } from '../../support/tape.ts';

/**
 * What an answer for now says of its age. The data ends on Tuesday, 2024-03-12, and that of GONE years before.
 */

const LAST = '2024-03-12';
const NEXT = '2024-03-13';
const SATURDAY = '2024-03-16T12:00:00Z';
const OTHERS = Array.from({ length: 20 }, (_, place) => `${'BCDEFGH'[place % 7]}${place}`);
const REALTIME: Viewer = { source: 'realtime_sip', delayMs: 0, symbols: null };
const DELAYED: Viewer = { source: 'delayed', delayMs: 15 * 60_000, symbols: null };
const STALE = ['score_stale', 'conviction_stale'];

const store = await freshStore();
const brought = await appOn(store, { TIGRAPH_NOW: SATURDAY });
await bring(brought, [
  ...['ACME', 'SPY', ...OTHERS].map((symbol) => dailyBars(symbol, '2023-01-03', LAST)),
  minuteBars('ACME', LAST, LAST),
  dailyBars('GONE', '2017-01-03', '2018-06-29'),
]);
await syncGraph(brought.context, { kind: 'range', from: LAST, to: LAST });

const appAt = (now: number | string): Promise<App> =>
  appOn(store, { TIGRAPH_NOW: new Date(now).toISOString() });

interface Aged {
  readonly sessions_behind: number;
  readonly score_warnings: readonly string[];
}

async function stockOf(
  { context }: App,
  viewer = REALTIME,
  { symbol = 'ACME', date }: { readonly symbol?: string; readonly date?: string } = {},
): Promise<Aged> {
  const { body } = await getStock(context, { symbol, date, includes: [] }, viewer);
  return JSON.parse(body.toString());
}

const isStale = ({ score_warnings }: Aged): boolean => STALE.every((word) => score_warnings.includes(word));

describe('a stock', () => {
  it.each([
    ['in the evening', REALTIME, at(LAST, '18:00'), 0],
    ['before the next session', REALTIME, at(NEXT, '09:00'), 0],
    ['while the next session runs', REALTIME, at(NEXT, '10:00'), 0],
    ['in its last minute', REALTIME, at(NEXT, '15:59'), 0],
    ['at its close', REALTIME, at(NEXT, '16:00'), 1],
    ['at its close, a quarter of an hour late', DELAYED, at(NEXT, '16:14'), 0],
    ['and when the close can be seen', DELAYED, at(NEXT, '16:15'), 1],
    ['on the weekend', REALTIME, Date.parse(SATURDAY), 3],
    ['on Monday before the close', REALTIME, at('2024-03-18', '15:59'), 3],
    ['before Good Friday', REALTIME, at('2024-03-28', '16:00'), 12],
    ['on Good Friday', REALTIME, Date.parse('2024-03-29T22:00:00Z'), 12],
    ['on the Monday after it', REALTIME, at('2024-04-01', '15:59'), 12],
  ] as const)('%s says how many sessions it is behind', async (_, viewer, now, behind) => {
    const stock = await stockOf(await appAt(now), viewer);
    expect(stock.sessions_behind).toBe(behind);
    expect(isStale(stock)).toBe(behind > 0);
    if (behind === 0) for (const word of STALE) expect(stock.score_warnings).not.toContain(word);
  });

  it('whose data ended years ago says so beside stocks with newer data', async () => {
    const app = await appAt(at(NEXT, '10:00'));
    // Half of 2018, five years, and 2024 up to the day: 126 + 252 + 253 + 252 + 251 + 250 + 49.
    const gone = await stockOf(app, REALTIME, { symbol: 'GONE' });
    expect(gone).toMatchObject({ sessions_behind: 1433 });
    expect(isStale(gone)).toBe(true);
    expect(await stockOf(app)).toMatchObject({ sessions_behind: 0 });
  });

  it('is not behind with minutes of the running session, nor once that is over', async () => {
    const own = await freshStore();
    const clock = steppingClock(at(NEXT, '10:00'));
    const app = await appOn(own, {}, { clock });
    const minutes = rowsBetween(minuteBars('ACME', NEXT, NEXT), 0, clock.now());
    await bring(app, [dailyBars('ACME', '2023-01-03', LAST), minutes]);
    expect(await stockOf(app)).toMatchObject({ sessions_behind: 0, price: { trade_date: NEXT } });
    await clock.until(at(NEXT, '17:00'));
    expect(await stockOf(app)).toMatchObject({ sessions_behind: 0, price: { trade_date: NEXT } });
  });

  it.each([
    ['of a past date', REALTIME, '2024-03-05'],
    ['of its newest date', REALTIME, LAST],
    ['as of a past minute', { ...REALTIME, asOf: at(NEXT, '17:00') }, undefined],
  ] as const)('is never behind %s', async (_, viewer, date) => {
    const stock = await stockOf(brought, viewer, date === undefined ? {} : { date });
    expect(stock.sessions_behind).toBe(0);
    for (const word of STALE) expect(stock.score_warnings).not.toContain(word);
  });

  it('ages in the cache', async () => {
    const clock = steppingClock(at(NEXT, '15:59') + 50_000);
    const app = await appOn(store, {}, { clock });
    const fresh = await stockOf(app);
    await clock.until(at(NEXT, '16:00'));
    const old = await stockOf(app);
    expect([fresh.sessions_behind, old.sessions_behind]).toEqual([0, 1]);
    const { sessions_behind: _, score_warnings, ...rest } = old;
    expect({ ...fresh, score_warnings }).toEqual({ ...rest, score_warnings, sessions_behind: 0 });
    expect(score_warnings).toEqual([...STALE, ...fresh.score_warnings]);
  });

  it('ages in a stream', async () => {
    const clock = steppingClock(at(NEXT, '15:58'));
    const app = await appOn(store, {}, { clock });
    const never = { tickMs: 1_000_000_000, heartbeatMs: 1_000_000_000 };
    const watch = await watchStocks(app.context, never, (_, error) => Promise.reject(error));
    onTestFinished(() => watch.close());
    const { sink, reading } = sinkAndReading();
    await watch.open({ symbols: ['ACME'], position: null }, REALTIME, () => sink);
    await clock.until(at(NEXT, '16:00'));
    watch.tick();
    const change = await reading.next('change');
    expect(change.data.changed).toMatchObject({ sessions_behind: 1 });
    expect(isStale(foldStock(reading.blocks, 'ACME') as unknown as Aged)).toBe(true);
  });
});

describe('what spans stocks', () => {
  const BASE = '/api/graph/v1';

  it.each([
    ['GET', '/market/context', undefined],
    ['POST', '/screener', { limit: 1 }],
  ] as const)('says how old it is: %s %s', async (method, path, payload) => {
    const clock = steppingClock(Date.parse(SATURDAY));
    const server = await serverOf(await appOn(store, {}, { clock }));
    const ask = async (query = '', body: object = {}) =>
      (
        await server.inject({
          method,
          url: `${BASE}${path}${query}`,
          ...(payload && { payload: { ...payload, ...body } }),
        })
      ).json();
    const now = await ask();
    expect(now.trade_date ?? now.date).toBe(LAST);
    expect(now.sessions_behind).toBe(3);
    const dated = payload === undefined ? await ask(`?date=${LAST}`) : await ask('', { date: LAST });
    expect(dated.sessions_behind).toBe(0);
    // On Monday, when the delayed caller sees the close.
    await clock.until(at('2024-03-18', '16:15'));
    const later =
      payload === undefined ? await ask() : [await ask(), await ask('', { cursor: now.next_cursor })];
    for (const { sessions_behind } of [later].flat()) expect(sessions_behind).toBe(4);
  });

  it('is not old as of a past minute', async () => {
    const server = await serverOf(brought);
    const past = await server.inject({ url: `${BASE}/market/context?as_of=2024-03-14T22:00:00Z` });
    expect(past.json()).toMatchObject({ trade_date: LAST, sessions_behind: 0 });
  });
});

describe('a chat context', () => {
  const SENTENCE = 'The newest session of the data is 2024-03-12: the market has completed 3 since.';
  const FACTS = {
    'data.trade_date': LAST,
    'data.sessions_behind': 3,
  };
  const contextOf = async (query: string, app = brought) => {
    const server = await serverOf(app);
    return (await server.inject({ url: `/api/graph/v1/chat/context?${query}` })).json();
  };

  it.each([
    ['page_type=stock_detail&symbol=ACME', 'stock_data'],
    ['page_type=stock_detail&symbol=ACME&max_tokens=620', 'stock_data'],
    ['page_type=market', 'market_context'],
    ['page_type=market&max_tokens=600', 'market_context'],
  ])('says it first, with the facts of the sentence: %s', async (query, section) => {
    const context = await contextOf(query);
    expect(context.sessions_behind).toBe(3);
    expect(context[section].stale).toEqual({
      text: SENTENCE,
      facts: Object.keys(FACTS),
      rule: 'data.stale',
    });
    const facts = Object.fromEntries(
      context.facts.map(({ id, value }: { id: string; value: unknown }) => [id, value]),
    );
    expect(facts).toMatchObject(FACTS);
  });

  it.each(['&date=2024-03-12', '&as_of=2024-03-16T11:00:00Z'])('says nothing of %s', async (past) => {
    const context = await contextOf(`page_type=stock_detail&symbol=ACME${past}`);
    expect(context.sessions_behind).toBe(0);
    expect(context.stock_data.stale).toBeUndefined();
    expect(JSON.stringify(context.facts)).not.toContain('"data.');
  });

  it('ages in the cache', async () => {
    const clock = steppingClock(at(NEXT, '16:14') + 50_000);
    const app = await appOn(store, {}, { clock });
    const query = 'page_type=stock_detail&symbol=ACME';
    expect((await contextOf(query, app)).stock_data.stale).toBeUndefined();
    await clock.until(at(NEXT, '16:15'));
    expect((await contextOf(query, app)).stock_data.stale.text).toContain('the market has completed 1 since');
  });

  it.each([
    [SENTENCE, ['matches', 'matches']],
    ['The data of ACME is 3 sessions old.', ['matches']],
    ['The data of ACME is 2 sessions old.', ['contradicts']],
    [SENTENCE.replace('completed 3', 'completed 2'), ['matches', 'contradicts']],
  ])('is judged in a draft: %s', async (text, verdicts) => {
    const server = await serverOf(brought);
    const url = '/api/graph/v1/chat/verify';
    const judged = await server.inject({ method: 'POST', url, payload: { symbol: 'ACME', text } });
    expect(judged.json().claims.map(({ verdict }: { verdict: string }) => verdict)).toEqual(verdicts);
  });
});

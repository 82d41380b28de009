import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { leaveDemo } from '../../../src/api/demo/leave-demo.ts';
import type { App } from '../../../src/app.ts';
import { INCLUDE_FIELDS } from '../../../src/derive/compose.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { bringRecordsUpToDate } from '../../../src/pipeline/record-pass.ts';
import { bringStatesUpToDate } from '../../../src/pipeline/state-pass.ts';
import { companySymbols } from '../../../src/simulated/companies.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { bring, feedOf, freshApp, serverOf } from '../../support/app.ts';
import { inFull } from '../../support/depth.ts';
import { dailyBars } from '../../support/market.ts';
import { asOwn, ownName } from '../../support/renamed-market.ts';

/**
 * The demo and data of somebody's own in one store: each answers to the byte as it does alone. Both have every kind of
 * row and fact, the same sectors and themes, and companies enough for peers; only the demo has an index, and it ends
 * later.
 */

const ROOT = '/api/graph/v1';
const OWN_LAST = '2024-06-26';
const DEMO_LAST = '2024-06-28';
const STOCKS = 12;
const WINDOW = { symbols: STOCKS, days: 300, minuteSessions: 2, tickSessions: 1 };

type Server = Awaited<ReturnType<App['server']>>;

async function openStore(): Promise<{ app: App; server: Server }> {
  const { app } = await freshApp({ TIGRAPH_NOW: '2024-07-01T12:00:00Z' });
  return { app, server: await serverOf(app) };
}

async function bringMarket({ context, idle }: App, market: 'demo' | 'own'): Promise<void> {
  const [seed, end] = market === 'demo' ? [3, DEMO_LAST] : [5, OWN_LAST];
  const feed = simulatedFeed({ ...WINDOW, seed, end, calendar: context.calendar });
  await importFeed(context, market === 'demo' ? feed : asOwn(feed));
  await syncGraph(context, { kind: 'range', from: '2024-06-20', to: end });
  await bringStatesUpToDate(context);
  await bringRecordsUpToDate(context, { range: { from: inFull('2024-05-20', '2024-06-10') } });
  await idle();
}

const INCLUDES = [...new Set(INCLUDE_FIELDS.keys())].join();

/** What is asked of a stock. */
const ofStock = (symbol: string, other: string): string[] => [
  `/stocks/${symbol}`,
  `/stocks/${symbol}?include=${INCLUDES}`,
  `/stocks/${symbol}?include=levels,records,patterns,strategies&date=2024-06-26`,
  `/stocks/${symbol}?as_of=2024-06-26T15:00:00Z&include=${INCLUDES}`,
  `/stocks/${symbol}?date=2024-06-03&include=${INCLUDES}`,
  `/stocks/${symbol}/peers`,
  `/stocks/${symbol}/peers?date=2024-06-26`,
  `/stocks/${symbol}/explain?field=bullish_confluence`,
  `/stocks/${symbol}/bars?interval=1d&from=2024-06-01&to=2024-06-28`,
  `/stocks/${symbol}/history?fields=regime_v5.vix_regime,bullish_confluence,peer_divergence_v1.composite,technical.rsi_14&from=2024-06-10&derive=wait`,
  `/graph/${symbol}/neighborhood?depth=3&limit=300`,
  `/options/${symbol}/dte-scores`,
  `/options/${symbol}/exposure`,
  `/options/${symbol}/surface`,
  `/records?symbol=${symbol}`,
  `/records/level.prior_day/events?symbol=${symbol}`,
  ...['stock_detail', 'market', 'options'].map(
    (page) => `/chat/context?page_type=${page}&symbol=${symbol}&max_tokens=20000`,
  ),
  `POST /chat/verify {"symbol":"${symbol}","text":"The VIX is at 14.2, and ${other} stands 3 % above its peers."}`,
];

/** What is asked of a market. */
const ofMarket = (market: string): string[] => [
  `/market/context?${market}`,
  `/market/context?date=2024-06-26&${market}`,
  `/market/context?as_of=2024-06-26T15:00:00Z&${market}`,
  `/records?${market}`,
  `/records?kind=level&regime=NORMAL&${market}`,
  `/records/level.prior_day/events?limit=1000&${market}`,
  `/records/divergence.bullish.5d/events?limit=1000&${market}`,
  `/chat/context?page_type=market&query=results+beat&max_tokens=20000&${market}`,
  `/chat/context?page_type=screener&max_tokens=20000&${market}`,
  `POST /screener {"near_misses":3,"filter":{"field":"bullish_confluence","op":">=","value":50},"limit":500${bodyOf(market)}}`,
  `POST /screener {"computed":{"rank":"last_price / 2"},"select":["computed.rank","regime_v5.vix_regime"],"limit":500${bodyOf(market)}}`,
];
const bodyOf = (market: string): string => (market === '' ? '' : `,"market":"${market.split('=')[1]}"`);

async function answerTo(server: Server, asked: string): Promise<string> {
  const post = /^POST (\S+) (.*)$/.exec(asked);
  const { body, statusCode } = await server.inject(
    post === null
      ? `${ROOT}${asked.replace(/[?&]$/, '')}`
      : {
          method: 'POST',
          url: `${ROOT}${post[1]}`,
          payload: post[2]!,
          headers: { 'content-type': 'application/json' },
        },
  );
  // An index has no peers.
  expect(statusCode, `${asked} ${body}`).toBe(asked.startsWith('/stocks/SIMX/peers') ? 404 : 200);
  // What depends on this call alone.
  return body.replaceAll(/"(request_id|computation_ms|cached|next_cursor)":("[^"]*"|[\d.]+|\w+)/g, '"$1":…');
}

describe('the demo and own data in one store', () => {
  let app: App;
  let both: Server;
  let ownApp: App;
  let own: Server;
  /** What the demo answered before the other came, by what was asked. */
  const demo = new Map<string, string>();
  const stocks = companySymbols(STOCKS);
  const shown = ['SIMX', ...stocks.slice(2, 4)];

  beforeAll(async () => {
    // The demo comes first, as it does for whoever starts the service and then drops a file.
    ({ app, server: both } = await openStore());
    await bringMarket(app, 'demo');
    for (const asked of [...shown.flatMap((symbol) => ofStock(symbol, stocks[1]!)), ...ofMarket('')])
      demo.set(asked, await answerTo(both, asked));
    await bringMarket(app, 'own');
    ({ app: ownApp, server: own } = await openStore());
    await bringMarket(ownApp, 'own');
    app.context.answers.forget(null);
    app.context.markets.clear();
  }, 240_000);

  it.each([0, 3])('answer of an own stock as without the demo (%s)', async (at) => {
    for (const asked of ofStock(ownName(stocks[at]!), ownName(stocks[1]!)))
      expect(await answerTo(both, asked), asked).toBe(await answerTo(own, asked));
  });

  it.each(shown)('answer of %s as the demo alone does', async (symbol) => {
    for (const asked of ofStock(symbol, stocks[1]!))
      expect(await answerTo(both, asked), asked).toBe(demo.get(asked));
  });

  it('answer of the real market, unless they are asked for the simulated one', async () => {
    for (const asked of ofMarket(''))
      expect(await answerTo(both, asked), asked).toBe(await answerTo(own, asked));
    for (const [at, asked] of ofMarket('market=simulated').entries())
      expect(await answerTo(both, asked), asked).toBe(demo.get(ofMarket('')[at]!));
  });

  it('take no symbol of the other, in an import or a backtest', async () => {
    const { calendar } = app.context;
    const taken = stocks[0]!;
    const before = await answerTo(both, `/stocks/${taken}`);
    const bars = dailyBars(taken, '2024-06-03', '2024-06-27');
    await expect(importFeed(app.context, feedOf({ own: [bars] }))).rejects.toThrow(
      `${taken} is a stock of the simulated market`,
    );
    const demoOfOwn = simulatedFeed({ ...WINDOW, symbols: 1, seed: 5, end: DEMO_LAST, calendar });
    await expect(importFeed(app.context, { ...asOwn(demoOfOwn), simulated: true })).rejects.toThrow(
      `${ownName(taken)} is a stock of yours`,
    );
    const { statusCode, body } = await both.inject({
      method: 'POST',
      url: `${ROOT}/backtest/optimize`,
      payload: {
        symbols: [taken, ownName(taken)],
        start_date: '2024-06-24',
        end_date: '2024-06-26',
        signal_types: ['vwap_touch'],
      },
    });
    expect([statusCode, JSON.parse(body).detail[0].loc], body).toEqual([422, ['body', 'symbols']]);
    await app.idle();
    expect(await answerTo(both, `/stocks/${taken}`)).toBe(before);
  });

  it('label each answer with its market', async () => {
    const flag = async (asked: string) => JSON.parse(await answerTo(both, asked).then(whole)).simulated;
    for (const [symbol, simulated] of [
      [ownName(stocks[0]!), false],
      [stocks[2]!, true],
    ] as const)
      for (const asked of ofStock(symbol, 'X')) expect(await flag(asked), asked).toBe(simulated);
    for (const asked of ofMarket('')) expect(await flag(asked), asked).toBe(false);
    for (const asked of ofMarket('market=simulated')) expect(await flag(asked), asked).toBe(true);
    // Nothing is imported into the simulated one.
    const next = async (symbol: string) =>
      JSON.parse(await answerTo(both, `/stocks/${symbol}/explain?field=bullish_confluence`)).import_next;
    expect([(await next(ownName(stocks[0]!))).length > 0, await next(stocks[2]!)]).toEqual([true, []]);
  });
  it('part when the demo is left: nothing of it stays, and all of the other does', async () => {
    const away = await rowsOf(ownApp);
    expect(await rowsOf(app)).not.toEqual(away);
    expect((await both.inject('/api/internal/demo')).json()).toEqual({
      state: 'there',
      stocks: STOCKS + 2,
      share_done: null,
    });
    expect((await both.inject({ method: 'POST', url: '/api/internal/demo/leave' })).json().state).toBe(
      'leaving',
    );
    await app.idle();
    expect((await both.inject('/api/internal/demo')).json().state).toBe('none');
    expect(await rowsOf(app)).toEqual(away);
    expect(readdirSync(segmentsOf(app)).length).toBe(readdirSync(segmentsOf(ownApp)).length);
    for (const asked of [...ofStock(ownName(stocks[0]!), ownName(stocks[1]!)), ...ofMarket('')])
      expect(await answerTo(both, asked), asked).toBe(await answerTo(own, asked));
    expect((await both.inject(`${ROOT}/stocks/${stocks[0]}`)).statusCode).toBe(404);
    // Again nothing happens, and nothing simulated is written any more.
    expect(await leaveDemo(app.context)).toBe(0);
    const { calendar } = app.context;
    const again = simulatedFeed({ ...WINDOW, seed: 3, end: DEMO_LAST, calendar });
    await expect(importFeed(app.context, again)).rejects.toThrow('The simulated market was left');
    expect(await rowsOf(app)).toEqual(away);
    // Its names are free.
    await bring(app, [dailyBars(stocks[0]!, '2024-06-03', '2024-06-26')]);
    expect((await both.inject(`${ROOT}/stocks/${stocks[0]}`)).json().simulated).toBe(false);
  });
});

/** How many rows each table has of anything but the installation itself. */
async function rowsOf({ context: { database } }: App): Promise<Record<string, number>> {
  const tables = await database.query<{ name: string }>(
    `select relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
     order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await database.query<{ count: number }>(`select count(*)::integer as count from ${name}`);
    counts[name] = row!.count;
  }
  return counts;
}

const segmentsOf = (app: App): string => {
  const { location } = app.context.tape;
  if (location.kind !== 'directory') throw new Error('segments lie in a directory here');
  return location.directory;
};

const whole = (body: string): string => body.replaceAll('…', 'null');

import { describe, expect, it } from 'vitest';
import { createClient, createGrant } from '../../../src/api/access/clients.ts';
import { PAGE_TYPES } from '../../../src/api/chat/get-chat-context.ts';
import { INCLUDE_FIELDS } from '../../../src/derive/compose.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { factOf } from '../../../src/market/validate-fact.ts';
import { bringRecordsUpToDate } from '../../../src/pipeline/record-pass.ts';
import { bearer, tokenFrom, WIDE } from '../../support/access.ts';
import { bring } from '../../support/app.ts';
import { postRun, runOver } from '../../support/backtests.ts';
import {
  CHAT_DATE,
  CHAT_OTHERS,
  chatMarket,
  freshChatService,
  passOver,
} from '../../support/chat-service.ts';
import { newsDelivery } from '../../support/news-market.ts';
import { expectedWith, factsOf } from '../../support/reported.ts';
import { connectStream } from '../../support/stream.ts';
import { words } from '../../support/tables.ts';
import { at } from '../../support/tape.ts';

/** For every request, a grant that is narrowed to symbols names no other stock. */

const GRANTED = ['ACME', 'B0'];
/** Benchmark symbols may be named: docs/security.md. */
const MARKET = ['SPY', '^VIX'];
const FOREIGN = CHAT_OTHERS.filter((symbol) => !GRANTED.includes(symbol) && !MARKET.includes(symbol));

const ROOT = '/api/graph/v1';
const INCLUDES = [...INCLUDE_FIELDS.keys()].join();

/** Results and halts of stocks within the grant and beyond it. */
const EVENTS: Delivery[] = ['B0', 'C1', 'D2'].map((symbol) =>
  factsOf(
    symbol,
    factOf('earnings_date', at('2024-02-20', '09:00'), expectedWith({ date: '2024-03-15' })),
    factOf('halt', at(CHAT_DATE, '13:00'), { from: at(CHAT_DATE, '13:00'), to: null, reason: 'T1' }),
  ),
);

/** News of a stock within the grant and of stocks beyond it. */
const NEWS: Delivery[] = ['B0', 'C1', 'D2'].map((symbol) =>
  newsDelivery({ symbol, at: `${CHAT_DATE}T14:00:00Z`, headline: `Company sued over patents by ${symbol}` }),
);

/** Tokens of one client, each under a separate grant for these symbols. */
async function tokensOf(wide: null, narrowed: readonly string[]): Promise<[string, string]> {
  const { app, server } = service;
  const { client, secret } = await createClient(app.context.database, 'a test', Date.now());
  const tokenFor = async (symbols: readonly string[] | null): Promise<string> => {
    const grant = await createGrant(app.context.database, client.id, { ...WIDE, symbols }, Date.now());
    const credentials = { client_id: client.id, client_secret: secret, grant_id: grant.id };
    return tokenFrom(
      server,
      credentials,
      words`stock:read options:read screener:read market:read chat:read backtest:run`,
    );
  };
  return [await tokenFor(wide), await tokenFor(narrowed)];
}

const FILES = '/api/internal/imports';
const FILE = `${FILES}/0123456789abcdef`;

type Question = {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly payload?: object;
};

const EVERY_FIELD = async (): Promise<string[]> => {
  const { fields } = (await service.server.inject({ url: `${ROOT}/screener/fields` })).json();
  return fields.map(({ path }: { path: string }) => path);
};

/** A request for each operation of the API; one that is missing here fails the test. */
const QUESTIONS: Readonly<Record<string, () => Question[] | Promise<Question[]>>> = {
  getStock: () =>
    ['', `?include=${INCLUDES}`, `?date=${CHAT_DATE}&include=${INCLUDES}`, '?date=2024-03-12'].map(
      (query) => ({ url: `${ROOT}/stocks/ACME${query}` }),
    ),
  getBars: () =>
    ['1m', '1d', '1w'].map((interval) => ({ url: `${ROOT}/stocks/ACME/bars?interval=${interval}` })),
  getHistory: async () => [
    {
      url: `${ROOT}/stocks/ACME/history?fields=${(await EVERY_FIELD()).slice(0, 50).join()}&from=${CHAT_DATE}&derive=true`,
    },
  ],
  searchSymbols: () => [
    { url: `${ROOT}/symbols?limit=200` },
    ...FOREIGN.map((symbol) => ({ url: `${ROOT}/symbols?q=${symbol.slice(0, 1)}&limit=1` })),
  ],
  getStatus: () => [{ url: `${ROOT}/status` }],
  getLiveFeeds: () => [{ url: '/health/feeds' }],
  getPeers: () => [
    { url: `${ROOT}/stocks/ACME/peers` },
    { url: `${ROOT}/stocks/B0/peers?date=${CHAT_DATE}` },
  ],
  explainField: () =>
    ['bullish_confluence', 'levels.pdh', 'last_price'].map((field) => ({
      url: `${ROOT}/stocks/ACME/explain?field=${field}`,
    })),
  watchStocks: () => [{ url: `${ROOT}/stream?symbols=ACME` }],
  getDteScores: () => [{ url: `${ROOT}/options/ACME/dte-scores` }, { url: `${ROOT}/options/B0/dte-scores` }],
  getExposure: () => [{ url: `${ROOT}/options/ACME/exposure` }],
  getSurface: () => [{ url: `${ROOT}/options/ACME/surface` }],
  getMarketContext: () => [
    { url: `${ROOT}/market/context` },
    { url: `${ROOT}/market/context?date=${CHAT_DATE}` },
  ],
  getNeighborhood: () => [{ url: `${ROOT}/graph/ACME/neighborhood?depth=3&limit=500` }],
  getChatContext: () => [
    ...PAGE_TYPES.map((page) => ({
      url: `${ROOT}/chat/context?page_type=${page}&symbol=ACME&max_tokens=32000`,
    })),
    ...['market', 'screener', 'backtest'].flatMap((page) =>
      ['', '&query=patents'].map((query) => ({
        url: `${ROOT}/chat/context?page_type=${page}&max_tokens=32000${query}`,
      })),
    ),
    { url: `${ROOT}/chat/context?page_type=stock_detail&symbol=ACME&max_tokens=32000&query=patents` },
  ],
  async verifyText() {
    // Every figure of a peer, as somebody would write who guesses.
    const { peers } = await answerFor(whole, { url: `${ROOT}/stocks/ACME/peers` });
    const figures = peers.flatMap((peer: Record<string, number>) => [
      `The peer's return was ${peer.return_pct!.toFixed(2)}%.`,
      `The correlation with the peer is ${peer.correlation!.toFixed(2)}.`,
    ]);
    return [
      { url: `${ROOT}/chat/verify`, method: 'POST', payload: { symbol: 'ACME', text: figures.join(' ') } },
    ];
  },
  async screenStocks() {
    const select = (await EVERY_FIELD()).filter((path) => path !== 'symbol').slice(0, 100);
    const filter = { all: [{ field: 'last_price', op: '>=', value: 1e9 }] };
    return [
      { url: `${ROOT}/screener`, method: 'POST', payload: { select, limit: 500 } },
      { url: `${ROOT}/screener`, method: 'POST', payload: { filter, near_misses: 50 } },
    ];
  },
  listRecords: () => [{ url: `${ROOT}/records` }, { url: `${ROOT}/records?symbol=ACME` }],
  listRecordEvents: () => [
    { url: `${ROOT}/records/level.pivot/events` },
    { url: `${ROOT}/records/pattern.doji/events` },
    { url: `${ROOT}/records/score.confluence_score.1d/events` },
  ],
  listScreenFields: () => [{ url: `${ROOT}/screener/fields` }],
  computeDiffusion: () => [
    {
      url: '/api/internal/graph-diffusion/compute',
      method: 'POST',
      payload: { schema_version: 1, returns: { ACME: 0.05, B0: 0.01 } },
    },
  ],
  startOptimization: () => [
    {
      url: `${ROOT}/backtest/optimize`,
      method: 'POST',
      payload: {
        symbols: GRANTED,
        start_date: CHAT_DATE,
        end_date: CHAT_DATE,
        signal_types: ['vwap_touch', 'or_hold'],
      },
    },
  ],
  listRuns: () => [{ url: `${ROOT}/backtest/optimize` }],
  getRun: () => [ownRun, wideRun].map((id) => ({ url: `${ROOT}/backtest/optimize/${id}?include=grid` })),
  watchRun: () => [ownRun, wideRun].map((id) => ({ url: `${ROOT}/backtest/optimize/${id}/events` })),
  cancelRun: () =>
    [ownRun, wideRun].map((id) => ({ method: 'DELETE', url: `${ROOT}/backtest/optimize/${id}` })),
  // What is loaded names every symbol: a narrowed grant is refused.
  getLoaded: () => [{ url: '/api/internal/loaded' }],
  listImports: () => [{ url: FILES }],
  createImport: () => [{ method: 'POST', url: FILES, payload: { name: 'C1.csv', bytes: 3 } }],
  getImport: () => [{ url: FILE }],
  cancelImport: () => [{ method: 'DELETE', url: FILE }],
  addImportPart: () => [{ method: 'POST', url: `${FILE}/parts`, payload: { offset: 0, base64: 'QzEK' } }],
  readImport: () => [{ method: 'POST', url: `${FILE}/reading`, payload: {} }],
  startImport: () => [{ method: 'POST', url: `${FILE}/start` }],
  getRecordBuild: () => [{ url: '/api/internal/records/build' }],
  buildRecords: () => [{ method: 'POST', url: '/api/internal/records/build' }],
  getDemo: () => [{ url: '/api/internal/demo' }],
  leaveDemo: () => [{ method: 'POST', url: '/api/internal/demo/leave' }],
  exchangeToken: () => [{ method: 'POST', url: `${ROOT}/chart-agent-auth/token`, payload: {} }],
  getKeySet: () => [{ url: '/.well-known/jwks.json' }],
};

/** The bytes of an answer; of a stream that goes on up to its snapshot. */
async function bytesFor(token: string, { url, method = 'GET', payload }: Question): Promise<string> {
  if (url.includes('/stream?')) {
    const { reading, close } = await connectStream(`${address}${url}`, bearer(token));
    const { text } = await reading.next('snapshot');
    close();
    return text;
  }
  const response = await fetch(`${address}${url}`, {
    method,
    headers: { ...bearer(token), ...(payload === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
  });
  return response.text();
}

const named = (bytes: string, symbols: readonly string[]): string[] =>
  symbols.filter((symbol) => new RegExp(`(?<![A-Za-z0-9^])${symbol}(?![A-Za-z0-9])`).test(bytes));

const operations = (): string[] =>
  Object.values(service.server.swagger().paths!).flatMap((path) =>
    Object.values(path as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
  );

const answerFor = async (token: string, question: Question) => JSON.parse(await bytesFor(token, question));

// Nine in the evening of New York: the session is over, also for a delayed caller.
const service = await freshChatService('2024-03-14T01:00:00Z');
const { app, server } = service;
await bring(app, [...chatMarket(), ...EVENTS, ...NEWS]);
await passOver(app, CHAT_DATE);
await bringRecordsUpToDate(app.context, { range: { from: '2024-01-02' } });
const [whole, narrow] = await tokensOf(null, GRANTED);
const address = await server.listen({ host: '127.0.0.1', port: 0 });
const body = { start_date: CHAT_DATE, end_date: CHAT_DATE, signal_types: ['vwap_touch'] };
/** Runs of one client: under the narrowed grant, and under one for every symbol. */
const ownRun = (await postRun(server, { ...body, symbols: GRANTED }, bearer(narrow))).json().id;
const wideRun = (await postRun(server, { ...body, symbols: ['ACME', 'C1'] }, bearer(whole))).json().id;
for (const id of [ownRun, wideRun]) await runOver({ app, server }, id, bearer(whole));

describe('a grant narrowed to symbols', () => {
  it('names no other stock in the answer of any route', async () => {
    expect(Object.keys(QUESTIONS).sort()).toEqual(operations().sort());
    const found: Record<string, string[]> = {};
    for (const operation of operations()) {
      for (const question of await QUESTIONS[operation]!()) {
        // The cache holds the answer to a caller for every symbol, and then the answer to this one.
        await bytesFor(whole, question);
        for (const _ of ['made', 'ready']) {
          const foreign = named(await bytesFor(narrow, question), FOREIGN);
          if (foreign.length > 0) found[`${operation} ${question.method ?? 'GET'} ${question.url}`] = foreign;
        }
      }
    }
    expect(found).toEqual({});
  });

  it('keeps what is within the grant, and every figure over many stocks', async () => {
    const asked = { url: `${ROOT}/stocks/ACME/peers` };
    const { peers: all, ...rest } = await answerFor(whole, asked);
    const { peers, ...narrowedRest } = await answerFor(narrow, asked);
    expect(narrowedRest).toEqual(rest);
    expect(all.length).toBeGreaterThan(5);
    expect(peers).toEqual(all.filter(({ symbol }: { symbol: string }) => symbol === 'B0'));
    expect(peers).toHaveLength(1);

    const detail = { url: `${ROOT}/stocks/ACME?include=${INCLUDES}` };
    const [wholeStock, stock] = [await answerFor(whole, detail), await answerFor(narrow, detail)];
    const { contributors } = stock.peer_divergence_v1;
    expect(stock).toEqual({
      ...wholeStock,
      peer_divergence_v1: { ...wholeStock.peer_divergence_v1, contributors },
    });

    const chat = { url: `${ROOT}/chat/context?page_type=stock_detail&symbol=ACME&max_tokens=32000` };
    const [wholeChat, context] = [await answerFor(whole, chat), await answerFor(narrow, chat)];
    expect(context.analog_outcomes).toEqual(wholeChat.analog_outcomes);
    expect(context.debate_summary).toEqual(wholeChat.debate_summary);
    expect(context.sector_data.divergence).toEqual(wholeChat.sector_data.divergence);
    expect(context.sector_data.peers).toMatchObject([{ symbol: 'B0' }]);
  });

  it.each([
    '/stocks/ACME',
    '/market/context',
    '/chat/context?page_type=stock_detail&symbol=ACME&max_tokens=32000',
    '/chat/context?page_type=market&max_tokens=32000&query=patents',
  ])('leaves others the whole of %s, in any order of requests', async (path) => {
    const asked = { url: `${ROOT}${path}` };
    service.app.context.answers.forget(null);
    const first = await bytesFor(narrow, asked);
    const others = await bytesFor(whole, asked);
    expect(named(others, FOREIGN)).not.toEqual([]);
    expect(await bytesFor(narrow, asked)).toBe(first);
    expect(await bytesFor(whole, asked)).toBe(others);
  });

  it('sends a stream of changes no more than a stream of snapshots', async () => {
    const opened = await Promise.all(
      [narrow, whole].map((token) => connectStream(`${address}${ROOT}/stream?symbols=ACME`, bearer(token))),
    );
    const [one, all] = await Promise.all(opened.map(({ reading }) => reading.next('snapshot')));
    expect(one!.data.stock).toEqual(await answerFor(narrow, { url: `${ROOT}/stocks/ACME` }));
    expect(all!.data.stock).toEqual(await answerFor(whole, { url: `${ROOT}/stocks/ACME` }));
  });

  it('bears out no figure of another stock', async () => {
    const [question] = await QUESTIONS.verifyText!();
    const [{ facts_known: all }, { facts_known: some }] = [
      await answerFor(whole, question!),
      await answerFor(narrow, question!),
    ];
    expect(some).toBeLessThan(all);
  });
});

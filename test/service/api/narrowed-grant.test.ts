import { describe, expect, it } from 'vitest';
import { createGrant } from '../../../src/api/access/clients.ts';
import { PAGE_TYPES } from '../../../src/api/chat/get-chat-context.ts';
import { INCLUDE_FIELDS } from '../../../src/derive/compose.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { factOf } from '../../../src/market/validate-fact.ts';
import { bringRecordsUpToDate } from '../../../src/pipeline/record-pass.ts';
import { bearer, newCredentials, tokenFrom, WIDE } from '../../support/access.ts';
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
const PEERS = '/stocks/ACME/peers';
const CHAT = '/chat/context?page_type=stock_detail&symbol=ACME&max_tokens=32000';
const RUN = { start_date: CHAT_DATE, end_date: CHAT_DATE, signal_types: ['vwap_touch'] };

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

const FILES = '/api/internal/imports';
const FILE = `${FILES}/0123456789abcdef`;

/** What is asked at a path, below the root where it is of the public API. */
type Question = string | readonly [method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object];

const EVERY_FIELD = async (): Promise<string[]> => {
  const { fields } = (await service.server.inject({ url: `${ROOT}/screener/fields` })).json();
  return fields.map(({ path }: { path: string }) => path);
};

const NO_ALERT = '00000000-0000-4000-8000-000000000000';
const ALERT = { kind: 'crosses', parameters: { field: 'last_price', other: 'levels.vwap' }, anyway: true };
const SCREEN_ALERT = { kind: 'screen', parameters: { filter: { field: 'last_price', op: '>', value: 0 } } };

/** A request for each operation of the API; one that is missing here fails the test. */
const QUESTIONS: Readonly<Record<string, () => Question[] | Promise<Question[]>>> = {
  getStock: () =>
    ['', `?include=${INCLUDES}`, `?date=${CHAT_DATE}&include=${INCLUDES}`, '?date=2024-03-12'].map(
      (query) => `/stocks/ACME${query}`,
    ),
  getBars: () => ['1m', '1d', '1w'].map((interval) => `/stocks/ACME/bars?interval=${interval}`),
  getHistory: async () => [
    `/stocks/ACME/history?fields=${(await EVERY_FIELD()).slice(0, 50).join()}&from=${CHAT_DATE}&derive=true`,
  ],
  getPanel: () => [['POST', '/panel', { fields: ['last_price'], screen: {}, from: CHAT_DATE }]],
  exportColumns: () => [
    ['POST', '/export', { kind: 'facts', from: CHAT_DATE }],
    [
      'POST',
      '/export',
      { kind: 'bars', interval: '1d', format: 'csv', part: `year=${CHAT_DATE.slice(0, 4)}/bars.csv` },
    ],
  ],
  searchSymbols: () => [
    '/symbols?limit=200',
    ...FOREIGN.map((symbol) => `/symbols?q=${symbol.slice(0, 1)}&limit=1`),
  ],
  getStatus: () => ['/status'],
  async listWatchlists() {
    await bytesFor(whole, ['PUT', '/watchlists/wide', { symbols: ['ACME', 'C1'] }]);
    return ['/watchlists'];
  },
  getWatchlist: () => ['/watchlists/wide'],
  putWatchlist: () => [['PUT', '/watchlists/narrow', { symbols: GRANTED }]],
  deleteWatchlist: () => [['DELETE', '/watchlists/narrow']],
  getPlan: () =>
    ['list=wide', `symbols=ACME,B0&date=${CHAT_DATE}&all=true`, 'symbols=ACME&format=markdown'].map(
      (query) => `/plan?${query}`,
    ),
  async listAlerts() {
    await bytesFor(whole, ['POST', '/alerts', { ...ALERT, symbols: ['ACME', 'C1'] }]);
    return ['/alerts'];
  },
  listAlertKinds: () => ['/alerts/kinds'],
  listAlertFirings: () => ['/alerts/firings'],
  previewAlert: () => [['POST', '/alerts/preview', SCREEN_ALERT]],
  addAlert: () => [['POST', '/alerts', { ...SCREEN_ALERT, anyway: true }]],
  async getAlert() {
    const { alerts } = await answerFor(whole, '/alerts');
    return alerts.map(({ id }: { id: string }) => `/alerts/${id}`);
  },
  putAlert: () => [['PUT', `/alerts/${NO_ALERT}`, { ...ALERT, symbols: GRANTED }]],
  deleteAlert: () => [['DELETE', `/alerts/${NO_ALERT}`]],
  listAlertReceivers: () => ['/alerts/receivers'],
  putAlertReceiver: () => [
    ['PUT', `/alerts/receivers/${NO_ALERT}`, { channel: 'webhook', address: 'https://alerts.example/' }],
  ],
  testAlertReceiver: () => [['POST', `/alerts/receivers/${NO_ALERT}`]],
  deleteAlertReceiver: () => [['DELETE', `/alerts/receivers/${NO_ALERT}`]],
  getReview: () => [`/review?list=wide&date=${CHAT_DATE}&sessions=3`],
  getLiveFeeds: () => ['/health/feeds'],
  getPeers: () => [PEERS, `/stocks/B0/peers?date=${CHAT_DATE}`],
  explainField: () =>
    ['bullish_confluence', 'levels.pdh', 'last_price'].map((field) => `/stocks/ACME/explain?field=${field}`),
  watchStocks: () => ['/stream?symbols=ACME'],
  getDteScores: () => ['/options/ACME/dte-scores', '/options/B0/dte-scores'],
  getExposure: () => ['/options/ACME/exposure'],
  getSurface: () => ['/options/ACME/surface'],
  getMarketContext: () => ['/market/context', `/market/context?date=${CHAT_DATE}`],
  getNeighborhood: () => ['/graph/ACME/neighborhood?depth=3&limit=500'],
  getChatContext: () => [
    ...PAGE_TYPES.map((page) => `/chat/context?page_type=${page}&symbol=ACME&max_tokens=32000`),
    ...['market', 'screener', 'backtest'].flatMap((page) =>
      ['', '&query=patents'].map((query) => `/chat/context?page_type=${page}&max_tokens=32000${query}`),
    ),
    `${CHAT}&query=patents`,
  ],
  async verifyText() {
    // Every figure of a peer, as somebody would write who guesses.
    const { peers } = await answerFor(whole, PEERS);
    const figures = peers.flatMap((peer: Record<string, number>) => [
      `The peer's return was ${peer.return_pct!.toFixed(2)}%.`,
      `The correlation with the peer is ${peer.correlation!.toFixed(2)}.`,
    ]);
    return [['POST', '/chat/verify', { symbol: 'ACME', text: figures.join(' ') }]];
  },
  async screenStocks() {
    const select = (await EVERY_FIELD()).filter((path) => path !== 'symbol').slice(0, 100);
    const filter = { all: [{ field: 'last_price', op: '>=', value: 1e9 }] };
    return [
      ['POST', '/screener', { select, limit: 500 }],
      ['POST', '/screener', { filter, near_misses: 50 }],
    ];
  },
  listRecords: () => ['/records', '/records?symbol=ACME'],
  listRecordEvents: () =>
    words`level.pivot pattern.doji score.confluence_score.1d`.map((id) => `/records/${id}/events`),
  listScreenFields: () => ['/screener/fields'],
  computeDiffusion: () => [
    [
      'POST',
      '/api/internal/graph-diffusion/compute',
      { schema_version: 1, returns: { ACME: 0.05, B0: 0.01 } },
    ],
  ],
  startOptimization: () => [
    ['POST', '/backtest/optimize', { ...RUN, symbols: GRANTED, signal_types: ['vwap_touch', 'or_hold'] }],
  ],
  listRuns: () => ['/backtest/optimize'],
  getRun: () => [ownRun, wideRun].map((id) => `/backtest/optimize/${id}?include=grid`),
  getRunTrades: () => [ownRun, wideRun].map((id) => `/backtest/optimize/${id}/trades?cell=all`),
  getRunEquity: () => [ownRun, wideRun].map((id) => `/backtest/optimize/${id}/equity?cell=all`),
  watchRun: () => [ownRun, wideRun].map((id) => `/backtest/optimize/${id}/events`),
  cancelRun: () => [ownRun, wideRun].map((id) => ['DELETE', `/backtest/optimize/${id}`]),
  // What is loaded names every symbol: a narrowed grant is refused.
  getLoaded: () => ['/api/internal/loaded'],
  listImports: () => [FILES],
  createImport: () => [['POST', FILES, { name: 'C1.csv', bytes: 3 }]],
  getImport: () => [FILE],
  cancelImport: () => [['DELETE', FILE]],
  addImportPart: () => [['POST', `${FILE}/parts`, { offset: 0, base64: 'QzEK' }]],
  readImport: () => [['POST', `${FILE}/reading`, {}]],
  startImport: () => [['POST', `${FILE}/start`]],
  getRecordBuild: () => ['/api/internal/records/build'],
  buildRecords: () => [['POST', '/api/internal/records/build']],
  getDemo: () => ['/api/internal/demo'],
  leaveDemo: () => [['POST', '/api/internal/demo/leave']],
  exchangeToken: () => [['POST', '/chart-agent-auth/token', {}]],
  getKeySet: () => ['/.well-known/jwks.json'],
};

/** The bytes of an answer; of a stream that goes on up to its snapshot. */
async function bytesFor(token: string, question: Question): Promise<string> {
  const [method, path, payload] = typeof question === 'string' ? ['GET', question] : question;
  const url = `${address}${/^\/(?:api|health|\.well)/.test(path) ? '' : ROOT}${path}`;
  if (path.includes('/stream?')) {
    const { reading, close } = await connectStream(url, bearer(token));
    const { text } = await reading.next('snapshot');
    close();
    return text;
  }
  const response = await fetch(url, {
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
/** Two grants of one client. */
const credentials = await newCredentials(app.context.database);
const narrowed = { ...WIDE, symbols: GRANTED };
const { id: grant_id } = await createGrant(app.context.database, credentials.client_id, narrowed, Date.now());
const SCOPES = words`stock:read options:read screener:read market:read chat:read backtest:run`;
const whole = await tokenFrom(server, credentials, SCOPES);
const narrow = await tokenFrom(server, { ...credentials, grant_id }, SCOPES);
const address = await server.listen({ host: '127.0.0.1', port: 0 });
/** Runs of one client: under the narrowed grant, and under one for every symbol. */
const ownRun = (await postRun(server, { ...RUN, symbols: GRANTED }, bearer(narrow))).json().id;
const wideRun = (await postRun(server, { ...RUN, symbols: ['ACME', 'C1'] }, bearer(whole))).json().id;
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
          if (foreign.length > 0) found[`${operation} ${question}`] = foreign;
        }
      }
    }
    expect(found).toEqual({});
  });

  it('keeps what is within the grant, and every figure over many stocks', async () => {
    const { peers: all, ...rest } = await answerFor(whole, PEERS);
    const { peers, ...narrowedRest } = await answerFor(narrow, PEERS);
    expect(narrowedRest).toEqual(rest);
    expect(all.length).toBeGreaterThan(5);
    expect(peers).toEqual(all.filter(({ symbol }: { symbol: string }) => symbol === 'B0'));
    expect(peers).toHaveLength(1);

    const detail = `/stocks/ACME?include=${INCLUDES}`;
    const [wholeStock, stock] = [await answerFor(whole, detail), await answerFor(narrow, detail)];
    const { contributors } = stock.peer_divergence_v1;
    expect(stock).toEqual({
      ...wholeStock,
      peer_divergence_v1: { ...wholeStock.peer_divergence_v1, contributors },
    });

    const [wholeChat, context] = [await answerFor(whole, CHAT), await answerFor(narrow, CHAT)];
    expect(context.analog_outcomes).toEqual(wholeChat.analog_outcomes);
    expect(context.debate_summary).toEqual(wholeChat.debate_summary);
    expect(context.sector_data.divergence).toEqual(wholeChat.sector_data.divergence);
    expect(context.sector_data.peers).toMatchObject([{ symbol: 'B0' }]);
  });

  it.each([
    '/stocks/ACME',
    '/market/context',
    CHAT,
    '/chat/context?page_type=market&max_tokens=32000&query=patents',
  ])('leaves others the whole of %s, in any order of requests', async (asked) => {
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
    expect(one!.data.stock).toEqual(await answerFor(narrow, '/stocks/ACME'));
    expect(all!.data.stock).toEqual(await answerFor(whole, '/stocks/ACME'));
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

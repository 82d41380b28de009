import { describe, expect, it } from 'vitest';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { newBearer } from '../../support/access.ts';
import { appOn, bring, freshApp, serverOf } from '../../support/app.ts';
import { chainDelivery } from '../../support/chain-service.ts';
import { dailyBars, minuteBars, rowsBetween } from '../../support/market.ts';
import { at } from '../../support/tape.ts';

/** A stock whose first trade lies within the delay: a delayed caller must not learn that there is one. */

const DATE = '2024-03-13';
const ROOT = '/api/graph/v1';
/** Five minutes after the first trade of NEWX; the delay is fifteen. */
const NOW = '2024-03-13T14:05:00Z';

type Question = readonly [path: string, payload?: (symbol: string) => object];

const run = (symbols: readonly string[], date: string) => ({
  symbols,
  start_date: date,
  end_date: date,
  signal_types: ['vwap_touch'],
});

const QUESTIONS: readonly Question[] = [
  ...['', `?date=${DATE}`, '?date=2024-03-12', '?date=2024-03-10', '?include=levels,news'].map(
    (query): Question => [`/stocks/SYMBOL${query}`],
  ),
  ...['', `?date=${DATE}`, '?date=2024-03-12'].flatMap((query): Question[] => [
    [`/stocks/SYMBOL/peers${query}`],
    [`/options/SYMBOL/dte-scores${query}`],
    [`/options/SYMBOL/exposure${query}`],
    [`/options/SYMBOL/surface${query}`],
    [`/graph/SYMBOL/neighborhood${query}`],
    [`/chat/context${query === '' ? '?' : `${query}&`}page_type=stock_detail&symbol=SYMBOL`],
    ['/chat/verify', (symbol) => ({ symbol, text: 'It trades at $100.', ...dateOf(query) })],
  ]),
  ['/chat/context?page_type=market&symbol=SYMBOL'],
  ['/stream?symbols=SYMBOL'],
  ['/stream?symbols=OLDX,SYMBOL'],
  ['/chat/verify', (symbol) => ({ symbol: 'OLDX', text: `OLDX trades at $1 and ${symbol} at $100.` })],
  ['/backtest/optimize', (symbol) => run([symbol], DATE)],
  ['/backtest/optimize', (symbol) => run([symbol], '2024-03-12')],
  ['/backtest/optimize', (symbol) => run(['OLDX', symbol], '2024-03-12')],
  ['/screener', (symbol) => ({ filter: { field: 'symbol', op: '==', value: symbol } })],
  ['/screener', (symbol) => ({ filter: { field: 'symbol', op: '==', value: symbol }, date: DATE })],
];

const dateOf = (query: string): object => (query === '' ? {} : { date: query.slice('?date='.length) });

async function answerTo([path, payload]: Question, symbol: string, asked: { authorization?: string } = {}) {
  const { statusCode, body, headers } = await server.inject({
    method: payload === undefined ? 'GET' : 'POST',
    url: ROOT + path.replace('SYMBOL', symbol),
    headers: asked,
    ...(payload === undefined ? {} : { payload: payload(symbol) }),
  });
  // The identifier of a request may be a digit longer than the one before.
  const { 'x-request-id': _, date: __, 'content-length': ___, ...rest } = headers;
  const text = body.replaceAll(symbol, 'SYMBOL').replace(/"request_id":"[^"]*"/, '"request_id":""');
  return { statusCode, text, headers: rest };
}

const { app, store } = await freshApp({ TIGRAPH_NOW: NOW });
const minutes = rowsBetween(minuteBars('NEWX', DATE, DATE), at(DATE, '10:00'), at(DATE, '10:05'));
await bring(app, [
  dailyBars('OLDX', '2023-01-03', '2024-03-12'),
  minuteBars('OLDX', '2024-03-12', '2024-03-12'),
  minutes,
  chainDelivery({ symbol: 'NEWX', clock: '10:02', spot: 100 }),
]);
// As a live session does, which derives what has just come in.
await syncGraph({ ...app.context, delayMs: 0 }, { kind: 'touched' });
const server = await serverOf(app);

describe('a stock whose first trade lies within the delay', () => {
  it('is answered of like one that nobody knows', async () => {
    for (const question of QUESTIONS) {
      const unknown = await answerTo(question, 'NOPE');
      expect.soft(await answerTo(question, 'NEWX'), question[0]).toEqual(unknown);
    }
  });

  it('is known to a caller with the real-time feed', async () => {
    const { database } = app.context;
    const headers = await newBearer({ server, database }, ['stock:read', 'market-data:realtime']);
    const { statusCode, text } = await answerTo(['/stocks/SYMBOL'], 'NEWX', headers);
    expect(statusCode, text).toBe(200);
  });

  it('is known to everybody once its first minute is old enough', async () => {
    const later = await appOn(store, { TIGRAPH_NOW: '2024-03-13T14:16:00Z' });
    const serving = await serverOf(later);
    const response = await serving.inject({ url: `${ROOT}/stocks/NEWX` });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json()).toMatchObject({ symbol: 'NEWX', source: 'delayed' });
  });
});

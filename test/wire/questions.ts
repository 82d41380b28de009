/** What is asked of a service when its answers are recorded: `npm run wire -- record`. */
import { INCLUDE_FIELDS } from '../../src/derive/compose.ts';

export interface Question {
  /** File of the answer. */
  readonly name: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** A stock on a trade date, and a sentence about it to verify. */
export interface StockDay {
  readonly symbol: string;
  readonly date: string;
}

const ROOT = '/api/graph/v1';
const INCLUDES = [...INCLUDE_FIELDS.keys()].join();
const EDGE_TYPES = 'IN_SECTOR,PEER_OF,HAS_LEVEL,MENTIONED_IN';

/** Days of the recorded data: ticks, minute bars, five-minute bars, cut sessions, daily bars, chains, a split, funds. */
const RECORDED: Readonly<Record<string, readonly string[]>> = {
  SPY: ['2013-10-04', '2013-10-08', '2013-10-10', '2018-02-05'],
  IBM: ['2013-10-07', '2013-10-08', '2013-10-09', '2013-10-10'],
  BAC: ['2013-10-07', '2013-10-10', '2016-06-24'],
  AAPL: ['2014-06-06', '2014-06-09', '2017-09-13', '2026-08-19', '2026-03-12'],
  NVDA: ['2016-11-11', '2026-02-27', '2026-08-19'],
  JPM: ['2017-03-01', '2026-03-11', '2026-03-12', '2026-08-19'],
  MSFT: ['2018-01-31', '2026-03-12', '2026-08-19'],
  XOM: ['2016-02-11', '2018-12-24', '2026-08-19'],
  AMZN: ['2017-10-27', '2018-12-24'],
  TSLA: ['2017-08-03', '2026-08-19'],
  QQQ: ['2010-05-06'],
  GOOG: ['2008-10-10'],
};

/** Places of the simulated market's symbols, in order, and sessions before its last. */
const SIMULATED_PLACES = [0, 7, 19, 33, 42, 58, 71, 90];
const SIMULATED_SESSIONS = [0, 1, 2, 40];

export const recordedDays = (): StockDay[] =>
  Object.entries(RECORDED).flatMap(([symbol, dates]) => dates.map((date) => ({ symbol, date })));

/**
 * @param symbols all of the market, in order
 * @param sessions all of the market, in order
 */
export const simulatedDays = (symbols: readonly string[], sessions: readonly string[]): StockDay[] =>
  SIMULATED_PLACES.flatMap((place, at) => {
    const symbol = symbols[place % symbols.length]!;
    const early = SIMULATED_SESSIONS[at % SIMULATED_SESSIONS.length]!;
    return [sessions.at(-1)!, sessions.at(-2 - early)!].map((date) => ({ symbol, date }));
  });

/** Everything that can be asked of one stock on one date. */
export function stockQuestions({ symbol, date }: StockDay): Question[] {
  const name = (what: string): string => `${symbol}-${date}/${what}`;
  const stock = `${ROOT}/stocks/${symbol}`;
  const options = `${ROOT}/options/${symbol}`;
  return [
    { name: name('peers'), path: `${stock}/peers?date=${date}` },
    { name: name('stock'), path: `${stock}?date=${date}` },
    { name: name('stock-all'), path: `${stock}?date=${date}&include=${INCLUDES}` },
    { name: name('dte'), path: `${options}/dte-scores?date=${date}` },
    { name: name('dte-position'), path: `${options}/dte-scores?date=${date}&timeframe=position` },
    {
      name: name('dte-bearish'),
      path: `${options}/dte-scores?date=${date}&timeframe=intraday&direction=bearish`,
    },
    { name: name('exposure'), path: `${options}/exposure?date=${date}` },
    { name: name('surface'), path: `${options}/surface?date=${date}` },
    { name: name('neighborhood'), path: `${ROOT}/graph/${symbol}/neighborhood?date=${date}&depth=2` },
    ...['stock_detail', 'options'].map((page) => ({
      name: name(`chat-${page}`),
      path: `${ROOT}/chat/context?page_type=${page}&symbol=${symbol}&date=${date}&max_tokens=6000`,
    })),
    {
      name: name('chat-query'),
      path: `${ROOT}/chat/context?page_type=stock_detail&symbol=${symbol}&date=${date}&max_tokens=1500&query=earnings`,
    },
  ];
}

/** Drafts about a stock, of the figures that its answer holds and of wrong ones. */
export function verifyQuestions({ symbol, date }: StockDay, answer: unknown): Question[] {
  const figure = (path: string): string => {
    const found = path
      .split('.')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], answer);
    return typeof found === 'number' ? String(found) : '12.34';
  };
  const drafts = {
    prices: `${symbol} closed at $${figure('price.regular.close')}, after an open at ${figure('price.regular.open')} and a high of ${figure('price.regular.high')}. The stock is ${figure('price.change_pct')}% from the close before. VWAP is ${figure('levels.vwap')}; pivot ${figure('levels.pivot_pp')}, R1 ${figure('levels.pivot_r1')}.`,
    technicals: `The RSI(14) is ${figure('technical.rsi_14')} and the 50-day average lies at ${figure('technical.moving_averages.sma_50')}. ATR is ${figure('technical.atr_14')}. The bull score of ${figure('bullish_confluence')} beats the bear score of ${figure('bearish_confluence')}. Volume was ${figure('volume')} shares, ${figure('rel_volume')} times its average.`,
    wrong: `${symbol} trades at $1.23 with an RSI of 99.9 and a bull score of 100. Gamma flips at 17. The P/E is 431. Earnings come on 2031-01-05, and the stock rose 80% on ${date}.`,
    cited: `The price is ${figure('last_price')} [stock.last_price], RSI ${figure('technical.rsi_14')} [stock.technical.rsi_14], ATR 0.01 [stock.technical.atr_14].`,
  };
  return Object.entries(drafts).map(([what, text]) => ({
    name: `${symbol}-${date}/verify-${what}`,
    method: 'POST',
    path: `${ROOT}/chat/verify`,
    body: { symbol, date, text },
  }));
}

/** What is asked of the market on one date. */
export function marketQuestions(date: string): Question[] {
  const screener = `${ROOT}/screener`;
  const post = (what: string, body: object): Question => ({
    name: `market-${date}/${what}`,
    method: 'POST',
    path: screener,
    body: { date, ...body },
  });
  return [
    { name: `market-${date}/context`, path: `${ROOT}/market/context?date=${date}` },
    ...['market', 'screener', 'backtest'].map((page) => ({
      name: `market-${date}/chat-${page}`,
      path: `${ROOT}/chat/context?page_type=${page}&date=${date}&max_tokens=6000`,
    })),
    post('screen-oversold', {
      filter: { all: [{ field: 'technical.rsi_14', op: '<', value: 35 }] },
      sort: [{ field: 'rel_volume', order: 'desc' }],
      select: ['last_price', 'technical.rsi_14', 'bullish_confluence'],
      near_misses: 5,
      limit: 50,
    }),
    post('screen-computed', {
      filter: {
        all: [
          { field: 'last_price', op: '>=', value: 5 },
          {
            any: [
              { field: 'computed.stretch', op: '>', value: 1 },
              { field: 'rel_volume', op: '>', value: 2 },
            ],
          },
        ],
      },
      computed: {
        stretch: '(last_price - technical.moving_averages.sma_50) / technical.atr_14',
        both: 'max(bullish_confluence, bearish_confluence) - abs(net_confluence) * pow(2, 0.5)',
      },
      sort: [{ field: 'computed.stretch', order: 'desc' }],
      select: ['last_price', 'computed.stretch', 'computed.both'],
      limit: 100,
    }),
    post('screen-words', {
      filter: {
        all: [
          { field: 'directional_bias', op: 'in', value: ['bullish', 'neutral'] },
          { not: { field: 'technical.rsi_14', op: 'between', value: [45, 55] } },
        ],
      },
      select: ['directional_bias', 'confluence_tier', 'last_price'],
      limit: 25,
    }),
  ];
}

/** Questions that are refused, and those whose answer holds no market data. */
export function otherQuestions(symbol: string, date: string): Question[] {
  const stock = `${ROOT}/stocks/${symbol}`;
  const get = (path: string): [string, unknown?] => [path];
  const asked: Record<string, [string, unknown?]> = {
    fields: get(`${ROOT}/screener/fields`),
    newest: get(stock),
    'newest-context': get(`${ROOT}/market/context`),
    'stock-lower-case': get(`${ROOT}/stocks/${symbol.toLowerCase()}?date=${date}`),
    'unknown-route': get('/api/graph/v1/nothing'),
    'unknown-symbol': get(`${ROOT}/stocks/ZZZZQ`),
    'bad-symbol': get(`${ROOT}/stocks/A%20B`),
    'bad-date': get(`${stock}?date=2026-13-01`),
    'no-session': get(`${stock}?date=2026-01-01`),
    'future-date': get(`${stock}?date=2049-01-05`),
    'bad-include': get(`${stock}?include=levels,nothing`),
    'unknown-parameter': get(`${stock}?dat=${date}`),
    'twice-the-parameter': get(`${stock}?date=${date}&date=${date}`),
    'bad-timeframe': get(`${ROOT}/options/${symbol}/dte-scores?timeframe=year`),
    'bad-depth': get(`${ROOT}/graph/${symbol}/neighborhood?depth=9`),
    'bad-types': get(`${ROOT}/graph/${symbol}/neighborhood?types=NOTHING`),
    'some-types': get(`${ROOT}/graph/${symbol}/neighborhood?date=${date}&types=${EDGE_TYPES}`),
    'bad-page': get(`${ROOT}/chat/context?page_type=home`),
    'no-symbol': get(`${ROOT}/chat/context?page_type=stock_detail`),
    'no-tokens': get(`${ROOT}/chat/context?page_type=market&max_tokens=0`),
    'verify-nothing': [`${ROOT}/chat/verify`, { symbol, text: '' }],
    'verify-unknown': [`${ROOT}/chat/verify`, { symbol: 'ZZZZQ', text: 'It is at 5.' }],
    'screen-unknown-field': [
      `${ROOT}/screener`,
      { filter: { field: 'technical.rsi_15', op: '<', value: 3 } },
    ],
    'screen-bad-value': [
      `${ROOT}/screener`,
      { filter: { field: 'technical.rsi_14', op: '<', value: 'low' } },
    ],
    'screen-circle': [`${ROOT}/screener`, { computed: { a: 'computed.b', b: 'computed.a' } }],
    'screen-bad-expression': [`${ROOT}/screener`, { computed: { a: 'last_price +* 3' } }],
    'screen-power-sign': [`${ROOT}/screener`, { computed: { a: 'last_price ^ 2' } }],
    'screen-bad-function': [`${ROOT}/screener`, { computed: { a: 'exec(last_price)' } }],
    'optimize-empty': [`${ROOT}/backtest/optimize`, {}],
    'optimize-bad': [
      `${ROOT}/backtest/optimize`,
      { symbols: ['ZZZZQ'], start_date: '2026-02-30', end_date: '2026-01-01', signal_types: ['nothing'] },
    ],
    'run-unknown': get(`${ROOT}/backtest/optimize/00000000-0000-4000-8000-000000000000`),
    'run-bad-id': get(`${ROOT}/backtest/optimize/x`),
    'runs-bad-status': get(`${ROOT}/backtest/optimize?status=lost`),
    'token-empty': [`${ROOT}/chart-agent-auth/token`, {}],
    'token-wrong': [
      `${ROOT}/chart-agent-auth/token`,
      {
        client_id: 'nobody',
        client_secret: 'x'.repeat(43),
        grant_id: '00000000-0000-4000-8000-000000000000',
        agent_id: 'agent',
        scopes: ['stock:read'],
        ttl_seconds: 300,
      },
    ],
    'stream-nothing': get(`${ROOT}/stream`),
    'stream-unknown': get(`${ROOT}/stream?symbols=ZZZZQ`),
    live: get('/health/live'),
    ready: get('/health/ready'),
    diffusion: ['/api/internal/graph-diffusion/compute', { returns: { [symbol]: 0.02 }, schema_version: 1 }],
    'diffusion-bad': ['/api/internal/graph-diffusion/compute', { returns: { [symbol]: 'x' } }],
  };
  return Object.entries(asked).map(([name, [path, body]]) => ({
    name: `other/${name}`,
    path,
    ...(body === undefined ? {} : { method: 'POST', body }),
  }));
}
